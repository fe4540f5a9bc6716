"""The command ``hint``: which moves keep the win."""

import click

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
from .options import budget_options, one_rule_set, rules_options, say_if_compiling

STATES = 2_000_000
"""The default budget: a few seconds at most for each move that can't be decided."""


@click.command(short_help="Say which moves keep the win.")
@deal_options
@moves_options
@rules_options
@budget_options(STATES, " of each search")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def hint(
    named: DealOptions, made: MovesOptions, every_rules: list[Rules], limits: Limits, as_json: bool
) -> None:
    """Say of every legal move whether it keeps the win, best first."""
    rules = one_rule_set(every_rules)
    deal = read_deal(named, made.moves_file)
    position = position_of(deal, rules, named.deal_file)
    moves = read_moves(made, position)
    position = played(position, moves)
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
