"""From the path of a search to the moves that a player makes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .cards import SUITS, Card, card, suit_of
from .game import (
    DEAL,
    Move,
    Pile,
    Position,
    reserve_move,
    transfer,
    waste_move,
)
from .kernel import plain
from .search import Form, Node

PILES = tuple(Pile)  # in the order of the kernel's numbers


def moves_of(position: Position, form: Form, path: Sequence[Node]) -> list[Move]:
    """Gets the moves that win a position, given the path that a search found.

    The moves after the last waste card has gone are plays in any order, added here.

    :raises IllegalMoveError: if the path is not one of the game: a fault of the search.
    """
    if form is Form.PLAIN:
        moves = [_plain_move(node.code) for node in path[1:]]
        for move in moves:
            position = position.play(move)
    else:
        moves, position = _from_credit(position, path)
    while not position.is_won:
        plays = [move for move in position.legal_moves() if move.from_pile is None]
        if not plays:
            break
        moves.append(plays[0])
        position = position.play(plays[0])
    return moves


def _plain_move(code: int) -> Move:
    kind, pile, what = code >> 8, PILES[code >> 6 & 3], code & 63
    if kind == plain.DEAL:
        return DEAL
    if kind == plain.RESERVE:
        return reserve_move(what, pile)
    if kind == plain.WASTE:
        return waste_move(what, pile)
    return transfer(suit_of(what), PILES[what & 3], pile)


def _from_credit(position: Position, path: Sequence[Node]) -> tuple[list[Move], Position]:
    """Turns deals, pops and the growth of the foundations into moves.

    The k-th pop is the k-th play, in the order in which the search counted them as played: by then
    its card has been released, or is the one being released.
    """
    moves: list[Move] = []
    plays, pops = _plays_in_order(position, path), _deals_and_pops(path)
    waste = len(position.waste)
    for is_pop in pops:
        if is_pop:
            moves.append(_play(position, *next(plays)))
            waste -= 1
        else:
            waste += 1
            if waste == 1 and position.rules.auto_deal:
                continue  # this card has turned by itself
            moves.append(DEAL)
        position = position.play(moves[-1])
    return moves, position


def _deals_and_pops(path: Sequence[Node]) -> Iterator[bool]:
    """Gets the string of deals (False) and pops (True) of a path."""
    for before, after in pairwise(path):
        deals = after.dealt - before.dealt
        yield from [False] * deals
        yield from [True] * (before.waste + deals - after.waste)


def _plays_in_order(position: Position, path: Sequence[Node]) -> Iterator[tuple[Card, Pile]]:
    """Gets the plays of a path, each as early as its card is released and its pile takes it."""
    waste, stock = list(position.waste), list(position.stock)
    hand = Counter(card for card in position.reserve if card is not None)
    piles = list(position.foundations)
    for before, after in pairwise(path):
        deals = after.dealt - before.dealt
        waste += stock[:deals]
        del stock[:deals]
        pops = before.waste + deals - after.waste
        for _ in range(pops + 1):
            grew = True
            while grew:
                grew = False
                for suit in SUITS:
                    for pile in PILES:
                        rank = piles[suit].put(pile).top(pile)
                        if rank <= after.foundations[suit].top(pile):
                            played = card(rank, suit)
                            if hand[played] and piles[suit].takes(pile, rank, position.rules):
                                hand[played] -= 1
                                piles[suit] = piles[suit].put(pile)
                                grew = True
                                yield played, pile
            if waste and len(waste) > after.waste:
                hand[waste.pop()] += 1


def _play(position: Position, card: Card, pile: Pile) -> Move:
    return (reserve_move if card in position.reserve else waste_move)(card, pile)
