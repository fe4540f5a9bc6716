"""The store: what it keeps, what it refuses."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from solver.batch.store import Row, Store, StoreError, pack_moves, unpack_moves
from solver.game.cards import card
from solver.game.foundations import Pile
from solver.game.moves import DEAL, Move, reserve_move, transfer, waste_move
from solver.game.rules import PRESETS
from solver.game.verdict import Limits, Reason, Verdict

WIKIPEDIA = PRESETS["wikipedia"]
WON = Row("100001", Verdict.WINNABLE, None, 229, "credit layers", 3000, pack_moves([DEAL]))
LOST = Row("100016", Verdict.UNWINNABLE, None, 43, "credit layers", 200, None)
OPEN = Row("100271", Verdict.UNKNOWN, Reason.BUDGET, 1000, "credit layers", 9000, None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.db", writable=True) as opened:
        opened.add_rules(WIKIPEDIA)
        yield opened


def every_move() -> list[Move]:
    cards = [card(rank, suit) for suit in range(4) for rank in range(1, 14)]
    return [
        DEAL,
        *(
            make(each, pile)
            for make in (reserve_move, waste_move)
            for each in cards
            for pile in Pile
        ),
        *(transfer(suit, one, other) for suit in range(4) for one in Pile for other in Pile),
    ]


def test_every_move_is_packed_and_unpacked() -> None:
    assert unpack_moves(pack_moves(every_move())) == every_move()


@pytest.mark.parametrize("packed", [b"", b"nonsense", pack_moves(every_move())[:-3]])
def test_bytes_that_are_no_moves_are_refused(packed: bytes) -> None:
    with pytest.raises(ValueError, match="no packed moves"):
        unpack_moves(packed)


def test_rows_come_back_as_they_were_in_the_order_of_their_numbers(store: Store) -> None:
    early, ms = replace(LOST, seed="99999"), replace(LOST, seed="ms5")
    store.add(WIKIPEDIA, store.begin_run(Limits(10, memory=10)), [ms, OPEN, WON, LOST, early])
    assert list(store.rows(WIKIPEDIA)) == [early, WON, LOST, OPEN, ms]
    assert store.seeds(WIKIPEDIA) == {row.seed for row in (early, WON, LOST, OPEN, ms)}
    assert store.rules() == {"wikipedia": WIKIPEDIA}


def test_only_a_search_with_more_is_worth_another_try(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    died = replace(OPEN, seed="100272", reason=Reason.DIED, method="none")
    store.add(WIKIPEDIA, store.begin_run(Limits(1000, memory=50)), [WON, LOST, OPEN, died])
    both = {"100271", "100272"}
    for states, memory in ((1000, 50), (900, 40)):
        assert store.untried(WIKIPEDIA, Limits(states, memory=memory)) == {"100272"}
    for states, memory in ((1001, 50), (1000, 51)):
        assert store.untried(WIKIPEDIA, Limits(states, memory=memory)) == both
    monkeypatch.setattr("solver.batch.store.verdict_signature", lambda: "another program")
    assert store.untried(WIKIPEDIA, Limits(1000, memory=50)) == both


def test_a_decided_row_is_never_changed_and_an_unknown_one_gives_way(store: Store) -> None:
    run = store.begin_run(Limits(10, memory=10))
    store.add(WIKIPEDIA, run, [WON, OPEN])
    store.add(WIKIPEDIA, run, [replace(OPEN, seed=WON.seed), replace(OPEN, states=5000)])
    assert list(store.rows(WIKIPEDIA)) == [WON, replace(OPEN, states=5000)]
    decided = replace(LOST, seed=OPEN.seed)
    store.add(WIKIPEDIA, run, [decided])
    assert list(store.rows(WIKIPEDIA)) == [WON, decided]


def test_an_unknown_row_stays_where_another_has_cost_less(store: Store) -> None:
    small, large = store.begin_run(Limits(100, memory=10)), store.begin_run(Limits(5000, memory=10))
    searched, died = replace(OPEN, states=4998), replace(OPEN, states=0, method="none")
    for run, row, kept in (
        (large, died, died),
        (small, OPEN, OPEN),
        (large, searched, searched),
        (small, replace(OPEN, states=102), searched),
        (large, died, searched),
        (large, replace(OPEN, states=4997), replace(OPEN, states=4997)),
        (small, WON, replace(OPEN, states=4997)),
    ):
        store.add(WIKIPEDIA, run, [row])
        assert [each for each in store.rows(WIKIPEDIA) if each.seed == OPEN.seed] == [kept]
    assert store.untried(WIKIPEDIA, Limits(5000, memory=10)) == set()


def test_a_store_is_one_file_once_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store(path, writable=True) as first, Store(path, writable=True) as second:
        first.add_rules(WIKIPEDIA)
        second.add(WIKIPEDIA, second.begin_run(Limits(1, memory=1)), [WON])
    with Store(path) as store:
        assert list(store.rows(WIKIPEDIA)) == [WON]
        assert list(tmp_path.iterdir()) == [path]
    # A reader would have to write beside a store with a log.
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_what_is_wrong_with_a_store_that_is_joined_names_that_store(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "other.db"
    with Store(path, writable=True) as other:
        other.add_rules(WIKIPEDIA)
        other.add(WIKIPEDIA, other.begin_run(Limits(1, memory=1)), [WON])
    for change, message in (
        ("DELETE FROM run", "run 1, which decided deals, is missing"),
        ("UPDATE rules SET kings = 'everywhere'", "'everywhere' is not a valid Kings"),
    ):
        database = sqlite3.connect(path)
        database.execute(change)
        database.commit()
        database.close()
        with Store(path) as other, pytest.raises(StoreError, match=f"^{path}: {message}"):
            store.copy_from(other)


def test_a_contradiction_is_refused_with_all_that_came_with_it(store: Store) -> None:
    run = store.begin_run(Limits(10, memory=10))
    store.add(WIKIPEDIA, run, [WON])
    with pytest.raises(StoreError, match="deal 100001 is winnable here, but unwinnable now"):
        store.add(WIKIPEDIA, run, [LOST, replace(LOST, seed=WON.seed)])
    assert list(store.rows(WIKIPEDIA)) == [WON]


def test_a_name_means_the_same_switches_for_ever(store: Store, tmp_path: Path) -> None:
    store.add_rules(WIKIPEDIA)
    with closing(sqlite3.connect(tmp_path / "store.db")) as database, database:
        database.execute("UPDATE rules SET reserve = 15")
    with pytest.raises(StoreError, match="'wikipedia' has other switches"):
        store.add_rules(WIKIPEDIA)


@pytest.mark.parametrize("row", [replace(WON, moves=None), replace(LOST, reason=Reason.BUDGET)])
def test_a_row_that_makes_no_sense_is_refused(store: Store, row: Row) -> None:
    with pytest.raises(StoreError, match="constraint failed"):
        store.add(WIKIPEDIA, store.begin_run(Limits(10, memory=10)), [row])


def test_stores_are_joined_with_the_runs_that_made_them(store: Store, tmp_path: Path) -> None:
    store.add(WIKIPEDIA, store.begin_run(Limits(10, memory=10)), [WON])
    small = replace(WIKIPEDIA, reserve=12)
    with Store(tmp_path / "other.db", writable=True) as other:
        for rules in (WIKIPEDIA, small):
            other.add_rules(rules)
            other.add(rules, other.begin_run(Limits(77, memory=10), [rules]), [LOST, OPEN])
        store.copy_from(other)
        store.copy_from(other)
    assert list(store.rows(WIKIPEDIA)) == [WON, LOST, OPEN]
    assert list(store.rows(small)) == [LOST, OPEN]
    with closing(sqlite3.connect(tmp_path / "store.db")) as database:
        query = (
            "SELECT run.rules, run.states FROM verdict JOIN run ON run.id = run"
            " WHERE seed = '100016' ORDER BY 1"
        )
        runs = database.execute(query).fetchall()
        assert runs == [("wikipedia", 77), ("wikipedia reserve=12", 77)]


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("this is no database, and it is long enough to be seen as such\n" * 20)
    with closing(sqlite3.connect(other)) as database, database:
        database.execute("CREATE TABLE mine (x)")
    for path in (text, other, tmp_path / "missing.db", tmp_path):
        before = path.read_bytes() if path.is_file() else None
        for writable in (False, True):
            if path.name == "missing.db" and writable:
                continue
            with pytest.raises(StoreError, match=path.name):
                Store(path, writable)
        assert (path.read_bytes() if path.is_file() else None) == before
    assert not (tmp_path / "missing.db").exists()


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Gives up the right to write everything, where the tests have it."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_store_that_cannot_be_written_is_an_error_and_stays_as_it_is() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        with Store(path, writable=True) as store:
            store.add_rules(WIKIPEDIA)
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        before = path.read_bytes()
        with ordinary_user(), pytest.raises(StoreError, match=r"store\.db: .*readonly"):
            Store(path, writable=True).begin_run(Limits(1, memory=1))
        assert path.read_bytes() == before
        Path(folder).chmod(0o755)
