"""Tracing order: walks the path to the win once more, to note all that happens on it."""

from ..frontier import NONE, NOT_WON, STACK, Frontier, Room, pop_stack
from ..jit import merged
from ..table import Arena


@merged
def begin(arena: Arena, frontier: Frontier, room: Room) -> None:
    """Links each state of the path to the following one, and puts the first on the stack.

    The search is over, so the links of its frontier are free for that.
    """
    state, after = room.won[0], NONE
    while state >= 0:
        frontier.next[state] = after
        state, after = arena.parents[state], state
    frontier.place[STACK] = after
    room.won[0], room.events[0] = NOT_WON, 0


@merged
def take_next(arena: Arena, frontier: Frontier, room: Room) -> int:
    """Gets the path's next state, with the code of its move in ``room.codes``; -1 at the end."""
    state = pop_stack(frontier)
    if state == NONE or frontier.next[state] == NONE:
        return NONE
    room.codes[0] = arena.codes[frontier.next[state]]
    return state
