"""The search: take a state from the frontier, expand it, take its successors in.

One loop serves every order of search, and can stop after any state and go on later.
"""

from enum import IntEnum

from . import depth, layers, trace
from .arena import Arena, enter_root
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
from .jit import kernel
from .problem import Problem


class Stop(IntEnum):
    """Why the loop ended."""

    PAUSED = 0
    """The arena has as many states as it was told to stop at."""
    WON = 1
    EXHAUSTED = 2
    """There is nothing left: the root cannot be won."""
    FULL = 3
    """The arena must grow first."""


PAUSED, WON, EXHAUSTED, FULL = (int(stop) for stop in Stop)


@kernel
def run(problem: Problem, arena: Arena, room: Room, frontier: Frontier, limit: int) -> int:
    """Goes on with a search until the arena has ``limit`` states, or it ends: see ``Stop``."""
    enter_root(arena)
    while True:
        if frontier.order == TRACE:
            state, which = trace.take_next(arena, frontier, room), GIVEN
        elif arena.used[0] >= limit:
            return PAUSED
        elif arena.used[0] + MOST_MOVES > arena.parents.size:
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
        found = expand(problem, arena, room, state, which)
        if room.won[0] != NOT_WON:
            return WON
        if frontier.order == DEPTH:
            depth.take_in(arena, frontier, room, found)
        elif frontier.order == LAYERS:
            layers.take_in(arena, frontier, room, state, which == PLAYS, found)
