"""Web pages of a line of play, which ``solve`` and ``replay`` write."""

from collections.abc import Sequence
from pathlib import Path

import click

from ..game.deal import Deal
from ..game.steps import Step
from ..show.console import one_line
from ..show.page import page_of
from .outputs import new_file_option, write_output

html_option = new_file_option("--html", "Write the solution as a web page to step through offline.")


def title_of(deal: Deal, deal_file: Path | None) -> str:
    """Gets what to call a deal: its number, or the name of its file."""
    if deal_file is None or str(deal_file) == "-":
        return f"Deal {deal.seed}" if deal.seed else "Deal"
    return f"Deal {one_line(deal_file.name)}"


def heading(steps: Sequence[Step], title: str) -> str:
    """Gets a line that says what is replayed."""
    end = "won" if steps[-1].position.is_won else "not won"
    return f"{title}: {len(steps) - 1} moves, {end}"


def write_page(path: Path, steps: Sequence[Step], title: str) -> None:
    """Writes the page of a line of play, whole or not at all.

    :raises ClickException: if it can't be written.
    """
    write_output((path, page_of(steps, title).encode()))
    click.echo(f"{one_line(path)}: {heading(steps, title)}", err=True)
