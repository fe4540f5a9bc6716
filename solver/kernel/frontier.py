"""The states that a search has found and not yet expanded, and the work space for expanding one.

Each waiting state is either on the *stack*, linked by ``next``, or in one of the *heaps*, a pairing
heap for each number of cards dealt: ``below`` is a state's first child in the heap and ``next`` the
next child of the same parent (M. Fredman et al., "The pairing heap", Algorithmica 1, 1986).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arena import Arena, lengthened
from .jit import inlined
from .problem import MAX_STOCK, Ints, Words

MOST_MOVES = 96  # of one state, more than there can be
NOT_WON = -1
NONE = -1

PLAYS, DEALS, ALL, GIVEN = 1, 2, 3, 4
"""Which successors of a state to make; GIVEN is the one whose code is in the room."""

DEPTH, LAYERS, BREADTH, TRACE = range(4)
"""Orders of search, see the modules of these names. Breadth first, states are expanded in the order
of their numbers."""

LAYER, STACK = 0, 1
NEXT = LAYER
"""Items of ``place``: the layer to look at next (breadth first: the state to expand next), and the
state on top of the stack."""


class Frontier(NamedTuple):
    """``below`` and ``next`` int32[capacity of the arena], ``heaps`` int32[93]: the best state of
    each heap or -1; ``place`` int64[2].
    """

    order: int
    below: npt.NDArray[np.int32]
    next: npt.NDArray[np.int32]
    heaps: npt.NDArray[np.int32]
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
        np.empty(capacity, np.int32),
        np.full(MAX_STOCK + 2, NONE, np.int32),
        np.zeros(2, np.int64),
    )
    frontier.next[0] = NONE
    return frontier


def path_frontier(path: list[int], capacity: int) -> Frontier:
    """Makes the frontier that traces a path of states: each is linked to the following one."""
    frontier = new_frontier(TRACE, capacity)
    frontier.next[path] = [*path[1:], NONE]
    return frontier


def lengthened_frontier(frontier: Frontier, capacity: int) -> Frontier:
    """Gets a copy of a frontier with more room."""
    used = frontier.next.size
    return frontier._replace(
        below=lengthened(frontier.below, capacity, used),
        next=lengthened(frontier.next, capacity, used),
    )


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


@inlined
def push_heap(arena: Arena, frontier: Frontier, layer: int, state: int) -> None:
    """Puts a state in a layer's heap."""
    frontier.below[state] = NONE
    frontier.heaps[layer] = _merged(arena, frontier, frontier.heaps[layer], state)


@inlined
def pop_heap(arena: Arena, frontier: Frontier, layer: int) -> int:
    """Takes the state with the smallest score out of a layer's heap, which must not be empty."""
    best: int = frontier.heaps[layer]
    left, pairs = frontier.below[best], NONE
    while left != NONE:
        other = frontier.next[left]
        after = NONE
        if other != NONE:
            after = frontier.next[other]
            left = _merged(arena, frontier, left, other)
        frontier.next[left] = pairs
        pairs, left = left, after
    rest = NONE
    while pairs != NONE:
        after = frontier.next[pairs]
        rest = _merged(arena, frontier, rest, pairs)
        pairs = after
    frontier.heaps[layer] = rest
    return best


@inlined
def _merged(arena: Arena, frontier: Frontier, one: int, other: int) -> int:
    """Merges two heaps, each given by its best state, and gets the best of both."""
    if one == NONE:
        return other
    if arena.scores[other] < arena.scores[one]:
        one, other = other, one
    frontier.next[other] = frontier.below[one]
    frontier.below[one] = other
    return one
