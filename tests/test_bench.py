"""The benchmarks' own arithmetic, files and lists: all of them that needs no clock."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import against, bench, figures, tail
from bench.figures import Section, spread_of, write_json
from bench.tail import Entry, as_csv, grow, merged, read_list, tail_of
from bench.timing import Timed
from solver.batch.store import Row, Store
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import Limits, Reason, Verdict

WINNABLE, UNWINNABLE, UNKNOWN = Verdict


def row(seed: str, states: int, verdict: str) -> Row:
    reason = Reason.BUDGET if verdict == "unknown" else None
    moves = b"" if verdict == "winnable" else None
    return Row(seed, Verdict(verdict), reason, states, "credit layers", 1, moves)


def store_of(path: Path, *rows: Row, reserve: int = 16) -> Path:
    rules = Rules(reserve=reserve)
    with Store(path, writable=True) as store:
        store.add_rules(rules)
        store.add(rules, store.begin_run(Limits(1000, memory=1 << 20), [rules]), rows)
    return path


def test_the_spread_of_values() -> None:
    assert spread_of(range(1, 102), "ms") == {
        "mean ms": 51,
        "median ms": 51,
        "p90 ms": 91,
        "p99 ms": 100,
        "worst ms": 101,
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1234567, "1,234,567"), (1234567.8, "1,234,568"), (0.5, "0.500"), (12.34, "12.3")],
)
def test_figures_as_text(value: float, text: str) -> None:
    assert figures.as_text(value) == text


def test_a_section_is_a_table_with_its_columns_in_line() -> None:
    section = Section(
        "batch", "3 deals", {"1 job": {"s": 10.0, "n": 1}, "2 jobs": {"s": 5, "n": 1}}
    )
    assert str(section) == "batch: 3 deals\n           s  n\n1 job   10.0  1\n2 jobs     5  1"


def test_a_run_is_read_as_it_was_written_and_tells_no_names(tmp_path: Path) -> None:
    section = Section("speed", "3 deals", {"pysol": {"ms": 1.5, "states": 7}})
    write_json(tmp_path / "run.json", [section])
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["sections"] == {"speed": {"about": section.about, "rows": section.rows}}
    assert set(run["run"]) == {
        *("python", "numba", "machine", "cpus", "revision", "sources", "date")
    }
    assert str(figures.ROOT) not in json.dumps(run)


def test_a_file_of_figures_in_no_folder_is_refused_at_once(tmp_path: Path) -> None:
    done = CliRunner().invoke(bench.main, ["speed", "--json", str(tmp_path / "no" / "run.json")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"there is no folder {tmp_path / 'no'}" in done.stderr


def test_a_row_of_two_solvers_that_took_turns() -> None:
    def results(*cpu: float, verdict: str = "winnable") -> list[Timed]:
        return [Timed(str(n), verdict, 100, 2 * ms, ms) for n, ms in enumerate(cpu)]

    rounds = [(results(1, 9), results(2, 3)), (results(10), results(10)), (results(4), results(8))]
    row = against.figures_of(rounds)
    assert (row["base cpu ms"], row["now"]) == (10, 8)
    assert (row["least"], row["ratio"], row["most"], row["wall ratio"]) == (0.5, 1, 2, 1)
    assert (row["base states"], row["ratio of states"]) == (200, 1)


def test_contradictions_are_of_decided_deals_only() -> None:
    verdicts = ("winnable", "unwinnable"), ("winnable", "unknown"), ("unwinnable", "unwinnable")
    a = [Timed(str(n), one, 1, 1, 1) for n, (one, _) in enumerate(verdicts)]
    b = [Timed(str(n), other, 1, 1, 1) for n, (_, other) in enumerate(verdicts)]
    assert against.contradictions(a, b) == ["0"]


@pytest.mark.parametrize("base", ["no-such-commit", "--all", ""])
def test_a_base_that_is_no_commit_is_refused(base: str) -> None:
    done = CliRunner().invoke(against.main, ["--", base])
    assert done.exit_code == 1
    assert done.stderr == f"Error: {base!r} is no commit of this repository\n"


def test_a_harder_deal_displaces_the_easiest_of_a_full_list() -> None:
    known = [
        Entry("1", 300, UNKNOWN),
        Entry("2", 200, WINNABLE),
        Entry("3", 100, WINNABLE),
    ]
    news = [Entry("4", 250, UNWINNABLE), Entry("5", 50, WINNABLE)]
    assert [entry.seed for entry in merged(known, news, length=3)] == ["1", "4", "2"]


def test_no_deal_is_twice_in_a_list_and_order_is_by_states() -> None:
    entries = [Entry(str(n), n % 7, WINNABLE) for n in range(20)]
    once = merged([], entries)
    assert merged(once, entries) == once == merged([], [*entries, *entries])
    assert [entry.states for entry in once] == sorted((n % 7 for n in range(20)), reverse=True)


def test_among_equals_the_undecided_deal_is_harder() -> None:
    found = merged([], [Entry("1", 200, WINNABLE), Entry("2", 200, UNKNOWN)])
    assert [entry.seed for entry in found] == ["2", "1"]


@pytest.mark.parametrize(
    ("known", "new", "expected"),
    [
        ((200, UNKNOWN), (900, WINNABLE), (900, WINNABLE)),  # decided by a larger budget
        ((200, UNKNOWN), (90, UNWINNABLE), (90, UNWINNABLE)),  # and by a better search
        ((900, WINNABLE), (90, WINNABLE), (90, WINNABLE)),
        ((900, WINNABLE), (200, UNKNOWN), (900, WINNABLE)),  # a smaller budget tells nothing
        ((900, UNKNOWN), (200, UNKNOWN), (900, UNKNOWN)),
        ((200, UNKNOWN), (900, UNKNOWN), (900, UNKNOWN)),
    ],
)
def test_news_of_a_deal(
    known: tuple[int, Verdict], new: tuple[int, Verdict], expected: tuple[int, Verdict]
) -> None:
    assert merged([Entry("1", *known)], [Entry("1", *new)]) == [Entry("1", *expected)]


def test_contradicting_verdicts_are_refused() -> None:
    with pytest.raises(ValueError, match="deal 1 is winnable in the list, but unwinnable now"):
        merged([Entry("1", 5, WINNABLE)], [Entry("1", 5, UNWINNABLE)])


def test_lists_grow_from_stores(tmp_path: Path) -> None:
    folder = tmp_path / "tail"
    grow(store_of(tmp_path / "a.db", row("1", 20, "winnable"), row("2", 100, "unknown")), folder)
    path = folder / "wikipedia.csv"
    assert path.read_text() == "seed,states,verdict\n2,100,unknown\n1,20,winnable\n"
    grow(store_of(tmp_path / "b.db", row("2", 70, "unwinnable"), row("3", 90, "winnable")), folder)
    assert read_list(path) == [
        Entry("3", 90, WINNABLE),
        Entry("2", 70, UNWINNABLE),
        Entry("1", 20, WINNABLE),
    ]


def test_rules_that_are_no_preset_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = store_of(tmp_path / "a.db", row("1", 20, "winnable"), reserve=15)
    grow(path, tmp_path)
    assert not [*tmp_path.glob("*.csv")]
    assert capsys.readouterr().err == f"{path}: wikipedia reserve=15 is no preset, left out\n"


@pytest.mark.parametrize(
    "content",
    ["", "seed,verdict\n", "seed,states,verdict\n1,2\n", "seed,states,verdict\n1,x,winnable\n"],
)
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "wikipedia.csv"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"wikipedia\.csv"):
        read_list(path)


@pytest.mark.parametrize("name", PRESETS)
def test_the_lists_are_long_and_as_they_would_be_written(name: str) -> None:
    entries = tail_of(name)
    assert len(entries) >= 200
    assert merged([], entries) == entries
    assert (tail.FOLDER / f"{name}.csv").read_text() == as_csv(entries)
