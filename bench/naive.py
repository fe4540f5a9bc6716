"""Counts the deals of stores that players without a plan win: ``make results-tables``.

A deal that one of them wins can be won: that none of these is called unwinnable is checked too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from bench.players import Player, left_over
from solver.base.files import csv_text, write
from solver.batch.stats import UNWINNABLE, wilson
from solver.batch.store import UNKNOWN, Row
from solver.cli.options import stores_argument
from solver.cli.stats import read
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import Rules
from solver.show.stats_text import Found

COLUMNS = ("rules", "player", "deals", "won", "share", "low", "high")


def games_won(rules: Rules, rows: Iterable[Row]) -> tuple[int, Counter[Player]]:
    """Has every deal played, and gets the number of deals and of those that each player won.

    :raises ValueError: if a deal is won whose verdict is that it can't be.
    """
    deals, won = 0, Counter[Player]()
    for row in rows:
        position = start(deal_from_seed(row.seed, rules.reserve), rules)
        winners = [p for p, left in left_over(position, int(row.seed)).items() if not left]
        if winners and row.verdict == UNWINNABLE:
            raise ValueError(f"{rules.name} {row.seed}: 'unwinnable', but {winners[0]} wins it")
        if winners and row.verdict == UNKNOWN:
            click.echo(f"{rules.name} {row.seed}: undecided, but {winners[0]} wins it", err=True)
        deals += 1
        won.update(winners)
    return deals, won


def lines(found: Found) -> Iterator[tuple[object, ...]]:
    """Gets a line for each rule set and each player."""
    for rules, rows in found:
        deals, won = games_won(rules, rows.values())
        for player in Player:
            share = won[player] / deals
            yield rules.name, player, deals, won[player], share, *wilson(won[player], deals)


@click.command()
@stores_argument
@click.option("--into", type=click.Path(path_type=Path), metavar="FOLDER", required=True)
def main(stores: Sequence[Path], into: Path) -> None:
    """Count the deals in stores that players without a plan win: FOLDER/naive.csv."""
    try:
        text = csv_text(COLUMNS, lines(read(stores, [])))
        into.mkdir(parents=True, exist_ok=True)
        write({into / "naive.csv": text.encode()})
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
