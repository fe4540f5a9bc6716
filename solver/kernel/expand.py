"""Successors of a state: made, packed, looked up, judged. Every search stands on this."""

from .bound import LOST, judge
from .frontier import DEALS, GIVEN, NONE, PLAYS, Room
from .jit import inlined, merged
from .moves import credit, real
from .root import Ints, Problem
from .state import View, look, top_index
from .table import FOUND, Arena, add, pack, unpack


@inlined
def step(problem: Problem, view: View, code: int, events: Ints) -> View:
    """Makes the move with a code, in the form of the game that the problem is searched in."""
    if problem.credit:
        return credit.step(problem, view, code, events)
    return real.step(problem, view, code)


@merged
def is_won(problem: Problem, view: View) -> bool:
    """Whether the stock and the waste are empty.

    Then every card left can be played: of each rank as many copies are in hand as there are places.
    """
    return view.dealt == problem.size and top_index(view.w0, view.w1) < 0


@merged
def expand(problem: Problem, arena: Arena, room: Room, number: int, which: int) -> int:
    """Adds a state's successors, and gets how many of them are new and not refuted.

    :param which: ``PLAYS``, ``DEALS``, ``ALL``, or ``GIVEN``: then events add up in the room.
    """
    w0, w1, dealt, f = unpack(problem.size, arena.keys, number)
    view = look(problem, w0, w1, dealt, f)
    moves = 1 if which == GIVEN else 0
    if which & PLAYS:
        if problem.credit:
            moves = credit.moves(problem, view, room.codes)
        else:
            moves = real.moves(problem, view, room.codes)
    room.layer[0] = dealt if real.may_deal(problem, view) else NONE
    if which & DEALS and room.layer[0] != NONE:
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
        value, tight = judge(problem, child, view, arena.scores[number], arena.tight[number])
        arena.scores[new], arena.tight[new] = value, tight
        if value != LOST:
            room.found[found] = new
            found += 1
    return found
