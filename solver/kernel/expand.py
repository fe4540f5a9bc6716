"""Successors of a state: made, packed, looked up, judged. Both searches stand on this."""

import numpy as np

from . import credit, plain
from .arena import FOUND, Arena, add, pack, unpack
from .bound import LOST, judge
from .frontier import DEALS, GIVEN, PLAYS, Room
from .jit import jit
from .problem import Ints, Problem
from .view import ONE, View, look, top_index


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
    """Adds the state that the search starts from: the first ``waste`` stock cards are dealt.

    It is not settled: all its moves are moves of the game all the same.
    """
    w0 = (ONE << np.uint64(min(waste, 63))) - ONE
    w1 = (ONE << np.uint64(max(waste - 64, 0))) - ONE
    if waste > 63:
        w0 |= ONE << np.uint64(63)
    pack(problem.size, look(problem, w0, w1, waste, f), room.key)
    add(arena, room.key, -1, 0)


@jit
def expand(problem: Problem, arena: Arena, room: Room, number: int, which: int) -> int:
    """Adds a state's successors, and gets how many of them are new and not refuted.

    :param which: ``PLAYS``, ``DEALS``, ``ALL``, or ``GIVEN``: then events add up in the room.
    """
    w0, w1, dealt, f = unpack(problem.size, arena.keys[number])
    view = look(problem, w0, w1, dealt, f)
    moves = 1 if which == GIVEN else 0
    if which & PLAYS:
        if problem.credit:
            moves = credit.moves(problem, view, room.codes)
        else:
            moves = plain.moves(problem, view, room.codes)
    room.able[0] = plain.may_deal(problem, view)
    if which & DEALS and room.able[0]:
        room.codes[moves] = 0
        moves += 1
    found = 0
    for move in range(moves):
        if which != GIVEN:
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
