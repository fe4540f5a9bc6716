"""The façade, as a program sees it: what docs/python.md says is true, whole, and costs nothing."""

import ast
import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import solver

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "python.md"
NAMES = {name: getattr(solver, name) for name in solver.__all__}


def python(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_guide_shows_what_happens() -> None:
    failed, tried = doctest.testfile(str(GUIDE), module_relative=False)
    assert tried > 30
    assert failed == 0


@pytest.mark.parametrize("name", solver.__all__)
def test_the_guide_tells_of_every_name(name: str) -> None:
    assert re.search(rf"[`.]{name}\b", GUIDE.read_text(encoding="utf-8"))


def test_type_checkers_are_told_the_same_names() -> None:
    told = {
        alias.asname
        for node in ast.walk(ast.parse(Path(solver.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }
    assert told == set(solver.__all__)


def test_no_room_has_the_name_of_a_function() -> None:
    rooms = {path.name for path in (ROOT / "solver").iterdir() if path.is_dir()}
    assert not rooms & set(solver.__all__)


def test_a_name_that_is_not_there_is_said() -> None:
    with pytest.raises(AttributeError, match=r"module 'solver' has no attribute 'slove'"):
        solver.slove  # noqa: B018
    assert set(solver.__all__) <= set(dir(solver))


def test_importing_touches_nothing(tmp_path: Path) -> None:
    code = """
import os, sys
before, modules = dict(os.environ), set(sys.modules)
import solver
from solver import Limits, Verdict, start, parse_moves
start(100000)
heavy = {"numpy", "numba", "llvmlite", "click", "sqlite3", "matplotlib"}
print(os.environ == before, heavy & {name.split(".")[0] for name in set(sys.modules) - modules})
"""
    assert python(code, tmp_path) == "True set()"
    assert not list(tmp_path.iterdir())


def test_after_it_all_is_prepared_nothing_is_compiled(tmp_path: Path) -> None:
    code = """
import pathlib, os, solver
os.environ["NUMBA_CACHE_DIR"] = "cache"
compiled = lambda: {path.name for path in pathlib.Path("cache").rglob("*.nbc")}
solver.prepare()
before = compiled()
for name in solver.PRESETS:
    position = solver.start(100003, name)
    result = solver.solve(position, solver.Limits(20_000))
    solver.hint(position, solver.Judge(solver.Limits(2_000)))
    solver.difficulty_of(position, result.moves or None)
lost = solver.start(100016)
solver.verify(solver.certify(lost, solver.solve(lost)), fast=True)
print(len(before) > 50, compiled() - before)
"""
    assert python(code, tmp_path) == "True set()"


def values() -> list[object]:
    position = solver.start(100000, "pysol")
    result = solver.solve(position)
    hint = solver.hint(position, solver.Judge(solver.Limits(2_000)))
    review = solver.review(position, result.moves[:2], solver.Judge(solver.Limits(2_000)))
    deal = solver.deal_from_seed("ms5")
    difficulty = solver.difficulty_of(position, None)
    return [position, result, hint, review, deal, difficulty, position.rules, solver.Limits(5)]


def test_what_is_shown_can_be_rebuilt() -> None:
    for value in values():
        assert eval(repr(value), dict(NAMES)) == value


@pytest.mark.parametrize("name", solver.PRESETS)
def test_a_position_can_be_written_and_read(name: str) -> None:
    position = solver.start("ms5", name)
    for move in solver.solve(position).moves[:20]:
        position = position.play(move)
        assert solver.start(str(position), position.rules) == position


@pytest.mark.parametrize(
    "text",
    [
        "wikipedia",
        "pysol transfers=no",
        "solsuite transfers=yes reserve=12",
        "till-dawn auto-deal=yes",
    ],
)
def test_the_name_of_rules_can_be_read(text: str) -> None:
    rules = solver.parse_rules(text)
    assert rules.name == text
    described = f"{text} ({', '.join(f'{key} {value}' for key, value in switches(rules).items())})"
    assert solver.parse_rules(described) == rules


def switches(rules: solver.Rules) -> dict[str, str]:
    words = {True: "yes", False: "no"}
    return {
        "kings": str(rules.kings),
        "deal": str(rules.deal),
        "transfers": words[rules.transfers],
        "auto-deal": words[rules.auto_deal],
        "reserve": str(rules.reserve),
    }


def test_rules_are_read_as_on_the_command_line() -> None:
    rules = solver.parse_rules("wikipedia --kings spot --deal stuck --auto-deal --reserve 9")
    assert rules == solver.Rules(
        kings=solver.Kings.SPOT, deal=solver.Dealing.STUCK, auto_deal=True, reserve=9
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "'' is not one of wikipedia, wikipedia-strict, solsuite, till-dawn, pysol"),
        ("pysoll", "'pysoll' is not one of wikipedia"),
        ("pysol --king spot", "'--king' is not a switch of the rules: they are kings, deal"),
        ("pysol --kings nowhere", "'--kings=nowhere': kings is one of free, lower-first, spot"),
        ("pysol reserve=25", "'reserve=25': reserve is one of 1, 2, 3"),
        ("pysol --no-kings", "'--no-kings': kings is one of free"),
    ],
)
def test_wrong_rules_are_named(text: str, error: str) -> None:
    with pytest.raises(solver.Error, match="^" + re.escape(error)):
        solver.parse_rules(text)


@pytest.mark.parametrize("deal", [100000, "100000", "#100,000", solver.deal_from_seed("100000")])
def test_a_deal_is_named_in_any_form(deal: int | str | solver.Deal) -> None:
    assert solver.start(deal).reserve == solver.deal_from_seed("100000").reserve


@pytest.mark.parametrize("deal", [-1, "five", "Reserve: 2C", "Stock: 96 unknown"])
def test_what_is_no_deal_is_an_error(deal: int | str) -> None:
    with pytest.raises(solver.Error):
        solver.start(deal)


def test_all_that_is_searched_can_be_watched_and_stopped() -> None:
    position, told = solver.start(100042, "wikipedia-strict"), list[int]()
    judge = solver.Judge(solver.Limits(200_000), lambda: False, told.append)
    solver.review(position, [], judge)
    assert told
    assert told == sorted(told)
    assert told[-1] == judge.spent
    stopping = solver.Judge(should_stop=lambda: True)
    assert solver.hint(position, stopping).verdict is solver.Verdict.UNKNOWN


def test_an_unknown_verdict_has_no_certificate() -> None:
    position = solver.start(100000)
    unknown = solver.solve(position, solver.Limits(1))
    assert unknown.verdict is solver.Verdict.UNKNOWN
    with pytest.raises(solver.Error, match="an unknown verdict has no certificate"):
        solver.certify(position, unknown)


@pytest.mark.parametrize("fast", [False, True])
def test_a_verdict_is_certified_and_verified(fast: bool) -> None:
    for seed, verdict in (100000, solver.Verdict.WINNABLE), (100016, solver.Verdict.UNWINNABLE):
        deal = solver.deal_from_seed(str(seed))
        for of in deal, solver.start(deal):
            proof = solver.certify(of, solver.solve(solver.start(deal)))
            header = solver.verify(proof, fast=fast)
            assert (header.verdict, header.position()) == (verdict, solver.start(seed))


def test_a_type_checker_knows_what_a_program_uses(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import solver\n"
        "result = solver.solve(solver.start(5, 'pysol'), solver.Limits(seconds=1.0))\n"
        "moves: tuple[solver.Move, ...] = result.moves\n"
        "moves = solver.hint(solver.start(5)).verdict\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(program)],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    [error] = [line for line in done.stdout.splitlines() if line.startswith("program.py:")]
    assert error.startswith("program.py:4: error: Incompatible types in assignment")
