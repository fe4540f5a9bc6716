"""Between texts of tables and positions."""

from collections import Counter
from dataclasses import replace

from . import position as positions
from .cards import RANKS, SUITS, card
from .deal import Deal, deal_from_seed, parse_table
from .position import Position, cards_of, check
from .rules import Rules, parse_rules


def start(deal: int | str | Deal, rules: str | Rules = "wikipedia") -> Position:
    """Gets the position of a deal, or of a table some moves later.

    :param deal: a deal's number (``100000``, ``"ms5"``), a deal, or the text of a table.
    :param rules: what :func:`parse_rules` reads, or rules.
    :raises Error: if a text can't be read, if the stock is unknown, or if the position is not one
        of the game under these rules.
    """
    rules = parse_rules(rules) if isinstance(rules, str) else rules
    if isinstance(deal, int):
        deal = str(deal)
    if isinstance(deal, str):
        read_table = ":" in deal
        deal = parse_table(deal, "table") if read_table else deal_from_seed(deal, rules.reserve)
    position = positions.start(deal, rules)
    check(position)
    return position


def with_some_stock(deal: Deal, rules: Rules) -> Position:
    """Gets the position of a table, the cards of an unknown stock in any order.

    The stock's order has no part in which moves are legal and in whether a position is one of the
    game; for all else it is a guess.

    :raises Error: if the reserve is not the size that the rules say.
    """
    if not deal.unseen:
        return positions.start(deal, rules)
    without = positions.start(replace(deal, unseen=0), rules)
    missing = Counter({card(rank, suit): 2 for suit in SUITS for rank in RANKS})
    return without._replace(stock=tuple((missing - cards_of(without)).elements()))
