"""The command line: what it prints, what it refuses, and its exit codes."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.base.version import __version__
from solver.cli.main import main
from solver.game.deal import deal_from_seed, parse_table, place_name
from solver.game.moves import parse_move
from solver.game.position import replay, start
from solver.game.rules import PRESETS, Rules
from solver.kernel.frontier import MOST_MOVES

COMMAND = [sys.executable, "-m", "solver"]
WON, LOST = "100001", "100016"  # under the rules of wikipedia
NUMBER_AND_FILE = ["--seed", "1", "deal.txt"]
OPTIONS = [
    *["--seed", "--reserve", "--rules", "--kings", "--deal", "--transfers", "--no-transfers"],
    *["--auto-deal", "--no-auto-deal", "--states", "--memory"],
    *["--html", "--json", "--quiet", "--exit-code"],
]
KEYS = [
    *["schema", "version", "seed", "rules", "verdict", "reason", "method", "states", "seconds"],
    "moves",
]

Capture = pytest.CaptureFixture[str]


def process(*args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *args], input=text, capture_output=True, text=True)


def shell(line: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of shell, in which ``"$@"`` is the command with its arguments."""
    return subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def run(capsys: Capture, args: Sequence[str], code: int = 0) -> tuple[str, str]:
    """Gets what a call in this process prints to stdout and to stderr."""
    with pytest.raises(SystemExit) as exited:
        main(args)
    output = capsys.readouterr()
    assert exited.value.code == code, output.err
    assert "Traceback" not in output.err
    return output.out, output.err


def misuse(capsys: Capture, *args: str) -> str:
    """Gets the error of a wrong command line; click's lines on usage may stand before it."""
    out, err = run(capsys, args, 2)
    assert out == ""
    *usage, error = err.splitlines()
    assert error.startswith("Error: ")
    assert all(line == "" or re.match(r"Usage: |Try ", line) for line in usage)
    return error


def failure(capsys: Capture, *args: str) -> str:
    """Gets the only line that a call prints which can't read its deal."""
    out, err = run(capsys, args, 1)
    assert out == ""
    assert re.fullmatch(r"Error: .+\n", err)
    assert "RR_DEBUG" not in err  # that would be a fault of the program
    return err.rstrip("\n")


def solved(capsys: Capture, *args: str) -> dict[str, Any]:
    out, _ = run(capsys, [*args, "--json"])
    assert out.count("\n") == 1
    result: dict[str, Any] = json.loads(out)
    return result


@pytest.fixture
def deal_file(tmp_path: Path) -> Path:
    path = tmp_path / "deal.txt"
    path.write_text(str(deal_from_seed(WON)))
    return path


# Help, and what comes before a deal is read


def test_help_lists_options_and_exit_codes(capsys: Capture) -> None:
    out, err = run(capsys, ["--help"])
    assert err == ""
    for option in OPTIONS:
        assert re.search(rf"^ +{option}\b", out, re.MULTILINE), option
    for code in (0, 1, 2, 130):
        assert re.search(rf"^ +{code}  +\w", out, re.MULTILINE), code
    for code in (10, 20, 30):
        assert re.search(rf"\b{code} [wu]", out), code
    assert {preset for preset in PRESETS if preset in out} == set(PRESETS)


def test_help_lists_the_version_option(capsys: Capture) -> None:
    assert "--version" in run(capsys, ["--help"])[0]


@pytest.mark.parametrize("command", ["solve", "show"])
def test_commands_have_help(capsys: Capture, command: str) -> None:
    out, _ = run(capsys, [command, "--help"])
    assert re.search(r"^ +--seed N", out, re.MULTILINE)
    assert "--rules" in out


def test_help_is_printed_by_the_module_too() -> None:
    done = process("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: ")


