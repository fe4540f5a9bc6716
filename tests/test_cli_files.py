"""What becomes of a user's files: nothing that is there is lost, whatever names it."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from solver.batch.store import Row, Store
from solver.cli.main import cli
from solver.cli.paths import InputFile, OutputFile, StoreFile
from solver.game.deal import deal_from_seed
from solver.game.rules import Rules
from solver.game.verdict import Limits, Verdict

WON = "100001"
COMMANDS = cli.commands


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gets a folder, the current one, with a file of each kind."""
    monkeypatch.chdir(tmp_path)
    Path("deal.txt").write_text(str(deal_from_seed(WON)))
    Path("moves.txt").write_text("deal\n")
    Path("seeds.txt").write_text("100001\n")
    for name in ("store.db", "other.db"):
        with Store(Path(name), writable=True) as store:
            store.add_rules(Rules())
            run_id = store.begin_run(Limits(), [Rules()])
            store.add(Rules(), run_id, [Row(WON, Verdict.UNWINNABLE, None, 100, "exact", 9, None)])
    Path("link").symlink_to("deal.txt")
    Path("link.svg").symlink_to("store.db")
    os.link("deal.txt", "hard")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def refusal(folder: Path, *args: str) -> str:
    """Gets the error of a command line that is refused, and has changed nothing."""
    before = contents(folder)
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 2, result.output
    assert contents(folder) == before
    return result.stderr.splitlines()[-1]


READ = "would be written over: it is read too"
STORE = "is a store, and would be written over"
CLASHES = [
    ("solve deal.txt --html deal.txt", f"'deal.txt' {READ}"),
    ("solve --html deal.txt deal.txt", f"'deal.txt' {READ}"),
    ("solve deal.txt --html link", f"'link' {READ}"),
    ("solve link --certificate ./deal.txt", f"'deal.txt' {READ}"),
    ("solve deal.txt --html hard", f"'hard' {READ}"),
    ("solve --seed 100001 --html store.db", f"'store.db' {STORE}"),
    ("solve --seed 100001 --certificate link.svg", f"'link.svg' {STORE}"),
    ("solve --seed 1 --html new --certificate new", "written over: it is written too"),
    ("solve --seed 1 --html new --certificate ../{}/new", "written over: it is written too"),
    ("replay deal.txt --moves moves.txt --html moves.txt", f"'moves.txt' {READ}"),
    ("review deal.txt --moves moves.txt --plot link.svg", f"'link.svg' {STORE}"),
    ("stats store.db --plot link.svg", f"'link.svg' {STORE}"),
    ("export store.db -o store.db", f"'store.db' {STORE}"),
    ("export store.db -o other.db", f"'other.db' {STORE}"),
    ("merge store.db other.db store.db", f"'store.db' {READ}"),
    ("merge link.svg store.db", f"'link.svg' {READ}"),
    ("batch --seeds-file store.db --store store.db", f"'store.db' {READ}"),
]


@pytest.mark.parametrize(("line", "error"), CLASHES)
def test_nothing_is_written_over_that_is_needed(folder: Path, line: str, error: str) -> None:
    assert error in refusal(folder, *line.format(folder.name).split())


def test_the_numbers_of_a_picture_are_spared_too(folder: Path) -> None:
    Path("p.csv").symlink_to("store.db")
    assert f"'p.csv' {STORE}" in refusal(folder, "stats", "store.db", "--plot", "p.svg")


def test_the_file_behind_standard_input_is_spared(folder: Path) -> None:
    line = f"{sys.executable} -m solver - --html deal.txt < deal.txt"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert READ in done.stderr
    assert Path("deal.txt").read_text() == str(deal_from_seed(WON))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("solve --seed 1 --html nowhere/x", "there is no folder 'nowhere'"),
        ("export store.db -o nowhere/x", "there is no folder 'nowhere'"),
        ("stats store.db --plot nowhere/x.svg", "there is no folder 'nowhere'"),
        ("batch --seeds 1 --store nowhere/x", "there is no folder 'nowhere'"),
        ("merge nowhere/x store.db", "there is no folder 'nowhere'"),
        ("batch --seeds 1 --store .", "'.' is not the name of a file"),
        ("stats store.db --plot x.gif", "'x.gif' ends neither in .svg nor in .png"),
        ("solve --seed 1 --html -", "'-' is not the name of a file"),
    ],
)
def test_what_cannot_be_a_file_is_said_at_once(folder: Path, line: str, error: str) -> None:
    said = refusal(folder, *line.split())
    assert error in said
    assert said.startswith("Error: ")


def test_an_empty_name_is_no_file(folder: Path) -> None:
    for line in (
        ("batch", "--seeds", "1", "--store", ""),
        ("solve", "--seed", "1", "--html", ""),
        ("export", "store.db", "-o", ""),
    ):
        assert "'' is not the name of a file" in refusal(folder, *line)


def paths_of(command: click.Command) -> list[click.Parameter]:
    """Gets the parameters of a command that are paths, but for those of folders."""
    return [
        parameter
        for parameter in command.params
        if isinstance(parameter.type, click.Path | click.File) and parameter.name != "certificates"
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_file_of_a_command_is_guarded(name: str) -> None:
    for parameter in paths_of(COMMANDS[name]):
        assert isinstance(parameter.type, InputFile | OutputFile | StoreFile), parameter.name


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of bash, in which ``rr`` is the command."""
    rr = f'rr() {{ "{sys.executable}" -m solver "$@"; }}\n'
    return subprocess.run(["bash", "-c", rr + line], capture_output=True, text=True)


@pytest.mark.parametrize(
    "line",
    [
        "rr --seed 100001 --quiet --html /dev/stdout | cat",
        "rr --seed 100001 --quiet --html /dev/fd/1 | cat",
        "rr --seed 100001 --quiet --html >(cat) | cat",
        "rr --seed 100001 --quiet --html /dev/stderr 2>&1 | cat",
        "rr --seed 100001 --quiet --html /dev/stdout > out; cat out",
        "mkfifo pipe; rr --seed 100001 --quiet --html pipe & cat pipe; wait",
    ],
)
def test_pages_may_go_down_a_pipe(folder: Path, line: str) -> None:
    done = shell(line)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("<!DOCTYPE html>") == done.stdout.count("</html>") == 1
    assert done.stdout.count("winnable\n") == 1


def test_what_is_printed_before_stays_before_a_page(folder: Path) -> None:
    shell("rr --seed 100001 --quiet --html /dev/stdout > out")
    assert Path("out").read_text().startswith("winnable\n<!DOCTYPE html>")


def test_rows_may_go_down_a_pipe(folder: Path) -> None:
    wanted = shell("rr export store.db").stdout
    assert wanted.startswith("rules,seed,")
    for output in ("/dev/stdout", "-", ">(cat)"):
        assert shell(f"rr export store.db -o {output} | cat").stdout == wanted


def test_a_full_device_is_one_line(folder: Path) -> None:
    done = shell("rr --seed 100001 --quiet --html /dev/full")
    assert (done.returncode, done.stdout) == (1, "winnable\n")
    assert done.stderr == "Error: /dev/full: No space left on device\n"
