"""The states that a search has found and not yet expanded, and the work space for expanding one.

Each waiting state is either on the *stack* or in a *layer*, one for each number of cards dealt. A
layer sorts its states into buckets by score; the bits of ``filled`` say which buckets have states.
From a bucket, mostly the lowest, the last state put in is taken first. Stack and buckets are lists
linked by ``next``.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .jit import count, inlined, lowest, merged, unsigned
from .root import MAX_STOCK, Ints, Words
from .state import ONE
from .table import Arena, lengthened

MOST_MOVES = 96  # of one state, more than there can be
NOT_WON = -1
NONE = -1

PLAYS, DEALS, ALL, GIVEN = 1, 2, 3, 4
"""Which successors of a state to make; GIVEN is the one whose code is in the room."""

DEPTH, LAYERS, BREADTH, TRACE = range(4)
"""Orders of search, see the modules of these names. Breadth first, states are expanded in the order
of their numbers."""

BUCKETS = 576
LOWEST_SCORE = (127 - 10) << 5
"""The top bits of the number 2^-10 in IEEE single precision: what is below shares bucket 0."""

LAYER, STACK, ROUND = 0, 1, 2
NEXT = LAYER
"""Items of ``place``: the layer to look at next (breadth first: the state to expand), the state
on top of the stack, and how often all layers have been gone through."""


class Frontier(NamedTuple):
    """``next`` int32[capacity of the arena]; ``buckets`` int32[93, 576]: the state on top of each
    bucket, if ``filled`` uint64[93, 9] has its bit; ``place`` int64[3].
    """

    order: int
    next: npt.NDArray[np.int32]
    buckets: npt.NDArray[np.int32]
    filled: Words
    place: Ints


class Room(NamedTuple):
    """Work space for expanding a state, with the successors found.

    ``found`` int64[96]: the successors that are new and not refuted; ``won`` int64[1]: the number
    of a won state, if one was found; ``layer`` int64[1]: the number of cards dealt in the state
    that was expanded if another may be dealt, else -1.
    """

    found: Ints
    codes: Ints
    events: Ints
    key: Words
    won: Ints
    layer: Ints


def new_frontier(order: int, capacity: int) -> Frontier:
    """Makes the frontier that holds the root, state 0.

    ``order`` must be a plain integer: the compiler takes an enum for another type.
    """
    frontier = Frontier(
        order,
        np.empty(capacity, np.int32),
        np.empty((MAX_STOCK + 2, BUCKETS), np.int32),
        np.zeros((MAX_STOCK + 2, BUCKETS // 64), np.uint64),
        np.zeros(3, np.int64),
    )
    frontier.next[0] = NONE
    return frontier


def lengthened_frontier(frontier: Frontier, capacity: int) -> Frontier:
    """Gets a copy of a frontier with more room."""
    used = frontier.next.size
    return frontier._replace(next=lengthened(frontier.next, capacity, used))


def new_room(arena: Arena) -> Room:
    """Makes the work space for an arena's states."""
    return Room(
        found=np.empty(MOST_MOVES, np.int64),
        codes=np.empty(MOST_MOVES, np.int64),
        events=np.zeros(512, np.int64),
        key=np.empty(arena.keys.shape[1], np.uint64),
        won=np.full(1, NOT_WON, np.int64),
        layer=np.zeros(1, np.int64),
    )


@inlined
def push_stack(frontier: Frontier, state: int) -> None:
    """Puts a state on the stack."""
    frontier.next[state] = frontier.place[STACK]
    frontier.place[STACK] = state


@inlined
def pop_stack(frontier: Frontier) -> int:
    """Takes the state on top of the stack, -1 if there is none."""
    state: int = frontier.place[STACK]
    if state != NONE:
        frontier.place[STACK] = frontier.next[state]
    return state


@merged
def bucket_of(score: float) -> int:
    """Gets the bucket of a score: 32 to the octave, so that it tells scores apart by 3 %."""
    bits = int(np.float32(score).view(np.int32))
    return min(max((bits >> 18) - LOWEST_SCORE, 0), BUCKETS - 1)


@merged
def push_layer(frontier: Frontier, layer: int, state: int, score: float) -> None:
    """Puts a state in a layer."""
    bucket = bucket_of(score)
    word, bit = bucket >> 6, ONE << unsigned(bucket & 63)
    filled = frontier.filled[layer, word] & bit
    frontier.next[state] = frontier.buckets[layer, bucket] if filled else NONE
    frontier.buckets[layer, bucket] = state
    frontier.filled[layer, word] |= bit


@merged
def filled_buckets(frontier: Frontier, layer: int) -> int:
    """Gets the number of buckets of a layer that have states."""
    total = 0
    for word in range(BUCKETS // 64):
        total += count(frontier.filled[layer, word])
    return total


@merged
def pop_layer(frontier: Frontier, layer: int, skipped: int) -> int:
    """Takes a state out of a layer, -1 if there is none.

    :param skipped: the number of filled buckets to leave out, from the lowest on.
    """
    for word in range(BUCKETS // 64):
        bits = frontier.filled[layer, word]
        while bits and skipped:
            bits &= bits - ONE
            skipped -= 1
        if bits:
            bucket = 64 * word + lowest(bits)
            state: int = frontier.buckets[layer, bucket]
            frontier.buckets[layer, bucket] = frontier.next[state]
            if frontier.next[state] == NONE:
                frontier.filled[layer, word] ^= bits & ~(bits - ONE)
            return state
    return NONE
