"""Difficulty: the players against ``game.position`` at every move, counts against brute force."""

import csv
import io
import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from solver.batch.stats import pooled
from solver.batch.store import Row, Store, pack_moves
from solver.engine.decide import solve
from solver.engine.path import moves_of
from solver.engine.playouts import games_won
from solver.engine.search import Form
from solver.game.deal import deal_from_seed
from solver.game.difficulty import Difficulty, Level
from solver.game.foundations import Pile
from solver.game.moves import DEAL, Move, Source
from solver.game.position import Position, start
from solver.game.rules import PRESETS
from solver.game.verdict import Limits, Reason, Verdict
from solver.kernel.jit import COMPILED, unsigned
from solver.kernel.playout import new_record, play, root_of
from solver.kernel.root import Switch, problem_of
from solver.player.difficulty import IDLE, PLAYOUTS, difficulty_of

from .naive import is_winnable, random_position
from .test_cli import Capture, failure, misuse, run, solved

WIKIPEDIA = PRESETS["wikipedia"]
NO_TRANSFERS = {name: replace(rules, transfers=False) for name, rules in PRESETS.items()}
POSITIONS = 150 if COMPILED else 5
PILE_ORDER = list(Pile)
MASK = 2**64 - 1
EASY, HARD = Difficulty(1000, 400, 300, 120, 3, 0), Difficulty(1000, 0, 0, 100, 9, 1)
whole_deals = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")


class Generator:
    """SplitMix64, on Python's own integers."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
        return ((word ^ word >> 31) >> 33) % n


def test_the_generator_is_that_of_the_reference() -> None:
    # The first outputs from the state 1234567, in full, are published with the algorithm.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    generator = Generator(1234567)
    assert [generator.below(2**31) for _ in expected] == [word >> 33 for word in expected]


def plays_of(position: Position) -> list[Move]:
    """Gets what a player without a plan chooses from, in the order of the kernel's numbers."""
    plays = [move for move in position.legal_moves() if move.source is not Source.STOCK]
    held = {move.card for move in plays if move.source is Source.RESERVE}
    plays = [m for m in plays if m.source is Source.RESERVE or m.card not in held]

    def order(move: Move) -> tuple[bool, int, int]:
        assert move.card is not None
        assert move.pile is not None
        return move.source is Source.WASTE, move.card, PILE_ORDER.index(move.pile)

    return sorted(plays, key=order)


def game_of(position: Position, idle: int, generator: Generator) -> tuple[list[Move], Position]:
    """Plays a game as the kernel does, until the waste and the stock are empty or nothing fits."""
    line = []
    while position.waste or position.stock:
        plays, deals = plays_of(position), position.is_legal(DEAL)
        if deals and idle and generator.below(idle) == 0:
            plays = []
        if plays:
            line.append(plays[generator.below(len(plays))])
        elif deals:
            line.append(DEAL)
        else:
            break
        position = position.play(line[-1])
    return line, position


def assert_played_alike(position: Position, idle: int, seed: int) -> bool:
    record = new_record()
    problem = problem_of(position, credit=False, switches=Switch.NONE)
    won = play(problem, root_of(position), 1, idle, unsigned(seed), record)
    codes = record.line[1 : record.line[0] + 1].tolist()
    line, end = game_of(position, idle, Generator(seed))
    assert list(moves_of(position, Form.PLAIN, codes)) == line
    assert bool(won) == (not end.waste and not end.stock)
    while won and not end.is_won:
        end = end.play(end.legal_moves()[0])
    return bool(won)


@pytest.mark.parametrize("idle", [0, 3])
@pytest.mark.parametrize("name", NO_TRANSFERS)
def test_small_games_are_played_as_by_the_rules(name: str, idle: int) -> None:
    rng, won = random.Random(name), set()
    for seed in range(POSITIONS):
        rules = replace(NO_TRANSFERS[name], reserve=rng.randint(1, 6))
        position = random_position(rng, rules, rng.randint(0, 40))
        won.add(assert_played_alike(position, idle, seed))
    assert won == {True, False} or not COMPILED


