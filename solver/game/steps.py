"""A line of play step by step: each move with the position after it, and where to look."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .cards import SUITS, Card, card, suit_of
from .errors import Error
from .foundations import Pile
from .moves import Move, Source, parse_move
from .position import IllegalMoveError, Position


class Step(NamedTuple):
    """A position of a line of play, and the move that led to it (``None`` at the start).

    ``moved`` is the card that moved; ``slot`` is the reserve slot that it left, if it left one.
    ``turned`` says that a stock card then turned by itself onto the empty waste.
    """

    position: Position
    move: Move | None = None
    moved: Card | None = None
    slot: int | None = None
    turned: bool = False

    @property
    def filler(self) -> Card | None:
        """The card that filled the gap in the reserve, if there was a gap and a card for it."""
        return None if self.slot is None else self.position.reserve[self.slot]


def steps_of(position: Position, moves: Iterable[Move | str]) -> list[Step]:
    """Gets every step of a line of play, the start first.

    :raises IllegalMoveError: naming the first illegal move and its number.
    """
    steps = [Step(position)]
    for number, move in enumerate(moves, 1):
        try:
            move = parse_move(move) if isinstance(move, str) else move
            steps.append(_step(steps[-1].position, move))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from None
    return steps


def _step(before: Position, move: Move) -> Step:
    after = before.play(move)
    if move.card is None:
        return Step(after, move, after.waste[-1])
    moved, slot = move.card, None
    if move.from_pile is not None:
        suit = suit_of(move.card)
        moved = card(before.foundations[suit].top(move.from_pile), suit)
    elif move.source is Source.RESERVE:
        slot = before.reserve.index(move.card)
    # With auto-deal the waste has a card while the stock has one: no gap draws on the stock.
    turned = before.rules.auto_deal and len(after.stock) < len(before.stock)
    return Step(after, move, moved, slot, turned)


def in_words(step: Step, name: Callable[[Card], str]) -> str:
    """Gets what happened in a step, in words aligned to stand below each other.

    :param name: what to call a card.
    :raises Error: if there is no move in the step.
    """
    if step.move is None or step.moved is None:
        raise Error("the start has no move")
    text = f"{_source(step.move)} {name(step.moved)}"
    if step.move.from_pile is not None:
        text += f" from {step.move.from_pile}"
    if step.move.pile is not None:
        text += f" to {step.move.pile}"
    if step.filler is not None:
        text += f"; {name(step.filler)} fills the gap"
    if step.turned:
        text += f"; {name(step.position.waste[-1])} turns by itself"
    return text


def _source(move: Move) -> str:
    words = {
        Source.STOCK: "deal    ",
        Source.RESERVE: "reserve ",
        Source.WASTE: "waste   ",
        Source.FOUNDATION: "transfer",
    }
    return words[move.source]


def tops_of(position: Position, pile: Pile) -> list[Card | None]:
    """Gets the top cards of a kind of foundation, suit by suit, ``None`` where one is empty."""
    tops = [position.foundations[suit].top(pile) for suit in SUITS]
    return [card(top, suit) if top else None for top, suit in zip(tops, SUITS, strict=True)]


def piles_of(position: Position) -> list[Pile]:
    """Gets the kinds of foundation that the rules have."""
    return [pile for pile in Pile if pile is not Pile.KING or position.rules.king_spots]
