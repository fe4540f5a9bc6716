"""The command ``stats``: what stores say of many deals, as text, JSON, CSV and pictures."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from ..batch import stats
from ..batch.store import Store, StoreError
from ..show import plots
from ..show.console import one_line
from ..show.stats_text import (
    Found,
    as_csv_text,
    as_json_text,
    as_text,
)
from .errors import reported
from .options import store_options
from .outputs import plot_option, require_plots, write_output

ANY = "any"


@click.command("stats", short_help="Say how often deals can be won, and at what cost.")
@store_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV, a line per rule set.")
@plot_option("Draw FILE.svg or FILE.png too, and write its numbers to FILE.csv.", with_numbers=True)
@click.option(
    "--compare",
    nargs=2,
    metavar="RULES_A RULES_B",
    help="Compare two rule sets over the deals that both have decided.",
)
@click.option(
    "--hardest",
    type=click.IntRange(0),
    default=stats.HARDEST,
    show_default=True,
    metavar="N",
    help="How many of the hardest deals to name.",
)
def stats_command(
    stores: tuple[Path, ...],
    name: str | None,
    as_json: bool,
    as_csv: bool,
    plot: Path | None,
    compare: tuple[str, str] | None,
    hardest: int,
) -> None:
    """Say how often deals can be won, and at what cost.

    The share that can be won is of the decided deals. Its 95% interval is Wilson's, with unknown
    deals as lost for the lower end and as won for the upper end. Stores are pooled by deal.
    """
    _check_options(name, as_json, as_csv, compare)
    if plot:
        require_plots()
    with reported():
        found = read(stores, compare or ([name] if name else []), compare and "--compare")
        summaries = [stats.summarise(rules, rows, hardest) for rules, rows in found]
        comparison = stats.compare(*found[0], *found[1]) if compare else None
    if plot:
        write_output(
            (plot, plots.picture(summaries, plot.suffix.lower()[1:])),
            (plot.with_suffix(".csv"), plots.numbers(summaries).encode()),
        )
    if as_json:
        click.echo(as_json_text(summaries, comparison))
    elif as_csv:
        click.echo(as_csv_text(summaries), nl=False)
    else:
        click.echo(as_text(summaries, comparison))


def _check_options(
    name: str | None, as_json: bool, as_csv: bool, compare: tuple[str, str] | None
) -> None:
    if as_json and as_csv:
        raise click.UsageError("--json and --csv contradict each other")
    if compare and as_csv:
        raise click.UsageError("--csv has a line per rule set; --compare needs text or --json")
    if compare and name:
        raise click.UsageError("--rules and --compare contradict each other")
    if compare and compare[0] == compare[1]:
        raise click.UsageError("--compare needs two different rule sets")


# Rows in, files out


def read(paths: Sequence[Path], names: Sequence[str], option: str | None = None) -> Found:
    """Gets the rule sets of those names, or all that have rows, with the rows of all stores.

    :raises UsageError: if the stores have no rules of a name.
    :raises StoreError: if a store can't be read, stores contradict each other, or there is no row.
    """
    with ExitStack() as opened:
        stores = [opened.enter_context(Store(path)) for path in paths]
        there = {rules.name: rules for rules in stats.rule_sets(stores)}
        if not there:
            raise StoreError(f"{_named(paths)}: no deals yet")
        for name in names:
            if name not in there:
                raise click.BadParameter(
                    f"{one_line(name)!r} is not in {_named(paths)}, only: {', '.join(there)}",
                    param_hint=option or "--rules",
                )
        found = [(there[name], stats.pooled(stores, there[name])) for name in names or there]
    for rules, rows in found:
        if names and not rows:
            raise StoreError(f"{_named(paths)}: no deals under {rules.name} yet")
    filled: Found = [(rules, rows) for rules, rows in found if rows]
    if not filled:
        raise StoreError(f"{_named(paths)}: no deals yet")
    return filled


def _named(paths: Sequence[Path]) -> str:
    return ", ".join(one_line(path) for path in paths)


def of_difficulty(found: Found, difficulty: str) -> Found:
    """Gets the rows of a level of difficulty, or of any.

    :raises StoreError: if no deal has been measured.
    """
    measured = [
        (
            rules,
            {seed: row for seed, row in rows.items() if row.difficulty and row.difficulty.level},
        )
        for rules, rows in found
    ]
    if not any(rows for _, rows in measured):
        raise StoreError("no winnable deal has been measured yet: batch --difficulty")
    return [
        (
            rules,
            {
                seed: row
                for seed, row in rows.items()
                if row.difficulty and difficulty in (ANY, row.difficulty.level)
            },
        )
        for rules, rows in measured
    ]