def test_the_version_is_printed(capsys: Capture) -> None:
    assert __version__ in run(capsys, ["--version"])[0]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--help"], 0),
        (["--version"], 0),
        (["--sed", "1"], 2),
        (["--seed", "abc"], 2),
        (["--seed", "1", "--reserve", "0"], 2),
        (["missing.txt"], 1),
        (["show", "--seed", "1"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_nothing_heavy_is_imported_before_a_deal_is_solved(args: list[str], code: int) -> None:
    script = (
        "import sys\n"
        "from solver.cli.main import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit as exited:\n"
        "    heavy = sorted({'numba', 'llvmlite', 'numpy'} & sys.modules.keys())\n"
        "    print(exited.code, heavy)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *args], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == f"{code} []"


# Wrong command lines


@pytest.mark.parametrize("option", ["--sed", "--seeds", "--rule", "--jsn", "-x", "--no-json"])
def test_an_unknown_option_is_named(capsys: Capture, option: str) -> None:
    assert option in misuse(capsys, option, "1")


def test_a_misspelt_option_is_met_with_the_right_one(capsys: Capture) -> None:
    assert "--seed" in misuse(capsys, "--sed", "1").replace("--sed'", "")


@pytest.mark.parametrize("args", [["reveiw"], ["hnt", "--seed", "1"], ["stat", "a.db"]])
def test_a_misspelt_command_is_met_with_the_right_one(capsys: Capture, args: list[str]) -> None:
    error = misuse(capsys, *args)
    right = {"reveiw": "review", "hnt": "hint", "stat": "stats"}[args[0]]
    assert error == f"Error: there is no command or file '{args[0]}'; did you mean '{right}'?"


def test_a_file_may_have_a_name_like_a_command(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hints").write_text("")
    assert failure(capsys, "hints").startswith("Error: hints: 92 of the 92 cards missing")


def test_a_deal_is_needed(capsys: Capture) -> None:
    for args in (["solve"], ["show"], ["--json"], ["--rules", "all"]):
        assert "a deal is needed" in misuse(capsys, *args)


def test_no_arguments_print_the_help(capsys: Capture) -> None:
    out, err = run(capsys, [], 2)
    assert "Usage: " in out + err
    assert "--seed" in out + err


@pytest.mark.parametrize("command", [[], ["solve"], ["show"]])
def test_a_number_and_a_file_contradict_each_other(capsys: Capture, command: list[str]) -> None:
    error = misuse(capsys, *command, *NUMBER_AND_FILE)
    assert "--seed and a file" in error


@pytest.mark.parametrize(
    "switch",
    [
        *[["--kings", "spot"], ["--deal", "any"], ["--deal", "stuck"], ["--transfers"]],
        *[["--no-transfers"], ["--auto-deal"], ["--no-auto-deal"]],
    ],
    ids=" ".join,
)
def test_all_rules_and_a_switch_contradict_each_other(capsys: Capture, switch: list[str]) -> None:
    assert "--rules all" in misuse(capsys, "--seed", "1", "--rules", "all", *switch)


@pytest.mark.parametrize(
    ("one", "other"),
    [("--transfers", "--no-transfers"), ("--auto-deal", "--no-auto-deal"), ("--json", "--quiet")],
)
def test_opposite_options_contradict_each_other(capsys: Capture, one: str, other: str) -> None:
    for pair in ([one, other], [other, one]):
        error = misuse(capsys, "--seed", "1", *pair)
        assert one in error
        assert other in error


def test_an_exit_code_needs_one_rule_set(capsys: Capture) -> None:
    error = misuse(capsys, "--seed", "1", "--exit-code", "--rules", "all")
    assert "--exit-code" in error
    assert "--rules all" in error


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("--seed", value) for value in ["", "abc", "-5", "1.5", "ms0", "1\n2", "9" * 41]],
        *[("--reserve", value) for value in ["0", "25", "-1", "x", "1.5"]],
        *[("--states", value) for value in ["0", "-1", "1e6", ""]],
        *[("--memory", value) for value in ["0", "lots"]],
        *[("--rules", value) for value in ["", "Wikipedia ", "freecell"]],
        *[("--kings", "upper"), ("--deal", "never")],
    ],
)
def test_a_bad_value_is_refused_with_its_option(capsys: Capture, option: str, value: str) -> None:
    error = misuse(capsys, *(["--seed", "1"] if option != "--seed" else []), option, value)
    assert option in error


def test_a_store_without_a_name_is_refused(capsys: Capture) -> None:
    _, err = run(capsys, ["batch", "--seeds", "1-2", "--store", ""], code=2)
    assert "Invalid value for '--store': '' is not the name of a file" in err


def test_two_files_are_refused(capsys: Capture) -> None:
    assert "b.txt" in misuse(capsys, "a.txt", "b.txt")


def test_a_reserve_that_contradicts_the_file_is_refused(capsys: Capture, deal_file: Path) -> None:
    error = misuse(capsys, "show", str(deal_file), "--reserve", "12")
    assert "--reserve 12" in error
    assert "16 reserve cards" in error


def test_a_wrong_command_line_ends_a_process_with_2() -> None:
    done = process("--sed", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in done.stderr


# Files that can't be read


def test_a_missing_file_is_named(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "missing.txt"
    assert str(path) in failure(capsys, str(path))


def test_a_directory_is_named(capsys: Capture, tmp_path: Path) -> None:
    assert str(tmp_path) in failure(capsys, str(tmp_path))


def test_a_link_to_itself_is_named(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "loop.txt"
    path.symlink_to(path)
    assert str(path) in failure(capsys, str(path))


def test_a_file_without_permission_is_named(capsys: Capture, deal_file: Path) -> None:
    deal_file.chmod(0)
    if os.access(deal_file, os.R_OK):
        pytest.skip("this user may read everything")
    assert str(deal_file) in failure(capsys, str(deal_file))


DEAL_TEXT = str(deal_from_seed(WON)).encode()
CONTENTS = {
    "empty": b"",
    "only a comment": b"# nothing\n",
    "prose": b"Dear reader,\nthis is not a deal.\n",
    "invalid UTF-8": b"Reserve: 3D \xff\xfe\x80\n",
    "invalid UTF-8 at the end": DEAL_TEXT + b"# \xe2\x99",
    "every byte": bytes(range(256)) * 4,
    "UTF-16 without its mark": str(deal_from_seed(WON)).encode("utf-16-le"),
    "UTF-16 cut short": str(deal_from_seed(WON)).encode("utf-16")[:-1],
    "a NUL in a comment": DEAL_TEXT + b"# \0\n",
    "only NULs": bytes(1000),
    "huge comments": DEAL_TEXT + b"# to the right\n" * 100_000,
    "huge cards": b"Stock: " + b"3C " * 100_000,
    "huge line": b"3" * 1_000_000,
    "huge multi-byte": "♣".encode() * 100_000,
    "half a deal": DEAL_TEXT[: len(DEAL_TEXT) // 2],
    "no reserve": DEAL_TEXT.replace(b"Reserve", b"Stock"),
    "no stock": DEAL_TEXT.replace(b"Stock", b"Reserve"),
}


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("command", [[], ["show"]], ids=["solve", "show"])
def test_a_file_that_is_no_deal_is_named(
    capsys: Capture, tmp_path: Path, content: str, command: list[str]
) -> None:
    path = tmp_path / "deal.txt"
    path.write_bytes(CONTENTS[content])
    assert f"{path}:" in failure(capsys, *command, str(path))


def test_a_table_in_utf_16_is_read(capsys: Capture, deal_file: Path) -> None:
    table = str(replace(deal_from_seed(WON), seed=None))
    for encoding in ("utf-16", "utf-8-sig"):
        deal_file.write_bytes(table.encode(encoding))
        assert run(capsys, ["show", str(deal_file)]) == (table, "")


def test_a_device_without_end_is_refused(capsys: Capture) -> None:
    assert "/dev/zero" in failure(capsys, "/dev/zero")


def test_a_wrong_card_is_named_with_file_and_line(capsys: Capture, deal_file: Path) -> None:
    lines = deal_file.read_text().splitlines()
    lines[4] = lines[4].replace(" ", " 3X ", 1)
    deal_file.write_text("\n".join(lines))
    assert failure(capsys, str(deal_file)) == f"Error: {deal_file}:5: '3X' is not a card"


def test_a_wrong_card_of_stdin_is_named_with_its_line() -> None:
    done = process("-", text="# mine\nReserve: 3C AD\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"Error: <stdin>:2: AD is not dealt.*\n", done.stderr)


def test_any_error_of_stdin_names_it() -> None:
    for text in ("", "\0"):
        done = process("-", text=text)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(r"Error: <stdin>: .*\n", done.stderr)


def test_a_line_break_in_a_file_name_keeps_the_error_on_one_line(capsys: Capture) -> None:
    failure(capsys, "missing\nfile.txt")


# show


def test_show_prints_the_deal(capsys: Capture) -> None:
    assert run(capsys, ["show", "--seed", "#000100000"])[0] == str(deal_from_seed("100000"))


@pytest.mark.parametrize("reserve", ["1", "12", "24"])
def test_show_deals_a_reserve_of_any_size(capsys: Capture, reserve: str) -> None:
    deal = parse_table(run(capsys, ["show", "--seed", "7", "--reserve", reserve])[0])
    assert len(deal.reserve) == int(reserve)


def test_a_shown_deal_piped_back_is_the_same_deal() -> None:
    shown = process("show", "--seed", "100000")
    again = process("show", "-", text=shown.stdout)
    assert (shown.returncode, again.returncode) == (0, 0)
    assert parse_table(again.stdout) == parse_table(shown.stdout)
    assert again.stdout.splitlines()[1:] == shown.stdout.splitlines()[1:]
    assert shown.stdout.splitlines()[0].endswith(" 100000")


def test_a_file_of_another_program_is_read(capsys: Capture, deal_file: Path) -> None:
    text = deal_file.read_text()
    deal_file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").lower().encode())
    assert run(capsys, ["show", str(deal_file)])[0].splitlines()[1:] == text.splitlines()[1:]


# Verdicts


@pytest.mark.parametrize(
    ("args", "verdict", "code"),
    [
        (["--seed", WON], "winnable", 10),
        (["--seed", LOST], "unwinnable", 20),
        (["--seed", WON, "--states", "10"], "unknown", 30),
    ],
)
def test_an_exit_code_tells_the_verdict(
    capsys: Capture, args: list[str], verdict: str, code: int
) -> None:
    assert run(capsys, [*args, "--quiet"])[0] == verdict + "\n"
    assert run(capsys, [*args, "--quiet", "--exit-code"], code)[0] == verdict + "\n"


def test_an_exit_code_comes_with_json_too(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", LOST, "--json", "--exit-code"], 20)
    assert json.loads(out)["verdict"] == "unwinnable"


def test_a_process_ends_with_the_exit_code() -> None:
    done = process("--seed", LOST, "--quiet", "--exit-code")
    assert (done.returncode, done.stdout) == (20, "unwinnable\n")


def test_json_of_a_win_replays_to_a_won_position(capsys: Capture) -> None:
    result = solved(capsys, "--seed", WON)
    assert list(result) == KEYS
    assert (result["schema"], result["version"], result["seed"]) == (1, __version__, WON)
    assert result["rules"] == {"name": "wikipedia", **Rules().switches()}
    assert (result["verdict"], result["reason"]) == ("winnable", None)
    assert isinstance(result["method"], str)
    assert result["states"] > 0
    assert result["seconds"] > 0
    position = start(deal_from_seed(WON), Rules())
    assert replay(position, map(parse_move, result["moves"])).is_won


def test_json_of_a_loss_has_no_moves(capsys: Capture) -> None:
    result = solved(capsys, "--seed", LOST)
    assert list(result) == KEYS
    assert (result["verdict"], result["reason"], result["moves"]) == ("unwinnable", None, [])
    assert isinstance(result["method"], str)


def test_json_of_an_unknown_verdict_says_why(capsys: Capture) -> None:
    result = solved(capsys, "--seed", WON, "--states", "10")
    assert list(result) == KEYS
    assert (result["verdict"], result["reason"]) == ("unknown", "state budget")
    assert isinstance(result["method"], str)
    assert result["moves"] == []


def test_the_budget_is_overspent_by_the_successors_of_one_state_at_most(capsys: Capture) -> None:
    for seed, budget in ((WON, 1), (WON, 10), ("100000", 10), (LOST, 50)):
        assert (
            solved(capsys, "--seed", seed, "--states", str(budget))["states"] < budget + MOST_MOVES
        )


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_solved_by_its_own_rules(capsys: Capture, preset: str) -> None:
    result = solved(capsys, "--seed", WON, "--rules", preset)
    assert result["rules"] == {"name": preset, **PRESETS[preset].switches()}
    position = start(deal_from_seed(WON), PRESETS[preset])
    assert replay(position, map(parse_move, result["moves"])).is_won


def test_switches_change_a_preset(capsys: Capture) -> None:
    switches = ["--kings", "spot", "--deal", "stuck", "--no-transfers", "--no-auto-deal"]
    rules = solved(capsys, "--seed", WON, "--states", "1", "--rules", "pysol", *switches)["rules"]
    assert (rules["kings"], rules["deal"]) == ("spot", "stuck")
    assert (rules["transfers"], rules["auto_deal"]) == (False, False)
    switches = ["--transfers", "--auto-deal", "--reserve", "12"]
    rules = solved(capsys, "--seed", WON, "--states", "1", *switches)["rules"]
    assert rules["name"] == "pysol kings=free reserve=12"
    assert (rules["transfers"], rules["auto_deal"], rules["reserve"]) == (True, True, 12)


def test_a_file_is_solved_with_the_size_of_its_reserve(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    deal = deal_from_seed(WON, 20)
    path.write_text(str(deal))
    result = solved(capsys, str(path), "--reserve", "20")
    assert result["seed"] is None
    assert result["rules"]["reserve"] == 20
    position = start(deal, Rules(reserve=20))
    assert replay(position, map(parse_move, result["moves"])).is_won


def test_all_rules_print_a_line_each(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", WON, "--rules", "all"])
    lines = [line.split() for line in out.splitlines()]
    assert [line[0] for line in lines] == list(PRESETS)
    assert {line[1] for line in lines} == {"winnable"}


def test_of_all_rules_those_that_a_table_fits_are_tried(capsys: Capture, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    moves = json.loads(run(capsys, ["--seed", WON, "--rules", "pysol", "--json"])[0])["moves"]
    to_spot = next(number for number, move in enumerate(moves, 1) if move.endswith(">king"))
    after = ["--rules", "pysol", "--after", " ".join(moves[:to_spot])]
    table.write_text(run(capsys, ["show", "--seed", WON, *after])[0])
    out, err = run(capsys, [str(table), "--rules", "all", "--quiet"])
    fits = [name for name, rules in PRESETS.items() if rules.king_spots]
    assert 0 < len(fits) < len(PRESETS)
    assert [line.split()[0] for line in out.splitlines()] == fits
    left = [line for line in err.splitlines() if line.startswith(f"Left out: {table}: ")]
    named = [re.findall(r"rules: ([\w-]+)", line)[0] for line in left]
    assert named == [name for name in PRESETS if name not in fits]


def test_a_table_that_fits_no_rules_is_one_line(capsys: Capture, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text(str(deal_from_seed(WON)).replace("6S", "7S", 1))
    assert "7S" in failure(capsys, str(table), "--rules", "all")


def test_all_rules_print_a_verdict_each_when_quiet(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", WON, "--rules", "all", "--quiet"])
    assert [line.split() for line in out.splitlines()] == [[name, "winnable"] for name in PRESETS]


def test_all_rules_print_an_object_each(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", WON, "--rules", "all", "--json"])
    results = [json.loads(line) for line in out.splitlines()]
    assert [result["rules"]["name"] for result in results] == list(PRESETS)


def test_the_report_has_the_deal_and_a_numbered_solution(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", WON])
    lines = out.splitlines()
    assert lines[0].startswith(f"Deal {WON}: winnable in ")
    assert lines[1].startswith("Rules: wikipedia (kings free, deal any,")
    board, solution = out.split("\nSolution\n")
    deal = deal_from_seed(WON)
    cards = [place_name(card) for card in deal.reserve + deal.stock]
    assert re.findall(r"\b[2-9TJQK][CSHD]\b", board) == cards
    numbers = [int(line.split(".")[0]) for line in solution.splitlines()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert f" in {len(numbers)} moves" in lines[0]


def test_the_report_of_a_loss_has_no_solution(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", LOST])
    assert out.startswith(f"Deal {LOST}: unwinnable, ")
    assert "Solution" not in out


def test_the_report_of_an_unknown_verdict_says_what_may_help(capsys: Capture) -> None:
    out, _ = run(capsys, ["--seed", WON, "--states", "10"])
    assert out.startswith(f"Deal {WON}: unknown (state budget), ")
    assert "--states N" in out


def test_no_colours_where_nobody_sees_them() -> None:
    done = process("--seed", WON)
    assert done.returncode == 0
    assert "Solution" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_colours_on_a_terminal_unless_no_color_is_set(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m" in run(capsys, ["--seed", WON])[0]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(capsys, ["--seed", WON])[0]


def test_a_deal_is_solved_from_stdin() -> None:
    done = process("-", "--quiet", text=str(deal_from_seed(LOST)))
    assert (done.returncode, done.stdout) == (0, "unwinnable\n")


# Whatever else may happen


def no_reader(*args: str) -> subprocess.CompletedProcess[str]:
    """Runs the command with a stdout that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run([*COMMAND, *args], stdout=writer, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    "args",
    [["--help"], ["show", "--seed", "1"], ["--seed", WON], ["--seed", WON, "--rules", "all"]],
    ids=" ".join,
)
def test_a_closed_pipe_causes_no_traceback(args: list[str]) -> None:
    err = no_reader(*args).stderr
    assert "Traceback" not in err
    assert "Exception" not in err
    assert "Error" not in err


def test_a_reader_may_stop_after_a_line() -> None:
    done = shell('"$@" | head -1', "--seed", WON, "--rules", "all")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "2>&-"])
def test_a_process_without_an_output_solves_all_the_same(closed: str) -> None:
    done = shell(f'exec "$@" {closed}', "--seed", LOST, "--exit-code")
    assert done.returncode == 20
    assert "Error" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is always full here")
def test_a_full_disk_is_one_line() -> None:
    done = shell('exec "$@" > /dev/full', "show", "--seed", "1")
    assert done.returncode == 1
    assert re.fullmatch(r"Error: .+\n", done.stderr)


def test_ctrl_c_while_the_program_loads_ends_with_130() -> None:
    code = (
        "import sys\nfrom solver.__main__ import main\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'solver.cli.main':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted\n")


def test_ctrl_c_ends_with_130(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.engine.decide.solve", interrupted)
    out, err = run(capsys, ["--seed", WON], 130)
    assert (out, err.splitlines()[-1]) == ("", "Interrupted")


def test_a_fault_of_the_program_is_one_line(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise RuntimeError("the moves don't win")

    monkeypatch.setattr("solver.engine.decide.solve", faulty)
    monkeypatch.delenv("RR_DEBUG", raising=False)
    _, err = run(capsys, ["--seed", WON], 1)
    assert err.splitlines()[-1].startswith("Error: RuntimeError: the moves don't win")
    monkeypatch.setenv("RR_DEBUG", "1")
    with pytest.raises(RuntimeError, match="the moves don't win"):
        main(["--seed", WON])


def test_a_file_that_ends_too_early_is_not_ctrl_c(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise EOFError("too short")

    monkeypatch.setattr("solver.engine.decide.solve", faulty)
    monkeypatch.delenv("RR_DEBUG", raising=False)
    _, err = run(capsys, ["--seed", WON], 1)
    assert err.splitlines()[-1] == "Error: EOFError: too short (RR_DEBUG=1 shows where)"
