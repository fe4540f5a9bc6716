"""Tracing order: walks a path that was found once more, to note all that happens on it."""

from .arena import Arena
from .frontier import NEXT, SIZE, Frontier, Room
from .jit import inlined


@inlined
def take_next(arena: Arena, frontier: Frontier, room: Room) -> int:
    """Gets the path's next state, with the code of its move in ``room.codes``; -1 at the end."""
    at = frontier.counters[NEXT]
    if at + 1 >= frontier.counters[SIZE]:
        return -1
    frontier.counters[NEXT] += 1
    room.codes[0] = arena.codes[frontier.states[0, at + 1]]
    return frontier.states[0, at]
