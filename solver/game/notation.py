"""Between text and positions: a table after some moves, and the moves of a played game."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from . import position as positions
from .cards import RANKS, SUITS, card, parse_card, suit_of, with_letters
from .deal import Deal, deal_from_seed, parse_table
from .errors import Error
from .foundations import Pile
from .moves import Move, parse_move, reserve_move, transfer, waste_move
from .position import Position, cards_of, check
from .rules import Rules, parse_rules

SOLUTION = "Solution"
"""The line of a report after which its moves stand."""


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


def parse_moves(text: str, source: str = "moves") -> list[Move]:
    """Reads the moves of a game, in notation or in the words and numbered lines of a solution.

    Moves in notation are separated by blanks, commas, semicolons or lines, in any case. What
    follows a hash on a line is a comment. In a whole report everything up to its line "Solution" is
    passed over.

    :param source: what to call the text in errors, such as a file name.
    :raises Error: naming the source, the line and what is no move.
    """
    lines = with_letters(text).removeprefix("\ufeff").splitlines()
    first = lines.index(SOLUTION) + 1 if SOLUTION in lines else 0
    moves: list[Move] = []
    for number, line in enumerate(lines[first:], first + 1):
        content = re.sub(r"^\s*[0-9]+\.", "", line.split("#", 1)[0]).strip()
        try:
            moves += _moves_in(content)
        except ValueError as error:
            raise Error(f"{source}:{number}: {error}") from None
    return moves


def _moves_in(line: str) -> Iterator[Move]:
    line = re.sub(r"; \w+ turns by itself$", "", line, flags=re.IGNORECASE)
    played = re.fullmatch(
        r"(reserve|waste) +(\w+) to (\w+)(; \w+ fills the gap)?", line, re.IGNORECASE
    )
    moved = re.fullmatch(r"transfer +(\w+) from (\w+) to (\w+)", line, re.IGNORECASE)
    if played:
        make = reserve_move if played[1].lower() == "reserve" else waste_move
        yield make(parse_card(played[2]), _pile(played[3]))
    elif moved:
        yield transfer(suit_of(parse_card(moved[1])), _pile(moved[2]), _pile(moved[3]))
    else:
        words = re.sub(r"^deal +(10|[2-9AJQKT])[CSHD]$", "deal", line, flags=re.IGNORECASE)
        words = re.sub(r"\s*>\s*", ">", words)
        yield from (parse_move(word) for word in re.split(r"[\s,;]+", words) if word)


def _pile(name: str) -> Pile:
    """Reads the name of a kind of foundation, in any case."""
    try:
        return Pile(name.lower())
    except ValueError:
        raise Error(f"{name!r} is not one of {', '.join(Pile)}") from None
