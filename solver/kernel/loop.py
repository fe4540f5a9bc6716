"""The search: take a state from the frontier, expand it, take its successors in.

One loop serves every order of search, and can stop after any state and go on later.
"""

from enum import IntEnum

from .expand import expand
from .frontier import (
    ALL,
    BREADTH,
    DEALS,
    DEPTH,
    GIVEN,
    LAYERS,
    MOST_MOVES,
    NEXT,
    NONE,
    NOT_WON,
    PLAYS,
    TRACE,
    Frontier,
    Room,
    pop_stack,
)
from .jit import kernel, merged
from .orders import depth, layers, trace
from .relaxed.ask import ask
from .relaxed.memo import ALLOWANCE, DEAD, Memo, has_room
from .root import RELAXED, Problem
from .state import look, top_index
from .table import Arena, enter_root, unpack


class Stop(IntEnum):
    """Why the loop ended."""

    PAUSED = 0
    """There are as many states as it was told to stop at."""
    WON = 1
    EXHAUSTED = 2
    """There is nothing left: the root cannot be won."""
    FULL = 3
    """The arena or the memo must grow first."""


FEW = 1000  # relaxed states that an answer may cost in any case

PAUSED, WON, EXHAUSTED, FULL = (int(stop) for stop in Stop)


@merged
def is_dead(problem: Problem, arena: Arena, room: Room, memo: Memo, state: int, limit: int) -> bool:
    """Whether the relaxed game proves a state lost, as far as the limit allows.

    In some searches whole layers are alive in the relaxed game; there it is asked about once for
    every state that an answer costs, until a state dies.
    """
    w0, w1, dealt, f = unpack(problem.size, arena.keys, state)
    memo.allowed[dealt] += 1
    if top_index(w0, w1) < 0 or memo.allowed[dealt] <= 0:
        return False
    before = memo.used[0]
    most = min(max(FEW, before), limit - arena.used[0] - before)
    dead = ask(problem, memo, room, look(problem, w0, w1, dealt, f), most) == DEAD
    memo.allowed[dealt] -= memo.used[0] - before
    if dead:
        memo.allowed[dealt] += ALLOWANCE
    return dead


@kernel
def run(
    problem: Problem, arena: Arena, room: Room, frontier: Frontier, memo: Memo, limit: int
) -> int:
    """Goes on with a search until it has ``limit`` states, or it ends: see ``Stop``."""
    asks = problem.switches & RELAXED and not problem.transfers and frontier.order != TRACE
    enter_root(arena)
    if frontier.order == TRACE:
        trace.begin(arena, frontier, room)
    while True:
        if frontier.order == TRACE:
            state, which = trace.take_next(arena, frontier, room), GIVEN
        elif arena.used[0] + memo.used[0] >= limit:
            return PAUSED
        elif arena.used[0] + MOST_MOVES > arena.parents.size or not has_room(memo):
            return FULL
        elif frontier.order == BREADTH:
            state, which = frontier.place[NEXT], ALL
            frontier.place[NEXT] += 1
            if state == arena.used[0]:
                return EXHAUSTED
        else:
            state, which = pop_stack(frontier), ALL
            if frontier.order == LAYERS:
                which = PLAYS
                if state == NONE:
                    state, which = layers.take_next(frontier), DEALS
        if state == NONE:
            return EXHAUSTED
        if asks and which & DEALS and is_dead(problem, arena, room, memo, state, limit):
            continue
        found = expand(problem, arena, room, state, which)
        if room.won[0] != NOT_WON:
            return WON
        if frontier.order == DEPTH:
            depth.take_in(arena, frontier, room, found)
        elif frontier.order == LAYERS:
            layers.take_in(arena, frontier, room, state, which == PLAYS, found)
