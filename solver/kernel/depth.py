"""Depth-first order: the frontier is a stack, and the best successor is searched first.

States enter the table when they are made. Every move deals or plays, so no state below one
that waits on the stack can be equal to its waiting siblings, and the order is that of ordinary
depth-first search; where transfers allow cycles only the order differs.
"""

from .arena import Arena
from .frontier import SIZE, Frontier, Room
from .jit import inlined



@inlined
def take_next(frontier: Frontier) -> int:
    """Takes the state on top of the stack, -1 if there is none."""
    if frontier.counters[SIZE] == 0:
        return -1
    frontier.counters[SIZE] -= 1
    return frontier.states[0, frontier.counters[SIZE]]


@inlined
def take_in(arena: Arena, frontier: Frontier, room: Room, found: int) -> None:
    """Puts successors on the stack, the best last."""
    for left in range(found, 0, -1):
        worst = 0
        for i in range(1, left):
            if arena.scores[room.numbers[i]] > arena.scores[room.numbers[worst]]:
                worst = i
        frontier.states[0, frontier.counters[SIZE]] = room.numbers[worst]
        frontier.counters[SIZE] += 1
        for i in range(worst, left - 1):
            room.numbers[i] = room.numbers[i + 1]