@pytest.mark.parametrize("idle", [0, IDLE])
@pytest.mark.parametrize("name", NO_TRANSFERS)
def test_whole_games_are_played_as_by_the_rules(name: str, idle: int) -> None:
    for seed in range(100000, 100000 + POSITIONS // 5):
        position = start(deal_from_seed(str(seed)), NO_TRANSFERS[name])
        assert_played_alike(position, idle, seed)


def test_games_follow_one_another_on_one_stream() -> None:
    position = start(deal_from_seed("100001"), WIKIPEDIA)
    generator = Generator(1)
    ends = [game_of(position, IDLE, generator)[1] for _ in range(20)]
    assert games_won(position, 20, IDLE) == sum(not end.waste and not end.stock for end in ends)


def test_a_won_position_is_won_by_anyone() -> None:
    assert games_won(random_position(random.Random(1), WIKIPEDIA, 0), 10, 0) == 10


@whole_deals
def test_games_won_on_known_deals() -> None:
    deals = [start(deal_from_seed(seed), WIKIPEDIA) for seed in ("100000", "100016", "100001")]
    assert [games_won(deal, PLAYOUTS, 0) for deal in deals[:2]] == [0, 0]
    assert games_won(deals[2], PLAYOUTS, IDLE) > 100


# Choices


@cache
def wins(position: Position) -> bool:
    return is_winnable(position, 1_000_000)


def choices_by_brute_force(position: Position, win: tuple[Move, ...]) -> tuple[int, int]:
    choices = single = 0
    for move in win:
        moves = [m for m in position.legal_moves() if m.source is not Source.FOUNDATION]
        if len(moves) > 1:
            choices += 1
            single += sum(wins(position.play(other)) for other in moves) == 1
        position = position.play(move)
    return choices, single


@pytest.mark.parametrize("name", PRESETS)
def test_choices_are_those_of_brute_force(name: str) -> None:
    rng, found = random.Random(7), 0
    for _ in range(POSITIONS // 5):
        rules = replace(PRESETS[name], reserve=rng.randint(1, 3))
        position = random_position(rng, rules, rng.randint(4, 12))
        win = solve(position).moves
        if not win or any(move.source is Source.FOUNDATION for move in win):
            continue
        measured = difficulty_of(position, win)
        choices, single = choices_by_brute_force(position, win)
        assert (measured.choices, measured.single, measured.unclear) == (choices, single, 0)
        found += single
    assert found or not COMPILED


@pytest.mark.parametrize(
    ("careless", "level"),
    [(0, "hard"), (9, "hard"), (10, "medium"), (99, "medium"), (100, "easy"), (1000, "easy")],
)
def test_levels(careless: int, level: str) -> None:
    assert Difficulty(1000, 0, careless, 1, 1, 1).level is Level(level)
    assert Difficulty(1000, 0, careless).level is None


# Stores


def row(seed: str, verdict: str, difficulty: Difficulty | None = None) -> Row:
    reason: Reason | None = None
    moves = pack_moves([DEAL]) if verdict == "winnable" else None
    if verdict == "unknown":
        reason = Reason.BUDGET
    return Row(seed, Verdict(verdict), reason, 5, "credit layers", 7, moves, difficulty)


def add(path: Path, *rows: Row) -> Path:
    with Store(path, writable=True) as store:
        store.add_rules(WIKIPEDIA)
        store.add(WIKIPEDIA, store.begin_run(Limits(1, memory=1)), rows)
    return path


def rows_in(path: Path) -> list[Row]:
    with Store(path) as store:
        return list(store.rows(WIKIPEDIA))


def measured_in(path: Path) -> set[str]:
    with Store(path) as store:
        return store.measured(WIKIPEDIA)


UNSOLVED = Difficulty(1000, 0, 0)


def test_difficulties_are_kept_with_their_rows(tmp_path: Path) -> None:
    rows = [row("5", "winnable", EASY), row("6", "unwinnable", UNSOLVED), row("7", "winnable")]
    path = add(tmp_path / "store.db", *rows)
    assert rows_in(path) == rows
    assert measured_in(path) == {"5", "6"}


def test_a_decided_row_gets_its_difficulty_later(tmp_path: Path) -> None:
    path = add(tmp_path / "store.db", row("5", "winnable"))
    add(path, replace(row("5", "winnable", HARD), states=99))
    assert rows_in(path) == [row("5", "winnable", HARD)]
    add(path, row("5", "winnable", EASY))
    assert rows_in(path) == [row("5", "winnable", HARD)]


def test_an_unknown_deal_is_measured_again_once_it_is_won(tmp_path: Path) -> None:
    path = add(tmp_path / "store.db", row("5", "unknown", UNSOLVED))
    assert measured_in(path) == {"5"}
    add(path, row("5", "winnable"))
    assert measured_in(path) == set()
    add(path, row("5", "winnable", replace(UNSOLVED, choices=9, single=1, unclear=0)))
    assert rows_in(path)[0].difficulty == Difficulty(1000, 0, 0, 9, 1, 0)


def test_a_store_of_an_earlier_version_is_read_and_gets_its_table(tmp_path: Path) -> None:
    path = add(tmp_path / "store.db", row("5", "winnable"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE difficulty")
        database.execute("PRAGMA user_version = 0")
    assert rows_in(path) == [row("5", "winnable")]
    assert measured_in(path) == set()
    target = tmp_path / "all.db"
    with Store(target, writable=True) as store, Store(path) as old:
        store.copy_from(old)
    assert rows_in(target) == [row("5", "winnable")]
    add(path, row("5", "winnable", EASY))
    assert rows_in(path) == [row("5", "winnable", EASY)]


def test_joined_and_pooled_stores_keep_difficulties(tmp_path: Path) -> None:
    one = add(tmp_path / "one.db", row("5", "winnable"), row("6", "winnable", EASY))
    two = add(tmp_path / "two.db", row("5", "winnable", HARD), row("6", "winnable"))
    for first, second in ((one, two), (two, one)):
        with Store(first) as a, Store(second) as b:
            found = pooled([a, b], WIKIPEDIA)
        assert [each.difficulty for each in found.values()] == [HARD, EASY]
    with Store(one, writable=True) as store, Store(two) as other:
        store.copy_from(other)
    assert [each.difficulty for each in rows_in(one)] == [HARD, EASY]


# Commands


def exported(capsys: Capture, path: Path, *args: str) -> list[dict[str, str]]:
    out, _ = run(capsys, ["export", str(path), *args])
    return list(csv.DictReader(io.StringIO(out)))


def test_export_picks_levels(capsys: Capture, tmp_path: Path) -> None:
    path = add(
        tmp_path / "store.db",
        row("100005", "winnable", EASY),
        row("100006", "winnable", HARD),
        row("100007", "winnable"),
        row("100008", "unwinnable", UNSOLVED),
    )
    for level, seeds in (
        ("easy", ["100005"]),
        ("medium", []),
        ("hard", ["100006"]),
        ("any", ["100005", "100006"]),
    ):
        found = exported(capsys, path, "--difficulty", level)
        assert [each["seed"] for each in found] == seeds
        assert {each["level"] for each in found} <= {level} or level == "any"
        numbers, _ = run(capsys, ["export", str(path), "--winnable", "--difficulty", level])
        assert numbers.split() == seeds
    (easy,) = exported(capsys, path, "--difficulty", "easy")
    assert (easy["playouts"], easy["careless"], easy["single"]) == ("1000", "300", "3")
    assert "level" not in exported(capsys, path)[0]


def test_stats_count_levels(capsys: Capture, tmp_path: Path) -> None:
    path = add(
        tmp_path / "store.db",
        row("100005", "winnable", EASY),
        row("100006", "winnable", HARD),
        row("100007", "winnable", HARD),
        row("100008", "winnable"),
        row("100009", "unwinnable", UNSOLVED),
    )
    out, _ = run(capsys, ["stats", str(path)])
    lines = [line.split() for line in out.splitlines()]
    at = lines.index(["difficulty", "measured", "easy", "medium", "hard"])
    assert lines[at + 1] == ["wikipedia", "3", "1", "0", "2"]
    found = json.loads(run(capsys, ["stats", str(path), "--json"])[0])["rules"][0]
    assert found["difficulty"] == {"easy": 1, "medium": 0, "hard": 2}
    (line,) = csv.DictReader(io.StringIO(run(capsys, ["stats", str(path), "--csv"])[0]))
    assert [line[str(level)] for level in Level] == ["1", "0", "2"]


def test_stats_have_no_table_of_levels_where_nothing_was_measured(
    capsys: Capture, tmp_path: Path
) -> None:
    path = add(tmp_path / "store.db", row("5", "winnable"), row("6", "unwinnable", UNSOLVED))
    assert "difficulty" not in run(capsys, ["stats", str(path)])[0]


def test_export_says_that_nothing_was_measured(capsys: Capture, tmp_path: Path) -> None:
    path = add(tmp_path / "store.db", row("100005", "winnable"))
    error = failure(capsys, "export", str(path), "--difficulty", "easy")
    assert error == "Error: no winnable deal has been measured yet: batch --difficulty"


@whole_deals
def test_a_batch_measures_what_has_no_difficulty_yet(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    args = ["batch", "--seeds", "100015-100016", "--store", str(path), "--jobs", "1"]
    run(capsys, args)
    before = rows_in(path)
    assert [each.difficulty for each in before] == [None, None]
    run(capsys, [*args, "--difficulty"])
    won, lost = rows_in(path)
    assert [replace(each, difficulty=None) for each in (won, lost)] == before
    position = start(deal_from_seed("100015"), WIKIPEDIA)
    assert won.difficulty == difficulty_of(position, solve(position).moves)
    assert lost.difficulty == UNSOLVED
    assert "Nothing to do" in run(capsys, [*args, "--difficulty"])[1]


@whole_deals
def test_solve_says_how_hard_a_deal_is(capsys: Capture) -> None:
    found = solved(capsys, "--seed", "100000", "--difficulty")["difficulty"]
    assert found["level"] == "hard"
    assert set(found) == {"level", "playouts", "greedy", "careless", "choices", "single", "unclear"}
    assert "difficulty" not in solved(capsys, "--seed", "100000")
    lines = run(capsys, ["--seed", "100000", "--difficulty"])[0].splitlines()
    assert lines[2:4] == [
        "Difficulty: hard",
        "Of 1,000 games without a plan a careless player wins 0, a greedy one 0.",
    ]
    assert lines[4].startswith(f"At {found['single']} of the solution's {found['choices']} choices")


@whole_deals
def test_a_lost_deal_has_no_level(capsys: Capture) -> None:
    found = json.loads(run(capsys, ["--seed", "100016", "--difficulty", "--json"])[0])
    assert (found["difficulty"]["level"], found["difficulty"]["single"]) == (None, None)


@whole_deals
def test_each_rule_set_has_its_level(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", "100000", "--difficulty", "--rules", "all"])
    levels = [line.rpartition(", ")[2] for line in out.splitlines()]
    assert (levels[0], levels[3]) == ("hard", "easy")
    assert levels[1].endswith(" ms")


def test_quiet_leaves_no_room_for_a_difficulty(capsys: Capture) -> None:
    assert "--quiet" in misuse(capsys, "--seed", "1", "--difficulty", "--quiet")
