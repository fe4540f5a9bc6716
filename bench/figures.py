"""Figures in named rows: how values are spread, and how figures are printed and written to a file.

A file of figures is one JSON object::

    schema    1
    run       python, numba, machine, cpus, revision, sources, date: what was measured, and on what
    sections  by name: about (what was measured), rows (by name: the figures by name)
"""

import json
import platform
import statistics
import subprocess
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from solver.base.files import write
from solver.base.signature import verdict_signature
from solver.batch.stats import spread
from solver.cli.options import cores

SCHEMA = 1
ROOT = Path(__file__).parents[1]

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Section:
    """One table: its name, what was measured, and figures in rows that have the same columns."""

    name: str
    about: str
    rows: dict[str, Figures]

    def __str__(self) -> str:
        columns = list(next(iter(self.rows.values())))
        lines = [["", *columns]]
        lines += [
            [name, *(as_text(figures[column]) for column in columns)]
            for name, figures in self.rows.items()
        ]
        return "\n".join([f"{self.name}: {self.about}", *aligned(lines)])


def aligned(lines: list[list[str]]) -> list[str]:
    """Gets lines of cells as text: the first column to the left, all others to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def as_text(value: float) -> str:
    """Gets a figure with all digits of a whole number, else with three that matter.

    >>> as_text(1234567), as_text(1234.5), as_text(0.01234), as_text(1.5)
    ('1,234,567', '1,234', '0.0123', '1.50')
    """
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}"


def spread_of(values: Collection[float], unit: str) -> Figures:
    """Gets mean, median, 90th and 99th percentile and the worst as figures.

    >>> spread_of([1, 2, 3, 10], "ms")["median ms"]
    2.5
    """
    found = spread(values)
    return {
        f"mean {unit}": statistics.mean(values),
        f"median {unit}": found.median,
        f"p90 {unit}": found.p90,
        f"p99 {unit}": found.p99,
        f"worst {unit}": found.most,
    }


def run_facts() -> dict[str, str]:
    """Gets what figures depend on besides the program, and which program it was."""
    return {
        "python": platform.python_version(),
        "numba": version("numba"),
        "machine": f"{platform.machine()} {platform.system()}",
        "cpus": str(cores()),
        "revision": revision(),
        "sources": verdict_signature(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def revision() -> str:
    """Gets the name of the commit, with ``-dirty`` if files differ from it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def write_json(path: Path, sections: Iterable[Section]) -> None:
    """Writes all figures of a run.

    :raises OSError: if the file can't be written.
    """
    document = {
        "schema": SCHEMA,
        "run": run_facts(),
        "sections": {each.name: {"about": each.about, "rows": each.rows} for each in sections},
    }
    write({path: (json.dumps(document, indent=1) + "\n").encode()})
