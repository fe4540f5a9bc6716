"""The commands ``show``, ``hint`` and ``review``: what they print and what they refuse."""

import json
import os
import pickle
from pathlib import Path

import pytest

from solver.game.deal import deal_from_seed, parse_table
from solver.game.pasted import parse_moves
from solver.game.position import replay, start
from solver.game.rules import PRESETS
from solver.kernel.jit import COMPILED

from .test_cli import Capture, failure, misuse, process, run, shell, solved

LOSING_GAME = "R:2C>upper\nR:4H>deuce\nR:2D>upper\nR:6H>deuce\nR:4D>deuce\nR:3D>upper\ndeal\n"
whole_deals = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(LOSING_GAME)
    return path


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """Gets a table of 95 cards whose stock is unknown."""
    begin = start(deal_from_seed("100000"), PRESETS["wikipedia"])
    text = str(replay(begin, parse_moves("deal deal R:2C>upper")).deal)
    path = tmp_path / "table.txt"
    path.write_text(text.partition("Stock:")[0] + "Stock: 74 unknown\n")
    return path


# show


def test_show_prints_the_table_after_moves(capsys: Capture, game_file: Path) -> None:
    moves = parse_moves(LOSING_GAME)
    position = replay(start(deal_from_seed("100000"), PRESETS["wikipedia"]), moves)
    out, _ = run(capsys, ["show", "--seed", "100000", "--moves", str(game_file)])
    assert out.splitlines()[0] == "# Royal Rendezvous: deal 100000 after 7 moves, wikipedia"
    assert parse_table(out) == position.deal
    after = LOSING_GAME.replace("\n", " ")
    assert run(capsys, ["show", "--seed", "100000", "--after", after])[0] == out


def test_moves_of_a_file_come_before_those_of_the_option(capsys: Capture, game_file: Path) -> None:
    both = ["show", "--seed", "100000", "--moves", str(game_file), "--after", "deal"]
    out, _ = run(capsys, both)
    assert "after 8 moves" in out
    assert "after 1 move, " in run(capsys, ["show", "--seed", "100000", "--after", "deal"])[0]


def test_show_lists_the_legal_moves(capsys: Capture, table_file: Path) -> None:
    out, _ = run(capsys, ["show", "--legal", str(table_file)])
    assert out.split() == ["R:2D>upper", "R:3D>lower", "R:4D>deuce", "R:4H>deuce", "deal"]


def test_a_table_with_an_unknown_stock_is_shown_but_not_decided(
    capsys: Capture, table_file: Path
) -> None:
    assert parse_table(run(capsys, ["show", str(table_file)])[0]).unseen == 74
    expected = (
        f"Error: {table_file}: the stock is unknown (74 cards);"
        " a verdict needs its cards in deal order"
    )
    assert failure(capsys, str(table_file)) == expected
    assert failure(capsys, "hint", str(table_file)) == expected
    assert failure(capsys, "show", "--after", "deal", str(table_file)) == expected


def test_a_shown_position_is_solved_by_every_command(capsys: Capture, tmp_path: Path) -> None:
    shown = process("show", "--seed", "100000", "--after", "deal", "--rules", "pysol")
    assert shown.returncode == 0
    path = tmp_path / "position.txt"
    path.write_text(shown.stdout)
    again, _ = run(capsys, ["show", str(path), "--rules", "pysol"])
    assert parse_table(again) == parse_table(shown.stdout)


