"""``replay``: pages, plain output, and the terminal."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.game.cards import card_name
from solver.game.deal import deal_from_seed
from solver.game.moves import Move
from solver.game.position import Position, start
from solver.game.rules import PRESETS
from solver.game.steps import in_words, steps_of
from solver.show.page import page_of
from solver.show.table_text import as_text, table

from .pseudo_terminal import PseudoTerminal
from .test_cli import COMMAND, LOST, WON, Capture, failure, misuse, process, run, shell, solved
from .test_steps import playout

SEED = "100000"
TOPS = {"Upper": "K", "Lower": "K", "Deuce": "Q"}  # of a game that is won


def write_moves(path: Path, moves: list[Move]) -> list[str]:
    """Writes moves and gets the arguments that replay them."""
    path.write_text("".join(f"{move}\n" for move in moves))
    return ["replay", "--seed", SEED, "--moves", str(path)]


@pytest.fixture
def game() -> tuple[Position, list[Move]]:
    return playout(SEED, "wikipedia")


@pytest.fixture
def args(tmp_path: Path, game: tuple[Position, list[Move]]) -> list[str]:
    return write_moves(tmp_path / "moves.txt", game[1])


# Pages


def test_the_page_is_that_of_the_solution(capsys: Capture, tmp_path: Path) -> None:
    path, beside = tmp_path / "won.html", tmp_path / "beside.html"
    out, err = run(capsys, ["replay", "--seed", WON, "--html", str(path)])
    assert out == ""
    moves = solved(capsys, "--seed", WON, "--html", str(beside))["moves"]
    assert err.splitlines()[-1] == f"{path}: Deal {WON}: {len(moves)} moves, won"
    assert path.read_bytes() == beside.read_bytes()
    states = json.loads(re.findall(r'id="states">(.*)</script>', path.read_text())[0])
    assert len(states["steps"]) == len(moves) + 1
    assert states["won"]
    assert sorted(os.listdir(tmp_path)) == ["beside.html", "won.html"]  # and nothing half written


def test_the_page_of_given_moves_needs_no_search(tmp_path: Path, args: list[str]) -> None:
    path = tmp_path / "page.html"
    script = (
        "import sys\nfrom solver.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as exited:\n"
        "    print(exited.code, sorted({'numba', 'numpy'} & sys.modules.keys()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *args, "--html", str(path)], capture_output=True, text=True
    )
    assert done.stdout == "0 []\n"
    assert path.exists()


def test_a_deal_without_a_solution_leaves_the_page_alone(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("mine")
    html = ["--html", str(path)]
    lost = failure(capsys, "replay", "--seed", LOST, *html)
    assert lost.endswith(
        f"Deal {LOST} is unwinnable under wikipedia: there is no solution to replay"
    )
    unknown = failure(capsys, "replay", "--seed", WON, "--states", "10", *html)
    assert "unknown (state budget)" in unknown
    assert "--states N" in unknown
    out, err = run(capsys, ["--seed", LOST, "--quiet", *html])
    assert (out, err) == ("unwinnable\n", f"{path}: not written, there is no solution\n")
    assert path.read_text() == "mine"


def test_a_page_of_a_file_bears_its_name_as_text(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    folder.mkdir()
    deal, page = folder / "<b>&\n.txt", tmp_path / "page.html"
    deal.write_text(str(deal_from_seed(SEED)))
    moves = tmp_path / "moves.txt"
    moves.write_text("deal\n")
    run(capsys, ["replay", str(deal), "--moves", str(moves), "--html", str(page)])
    html = page.read_text()
    assert "<title>Deal &lt;b&gt;&amp;?.txt - Royal Rendezvous</title>" in html
    assert "<b>" not in html


@pytest.mark.parametrize("command", [["replay"], []], ids=["replay", "solve"])
@pytest.mark.parametrize("name", ["-", "", "missing/page.html"])
def test_a_page_that_cannot_be_is_refused_before_the_search(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "--html" in misuse(capsys, *command, "--seed", SEED, "--html", name)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full here")
def test_a_page_that_cannot_be_written_is_named(capsys: Capture, args: list[str]) -> None:
    assert failure(capsys, *args, "--html", "/dev/full").startswith("Error: /dev/full: No space")


@pytest.mark.parametrize("command", [["replay"], ["solve", "--html", "page.html"]], ids=" ".join)
def test_a_replay_needs_one_rule_set(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "--rules all" in misuse(capsys, *command, "--seed", SEED, "--rules", "all")
    assert os.listdir(tmp_path) == []


def test_a_table_that_is_won_already_has_a_page(capsys: Capture, tmp_path: Path) -> None:
    path, page, beside = (tmp_path / name for name in ("won.txt", "won.html", "beside.html"))
    tops = [f"{pile}: {' '.join(top + suit for suit in 'CSHD')}" for pile, top in TOPS.items()]
    path.write_text("\n".join([*tops, "Reserve: " + " ".join(["--"] * 16)]))
    _, err = run(capsys, ["replay", str(path), "--html", str(page)])
    assert err.splitlines()[-1] == f"{page}: Deal won.txt: 0 moves, won"
    run(capsys, [str(path), "--html", str(beside)])
    assert beside.read_bytes() == page.read_bytes()


# Moves from a file


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("deal\nR:2C>upper\n# and\nR:2C>upper\n", "move 3: 'R:2C>upper' is not legal here"),
        ("deal\nR:KC>king", "move 2: 'R:KC>king' is not legal here"),
        ("F:deuce:C>upper", "move 1: 'F:deuce:C>upper' is not legal here"),
        ("deal\n\nup", "3: 'up' is not a move"),
        ("deal\nR:2C", "2: 'R:2C' is not a move"),
        ("\0", " expected moves such as deal and R:2C>upper, or the solution of a report"),
    ],
)
def test_a_wrong_move_is_named(capsys: Capture, tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "moves.txt"
    path.write_text(text)
    message = failure(capsys, "replay", "--seed", SEED, "--moves", str(path))
    assert message.startswith(f"Error: {path}:")
    assert message.endswith(error)


def test_missing_moves_are_named(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "missing.txt"
    assert str(path) in failure(capsys, "replay", "--seed", SEED, "--moves", str(path))


def test_deal_and_moves_can_not_both_come_from_stdin(capsys: Capture) -> None:
    assert "standard input" in misuse(capsys, "replay", "-", "--moves", "-")


# Plain output


def test_every_step_is_printed_with_its_table(
    capsys: Capture, args: list[str], game: tuple[Position, list[Move]]
) -> None:
    head, *texts = run(capsys, args)[0].split("\n\n")
    assert head.splitlines()[0] == f"Deal {SEED}: {len(game[1])} moves, not won"
    assert head.splitlines()[1].startswith("Rules: wikipedia (")
    steps = steps_of(*game)
    assert len(texts) == len(steps)
    for number, (text, step) in enumerate(zip(texts, steps, strict=True)):
        first, *lines = text.rstrip("\n").split("\n")
        said = in_words(step, card_name) if step.move else "the start"
        assert first.strip() == f"{number}. {said}"
        assert lines == [as_text(line) for line in table(step, card_name)]


def test_moves_come_from_stdin_and_may_have_comments() -> None:
    done = process("replay", "--seed", SEED, "--moves", "-", text="# mine\ndeal  # 7H\nR:2C>upper")
    assert done.returncode == 0
    assert "2. reserve  2C to upper; 7H fills the gap" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_reader_of_a_replay_may_stop(args: list[str]) -> None:
    done = shell('"$@" | head -3', *args)
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 3, "")


def test_rules_are_those_of_the_options(capsys: Capture, tmp_path: Path) -> None:
    _, moves = playout(SEED, "pysol")
    assert any(str(move).startswith("F:") for move in moves)
    args = write_moves(tmp_path / "moves.txt", moves)
    assert "Rules: pysol (" in run(capsys, [*args, "--rules", "pysol"])[0]
    assert "is not legal here" in failure(capsys, *args)


# On a terminal


@pytest.fixture
def terminal(args: list[str]) -> Iterator[PseudoTerminal]:
    with PseudoTerminal([*COMMAND, *args]) as terminal:
        terminal.wait_for_text("the start")
        yield terminal


def number_on(lines: list[str]) -> str:
    return next((line.split("  ")[0] for line in lines if "/" in line), "")


def with_letters(lines: list[str]) -> list[str]:
    """Gets lines with the suits as letters."""
    return [line.translate(str.maketrans("♣♠♥♦", "CSHD")) for line in lines]


def test_keys_step_through_on_a_terminal(
    terminal: PseudoTerminal, game: tuple[Position, list[Move]]
) -> None:
    steps = steps_of(*game)
    last = len(steps) - 1
    for key, number in (
        *[("right", 1), ("right", 2), ("left", 1), ("left", 0), ("left", 0), (" ", 1), ("n", 2)],
        *[("p", 1), ("down", 2), ("up", 1), ("page down", 11), ("page up", 1), ("page up", 0)],
        *[("end", last), ("n", last), ("home", 0), ("x", 0), ("end", last)],
    ):
        terminal.press(key)
        expected = [as_text(line) for line in table(steps[number], card_name, 79)]
        # A screen may arrive in parts: what counts is how it ends.
        terminal.wait_for(
            lambda lines, at=f"{number}/{last}", expected=expected: (  # type: ignore[misc]
                number_on(lines) == at and with_letters(lines)[2 : 2 + len(expected)] == expected
            )
        )
    terminal.press("q")
    assert terminal.wait_for_end() == 0
    assert terminal.current_settings() == terminal.settings


def test_the_table_follows_the_size_of_the_window(terminal: PseudoTerminal) -> None:
    for lines, columns in ((10, 30), (3, 12), (1, 1), (2, 80), (50, 200)):
        terminal.resize(lines, columns)
        terminal.press("end", "home")  # which must not end it, however little there is room for
    shown = terminal.wait_for_text("q: quit")
    assert len(shown) == 50
    terminal.resize(10, 30)
    reserve = ["Reserve", "T♣", "4♥", "6♠", "2♦", "9♠"]
    terminal.wait_for(lambda lines: len(lines) == 10 and lines[4].split() == reserve)
    terminal.press("q")
    assert terminal.wait_for_end() == 0


@pytest.mark.parametrize(
    ("end", "code"),
    [("q", 0), ("ctrl-c", 130), ("ctrl-\\", 131), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_the_terminal_is_put_back_on_every_way_out(
    args: list[str], end: str | signal.Signals, code: int
) -> None:
    with PseudoTerminal([*COMMAND, *args], term="xterm") as terminal:
        terminal.wait_for_text("the start")
        assert terminal.current_settings() != terminal.settings
        if isinstance(end, str):
            terminal.press(end)
        else:
            terminal.send(end)
        assert terminal.wait_for_end() == code
        assert terminal.current_settings() == terminal.settings
        assert b"Traceback" not in terminal.output
        assert terminal.output.rfind(b"\x1b[?1049l") > terminal.output.rfind(b"\x1b[?1049h") >= 0
        assert terminal.output.rfind(b"\x1b[?25h") > terminal.output.rfind(b"\x1b[?25l") >= 0


def test_a_terminal_that_goes_away_ends_it(terminal: PseudoTerminal) -> None:
    terminal.hang_up()
    assert terminal.process.wait(60) != 0


@pytest.mark.parametrize("term", ["dumb", "no-such-terminal"])
def test_a_terminal_that_cannot_be_drawn_on_gets_plain_output(args: list[str], term: str) -> None:
    with PseudoTerminal([*COMMAND, *args], term=term) as terminal:
        assert terminal.wait_for_end() == 0
        assert b"\x1b" not in terminal.output
        assert b" 1. " in terminal.output


def test_symbols_and_colours_only_where_wanted(
    monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    red = b"\x1b[31m"
    with PseudoTerminal([*COMMAND, *args]) as terminal:
        terminal.wait_for_text("A♥")
        assert red in terminal.output
    monkeypatch.setenv("NO_COLOR", "1")
    with PseudoTerminal([*COMMAND, *args]) as terminal:
        terminal.wait_for_text("A♥")
        assert red not in terminal.output


def test_a_page_of_the_command_is_that_of_the_library(
    capsys: Capture, tmp_path: Path, args: list[str], game: tuple[Position, list[Move]]
) -> None:
    path = tmp_path / "page.html"
    run(capsys, [*args, "--html", str(path)])
    position = start(deal_from_seed(SEED), PRESETS["wikipedia"])
    assert path.read_text() == page_of(steps_of(position, game[1]), f"Deal {SEED}")
