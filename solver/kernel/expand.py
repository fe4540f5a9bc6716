"""Successors of a state: made, packed, looked up, judged. Both searches stand on this."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import credit, plain
from .arena import FOUND, Arena, add, pack, unpack
from .bound import LOST, judge
from .jit import jit
from .problem import Ints, Problem, Words
from .view import ONE, ZERO, View, look, top_index

MOST_MOVES = 96  # of one state, more than there can be
PLAYS, DEALS, ALL = 1, 2, 3  # which successors to make
NOT_WON = -1


class Room(NamedTuple):
    """Work space of :func:`expand`, with the successors it found.

    ``numbers`` and ``dealt`` int64[96], ``scores`` float64[96]: the successors that are new and not
    refuted; ``won`` int64[1]: the number of a won state, if one was found.
    """

    numbers: Ints
    dealt: Ints
    scores: npt.NDArray[np.float64]
    codes: Ints
    events: Ints
    key: Words
    won: Ints


def new_room(arena: Arena) -> Room:
    """Makes the work space for an arena's states."""
    return Room(
        numbers=np.empty(MOST_MOVES, np.int64),
        dealt=np.empty(MOST_MOVES, np.int64),
        scores=np.empty(MOST_MOVES, np.float64),
        codes=np.empty(MOST_MOVES, np.int64),
        events=np.zeros(512, np.int64),
        key=np.empty(arena.keys.shape[1], np.uint64),
        won=np.full(1, NOT_WON, np.int64),
    )


@jit
def may_deal(problem: Problem, view: View) -> bool:
    """Whether the next stock card may be dealt."""
    return plain.may_deal(problem, view)


@jit
def step(problem: Problem, view: View, code: int, events: Ints) -> View:
    """Makes the move with a code, in the form of the game that the problem is searched in."""
    if problem.credit:
        return credit.step(problem, view, code, events)
    return plain.step(problem, view, code)


@jit
def is_won(problem: Problem, view: View) -> bool:
    """Whether the stock and the waste are empty: then every card left can be played."""
    return view.dealt == problem.size and top_index(view.w0, view.w1) < 0


@jit
def add_root(problem: Problem, arena: Arena, room: Room, waste: int, f: np.uint64) -> None:
    """Adds the state that the search starts from: the first ``waste`` stock cards are dealt."""
    w0 = ONE << np.uint64(waste) if waste < 64 else ZERO
    w1 = ZERO if waste < 64 else ONE << np.uint64(waste - 64)
    if waste >= 64:
        w1 -= ONE
    w0 -= ONE
    view = look(problem, w0, w1, waste, f)
    if problem.credit:
        view = credit.settle(problem, view, room.events)
    pack(problem.size, view, room.key)
    add(arena, room.key, -1, 0)
    if is_won(problem, view):
        room.won[0] = 0


@jit
def expand(problem: Problem, arena: Arena, room: Room, number: int, which: int) -> int:
    """Adds a state's successors, and gets how many of them are new and not refuted.

    :param which: ``PLAYS``, ``DEALS`` or ``ALL``.
    """
    w0, w1, dealt, f = unpack(problem.size, arena.keys[number])
    view = look(problem, w0, w1, dealt, f)
    moves = 0
    if which & PLAYS:
        if problem.credit:
            moves = credit.moves(problem, view, room.codes)
        else:
            moves = plain.moves(problem, view, room.codes)
    if which & DEALS and may_deal(problem, view):
        room.codes[moves] = 0
        moves += 1
    found = 0
    for move in range(moves):
        room.events[0] = 0
        code = room.codes[move]
        child = step(problem, view, code, room.events)
        pack(problem.size, child, room.key)
        new = add(arena, room.key, number, code)
        if new == FOUND:
            continue
        if is_won(problem, child):
            room.won[0] = new
            return 0
        value = judge(problem, child.w0, child.w1, child.dealt, child.f)
        if value != LOST:
            room.numbers[found] = new
            room.dealt[found] = child.dealt
            room.scores[found] = value
            found += 1
    return found


@jit
def deals_from(problem: Problem, arena: Arena, number: int) -> bool:
    """Whether a stock card may be dealt in a state."""
    w0, w1, dealt, f = unpack(problem.size, arena.keys[number])
    if not problem.stuck:
        return dealt < problem.size
    return may_deal(problem, look(problem, w0, w1, dealt, f))
