"""Depth-first order: the frontier is a stack, and the best successor is searched first.

States enter the table when they are made. Every move deals or plays, so no state below one
that waits on the stack can be equal to its waiting siblings, and the order is that of ordinary
depth-first search; where transfers allow cycles only the order differs.
"""

from ..frontier import Frontier, Room, push_stack
from ..jit import merged
from ..table import Arena


@merged
def take_in(arena: Arena, frontier: Frontier, room: Room, found: int) -> None:
    """Puts successors on the stack, the best last."""
    for left in range(found, 0, -1):
        worst = 0
        for i in range(1, left):
            if arena.scores[room.found[i]] > arena.scores[room.found[worst]]:
                worst = i
        push_stack(frontier, room.found[worst])
        for i in range(worst, left - 1):
            room.found[i] = room.found[i + 1]
