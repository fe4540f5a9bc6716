"""From the path of a search to the moves that a player makes."""

from collections.abc import Iterable, Iterator
from functools import cache

from ..game.cards import suit_of
from ..game.foundations import Pile
from ..game.moves import DEAL, Move, reserve_move, transfer, waste_move
from ..game.position import Position
from ..kernel.moves import credit, real
from .search import Form

PILES = tuple(Pile)  # in the order of the kernel's numbers


def moves_of(position: Position, form: Form, path: Iterable[int]) -> Iterator[Move]:
    """Gets the moves that win a position, given the path that a search found.

    The path ends when the last waste card has gone; what is then left in the reserve goes up by
    itself. Nothing is checked: whoever asks replays the moves.
    """
    return map(_plain_move, path) if form is Form.PLAIN else _credit_moves(position, path)


@cache
def _plain_move(code: int) -> Move:
    kind, pile, what = code >> 8, PILES[code >> 6 & 3], code & 63
    if kind == real.DEAL:
        return DEAL
    if kind == real.RESERVE:
        return reserve_move(what, pile)
    if kind == real.WASTE:
        return waste_move(what, pile)
    return transfer(suit_of(what), PILES[what & 3], pile)


@cache
def _reserve_move(play: int) -> Move:
    return reserve_move(play & 63, PILES[play >> 6])


@cache
def _waste_move(play: int) -> Move:
    return waste_move(play & 63, PILES[play >> 6])


def _credit_moves(position: Position, path: Iterable[int]) -> Iterator[Move]:
    """Turns deals, pops and plays into moves.

    The k-th pop is the k-th play, in the order in which the search counted cards as played: by then
    its card has been released, or is the one being released.
    """
    events = list(path)
    plays = (event for event in events if event > credit.POP)
    waste, stock = list(position.waste), list(position.stock)[::-1]
    held = [card for card in position.reserve if card is not None]
    auto_deal = position.rules.auto_deal
    for event in events:
        if event == credit.DEAL:
            turned = auto_deal and not waste  # by itself, as soon as it could
            waste.append(stock.pop())
            if not turned:
                yield DEAL
        elif event == credit.POP:
            play = next(plays)
            card = play & 63
            top = waste.pop()
            if card in held:
                held[held.index(card)] = top
                yield _reserve_move(play)
            else:
                yield _waste_move(play)
    yield from map(_reserve_move, plays)
