"""Beam search by the number of cards dealt.

A layer holds the states with the same number of cards dealt. It is closed under plays; then a card
is dealt in the ``width`` best of its states. A beam that dropped nothing has searched everything.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arena import Arena
from .dfs import DROPPED, EXHAUSTED, FULL, PAUSED, WON
from .expand import DEALS, MOST_MOVES, NOT_WON, PLAYS, Room, deals_from, expand
from .jit import jit
from .problem import Ints, Problem

DEALT, NEXT, SIZE, FOLLOWING, LOSSES = range(5)
"""Counters of a beam: the layer's number of cards dealt, the next of its states to expand, the
number of its states, of the following layer's so far, and of the states dropped so far."""


class Layers(NamedTuple):
    """``states`` int32[2, n] and ``scores`` float32[2, n]: two layers, each in the row that is its
    number of cards dealt modulo 2; ``counters`` int64[5].
    """

    states: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]
    counters: Ints


@jit
def run_beam(
    problem: Problem, arena: Arena, room: Room, layers: Layers, width: int, limit: int
) -> int:
    """Goes on with the search until the arena has ``limit`` states."""
    counters = layers.counters
    capacity = layers.states.shape[1]
    while counters[SIZE]:
        row = counters[DEALT] & 1
        while counters[NEXT] < counters[SIZE]:
            if arena.used[0] >= limit:
                return PAUSED
            if arena.used[0] + MOST_MOVES > capacity:
                return FULL
            _take_in(layers, room, expand_next(problem, arena, room, layers, PLAYS))
            if room.won[0] != NOT_WON:
                return WON
        if arena.used[0] + min(width, counters[SIZE]) > capacity:
            return FULL
        worst, ties = _select(problem, arena, layers, width)
        for i in range(counters[SIZE]):
            if layers.scores[row, i] > worst:
                continue
            if layers.scores[row, i] == worst:
                if ties == 0:
                    continue
                ties -= 1
            counters[NEXT] = i
            _take_in(layers, room, expand_next(problem, arena, room, layers, DEALS))
            if room.won[0] != NOT_WON:
                return WON
        counters[DEALT] += 1
        counters[NEXT] = 0
        counters[SIZE] = counters[FOLLOWING]
        counters[FOLLOWING] = 0
    return DROPPED if counters[LOSSES] else EXHAUSTED


@jit
def expand_next(problem: Problem, arena: Arena, room: Room, layers: Layers, which: int) -> int:
    """Expands the next state of the layer, and gets the number of successors found."""
    row = layers.counters[DEALT] & 1
    number = layers.states[row, layers.counters[NEXT]]
    layers.counters[NEXT] += 1
    return expand(problem, arena, room, number, which)


@jit
def _take_in(layers: Layers, room: Room, found: int) -> None:
    """Appends successors to the layers they belong to."""
    for i in range(found):
        same = room.dealt[i] == layers.counters[DEALT]
        counter = SIZE if same else FOLLOWING
        row, at = room.dealt[i] & 1, layers.counters[counter]
        layers.states[row, at] = room.numbers[i]
        layers.scores[row, at] = room.scores[i]
        layers.counters[counter] += 1


@jit
def _select(problem: Problem, arena: Arena, layers: Layers, width: int) -> tuple[float, int]:
    """Gets the score of the worst state to deal in, and how many states of that score to take.

    States in which no card may be dealt get an infinite score; those dropped are counted.
    """
    row, size = layers.counters[DEALT] & 1, layers.counters[SIZE]
    able = 0
    for i in range(size):
        if deals_from(problem, arena, layers.states[row, i]):
            able += 1
        else:
            layers.scores[row, i] = np.inf
    if able <= width:
        return np.finfo(np.float32).max, 0
    layers.counters[LOSSES] += able - width
    order = np.sort(layers.scores[row, :size])
    worst = order[width - 1]
    below = 0
    for i in range(size):
        if layers.scores[row, i] < worst:
            below += 1
    return worst, width - below
