"""The command ``export``: the rows of stores as CSV, or the winnable numbers."""

from pathlib import Path

import click

from ..batch import stats
from ..game.difficulty import Level
from ..show.stats_text import DIFFICULTY_EXPORT, EXPORT_COLUMNS, rows_text, winnable_text
from .errors import reported
from .options import store_options
from .outputs import write_output
from .paths import OutputFile
from .stats import ANY, of_difficulty, read


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
    "-o", "--output", type=OutputFile(or_stdout=True), metavar="FILE", help="Instead of stdout."
)
def export_command(
    stores: tuple[Path, ...],
    name: str | None,
    winnable: bool,
    difficulty: str | None,
    output: Path | None,
) -> None:
    """Write the rows of stores as CSV, or the winnable numbers of one rule set."""
    with reported():
        found = read(stores, [name] if name else [])
        if winnable and len(found) > 1:
            names = ", ".join(rules.name for rules, _ in found)
            raise click.UsageError(f"--winnable needs --rules, one of: {names}")
        if difficulty:
            found = of_difficulty(found, difficulty)
        columns = EXPORT_COLUMNS + (DIFFICULTY_EXPORT if difficulty else ())
        text = winnable_text(found[0][1]) if winnable else rows_text(found, columns)
    if output and str(output) != "-":
        write_output((output, text.encode()))
    else:
        click.echo(text, nl=False)
