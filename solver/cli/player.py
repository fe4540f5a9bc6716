"""The commands for somebody at the table: ``show``, ``hint`` and ``review``."""

from pathlib import Path
from typing import Any

import click

from ..game.verdict import Limits
from ..show.console import in_colour
from ..show.plots import PlotError, require_matplotlib
from .deals import (
    deal_options,
    moves_options,
    name_of,
    one_rule_set,
    played,
    position_of,
    read_deal,
    read_moves,
)
from .options import budget_options, plot_option, rules_options, say_if_compiling, write_output
from .progress import Progress

HINT_STATES, REVIEW_STATES = 2_000_000, 50_000
"""Default budgets: a hint takes a few seconds at most for each move that can't be decided; a review
mostly a second, and up to a quarter of a minute under rules with transfers, where losses are hard
to prove. Twice the states for a review take twice the time and decide next to nothing more."""


@click.command(short_help="Print a deal, or the table some moves later, as text.")
@deal_options
@moves_options
@click.option("--legal", is_flag=True, help="Print the legal moves instead, one a line.")
@rules_options
def show(
    deal_file: Path | None,
    seed: str | None,
    reserve: int | None,
    after: str,
    moves_file: Path | None,
    legal: bool,
    **switches: Any,
) -> None:
    """Print a deal, or the table some moves later, as text that can be edited and read again."""
    rules = one_rule_set(switches)
    deal = read_deal(deal_file, seed, reserve, moves_file)
    moves = read_moves(after, moves_file)
    position = position_of(deal, rules, deal_file, any_stock=not moves)
    position = played(position, moves)
    if legal:
        click.echo("".join(f"{move}\n" for move in position.legal_moves()), nl=False)
    elif not moves:
        click.echo(str(deal), nl=False)
    else:
        title = f"deal {seed}" if seed else "a table"
        after_moves = f"after {len(moves)} move{'' if len(moves) == 1 else 's'}"
        click.echo(f"# Royal Rendezvous: {title} {after_moves}, {position.rules.name}")
        click.echo(str(position).partition("\n")[2], nl=False)


@click.command(short_help="Say which moves keep the win.")
@deal_options
@moves_options
@rules_options
@budget_options(HINT_STATES, " of each search")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def hint(
    deal_file: Path | None,
    seed: str | None,
    reserve: int | None,
    after: str,
    moves_file: Path | None,
    limits: Limits,
    as_json: bool,
    **switches: Any,
) -> None:
    """Say of every legal move whether it keeps the win, best first."""
    rules = one_rule_set(switches)
    deal = read_deal(deal_file, seed, reserve, moves_file)
    moves = read_moves(after, moves_file)
    position = played(position_of(deal, rules, deal_file), moves)
    say_if_compiling()
    from ..player.hints import Judge
    from ..player.hints import hint as find
    from ..show import advice_text

    found = find(position, Judge(limits))
    if as_json:
        click.echo(advice_text.hint_json(found, position, deal, len(moves)))
    else:
        title = advice_text.title_of(deal, moves)
        click.echo(advice_text.hint_text(found, position, title, in_colour()))


@click.command(short_help="Say which move of a played game lost the win.")
@deal_options
@moves_options
@rules_options
@budget_options(REVIEW_STATES, " of each search")
@plot_option("Draw FILE.svg or FILE.png too: how many moves kept the win at each step.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def review(
    deal_file: Path | None,
    seed: str | None,
    reserve: int | None,
    after: str,
    moves_file: Path | None,
    limits: Limits,
    plot: Path | None,
    as_json: bool,
    **switches: Any,
) -> None:
    """Walk through a played game: how many moves kept the win, and which one lost it."""
    rules = one_rule_set(switches)
    deal = read_deal(deal_file, seed, reserve, moves_file)
    moves = read_moves(after, moves_file)
    if moves_file and not moves:
        raise click.ClickException(f"{name_of(moves_file)}: there are no moves in it")
    if not moves:
        raise click.UsageError("a game is needed: --moves FILE, or --after MOVES")
    position = position_of(deal, rules, deal_file)
    played(position, moves)
    if plot:
        _require_plots()
    say_if_compiling()
    from ..player.hints import Judge
    from ..player.reviews import review as find
    from ..show import advice_text

    progress = Progress(lambda number, *_: f"move {number} of {len(moves)}", on_terminal=0)
    try:
        found = find(position, moves, Judge(limits), progress)
    finally:
        progress.close()
    title = advice_text.title_of(deal, ())
    if as_json:
        click.echo(advice_text.review_json(found, position, deal))
    else:
        click.echo(advice_text.review_text(found, position, title, in_colour()))
    if plot:
        from ..show.review_plot import picture

        heading = f"{title} under {position.rules.name}: moves that kept the win"
        write_output(plot, picture(found, heading, plot.suffix.lower()[1:]))


def _require_plots() -> None:
    """Makes sure, before a long search, that pictures can be drawn."""
    try:
        require_matplotlib()
    except PlotError as error:
        raise click.ClickException(str(error)) from None
