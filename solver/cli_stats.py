"""The commands ``stats`` and ``export``: what stores hold, as text, JSON, CSV and pictures."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from . import __version__, plots, stats
from .cli_options import F, one_line, plot_option
from .files import write
from .level import Level
from .rules import Rules, switch_text
from .stats import Comparison, Rows, Spread, Summary
from .store import DIFFICULTY_COLUMNS, Row, Store, StoreError

SCHEMA = 1
SPREAD_COLUMNS = ("median", "p90", "p99", "max")
CSV_COLUMNS = (
    *("rules", "kings", "deal", "transfers", "auto_deal", "reserve"),
    *("deals", "won", "lost", "unknown", "share", "low", "high"),
    *(f"states_{column}" for column in SPREAD_COLUMNS),
    *(f"ms_{column}" for column in SPREAD_COLUMNS),
    *Level,
)
EXPORT_COLUMNS = ("rules", "seed", "verdict", "reason", "states", "method", "microseconds")
DIFFICULTY_EXPORT = ("level", *DIFFICULTY_COLUMNS)
ANY = "any"

Found = list[tuple[Rules, Rows]]


def store_options(command: F) -> F:
    """Adds what names the rows: stores, and a rule set."""
    option = click.option("--rules", "name", metavar="NAME", help="Only this rule set.")
    stores = click.argument(
        "stores", metavar="STORE...", nargs=-1, required=True, type=click.Path(path_type=Path)
    )
    return stores(option(command))


@click.command("stats", short_help="Say how often deals can be won, and at what cost.")
@store_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV, a line per rule set.")
@plot_option("Draw FILE.svg or FILE.png too, and write its numbers to FILE.csv.")
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
    with _reported():
        if plot:
            plots.require_matplotlib()
        found = read(stores, compare or ([name] if name else []), compare and "--compare")
        summaries = [stats.summarise(rules, rows, hardest) for rules, rows in found]
        comparison = stats.compare(*found[0], *found[1]) if compare else None
        if plot:
            write(
                {
                    plot: plots.picture(summaries, plot.suffix.lower()[1:]),
                    plot.with_suffix(".csv"): plots.numbers(summaries).encode(),
                }
            )
    if as_json:
        click.echo(as_json_text(summaries, comparison))
    elif as_csv:
        click.echo(as_csv_text(summaries), nl=False)
    else:
        click.echo(as_text(summaries, comparison))


@click.command("export", short_help="Write the rows of stores as CSV, or the winnable numbers.")
@store_options
@click.option(
    "--winnable",
    is_flag=True,
    help=f"Only the winnable numbers from {stats.FIRST_OWN_NUMBER} on, one a line.",
)
@click.option(
    "--difficulty",
    type=click.Choice([*map(str, Level), ANY]),
    help="Only deals of this difficulty, with its numbers (batch --difficulty measures them).",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Instead of stdout."
)
def export_command(
    stores: tuple[Path, ...],
    name: str | None,
    winnable: bool,
    difficulty: str | None,
    output: Path | None,
) -> None:
    """Write the rows of stores as CSV, or the winnable numbers of one rule set."""
    with _reported():
        found = read(stores, [name] if name else [])
        if winnable and len(found) > 1:
            names = ", ".join(rules.name for rules, _ in found)
            raise click.UsageError(f"--winnable needs --rules, one of: {names}")
        if difficulty:
            found = of_difficulty(found, difficulty)
        columns = EXPORT_COLUMNS + (DIFFICULTY_EXPORT if difficulty else ())
        text = winnable_text(found[0][1]) if winnable else rows_text(found, columns)
        if output and str(output) != "-":
            write({output: text.encode()})
            return
    click.echo(text, nl=False)


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


@contextmanager
def _reported() -> Iterator[None]:
    """Turns what can go wrong with stores and files into one line."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            f"{one_line(error.filename)}: {error.strerror}" if error.filename else str(error)
        ) from None
    except (ValueError, plots.PlotError) as error:
        raise click.ClickException(one_line(error)) from None


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


def rows_text(found: Found, columns: Sequence[str] = EXPORT_COLUMNS) -> str:
    """Gets all rows as CSV, without moves."""
    lines = (
        (name, *(_cell(row, column) for column in columns[1:]))
        for name, rows in ((rules.name, rows) for rules, rows in found)  # a name takes time to find
        for row in rows.values()
    )
    return _csv(columns, lines)


def _cell(row: Row, column: str) -> object:
    return getattr(row.difficulty if column in DIFFICULTY_EXPORT else row, column)


def winnable_text(rows: Rows) -> str:
    """Gets the winnable numbers, one a line."""
    return "".join(f"{number}\n" for number in stats.winnable_numbers(rows))


