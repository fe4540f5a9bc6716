"""Prints two runs of ``python -m bench.bench --json FILE`` beside each other, with ratios."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from .figures import SCHEMA, aligned, as_text

NOTHING = "-"
Run = Mapping[str, Any]


def read_run(path: Path) -> Run:
    """Reads the figures of a run.

    :raises ValueError: if the file has none.
    :raises OSError: if it can't be read.
    """
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: this is no JSON: {error}") from None
    if not isinstance(run, dict) or run.get("schema") != SCHEMA:
        raise ValueError(f"{path}: there are no figures of schema {SCHEMA} in this file")
    return run


def compared(a: Run, b: Run) -> str:
    """Gets a text of all figures of two runs, each with the ratio of the second to the first."""
    lines = [["", "A", "B", "B/A"]]
    lines += [
        [fact, a["run"].get(fact, NOTHING), b["run"].get(fact, NOTHING), ""]
        for fact in _names(a["run"], b["run"])
    ]
    for name in _names(a["sections"], b["sections"]):
        lines += _section(name, a["sections"].get(name), b["sections"].get(name))
    return "\n".join(aligned(lines))


def _section(name: str, a: Run | None, b: Run | None) -> Iterator[list[str]]:
    yield ["", "", "", ""]
    if a and b and a["about"] != b["about"]:
        yield [f"{name}: not of the same", a["about"], b["about"], ""]
        return
    rows_a, rows_b = a["rows"] if a else {}, b["rows"] if b else {}
    for row in _names(rows_a, rows_b):
        figures_a, figures_b = rows_a.get(row, {}), rows_b.get(row, {})
        for figure in _names(figures_a, figures_b):
            values = figures_a.get(figure), figures_b.get(figure)
            yield [f"{name}, {row}, {figure}", *map(_cell, values), _ratio(*values)]


def _names(a: Run, b: Run) -> list[str]:
    """Gets the names in either, in the order in which they stand there."""
    return list(dict.fromkeys([*a, *b]))


def _cell(value: float | None) -> str:
    return NOTHING if value is None else as_text(value)


def _ratio(a: float | None, b: float | None) -> str:
    return f"{b / a:.3f}" if a and b is not None else ""


@click.command()
@click.argument("a", metavar="A.json", type=click.Path(path_type=Path))
@click.argument("b", metavar="B.json", type=click.Path(path_type=Path))
def main(a: Path, b: Path) -> None:
    """Print the figures of two runs of the benchmarks beside each other."""
    try:
        click.echo(compared(read_run(a), read_run(b)))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None


if __name__ == "__main__":
    main()
