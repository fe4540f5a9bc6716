"""The search: take a state from the frontier, expand it, take its successors in.

One loop serves depth-first search and beams, and can stop after any state and go on later.
"""

from enum import IntEnum

from . import beam, depth, trace
from .arena import Arena
from .expand import expand
from .frontier import (
    ALL,
    DEPTH,
    GIVEN,
    LOSSES,
    MOST_MOVES,
    NOT_WON,
    PHASE,
    TRACE,
    Frontier,
    Room,
)
from .jit import kernel
from .problem import Problem


class Stop(IntEnum):
    """Why the loop ended."""

    PAUSED = 0
    """The arena has as many states as it was told to stop at."""
    WON = 1
    EXHAUSTED = 2
    """There is nothing left, and nothing was dropped: the root cannot be won."""
    DROPPED = 3
    """There is nothing left but states that the beam dropped."""
    FULL = 4
    """The arena must grow first."""


PAUSED, WON, EXHAUSTED, DROPPED, FULL = (int(stop) for stop in Stop)


@kernel
def run(problem: Problem, arena: Arena, room: Room, frontier: Frontier, limit: int) -> int:
    """Goes on with a search until the arena has ``limit`` states, or it ends: see ``Stop``."""
    while True:
        if frontier.order == TRACE:
            number = trace.take_next(arena, frontier, room)
            which = GIVEN
        elif arena.used[0] >= limit:
            return PAUSED
        elif arena.used[0] + MOST_MOVES > frontier.states.shape[1]:
            return FULL
        elif frontier.order == DEPTH:
            number = depth.take_next(frontier)
            which = ALL
        else:
            number = beam.take_next(arena, frontier)
            which = frontier.counters[PHASE]
        if number < 0:
            return DROPPED if frontier.counters[LOSSES] else EXHAUSTED
        found = expand(problem, arena, room, number, which)
        if room.won[0] != NOT_WON:
            return WON
        if frontier.order == DEPTH:
            depth.take_in(arena, frontier, room, found)
        elif frontier.order != TRACE:
            beam.take_in(arena, frontier, room, found)
