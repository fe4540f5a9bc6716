"""Tracing order: walks a path that was found once more, to note all that happens on it."""

from .arena import Arena
from .frontier import NONE, Frontier, Room, pop_stack
from .jit import merged


@merged
def take_next(arena: Arena, frontier: Frontier, room: Room) -> int:
    """Gets the path's next state, with the code of its move in ``room.codes``; -1 at the end."""
    state = pop_stack(frontier)
    after = frontier.next[state]
    if after == NONE:
        return NONE
    room.codes[0] = arena.codes[after]
    return state
