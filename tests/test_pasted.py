"""Moves as people paste them: each thing that the commands print is read back, and checked."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.cli.main import cli
from solver.engine.decide import solve
from solver.game.deal import deal_from_seed
from solver.game.errors import Error
from solver.game.moves import Move
from solver.game.notation import start
from solver.game.pasted import parse_moves
from solver.game.position import Position
from solver.game.rules import PRESETS
from solver.kernel.jit import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")

SEED = "100001"
NAMES = sorted(PRESETS)
GAMES = {name: start(SEED, name) for name in NAMES}


@pytest.fixture(scope="module")
def wins() -> dict[str, tuple[Move, ...]]:
    return {name: solve(position).moves for name, position in GAMES.items()}


def printed(*args: str) -> str:
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 0, result.output
    return result.stdout


def read(text: str, position: Position) -> tuple[Move, ...]:
    return tuple(parse_moves(text, position=position))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_solution_is_read(
    name: str, options: list[str], wins: dict[str, tuple[Move, ...]]
) -> None:
    text = printed("--seed", SEED, "--rules", name, *options)
    assert read(text, GAMES[name]) == wins[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_is_read(name: str, wins: dict[str, tuple[Move, ...]]) -> None:
    text = printed("replay", "--seed", SEED, "--rules", name)
    assert text.count("\nUpper") == len(wins[name]) + 1
    assert read(text, GAMES[name]) == wins[name]
    steps = text.partition("  1. ")[2]  # without its head, as one may select it
    assert read("  1. " + steps, GAMES[name]) == wins[name]
    assert read(text.replace("\n", "\r\n"), GAMES[name]) == wins[name]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_review_is_read(name: str, options: list[str], wins: dict[str, tuple[Move, ...]]) -> None:
    made = wins[name][:30]
    after = ["--after", " ".join(map(str, made)), "--states", "2000"]
    text = printed("review", "--seed", SEED, "--rules", name, *after, *options)
    assert read(text, GAMES[name]) == made
    if not options:
        lines = [line for line in text.splitlines() if line.startswith("  ")]
        assert len(lines) == 30
        assert read("\n".join(lines), GAMES[name]) == made


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_of_a_hint_are_read(name: str) -> None:
    text = printed("hint", "--seed", SEED, "--rules", name, "--states", "2000")
    lines = [line for line in text.splitlines() if line.startswith("  ")]
    legal = GAMES[name].legal_moves()
    assert sorted(read(line, GAMES[name])[0] for line in lines) == sorted(legal)


def test_the_moves_of_json_are_read_without_the_rest() -> None:
    for text in (
        '["deal", "R:2C>upper"]',
        '"deal",\n"R:2C>upper"',
        '{"moves": ["deal", "R:2C>upper"]}',
    ):
        assert [str(move) for move in parse_moves(text)] == ["deal", "R:2C>upper"]


@pytest.mark.parametrize(
    "text", ['{"moves": 5}', '{"verdict": "winnable"}', "{", '{"moves": [{"move": "deal"}]}', "{}"]
)
def test_other_json_is_said_to_be_other(text: str) -> None:
    with pytest.raises(
        Error, match=r"^moves: this is JSON, but not that of a solution or a review$"
    ):
        parse_moves(text)


def test_what_is_no_report_is_read_whole() -> None:
    for text in ("Rules: wikipedia\ndeal", "reserve TC", "Stock 76", "QH", "Waste KD\ndeal"):
        with pytest.raises(Error):
            parse_moves(text)


def test_what_follows_a_report_is_read() -> None:
    text = "Deal 5: 1 move, not won\nRules: wikipedia\n\n1. deal     7H\nStock    75\nR:2C>upper\n"
    assert [str(move) for move in parse_moves(text)] == ["deal", "R:2C>upper"]


WRONG = [
    ("wikipedia", "deal AS", "1: the card that moves is 6S, not AS"),
    ("wikipedia", "deal\nR:2H>upper\ndeal 7H", "3: the card that moves is 3H, not 7H"),
    ("wikipedia", "2. deal 10s", "1: the card that moves is 6S, not TS"),
    ("wikipedia", "reserve 2H to upper; KS fills the gap", "1: what fills the gap is 6S, not KS"),
    ("pysol", "deal\nreserve 2H to upper; KS fills the gap", "2: what fills the gap is 3H, not KS"),
]


@pytest.mark.parametrize(("name", "text", "error"), WRONG)
def test_a_card_that_is_not_there_is_named_with_its_line(
    name: str, text: str, error: str, tmp_path: Path
) -> None:
    with pytest.raises(Error, match=f"^game:{error}$"):
        parse_moves(text, "game", GAMES[name])
    path = tmp_path / "game"
    path.write_text(text)
    for command in ("show", "hint", "review", "replay"):
        args = [command, "--seed", SEED, "--rules", name, "--moves", str(path)]
        result = CliRunner().invoke(cli, args)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"Error: {path}:{error}\n"


def test_a_wrong_card_of_after_is_a_wrong_option() -> None:
    result = CliRunner().invoke(cli, ["show", "--seed", SEED, "--after", "deal AS"])
    assert result.exit_code == 2
    assert "--after: the card that moves is 6S, not AS" in result.stderr


def test_the_cards_of_transfers_and_turns_are_compared(wins: dict[str, tuple[Move, ...]]) -> None:
    position = start(deal_from_seed(SEED), "pysol --auto-deal")
    text = printed("replay", "--seed", SEED, "--rules", "pysol", "--auto-deal")
    moves = read(text, position)
    assert "turns by itself" in text
    line = next(line for line in text.splitlines() if "turns by itself" in line)
    card = line.split("; ")[-1][:2]
    other = "AS" if card != "AS" else "AC"
    wrong = text.replace(f"{card} turns", f"{other} turns", 1)
    with pytest.raises(Error, match=f"what turns is {card}, not {other}"):
        parse_moves(wrong, position=position)
    assert moves


def test_an_illegal_move_is_left_to_who_plays_it() -> None:
    assert len(parse_moves("R:6H>upper\ndeal AS", position=GAMES["wikipedia"])) == 2
