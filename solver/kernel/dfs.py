"""Depth-first search, best successor first, over an exact table of all states seen.

Successors enter the table when they are made. Every move deals or plays, so no state below one
that waits on the stack can be equal to its waiting siblings, and the order is that of ordinary
depth-first search; where transfers allow cycles only the order differs.
"""

import numpy.typing as npt
from numpy import int32

from .arena import Arena
from .expand import ALL, MOST_MOVES, NOT_WON, Room, expand
from .jit import jit
from .problem import Ints, Problem

PAUSED, WON, EXHAUSTED, DROPPED, FULL = range(5)
"""How a call ends: at its limit, with a win, with nothing left, with nothing left but states that
were dropped on the way, or for want of room in the arena."""

DONE = -2.0  # below every score


@jit
def run_dfs(
    problem: Problem,
    arena: Arena,
    room: Room,
    stack: npt.NDArray[int32],
    height: Ints,
    limit: int,
) -> int:
    """Goes on with the search until the arena has ``limit`` states.

    :param stack: int32[capacity of the arena], the states to expand, the next one last.
    :param height: int64[1], the number of states on the stack.
    """
    while height[0]:
        if arena.used[0] >= limit:
            return PAUSED
        if arena.used[0] + MOST_MOVES > stack.size:
            return FULL
        height[0] -= 1
        found = expand(problem, arena, room, stack[height[0]], ALL)
        if room.won[0] != NOT_WON:
            return WON
        _push_worst_first(room, found, stack, height)
    return EXHAUSTED


@jit
def _push_worst_first(room: Room, found: int, stack: npt.NDArray[int32], height: Ints) -> None:
    for _ in range(found):
        worst = 0
        for i in range(1, found):
            if room.scores[i] > room.scores[worst]:
                worst = i
        stack[height[0]] = room.numbers[worst]
        height[0] += 1
        room.scores[worst] = DONE
