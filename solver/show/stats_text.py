"""What stores hold as text: rows and summaries as CSV, JSON and tables."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..base.files import csv_text
from ..base.version import __version__
from ..batch import stats
from ..batch.stats import Comparison, Rows, Spread, Summary
from ..batch.store import DIFFICULTY_COLUMNS, Row
from ..game.difficulty import Level
from ..game.rules import Rules, switch_text

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

Found = list[tuple[Rules, Rows]]


def rows_text(found: Found, columns: Sequence[str] = EXPORT_COLUMNS) -> str:
    """Gets all rows as CSV, without moves."""
    lines = (
        (name, *(_cell(row, column) for column in columns[1:]))
        for name, rows in ((rules.name, rows) for rules, rows in found)  # a name takes time to find
        for row in rows.values()
    )
    return csv_text(columns, lines)


def _cell(row: Row, column: str) -> object:
    return getattr(row.difficulty if column in DIFFICULTY_EXPORT else row, column)


def winnable_text(rows: Rows) -> str:
    """Gets the winnable numbers, one a line."""
    return "".join(f"{number}\n" for number in stats.winnable_numbers(rows))


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
    return csv_text(CSV_COLUMNS, lines)


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
        ["undecided", f"{comparison.undecided:,}"],
    ]
    low, high = comparison.difference_interval
    lines = [
        *_table([f"{a} and {b}", "deals"], counts),
        f"Difference in winnability: {100 * comparison.difference:+.3f} percentage points"
        f" (95% interval {100 * low:+.3f} to {100 * high:+.3f})",
        f"McNemar's exact test, two-sided: {_p_value(comparison.p_value)}",
    ]
    if comparison.favour_a is not None:
        lines.append(
            f"Won under one only: {comparison.favour_a:.2%} under {a}"
            f" (exact 95% interval {_percents(comparison.favour_a_interval)})"
        )
    if comparison.undecided:
        lines.append("The test and what is won under one only are of the deals decided under both.")
    return lines


def _p_value(p: float) -> str:
    """Writes a p, which as a float may have become 0."""
    return f"p = {p:.3g}" if p else f"p < {sys.float_info.min:.0e}"


def _percents(interval: tuple[float, float]) -> str:
    return f"{interval[0]:.2%} to {interval[1]:.2%}"


def _table(header: list[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Aligns columns: the first, which is words, to the left, and the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *lines, strict=True)]
    return [
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in [header, *lines]
    ]
