"""Measures the solver against that of another commit: ``make bench-compare BASE=revision``.

Each of the two solves the same deals in a process of its own, in turn, round after round. So both
meet the same hours of the machine, and the ratio of a round says more than any time does. Times are
those of the processor, which other programs disturb less; the ratio of the times that passed stands
beside them. Each solver is driven by its own ``bench.timing``, which is a few lines.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from solver.batch.store import UNKNOWN
from solver.game.rules import PRESETS

from .figures import ROOT, Figures, Section
from .measure import FIRST_DEALS, HARDEST_DEALS, about, first_deals, unknown
from .tail import tail_of
from .timing import Timed

DEALS, STATES, ROUNDS = 300, 50_000, 5

F = TypeVar("F", bound=Callable[..., Any])


@contextmanager
def sources_of(revision: str) -> Iterator[Path]:
    """Lays out the solver of a commit, and what times it, in a temporary folder.

    :raises ClickException: if there is no such commit, or no solver in it.
    """
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    if not commit:
        raise click.ClickException(f"{revision!r} is no commit of this repository")
    archive = _git("archive", "--format=tar", commit.decode().strip(), "solver", "bench")
    if not archive:
        raise click.ClickException(f"{revision!r} has no solver")
    with tempfile.TemporaryDirectory(prefix="rr-bench-") as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


def _git(*arguments: str) -> bytes:
    """Gets the output of git, nothing if it fails."""
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True).stdout


class Solver:
    """A process that solves lists of deals with the ``solver`` found in a folder.

    Used as a context manager, which ends the process.

    :param cache: where to keep its compiled code, if not in the usual place.
    """

    def __init__(self, name: str, folder: Path, cache: Path | None = None) -> None:
        self.name = name
        environment = os.environ | {"PYTHONPATH": str(folder)}
        if cache:
            environment["NUMBA_CACHE_DIR"] = str(cache)
        python = [sys.executable, "-P"]  # the current folder is not on the path
        self._process = subprocess.Popen(
            [*python, "-m", "bench.timing"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Solver":
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.communicate()

    def solve(self, rules: str, seeds: Sequence[str], states: int) -> list[Timed]:
        """Solves and times deals.

        :raises ClickException: if the process has ended.
        """
        requests, answers = _open(self._process.stdin), _open(self._process.stdout)
        try:
            print(json.dumps([rules, states, seeds]), file=requests, flush=True)
            answer = answers.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            last = _open(self._process.stderr).read().strip().rpartition("\n")[2]
            raise click.ClickException(f"the solver of {self.name} ended: {last}")
        return [Timed(*each) for each in json.loads(answer)]


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def contradictions(a: Sequence[Timed], b: Sequence[Timed]) -> list[str]:
    """Gets the deals that are winnable in one list of results and unwinnable in the other."""
    return [
        one.seed
        for one, other in zip(a, b, strict=True)
        if one.verdict != other.verdict and UNKNOWN not in (one.verdict, other.verdict)
    ]


def in_turn(
    base: Solver, now: Solver, rules: str, seeds: Sequence[str], states: int, rounds: int
) -> Figures:
    """Has two solvers solve the same deals in turn, once more than is counted: to warm up.

    :raises ClickException: if they contradict each other.
    """
    pairs = [
        (base.solve(rules, seeds, states), now.solve(rules, seeds, states))
        for _ in range(1 + rounds)
    ]
    wrong = contradictions(*pairs[0])
    if wrong:
        raise click.ClickException(f"{rules}: verdicts contradict each other: {' '.join(wrong)}")
    return figures_of(pairs[1:])


def figures_of(pairs: Sequence[tuple[Sequence[Timed], Sequence[Timed]]]) -> Figures:
    """Gets the row of a table from the results of both in each round."""
    cpu = [[sum(each.cpu for each in results) for results in pair] for pair in pairs]
    wall = [[sum(each.milliseconds for each in results) for results in pair] for pair in pairs]
    base, now = (sum(each.states for each in results) for results in pairs[0])
    ratios = sorted(ours / theirs for theirs, ours in cpu)
    return {
        "base cpu ms": statistics.median(theirs for theirs, _ in cpu),
        "now": statistics.median(ours for _, ours in cpu),
        "ratio": statistics.median(ratios),
        "least": ratios[0],
        "most": ratios[-1],
        "wall ratio": statistics.median(ours / theirs for theirs, ours in wall),
        "base states": base,
        "now states": now,
        "ratio of states": now / base,
        "base undecided": unknown(pairs[0][0]),
        "now undecided": unknown(pairs[0][1]),
    }


def number_option(name: str, default: int, text: str) -> Callable[[F], F]:
    """Gets what adds an option that is a number from 1 on."""
    return click.option(
        name,
        type=click.IntRange(1),
        default=default,
        show_default=True,
        metavar="N",
        help=text,
    )


@click.command()
@click.argument("revision", metavar="BASE")
@click.option(
    "--rules",
    "names",
    multiple=True,
    type=click.Choice([*PRESETS]),
    help="Only these presets.",
)
@number_option("--deals", DEALS, "Of each preset.")
@number_option("--states", STATES, "The budget of a deal.")
@number_option("--rounds", ROUNDS, "How often each solves the deals.")
@click.option("--tail", is_flag=True, help="The first deals of bench/tail, not those from 100000.")
def main(
    revision: str, names: tuple[str, ...], deals: int, states: int, rounds: int, tail: bool
) -> None:
    """Measure the solver as it is now against that of the commit BASE, on the same deals."""
    rows: dict[str, Figures] = {}
    with (
        sources_of(revision) as folder,
        Solver(revision, folder, folder / "cache") as base,
        Solver("this tree", ROOT) as now,
    ):
        for name in names or PRESETS:
            click.echo(f"{name} ...", err=True)
            seeds = [entry.seed for entry in tail_of(name)] if tail else first_deals(deals)
            rows[name] = in_turn(base, now, name, seeds[:deals], states, rounds)
    what = about(deals, states, HARDEST_DEALS if tail else FIRST_DEALS)
    click.echo(Section("compare", f"{revision} and now, {rounds} rounds, {what}", rows))


if __name__ == "__main__":
    main()
