"""The pages: their examples print what is shown, their links lead somewhere, their options exist.

An example is a block ``console`` whose lines after ``$`` are run, those of a page one after the
other in one folder. What is shown is what a terminal shows where no line is a terminal's: stdout
and stderr. A line ``...`` stands for any lines. Times and the version are not compared: see
``LOOSE``.
"""

import io
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import pytest

from solver.base.version import __version__
from solver.cli.main import cli, main
from solver.kernel.jit import COMPILED

from .test_architecture import WALLS

ROOT = Path(__file__).parents[1]
README, COMMANDS = ROOT / "README.md", ROOT / "docs" / "commands.md"
CONTRIBUTING, CHANGELOG = ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"
DOCS = [README, *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*DOCS, CONTRIBUTING, CHANGELOG, ROOT / "results" / "README.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY_LINES = re.compile(r"^\.\.\.\n", re.MULTILINE)
LOOSE = (
    (re.compile(r"\b[\d,.]+ m?s\b"), "TIME"),
    (re.compile(r'"seconds": [\d.e-]+'), '"seconds": TIME'),
    (re.compile(re.escape(__version__)), "VERSION"),
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def examples(page: Path) -> Iterator[tuple[str, str]]:
    """Gets the commands that a page shows, each with what it shows of their output."""
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = example.partition("\n")
                yield command, shown


def loose(text: str) -> str:
    """Gets a text without what differs from run to run."""
    for pattern, word in LOOSE:
        text = pattern.sub(word, text)
    return text


def agree(shown: str, printed: str) -> bool:
    parts = ANY_LINES.split(loose(shown))
    return bool(re.fullmatch(".*".join(map(re.escape, parts)), loose(printed), re.DOTALL))


class Shell:
    """Runs lines as a shell does, those of ``rr-solve`` in this process."""

    def __init__(self) -> None:
        self.code = 0

    def run(self, line: str) -> str:
        """Gets what a line prints. What a pipe is made with has blanks on both sides."""
        if not line.startswith("rr-solve "):
            return self._others(line)
        ours, *others = re.split(r" (?=[|>] )", line, maxsplit=1)
        talk = io.StringIO()
        printed = io.StringIO() if others else talk
        with redirect_stdout(printed), redirect_stderr(talk), pytest.raises(SystemExit) as exited:
            main(shlex.split(ours)[1:])
        assert isinstance(exited.value.code, int)
        self.code = exited.value.code
        return talk.getvalue() + "".join(
            self._others(f"cat {rest}", printed.getvalue()) for rest in others
        )

    def _others(self, line: str, given: str = "") -> str:
        done = subprocess.run(
            ["sh", "-c", f"(exit {self.code}); {line}"],
            input=given,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.code = done.returncode
        return done.stdout


@pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")
@pytest.mark.parametrize("page", [page for page in DOCS if any(examples(page))], ids=name_of)
def test_every_example_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "main", partial(cli.main, prog_name="rr-solve"))
    shell = Shell()
    for command, shown in examples(page):
        printed = shell.run(command)
        assert agree(shown, printed), f"$ {command}\n{printed}"


def test_only_times_and_cut_lines_may_differ() -> None:
    printed = "won, 473 states, 2.5 ms\nNext\nLast\n"
    assert agree("won, 473 states, 1.0 s\nNext\nLast\n", printed)
    assert agree("won, 473 states, 2.5 ms\n...\nLast\n", printed)
    assert not agree("won, 474 states, 2.5 ms\nNext\nLast\n", printed)
    assert not agree("won, 473 states, 2.5 ms\nNext\n", printed)
    assert not agree("...\nNext\n", printed)


@pytest.mark.parametrize("page", DOCS, ids=name_of)
def test_no_example_is_left_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^\$ ", text, re.MULTILINE)) == len([*examples(page)])


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    led_to = {target for target, _ in LINK.findall(text)}
    assert {name_of(page) for page in DOCS if page != README} <= led_to


def anchors(page: Path) -> set[str]:
    """Gets what the headings of a page are called in links."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), f"{target}#{anchor}"


def options_of(command: str) -> set[str]:
    parameters = cli.commands[command].params
    return {option for parameter in parameters for option in parameter.opts} | {"--help"}


def sections(page: Path) -> dict[str, str]:
    """Gets the text below each heading of the second level."""
    parts = re.split(r"^## (.*)\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("command", cli.commands)
def test_every_command_has_a_section_with_options_that_it_has(command: str) -> None:
    text = sections(COMMANDS)[command]
    spans = [span for span in re.findall(r"`([^`\n]+)`", text) if "--" in span]
    for span in spans:
        first = span.removeprefix("rr-solve ").split()[0]
        named = first if first in cli.commands else command
        assert set(re.findall(r"--[a-z][a-z-]*", span)) <= options_of(named), span


def test_what_commands_share_is_an_option_of_some_command() -> None:
    every = set().union(*map(options_of, cli.commands)) | {"--version"}
    for page in DOCS:
        calls = re.findall(r"rr-solve\b[^`\n]*", page.read_text(encoding="utf-8"))
        assert {option for call in calls for option in re.findall(r"--[a-z][a-z-]*", call)} <= every
    for title, text in sections(COMMANDS).items():
        if title not in cli.commands:
            assert set(re.findall(r"`[^`\n]*?(--[a-z][a-z-]*)", text)) <= every


def test_the_version_is_the_one_that_is_cited_and_the_last_that_is_described() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    described = re.findall(r"^## \[(.*)\] - (.*)$", CHANGELOG.read_text(), re.MULTILINE)
    cited = dict(
        re.findall(r"^([a-z-]+): \"?([^\"\n]+)", (ROOT / "CITATION.cff").read_text(), re.M)
    )
    assert described[0] == (project["version"], cited["date-released"])
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])


def test_contributors_are_told_the_walls_and_targets_that_there_are() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|.*\| ([^|]*) \|$", text, re.MULTILINE)
    assert {room: set(re.findall(r"\w+", below)) for room, below in rows} == {
        room: set(below.split()) for room, below in WALLS.items()
    }
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for page in [*LINKED, CONTRIBUTING]:
        told = re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(told) <= set(targets)
