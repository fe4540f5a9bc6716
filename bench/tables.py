"""Writes the published tables, lists and pictures of stores: ``make results-tables``.

Nothing is decided here. Everything but the games of the naive players comes from the stores, and is
the same each time.
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path

import click

from bench.published import list_content, list_file
from solver.base.files import csv_text, write
from solver.batch import stats
from solver.batch.stats import UNWINNABLE, Rows
from solver.batch.store import RUN_COLUMNS, UNKNOWN, Row, Store
from solver.cli.options import stores_argument
from solver.cli.stats import read
from solver.game.rules import PRESETS, Rules, switch_text
from solver.game.verdict import Verdict
from solver.show import plots
from solver.show.stats_text import Found

HARDEST = 20
SWITCHES = tuple(Rules().switches())
COLUMNS: dict[str, tuple[str, ...]] = {
    "winnability": (
        *("rules", *SWITCHES, "first", "last"),
        *("deals", "won", "lost", "unknown", "share", "low", "high"),
    ),
    "switches": (
        *("switch", "without", "with", "deals", "both", "only_without", "only_with", "neither"),
        *("undecided", "difference", "low", "high", "p_value"),
    ),
    "states": ("rules", "verdict", "deals", "mean", "median", "p90", "p99", "max"),
    "hardest": ("rules", "place", "deal", "verdict", "states"),
    "undecided": ("rules", "deal", "reason", "states"),
    "runs": ("store", *RUN_COLUMNS.split(", "), "deals"),
}


def first_and_last(rules: Rules, rows: Rows) -> tuple[int, int]:
    """Gets the range of deals that the rows are of.

    :raises ValueError: if it has gaps, or deals that are not of PySolFC's own numbers.
    """
    foreign = next((seed for seed in rows if not seed.isdecimal()), None)
    if foreign:
        raise ValueError(f"{rules.name}: deal {foreign} has no plain number")
    numbers = [int(seed) for seed in rows]
    first, last = min(numbers), max(numbers)
    missing = last - first + 1 - len(numbers)
    if missing:
        raise ValueError(f"{rules.name}: {missing:,} of the deals {first} to {last} are missing")
    return first, last


def winnability(found: Found) -> Iterator[tuple[object, ...]]:
    """Gets how often deals can be won, a line for each rule set."""
    for rules, rows in found:
        summary = stats.summarise(rules, rows, 0)
        yield (
            *(rules.name, *map(switch_text, rules.switches().values())),
            *first_and_last(rules, rows),
            *(summary.deals, summary.won, summary.lost, summary.unknown),
            *(summary.share, *summary.interval),
        )


def switched(without: Rules, having: Rules) -> str | None:
    """Gets the switch by which rules differ, if it is the only one and at its default in the first.

    >>> switched(PRESETS["wikipedia"], PRESETS["till-dawn"])
    'kings'
    """
    default, theirs = Rules().switches(), having.switches()
    differing = [name for name, value in without.switches().items() if value != theirs[name]]
    if len(differing) == 1 and without.switches()[differing[0]] == default[differing[0]]:
        return differing[0]
    return None


def switches(found: Found) -> Iterator[tuple[object, ...]]:
    """Gets what each switch changes on the same deals, the other switches being equal."""
    same_size = [(rules, rows) for rules, rows in found if rules.reserve == Rules().reserve]
    for (without, rows), (having, other_rows) in permutations(same_size, 2):
        name = switched(without, having)
        if name:
            pair = stats.compare(having, other_rows, without, rows)
            yield (
                *(f"{name.replace('_', '-')} {switch_text(having.switches()[name])}",),
                *(without.name, having.name, pair.deals, pair.both, pair.only_b, pair.only_a),
                *(pair.neither, pair.undecided, pair.difference, *pair.difference_interval),
                pair.p_value,
            )


def states(found: Found) -> Iterator[tuple[object, ...]]:
    """Gets how the states that deals took are spread, by rule set and verdict."""
    for rules, rows in found:
        for verdict in Verdict:
            values = [row.states for row in rows.values() if row.verdict == verdict]
            if values:
                spread = stats.spread(values)
                mean = statistics.fmean(values)
                shown = (mean, spread.median, spread.p90, spread.p99, spread.most)
                yield rules.name, verdict, len(values), *(round(value, 1) for value in shown)


def hardest(found: Found) -> Iterator[tuple[object, ...]]:
    """Gets the deals with most states under each preset."""
    for rules, rows in presets(found):
        for place, row in enumerate(stats.hardest_of(rows.values(), HARDEST), 1):
            yield rules.name, place, row.seed, row.verdict, row.states


def undecided(found: Found) -> Iterator[tuple[object, ...]]:
    """Gets every deal without a verdict."""
    for rules, rows in found:
        for row in having_verdict(rows, UNKNOWN):
            yield rules.name, row.seed, row.reason, row.states


def runs(stores: Sequence[Path]) -> Iterator[tuple[object, ...]]:
    """Gets what decided the deals: a line for each run with rows that no later one replaced."""
    for path in stores:
        with Store(path) as store:
            for run in store.runs():
                yield path.name, *run


def presets(found: Found) -> Found:
    """Gets the rule sets that have a plain name."""
    return [(rules, rows) for rules, rows in found if rules.name in PRESETS]


def having_verdict(rows: Rows, verdict: str) -> Iterator[Row]:
    """Gets the rows with a verdict."""
    return (row for row in rows.values() if row.verdict == verdict)


def contents(stores: Sequence[Path], folder: Path) -> dict[Path, bytes]:
    """Gets all files.

    :raises ValueError: if deals are missing.
    """
    found = read(stores, [])
    lines: Mapping[str, Iterator[tuple[object, ...]]] = {
        "winnability": winnability(found),
        "switches": switches(found),
        "states": states(found),
        "hardest": hardest(found),
        "undecided": undecided(found),
        "runs": runs(stores),
    }
    files = {
        folder / f"{name}.csv": csv_text(COLUMNS[name], lines[name]).encode() for name in lines
    }
    for rules, rows in presets(found):
        path = list_file(folder, rules.name)
        files[path] = list_content(path, (row.seed for row in having_verdict(rows, UNWINNABLE)))
    return files | pictures(found, folder)


def pictures(found: Found, folder: Path) -> dict[Path, bytes]:
    """Draws the states of the presets, and winnability by the size of the reserve if there are."""
    every = [stats.summarise(rules, rows, 0) for rules, rows in found]
    named = [summary for summary in every if summary.rules.name in PRESETS]
    files = {folder / "states.svg": plots.picture(named, "svg", ["states"])}
    if plots.families(every):
        files[folder / "reserve.svg"] = plots.picture(every, "svg", ["reserve"])
    return files


@click.command()
@stores_argument
@click.option("--into", type=click.Path(path_type=Path), required=True, metavar="FOLDER")
def main(stores: Sequence[Path], into: Path) -> None:
    """Write tables, lists and pictures of what the stores hold."""
    try:
        files = contents(stores, into)
        (into / "unwinnable").mkdir(parents=True, exist_ok=True)
        write(files)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
