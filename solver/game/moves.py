"""Moves, and how they are written."""

from functools import cache
from typing import NamedTuple

from ..base.names import Name
from .cards import ACE, SUIT_NAMES, Card, Suit, card, card_name, parse_card, suit_of
from .errors import Error
from .foundations import Pile


class Source(Name):
    """Where a move takes its card from."""

    STOCK = "deal"
    RESERVE = "R"
    WASTE = "W"
    FOUNDATION = "F"


class Move(NamedTuple):
    """A move: its source and, unless it is a deal, the card and the foundation it goes to.

    For a transfer ``from_pile`` is the foundation that the card leaves; ``card`` is then an ace
    standing for the suit, since the position says which card is on top.
    """

    source: Source
    card: Card | None = None
    pile: Pile | None = None
    from_pile: Pile | None = None

    def __str__(self) -> str:
        """Writes the move's notation; :func:`parse_move` reads it back."""
        if self.card is None:
            return "deal"
        what = card_name(self.card)
        if self.source is Source.FOUNDATION:
            what = f"{self.from_pile}:{SUIT_NAMES[suit_of(self.card)]}"
        return f"{self.source}:{what}>{self.pile}"


DEAL = Move(Source.STOCK)


@cache
def reserve_move(card: Card, pile: Pile) -> Move:
    """Gets the move of a reserve card to a foundation of its suit."""
    return Move(Source.RESERVE, card, pile)


@cache
def waste_move(card: Card, pile: Pile) -> Move:
    """Gets the move of the top waste card to a foundation of its suit."""
    return Move(Source.WASTE, card, pile)


def transfer(suit: Suit, from_pile: Pile, pile: Pile) -> Move:
    """Gets the move of a foundation's top card to another foundation."""
    return Move(Source.FOUNDATION, card(ACE, suit), pile, from_pile)


def parse_move(text: str) -> Move:
    """Reads a move: ``deal``, ``R:3D>lower``, ``W:2C>lower`` or ``F:upper:C>lower``, in any case.

    :raises Error: if the text is no move.
    """
    if text.lower() == "deal":
        return DEAL
    try:
        what, to = text.split(">")
        letter, _, name = what.partition(":")
        source, pile = Source(letter.upper()), Pile(to.lower())
        if source is Source.FOUNDATION:
            from_pile, suit_name = name.split(":")
            return transfer(suit_of(parse_card("A" + suit_name)), Pile(from_pile.lower()), pile)
        return Move(source, parse_card(name), pile)
    except ValueError:
        raise Error(f"{text!r} is not a move") from None
