"""From the path of a search to the moves that a player makes."""

from collections import Counter
from collections.abc import Iterable, Iterator

from .cards import suit_of
from .game import DEAL, Move, Pile, Position, reserve_move, transfer, waste_move
from .kernel import credit, plain
from .search import Form

PILES = tuple(Pile)  # in the order of the kernel's numbers


def moves_of(position: Position, form: Form, path: Iterable[int]) -> Iterator[Move]:
    """Gets the moves that win a position, given the path that a search found.

    The path ends when the last waste card has gone; what is then left in the reserve goes up by
    itself. Nothing is checked: whoever asks replays the moves.
    """
    return (_plain_moves if form is Form.PLAIN else _credit_moves)(position, path)


def _plain_moves(position: Position, path: Iterable[int]) -> Iterator[Move]:
    for code in path:
        kind, pile, what = code >> 8, PILES[code >> 6 & 3], code & 63
        if kind == plain.DEAL:
            yield DEAL
        elif kind == plain.RESERVE:
            yield reserve_move(what, pile)
        elif kind == plain.WASTE:
            yield waste_move(what, pile)
        else:
            yield transfer(suit_of(what), PILES[what & 3], pile)


def _credit_moves(position: Position, path: Iterable[int]) -> Iterator[Move]:
    """Turns deals, pops and plays into moves.

    The k-th pop is the k-th play, in the order in which the search counted cards as played: by then
    its card has been released, or is the one being released.
    """
    events = list(path)
    plays = (event for event in events if event > credit.POP)
    waste, stock = list(position.waste), list(position.stock)[::-1]
    reserve = Counter(card for card in position.reserve if card is not None)
    for event in events:
        if event == credit.DEAL:
            turned = position.rules.auto_deal and not waste  # by itself, as soon as it could
            waste.append(stock.pop())
            if not turned:
                yield DEAL
        elif event == credit.POP:
            play = next(plays)
            card, pile = play & 63, PILES[play >> 6]
            top = waste.pop()
            if reserve[card]:
                reserve[card] -= 1
                reserve[top] += 1
                yield reserve_move(card, pile)
            else:
                yield waste_move(card, pile)
    for play in plays:
        yield reserve_move(play & 63, PILES[play >> 6])
