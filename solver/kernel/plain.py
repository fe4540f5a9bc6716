"""The real moves, one by one: the game as it is played, under every rule.

Used where plays do have deadlines (``deal = stuck``), where cards may be transferred between
foundations, and as an independent second method everywhere else.

**Certain** (CERTAIN), without transfers: if a reserve card c can be played and it is a king, or its
other copy is on a foundation, then the only successors needed are to play it and, where allowed,
to deal. Let a win start with another play, and play c, or an equal king to the same pile, as its
k-th play. Move that play to the front: the first k plays are then c and the win's first k - 1, each
at the moment at which the win made its next one. Every play takes one card off the waste, so the
waste at each moment is the same; each card is in hand by then, since the play before took the card
on top; and its place is open, since no other card can go to c's place. After the k-th play the
states are equal. Under ``stuck`` the win makes no deal before it has played c, since c itself
forbids it; under ``any`` the same deals are made at the same moments.
"""

import numpy as np

from .jit import jit, lowest
from .problem import CERTAIN, Ints, Problem
from .view import (
    DEUCE,
    KING,
    KINGS,
    LANE,
    LOWER,
    ODD,
    ONE,
    TWO,
    UPPER,
    View,
    bytwo_pile,
    foundation_step,
    look,
    pop,
    push,
    put,
    top_index,
)

DEAL, RESERVE, WASTE, TRANSFER = 0, 1, 2, 3
"""Kinds of move; the code is ``kind << 8 | pile << 6 | card``, a transfer's card ``16 * suit +
pile it leaves``."""


@jit
def open_cards(view: View) -> np.uint64:
    """Gets the cards that some pile takes next."""
    return view.upper | view.bytwo | view.king


@jit
def may_deal(problem: Problem, view: View) -> bool:
    """Whether the next stock card may be dealt."""
    if view.dealt == problem.size:
        return False
    return not (problem.stuck and view.hand1 & open_cards(view))


@jit
def moves(problem: Problem, view: View, codes: Ints) -> int:
    """Writes the codes of a state's moves but the deal, and gets their number."""
    playable = view.hand1 & open_cards(view)
    if problem.switches & CERTAIN and not problem.transfers:
        sure = playable & (view.played | KINGS)
        if sure:
            card = lowest(sure)
            codes[0] = RESERVE << 8 | any_place(view, card) << 6 | card
            return 1
    number = 0
    while playable:
        card = lowest(playable)
        playable &= playable - ONE
        number = write_places(view, card, RESERVE << 8 | card, codes, number)
    top = top_index(view.w0, view.w1)
    if top >= 0 and not problem.types[top] & view.hand1:
        card = lowest(problem.types[top])
        number = write_places(view, card, WASTE << 8 | card, codes, number)
    if problem.transfers:
        number = write_transfers(problem, view, codes, number)
    return number


@jit
def any_place(view: View, card: int) -> int:
    """Gets a pile that takes a card."""
    bit = ONE << np.uint64(card)
    if view.bytwo & bit:
        return bytwo_pile(card)
    return KING if view.king & bit else UPPER


@jit
def write_places(view: View, card: int, code: int, codes: Ints, number: int) -> int:
    """Appends a move of the card to each pile that takes it."""
    bit = ONE << np.uint64(card)
    if view.upper & bit:
        codes[number] = code | UPPER << 6
        number += 1
    if view.bytwo & bit:
        codes[number] = code | bytwo_pile(card) << 6
        number += 1
    if view.king & bit:
        codes[number] = code | KING << 6
        number += 1
    return number


@jit
def write_transfers(problem: Problem, view: View, codes: Ints, number: int) -> int:
    """Appends every transfer."""
    for suit in range(4):
        lane = np.int64(view.f >> np.uint64(16 * suit) & LANE)
        for source in range(4):
            height = lane >> 4 * source & 15
            rank = 13 * height if source == KING else height
            if rank < 2:
                continue
            card = 16 * suit + rank
            rest = lift(problem, view, card, source)
            for pile in (UPPER, bytwo_pile(card), KING):
                if pile != source and pile_takes(rest, card, pile):
                    codes[number] = TRANSFER << 8 | pile << 6 | 16 * suit + source
                    number += 1
    return number


@jit
def pile_takes(view: View, card: int, pile: int) -> bool:
    """Whether a pile takes a card next."""
    bit = ONE << np.uint64(card)
    if pile == UPPER:
        return view.upper & bit != 0
    if pile == KING:
        return view.king & bit != 0
    return view.bytwo & bit != 0


@jit
def lift(problem: Problem, view: View, card: int, pile: int) -> View:
    """Takes the top card of a foundation off; the view's planes are made anew."""
    f = view.f - foundation_step(card, pile)
    return look(problem, view.w0, view.w1, view.dealt, f)


@jit
def fill(problem: Problem, view: View) -> View:
    """Fills the gap of a reserve card that was played."""
    if top_index(view.w0, view.w1) >= 0:
        return pop(problem, view)
    if view.dealt < problem.size:
        return pop(problem, push(problem, view))
    return view


@jit
def turn(problem: Problem, view: View) -> View:
    """Turns the stock card that the rules turn by themselves."""
    if problem.auto_deal and view.dealt < problem.size and top_index(view.w0, view.w1) < 0:
        return push(problem, view)
    return view


@jit
def step(problem: Problem, view: View, code: int) -> View:
    """Makes the move with a code."""
    kind, pile, card = code >> 8, code >> 6 & 3, code & 63
    if kind == DEAL:
        return turn(problem, push(problem, view))
    if kind == RESERVE:
        return turn(problem, fill(problem, put(problem, view, card, pile)))
    if kind == WASTE:
        return turn(problem, put(problem, pop(problem, view), card, pile))
    source = card & 15
    lane = np.int64(view.f >> np.uint64(card & 48) & LANE)
    rank = 13 if source == KING else lane >> 4 * source & 15
    card = (card & 48) + rank
    return put(problem, lift(problem, view, card, source), card, pile)
