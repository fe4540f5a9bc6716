"""Layered order: a beam that widens itself, and drops nothing.

A layer holds the states with the same number of cards dealt that wait for the next card. The search
goes through the layers over and over: in each it deals in the best state and closes the successor
under plays, which adds to the next layer. One round is a beam of width 1, the next ones widen it
where states wait; when all layers are empty everything has been searched. (The scheme is known as
cyclic best-first search: G. Kao, E. Sewell, S. Jacobson, "A branch, bound, and remember algorithm
for the 1|r_i|sum t_i scheduling problem", Journal of Scheduling 12, 2009.)
"""

from .arena import Arena
from .frontier import LAYER, NONE, Frontier, Room, pop_layer, push_layer, push_stack
from .jit import inlined


@inlined
def take_next(frontier: Frontier) -> int:
    """Takes the best state of the next layer that has one, -1 if none has."""
    layers = frontier.filled.shape[0]
    for ahead in range(layers):
        layer = (frontier.place[LAYER] + ahead) % layers
        state = pop_layer(frontier, layer)
        if state != NONE:
            frontier.place[LAYER] = layer + 1
            return state
    return NONE


@inlined
def take_in(
    arena: Arena, frontier: Frontier, room: Room, state: int, closes: bool, found: int
) -> None:
    """Puts successors on the stack, to be closed under plays; a closed state goes to its layer."""
    for i in range(found):
        push_stack(frontier, room.found[i])
    if closes and room.layer[0] != NONE:
        push_layer(frontier, room.layer[0], state, arena.scores[state])
