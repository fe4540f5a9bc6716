"""Layered order: a beam that widens itself, and drops nothing.

A layer holds the states with the same number of cards dealt that wait for the next card. The search
goes through the layers over and over: in each it deals in the best state and closes the successor
under plays, which adds to the next layer. One round is a beam of width 1, the next ones widen it
where states wait; when all layers are empty everything has been searched. (The scheme is known as
cyclic best-first search: G. Kao, E. Sewell, S. Jacobson, "A branch, bound, and remember algorithm
for the 1|r_i|sum t_i scheduling problem", Journal of Scheduling 12, 2009.)

Where the best states lead nowhere, the ones after them are mostly their likes. So from round
``EXPLORES_AFTER`` on every other round takes, in each layer, a state of any score: each score that
is there has the same chance. (After F. Xie, M. Mueller, R. Holte, T. Imai, "Type-based exploration
with multiple search queues for satisficing planning", AAAI 2014.) The choice is scattered, but the
same in every run.
"""

from ..frontier import (
    LAYER,
    NONE,
    ROUND,
    Frontier,
    Room,
    filled_buckets,
    pop_layer,
    push_layer,
    push_stack,
)
from ..jit import merged
from ..table import Arena

EXPLORES_AFTER = 32
SCATTER = 2654435761  # near 2^32 / golden ratio: multiples are spread evenly


@merged
def take_next(frontier: Frontier) -> int:
    """Takes a state of the next layer that has one, -1 if none has."""
    layers = frontier.filled.shape[0]
    for ahead in range(layers):
        layer = (frontier.place[LAYER] + ahead) % layers
        rounds = frontier.place[ROUND]
        if layer < frontier.place[LAYER]:
            rounds += 1
        skipped = 0
        if rounds > EXPLORES_AFTER and rounds & 1:
            scattered = (rounds * layers + layer) * SCATTER >> 16
            skipped = scattered % max(filled_buckets(frontier, layer), 1)
        state = pop_layer(frontier, layer, skipped)
        if state != NONE:
            frontier.place[LAYER], frontier.place[ROUND] = layer + 1, rounds
            return state
    return NONE


@merged
def take_in(
    arena: Arena, frontier: Frontier, room: Room, state: int, closes: bool, found: int
) -> None:
    """Puts successors on the stack, to be closed under plays; a closed state goes to its layer."""
    for i in range(found):
        push_stack(frontier, room.found[i])
    if closes and room.layer[0] != NONE:
        push_layer(frontier, room.layer[0], state, arena.scores[state])
