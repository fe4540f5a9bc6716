"""The commands for somebody at the table: ``show``, ``hint`` and ``review``."""

from pathlib import Path
from typing import Any

import click

from .cli_deal import (
    deal_options,
    moves_options,
    one_rule_set,
    played,
    position_of,
    read_deal,
    read_moves,
)
from .cli_options import rules_options
from .position import deal_of


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
    deal = read_deal(deal_file, seed, reserve)
    moves = read_moves(after, moves_file)
    position = position_of(deal, rules, deal_file, any_stock=not moves)
    position = played(position, moves)
    if legal:
        click.echo("".join(f"{move}\n" for move in position.legal_moves()), nl=False)
    elif not moves:
        click.echo(str(deal), nl=False)
    else:
        title = f"deal {seed}" if seed else "a table"
        click.echo(f"# Royal Rendezvous: {title} after {len(moves)} moves, {position.rules.name}")
        click.echo(str(deal_of(position)).partition("\n")[2], nl=False)