def _csv(header: Iterable[str], lines: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue()


# For programs


def as_csv_text(summaries: Sequence[Summary]) -> str:
    """Gets summaries as CSV: a header, and a line for each."""
    lines = (
        (
            *(summary.rules.name, *map(switch_text, summary.rules.switches().values())),
            *(summary.deals, summary.won, summary.lost, summary.unknown),
            *(summary.share, *summary.interval),
            *_spread_dict(summary.states).values(),
            *_spread_dict(summary.milliseconds).values(),
            *summary.levels.values(),
        )
        for summary in summaries
    )
    return _csv(CSV_COLUMNS, lines)


def as_json_text(summaries: Sequence[Summary], comparison: Comparison | None) -> str:
    """Gets everything as one line of JSON, with ``schema`` 1."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "version": __version__,
            "rules": [_summary_dict(summary) for summary in summaries],
            "comparison": _comparison_dict(comparison) if comparison else None,
        }
    )


def _summary_dict(summary: Summary) -> dict[str, Any]:
    return {
        "name": summary.rules.name,
        "switches": summary.rules.switches(),
        "deals": summary.deals,
        "won": summary.won,
        "lost": summary.lost,
        "unknown": summary.unknown,
        "share": summary.share,
        "interval": summary.interval,
        "states": _spread_dict(summary.states),
        "milliseconds": _spread_dict(summary.milliseconds),
        "states_by_verdict": {
            verdict: _spread_dict(spread) for verdict, spread in summary.states_by_verdict.items()
        },
        "difficulty": summary.levels,
        "hardest": [_hard_dict(row) for row in summary.hardest],
    }


def _spread_dict(spread: Spread) -> dict[str, float]:
    values = (spread.median, spread.p90, spread.p99, spread.most)
    rounded = (round(value, 3) for value in values)  # to microseconds
    return dict(zip(SPREAD_COLUMNS, rounded, strict=True))


def _hard_dict(row: Row) -> dict[str, Any]:
    kept = ("seed", "verdict", "states", "microseconds")
    return {key: value for key, value in asdict(row).items() if key in kept}


def _comparison_dict(comparison: Comparison) -> dict[str, Any]:
    return {
        "a": comparison.rules_a.name,
        "b": comparison.rules_b.name,
        "deals": comparison.deals,
        "both": comparison.both,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "neither": comparison.neither,
        "undecided": comparison.undecided,
        "difference": comparison.difference,
        "difference_interval": comparison.difference_interval,
        "p_value": comparison.p_value,
        "favour_a": comparison.favour_a,
        "favour_a_interval": comparison.favour_a_interval,
    }


# For people


def as_text(summaries: Sequence[Summary], comparison: Comparison | None) -> str:
    """Gets the tables: verdicts, states, time, difficulty, hardest deals, and the comparison."""
    parts = [_verdicts(summaries)]
    if any(summary.unknown for summary in summaries):
        parts.append(
            ["Unknown deals count as lost for the lower end of an interval, as won for the upper."]
        )
    parts.append(_spreads("states per deal", [(s.rules, s.states) for s in summaries], "{:,.0f}"))
    parts.append(_spreads("ms per deal", [(s.rules, s.milliseconds) for s in summaries], "{:,.2f}"))
    measured = [summary for summary in summaries if any(summary.levels.values())]
    if measured:
        parts.append(_levels(measured))
    if any(summary.hardest for summary in summaries):
        parts.append(_hardest(summaries))
    if comparison:
        parts.append(_compared(comparison))
    return "\n\n".join("\n".join(part) for part in parts)


def _verdicts(summaries: Sequence[Summary]) -> list[str]:
    lines = [
        [
            summary.rules.name,
            *map("{:,}".format, (summary.deals, summary.won, summary.lost, summary.unknown)),
            "-" if summary.share is None else f"{summary.share:.2%}",
            _percents(summary.interval),
        ]
        for summary in summaries
    ]
    return _table(["rules", "deals", "won", "lost", "unknown", "winnable", "95% interval"], lines)


def _spreads(title: str, spreads: Sequence[tuple[Rules, Spread]], form: str) -> list[str]:
    lines = [
        [rules.name, *map(form.format, _spread_dict(spread).values())] for rules, spread in spreads
    ]
    return _table([title, *SPREAD_COLUMNS], lines)


def _levels(summaries: Sequence[Summary]) -> list[str]:
    lines = [
        [summary.rules.name, *map("{:,}".format, (sum(counts), *counts))]
        for summary in summaries
        for counts in [summary.levels.values()]
    ]
    return _table(["difficulty", "measured", *Level], lines)


def _hardest(summaries: Sequence[Summary]) -> list[str]:
    lines = [
        [
            *(summary.rules.name, row.seed, row.verdict),
            *(f"{row.states:,}", f"{row.microseconds / 1000:,.2f}"),
        ]
        for summary in summaries
        for row in summary.hardest
    ]
    return _table(["hardest deals", "deal", "verdict", "states", "ms"], lines)


def _compared(comparison: Comparison) -> list[str]:
    a, b = comparison.rules_a.name, comparison.rules_b.name
    counts = [
        ["won under both", f"{comparison.both:,}"],
        [f"only under {a}", f"{comparison.only_a:,}"],
        [f"only under {b}", f"{comparison.only_b:,}"],
        ["under neither", f"{comparison.neither:,}"],
        ["left out, undecided", f"{comparison.undecided:,}"],
    ]
    low, high = comparison.difference_interval
    lines = [
        *_table([f"{a} and {b}", "deals"], counts),
        f"Difference in winnability: {100 * comparison.difference:+.3f} percentage points"
        f" (95% interval {100 * low:+.3f} to {100 * high:+.3f})",
        f"McNemar's exact test, two-sided: p = {comparison.p_value:.3g}",
    ]
    if comparison.favour_a is not None:
        lines.append(
            f"Won under one only: {comparison.favour_a:.2%} under {a}"
            f" (exact 95% interval {_percents(comparison.favour_a_interval)})"
        )
    return lines


def _percents(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.2%} to {interval[1]:.2%}"


def _table(header: list[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Aligns columns: the first, which is words, to the left, and the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *lines, strict=True)]
    return [
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in [header, *lines]
    ]