@whole_deals
def test_a_position_has_the_verdict_of_the_game_it_is_from(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    for moves, verdict in ((5, "winnable"), (6, "unwinnable")):
        after = " ".join(LOSING_GAME.split()[:moves])
        path.write_text(run(capsys, ["show", "--seed", "100000", "--after", after])[0])
        assert solved(capsys, str(path))["verdict"] == verdict


@pytest.mark.parametrize(
    ("tops", "unseen", "rules", "error"),
    [
        ("King: KC", 75, "wikipedia", "the king pile of C can't be at 1 (rules: wikipedia)"),
        ("Deuce: 2C 2S 2H", 77, "wikipedia", "the deuce pile of D can't be at 0"),
        ("", 76, "pysol", "the waste is empty, where the rules turn a card by themselves"),
    ],
)
def test_a_position_that_the_rules_exclude_is_refused(
    capsys: Capture, tmp_path: Path, tops: str, unseen: int, rules: str, error: str
) -> None:
    path = tmp_path / "table.txt"
    reserve = str(deal_from_seed("100000")).partition("Stock:")[0]
    path.write_text(f"{tops}\n{reserve}Stock: {unseen} unknown\n")
    found = failure(capsys, "show", str(path), "--rules", rules)
    assert found.startswith(f"Error: {path}: {error}")


def test_a_gap_beside_a_waste_is_refused(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    text = str(deal_from_seed("100000")).replace("Reserve: TC", "Waste: TC\nReserve: --")
    path.write_text(text)
    for command in ([], ["show"], ["hint"]):
        error = failure(capsys, *command, str(path))
        assert error.startswith(
            f"Error: {path}: the reserve has a gap while the waste or the stock"
        )


def test_a_reserve_that_holds_too_much_is_refused(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    path.write_text(str(deal_from_seed("100000", 17)))
    assert "has 17 reserve cards" in misuse(capsys, "show", str(path), "--reserve", "16")


# Moves


@pytest.mark.parametrize("command", ["show", "hint", "review"])
def test_a_move_that_is_not_legal_is_named(capsys: Capture, command: str) -> None:
    args = [command, "--seed", "100000", "--after", "deal R:2C>upper R:2C>upper"]
    assert failure(capsys, *args) == "Error: move 3: 'R:2C>upper' is not legal here"


@pytest.mark.parametrize("command", ["show", "hint", "review"])
def test_what_is_no_move_is_named(capsys: Capture, tmp_path: Path, command: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text("deal\ndale\n")
    args = [command, "--seed", "100000"]
    assert failure(capsys, *args, "--moves", str(path)) == f"Error: {path}:2: 'dale' is not a move"
    assert "--after: 'dale' is not a move" in misuse(capsys, *args, "--after", "dale")
    assert str(tmp_path) in failure(capsys, *args, "--moves", str(tmp_path))
    path.write_bytes(b"\xff\0")
    expected = "expected moves such as deal and R:2C>upper, or the solution of a report"
    error = failure(capsys, *args, "--moves", str(path))
    assert error == f"Error: {path}: this is not a text file; {expected}"
    path.write_bytes(b"\0")
    assert failure(capsys, *args, "--moves", str(path)) == f"Error: {path}: {expected}"


@pytest.mark.parametrize("command", ["show", "hint", "review"])
def test_standard_input_is_read_once(capsys: Capture, command: str) -> None:
    assert "standard input" in misuse(capsys, command, "-", "--moves", "-")


def test_moves_are_read_from_standard_input(capsys: Capture) -> None:
    done = process("show", "--seed", "100000", "--moves", "-", text="deal\ndeal\n")
    assert done.stdout == run(capsys, ["show", "--seed", "100000", "--after", "deal,deal"])[0]


@pytest.mark.parametrize("command", ["show", "hint", "review"])
def test_one_rule_set_is_needed(capsys: Capture, command: str) -> None:
    assert "--rules all" in misuse(capsys, command, "--seed", "1", "--rules", "all")


def test_a_review_needs_a_game(capsys: Capture, tmp_path: Path) -> None:
    assert "--moves FILE" in misuse(capsys, "review", "--seed", "100000")
    path = tmp_path / "game.txt"
    path.write_text("# nothing yet\n")
    error = failure(capsys, "review", "--seed", "100000", "--moves", str(path))
    assert error == f"Error: {path}: there are no moves in it"


@pytest.mark.parametrize("command", ["hint", "review"])
def test_ctrl_c_ends_a_search_with_130(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.player.hints.solve", interrupted)
    out, err = run(capsys, [command, "--seed", "100000", "--after", "deal"], 130)
    assert (out, err.splitlines()[-1]) == ("", "Interrupted")


@pytest.mark.parametrize("command", ["show", "replay"])
def test_a_closed_or_full_output_causes_no_traceback(game_file: Path, command: str) -> None:
    args = [command, "--seed", "100000", "--moves", str(game_file)]
    closed = shell('exec "$@" 1>&-', *args)
    assert (closed.returncode, closed.stderr) == (0, "")
    reader = shell('"$@" | head -1', *args)
    assert (reader.stdout.count("\n"), reader.stderr) == (1, "")
    if Path("/dev/full").exists():
        full = shell('exec "$@" > /dev/full', *args)
        assert (full.returncode, full.stderr) == (1, "Error: No space left on device\n")


# What players have


class Trap:
    """Runs a command when a pickle of it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_a_saved_game_is_never_loaded(capsys: Capture, tmp_path: Path, protocol: int) -> None:
    path, trap = tmp_path / "game.pso", tmp_path / "sprung"
    path.write_bytes(pickle.dumps("PySolFC", protocol) + pickle.dumps(Trap(trap), protocol))
    seed = ["--seed", "1", "--moves", str(path)]
    for args in ([str(path)], ["show", str(path)], ["hint", str(path)], ["review", *seed]):
        error = failure(capsys, *args)
        assert error.startswith(f"Error: {path}: this is a pickle, as PySolFC saves games")
        assert "--seed N" in error
    assert not trap.exists()


def test_a_comment_on_pysol_is_no_saved_game(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    path.write_text("# PySolFC's deal\n" + str(deal_from_seed("5")))
    run(capsys, ["show", str(path)])


@pytest.mark.parametrize(("text", "seed"), [("100000", "100000"), ("#00012", "12"), ("ms7", "ms7")])
def test_a_number_given_as_a_file_gets_a_way_out(capsys: Capture, text: str, seed: str) -> None:
    assert failure(capsys, text).endswith(f" (a deal's number is given by --seed {seed})")


def test_a_file_of_an_unknown_kind_gets_a_way_out(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    error = failure(capsys, str(path))
    assert error.startswith(f"Error: {path}: this is not a text file; expected a deal as")
    assert "--seed N" in error


@pytest.mark.parametrize("number", ["#00000000000000012345", "# 12345", "12345"])
def test_the_forms_in_which_pysol_shows_a_number(capsys: Capture, number: str) -> None:
    assert run(capsys, ["show", "--seed", number])[0] == str(deal_from_seed("12345"))


# hint


@whole_deals
def test_a_hint_as_text(capsys: Capture) -> None:
    after = " ".join(LOSING_GAME.split()[:5])
    out, _ = run(capsys, ["hint", "--seed", "100000", "--after", after])
    first, rules, *lines = out.splitlines()
    assert first.startswith("Deal 100000 after 5 moves: winnable, ")
    assert rules.startswith("Rules: wikipedia (kings free")
    moves = [line.split("  ")[1] for line in lines[1:4]]
    assert moves == ["keeps the win", "loses", "loses"]
    assert lines[1].endswith("deal        deal     KD")
    assert lines[-1] == "Only deal keeps the win."


@whole_deals
@pytest.mark.parametrize(
    ("args", "end"),
    [
        (["--seed", "100016"], "This position can't be won: whatever is played."),
        (["--seed", "100001", "--states", "5"], "Nothing can be said within the budget."),
        (["--seed", "100001"], "4 of 4 moves keep the win."),
    ],
)
def test_what_a_hint_says_at_its_end(capsys: Capture, args: list[str], end: str) -> None:
    assert run(capsys, ["hint", *args])[0].splitlines()[-1].startswith(end)


@whole_deals
def test_a_hint_as_json(capsys: Capture) -> None:
    after = " ".join(LOSING_GAME.split()[:5])
    out, _ = run(capsys, ["hint", "--seed", "100000", "--after", after, "--json"])
    found = json.loads(out)
    assert found["schema"] == 1
    assert (found["seed"], found["moves_made"], found["rules"]["name"]) == (
        "100000",
        5,
        "wikipedia",
    )
    assert (found["verdict"], found["only"]) == ("winnable", "deal")
    assert found["moves"][0] == {"move": "deal", "verdict": "winnable", "states": 0}
    assert {(each["move"], each["verdict"]) for each in found["moves"][1:]} == {
        ("R:3D>lower", "unwinnable"),
        ("R:3D>upper", "unwinnable"),
    }


# review


@whole_deals
def test_a_review_as_text(capsys: Capture, game_file: Path) -> None:
    out, err = run(capsys, ["review", "--seed", "100000", "--moves", str(game_file)])
    lines = out.splitlines()
    assert err == ""
    assert lines[0] == "Deal 100000: 7 moves, winnable at the start"
    assert [line.split()[:4] for line in lines[3:9]] == [
        [f"{number}.", kept, "of", legal]
        for number, kept, legal in [
            (1, "6", "6"),
            (2, "5", "5"),
            (3, "5", "5"),
            (4, "5", "5"),
            (5, "4", "4"),
            (6, "1", "3"),
        ]
    ]
    assert lines[-1] == "Move 6 lost the win: R:3D>upper. Kept by: deal."


@whole_deals
def test_a_review_as_json(capsys: Capture, game_file: Path) -> None:
    args = ["review", "--seed", "100000", "--moves", str(game_file), "--json"]
    found = json.loads(run(capsys, args)[0])
    assert (found["verdict"], found["losing"], found["moves_made"]) == ("winnable", [6, 6], 7)
    assert found["steps"][5] == {
        "move": "R:3D>upper",
        "before": "winnable",
        "after": "unwinnable",
        "legal": 3,
        "keep": 1,
        "unknown": 0,
    }
    assert found["steps"][6]["after"] == "unwinnable"


@whole_deals
def test_a_printed_solution_is_a_game_that_lost_nothing(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "solution.txt"
    path.write_text(run(capsys, ["--seed", "100001"])[0])
    out, _ = run(capsys, ["review", "--seed", "100001", "--moves", str(path)])
    assert out.splitlines()[-1] == "No move lost the win."


@whole_deals
def test_a_deal_that_was_lost_from_the_start(capsys: Capture) -> None:
    out, _ = run(capsys, ["review", "--seed", "100016", "--after", "deal"])
    assert out.splitlines()[-1] == (
        "No move lost the win: the game could not be won from the start."
    )


@whole_deals
def test_undecided_moves_of_a_review(capsys: Capture, game_file: Path) -> None:
    args = ["review", "--seed", "100000", "--moves", str(game_file), "--states", "5"]
    out, _ = run(capsys, args)
    assert "unknown" in out
    assert out.splitlines()[-1].endswith("More states may decide it: --states N.")
