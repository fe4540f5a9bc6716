"""Prints the figures of the solver on fixed deals: ``make bench``, or parts of it by name.

Times depend on the machine and on what else runs there; counts of states don't. The *signature* is
the total of states over fixed deals: a change that is meant to keep the search keeps it, a change
of the search states the new one (``--save``).
"""

import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import click

from solver import DEFAULT_STATES
from solver.deal import deal_from_seed
from solver.game import start
from solver.rules import PRESETS, Rules
from solver.search import Search, prepare
from solver.solve import Result, Verdict, form_for, solve

HERE = Path(__file__).parent
SIGNATURE_FILE = HERE / "signature.json"
RULES: dict[str, Rules] = {
    **PRESETS,
    "pysol-no-transfers": replace(PRESETS["pysol"], transfers=False),
}
SIGNATURE_DEALS = range(100000, 100100)
SIGNATURE_STATES = 20_000
DECIDED_DEALS = range(100000, 100300)
SPEED_DEALS = range(100000, 101000)
SPEED_STATES = 2_000_000
SLOWEST = 5  # left out of the mean
EASY_SHARE = 0.99


def solve_all(rules: Rules, deals: Iterable[int], states: int) -> list[tuple[int, Result]]:
    """Solves deals one after the other, compiled code being ready."""
    prepare()
    return [(deal, solve(start(deal_from_seed(str(deal)), rules), states=states)) for deal in deals]


def quantiles(values: list[float]) -> str:
    """Gets mean, median, 90th and 99th percentile and maximum as text."""
    values = sorted(values)
    at = [values[min(int(len(values) * share), len(values) - 1)] for share in (0.5, 0.9, 0.99, 1)]
    return "  ".join(
        f"{name} {value:,.4g}"
        for name, value in zip(
            ("mean", "median", "p90", "p99", "max"), (statistics.mean(values), *at), strict=True
        )
    )


def signature(save: bool) -> None:
    """Prints the total of states over fixed deals for each rule set, beside the one on file."""
    now = {
        name: sum(
            result.states for _, result in solve_all(rules, SIGNATURE_DEALS, SIGNATURE_STATES)
        )
        for name, rules in RULES.items()
    }
    on_file = json.loads(SIGNATURE_FILE.read_text()) if SIGNATURE_FILE.exists() else {}
    for name, states in now.items():
        verdict = "as on file" if on_file.get(name) == states else f"on file: {on_file.get(name)}"
        click.echo(f"signature  {name:<19} {states:>12,} states  ({verdict})")
    if save:
        SIGNATURE_FILE.write_text(json.dumps(now, indent=1) + "\n")


def decided() -> None:
    """Prints how many of 300 deals are decided under each rule set with the default budget."""
    for name, rules in RULES.items():
        results = solve_all(rules, DECIDED_DEALS, DEFAULT_STATES)
        counts = dict.fromkeys(Verdict, 0)
        for _, result in results:
            counts[result.verdict] += 1
        unknown = [str(deal) for deal, result in results if result.verdict is Verdict.UNKNOWN]
        click.echo(
            f"decided    {name:<19} won {counts[Verdict.WINNABLE]}, lost "
            f"{counts[Verdict.UNWINNABLE]}, unknown {' '.join(unknown) or 'none'}"
        )
        click.echo(f"           states a deal: {quantiles([r.states for _, r in results])}")


def speed() -> None:
    """Prints the time of a deal on one core: all of it, and the search without moves and replay."""
    for name in ("wikipedia", "wikipedia-strict"):
        alone = []
        for deal in SPEED_DEALS:
            position = start(deal_from_seed(str(deal)), RULES[name])
            prepare()
            clock = time.perf_counter()
            Search(position, form_for(position.rules)).run(SPEED_STATES)
            alone.append((time.perf_counter() - clock) * 1000)
        alone.sort()
        click.echo(f"speed      {name:<19} ms a search, without the {SLOWEST} slowest:")
        click.echo(f"           {quantiles(alone[:-SLOWEST])}")
        results = solve_all(RULES[name], SPEED_DEALS, SPEED_STATES)
        times = sorted(result.seconds * 1000 for _, result in results)
        click.echo(f"speed      {name:<19} ms a deal: {quantiles(times)}")
        click.echo(f"           without the {SLOWEST} slowest: {quantiles(times[:-SLOWEST])}")
        states = [result.states for _, result in results]
        click.echo(f"           states a deal: {quantiles([float(n) for n in states])}")
        click.echo(f"           states a second: {sum(states) / sum(times) * 1000:,.0f}")


def process() -> None:
    """Prints the time of a whole process, cold (compiling) and warm."""
    command = [sys.executable, "-m", "solver", "--seed", "100000", "--quiet"]
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        times = []
        for _ in range(6):
            clock = time.perf_counter()
            subprocess.run(command, env=environment, check=True, capture_output=True)
            times.append(time.perf_counter() - clock)
    click.echo(
        f"process    cold {times[0]:.1f} s, warm {statistics.median(times[1:]):.2f} s (median)"
    )


def _peak_of_easy_deals(connection: Connection) -> None:
    states = sorted(
        result.states for _, result in solve_all(RULES["wikipedia"], SIGNATURE_DEALS, 200_000)
    )
    most = states[int(len(states) * EASY_SHARE) - 1]
    connection.send((most, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def memory() -> None:
    """Prints the peak memory of a process that solves 100 deals."""
    mine, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_peak_of_easy_deals, args=(theirs,))
    child.start()
    most, kilobytes = mine.recv()
    child.join()
    click.echo(f"memory     {kilobytes / 1024:.0f} MB resident (100 deals; p99 is {most:,} states)")


PARTS = {
    "signature": None,
    "decided": decided,
    "speed": speed,
    "process": process,
    "memory": memory,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice([*PARTS]))
@click.option("--save", is_flag=True, help="Write the signature to its file.")
def main(parts: tuple[str, ...], save: bool) -> None:
    """Print the figures of the solver on fixed deals, all or the named parts."""
    for part in parts or PARTS:
        run = PARTS[part]
        if run is None:
            signature(save)
        else:
            run()


if __name__ == "__main__":
    main()
