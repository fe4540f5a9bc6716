"""The command ``show``: a table as text that can be edited and read again."""

import click

from ..game.rules import Rules
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
from .options import one_rule_set, rules_options


@click.command(short_help="Print a deal, or the table some moves later, as text.")
@deal_options
@moves_options
@click.option("--legal", is_flag=True, help="Print the legal moves instead, one a line.")
@rules_options
def show(named: DealOptions, made: MovesOptions, legal: bool, every_rules: list[Rules]) -> None:
    """Print a deal, or the table some moves later, as text that can be edited and read again."""
    rules = one_rule_set(every_rules)
    deal = read_deal(named, made.moves_file)
    position = position_of(deal, rules, named.deal_file, any_stock=not made.is_given)
    moves = read_moves(made, position)
    position = played(position, moves)
    if legal:
        click.echo("".join(f"{move}\n" for move in position.legal_moves()), nl=False)
    elif not moves:
        click.echo(str(deal), nl=False)
    else:
        title = f"deal {named.seed}" if named.seed else "a table"
        after_moves = f"after {len(moves)} move{'' if len(moves) == 1 else 's'}"
        click.echo(f"# Royal Rendezvous: {title} {after_moves}, {position.rules.name}")
        click.echo(str(position).partition("\n")[2], nl=False)
