"""The states that a search has found and not yet expanded, and the work space for expanding one."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arena import Arena
from .problem import Ints, Words

MOST_MOVES = 96  # of one state, more than there can be
NOT_WON = -1

SIZE, DEALT, NEXT, FOLLOWING, PHASE, TIES, LOSSES = range(7)
"""Counters. Depth first: the number of states on the stack. Beam: the number of states in the layer,
their number of cards dealt, the next one to expand, the number in the following layer so far, what
is being expanded (``PLAYS`` or ``DEALS``), how many states of the cut's score may still be dealt in,
and the number of states dropped so far."""

PLAYS, DEALS, ALL, GIVEN = 1, 2, 3, 4
"""Which successors of a state to make; GIVEN is the one whose code is in the room."""

DEPTH, TRACE = 0, -1
"""Orders; every positive number is the width of a beam."""


class Frontier(NamedTuple):
    """Depth first: the stack is ``states[0]``. Beam: two layers, each in the row that is its number
    of cards dealt modulo 2.

    ``states`` int32[1 or 2, n], ``counters`` int64[7], ``cut`` float32[1]: the worst score to deal in.
    """

    order: int
    states: npt.NDArray[np.int32]
    counters: Ints
    cut: npt.NDArray[np.float32]


class Room(NamedTuple):
    """Work space for expanding a state, with the successors found.

    ``numbers`` and ``dealt`` int64[96]: the successors that are new and not refuted; ``won`` int64[1]: the number of a won state, if one was found; ``able`` int64[1]:
    whether a card may be dealt in the state that was expanded.
    """

    numbers: Ints
    dealt: Ints
    codes: Ints
    events: Ints
    key: Words
    won: Ints
    able: Ints


def new_frontier(order: int, dealt: int, capacity: int) -> Frontier:
    """Makes the frontier that holds the root, state 0, with ``dealt`` cards dealt."""
    frontier = Frontier(
        order,
        np.empty((2 if order > 0 else 1, capacity), np.int32),
        np.zeros(7, np.int64),
        np.zeros(1, np.float32),
    )
    frontier.states[:, 0] = 0
    frontier.counters[SIZE] = 1
    frontier.counters[DEALT] = dealt
    frontier.counters[PHASE] = PLAYS
    return frontier


def path_frontier(path: npt.NDArray[np.int32]) -> Frontier:
    """Makes the frontier that traces a path of states."""
    frontier = new_frontier(TRACE, 0, len(path))
    frontier.states[0] = path
    frontier.counters[SIZE] = len(path)
    return frontier


def new_room(arena: Arena) -> Room:
    """Makes the work space for an arena's states."""
    return Room(
        numbers=np.empty(MOST_MOVES, np.int64),
        dealt=np.empty(MOST_MOVES, np.int64),
        codes=np.empty(MOST_MOVES, np.int64),
        events=np.zeros(512, np.int64),
        key=np.empty(arena.keys.shape[1], np.uint64),
        won=np.full(1, NOT_WON, np.int64),
        able=np.zeros(1, np.int64),
    )


def lengthened_frontier(frontier: Frontier, capacity: int) -> Frontier:
    """Gets a copy of a frontier with more room."""
    used = frontier.states.shape[1]
    more = frontier._replace(states=np.empty((frontier.states.shape[0], capacity), np.int32))
    more.states[:, :used] = frontier.states
    return more
