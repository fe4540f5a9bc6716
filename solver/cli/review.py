"""The command ``review``: which move of a played game lost the win."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..game.moves import Move
from ..game.position import Position
from ..game.rules import Rules
from ..game.verdict import Limits
from ..show.console import in_colour
from .deals import (
    DealOptions,
    MovesOptions,
    deal_options,
    moves_options,
    played,
    position_of,
    read_deal,
    read_moves,
)
from .inputs import name_of
from .options import budget_options, one_rule_set, rules_options, say_if_compiling
from .outputs import plot_option, require_plots, write_output
from .progress import Progress

if TYPE_CHECKING:
    from ..player.reviews import Review

STATES = 50_000
"""The default budget: a review mostly takes a second, and up to a quarter of a minute under rules
with transfers, where losses are hard to prove. Twice the states take twice the time and decide next
to nothing more."""


@click.command(short_help="Say which move of a played game lost the win.")
@deal_options
@moves_options
@rules_options
@budget_options(STATES, " of each search")
@plot_option("Draw FILE.svg or FILE.png too: how many moves kept the win at each step.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def review(
    named: DealOptions,
    made: MovesOptions,
    every_rules: list[Rules],
    limits: Limits,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Walk through a played game: how many moves kept the win, and which one lost it."""
    rules = one_rule_set(every_rules)
    deal = read_deal(named, made.moves_file)
    position = position_of(deal, rules, named.deal_file)
    moves = read_moves(made, position)
    if made.moves_file and not moves:
        raise click.ClickException(f"{name_of(made.moves_file)}: there are no moves in it")
    if not moves:
        raise click.UsageError("a game is needed: --moves FILE, or --after MOVES")
    played(position, moves)
    if plot:
        require_plots()
    found = _review(position, moves, limits)
    from ..show import advice_text

    title = advice_text.title_of(deal, ())
    if as_json:
        click.echo(advice_text.review_json(found, position, deal))
    else:
        click.echo(advice_text.review_text(found, position, title, in_colour()))
    if plot:
        from ..show.review_plot import picture

        heading = f"{title} under {position.rules.name}: moves that kept the win"
        write_output((plot, picture(found, heading, plot.suffix.lower()[1:])))


def _review(position: Position, moves: Sequence[Move], limits: Limits) -> "Review":
    """Reviews a game, with talk and progress on stderr."""
    say_if_compiling()
    from ..player.hints import Judge
    from ..player.reviews import review as find

    progress = Progress(lambda number, *_: f"move {number} of {len(moves)}", on_terminal=0)
    try:
        return find(position, moves, Judge(limits), progress)
    finally:
        progress.close()
