"""Beam order: layer by layer, by the number of cards dealt.

A layer is closed under plays; then a card is dealt in the best of its states, as many as the beam is wide. A beam
that dropped nothing has searched everything.
"""

import numpy as np

from .arena import Arena
from .frontier import (
    DEALS,
    DEALT,
    FOLLOWING,
    LOSSES,
    NEXT,
    PHASE,
    PLAYS,
    SIZE,
    TIES,
    Frontier,
    Room,
)
from .jit import inlined

LARGEST = np.finfo(np.float32).max


@inlined
def take_next(arena: Arena, frontier: Frontier) -> int:
    """Gets the next state to expand, in the way that ``counters[PHASE]`` says; -1 if none."""
    counters = frontier.counters
    while counters[SIZE]:
        row = counters[DEALT] & 1
        while counters[NEXT] < counters[SIZE]:
            i = counters[NEXT]
            counters[NEXT] += 1
            if counters[PHASE] == PLAYS or _is_kept(frontier, arena.scores[frontier.states[row, i]]):
                return frontier.states[row, i]
        counters[NEXT] = 0
        if counters[PHASE] == PLAYS:
            counters[PHASE] = DEALS
            _set_cut(arena, frontier)
        else:
            counters[PHASE] = PLAYS
            counters[DEALT] += 1
            counters[SIZE] = counters[FOLLOWING]
            counters[FOLLOWING] = 0
    return -1


@inlined
def take_in(arena: Arena, frontier: Frontier, room: Room, found: int) -> None:
    """Appends successors to the layers they belong to.

    A state in which no card may be dealt gets an infinite score.
    """
    counters = frontier.counters
    if not room.able[0]:
        arena.scores[frontier.states[counters[DEALT] & 1, counters[NEXT] - 1]] = np.inf
    for i in range(found):
        counter = SIZE if room.dealt[i] == counters[DEALT] else FOLLOWING
        row, at = room.dealt[i] & 1, counters[counter]
        frontier.states[row, at] = room.numbers[i]
        counters[counter] += 1


@inlined
def _is_kept(frontier: Frontier, score: float) -> bool:
    if score != frontier.cut[0]:
        return score < frontier.cut[0]
    frontier.counters[TIES] -= 1
    return frontier.counters[TIES] >= 0


@inlined
def _set_cut(arena: Arena, frontier: Frontier) -> None:
    """Sets the score of the worst state to deal in, and how many states of that score to take."""
    counters, cut = frontier.counters, frontier.cut
    cut[0] = LARGEST
    able = _count(arena, frontier, False)
    counters[TIES] = 0
    if able <= frontier.order:
        cut[0] = np.inf
        return
    counters[LOSSES] += able - frontier.order
    # Floats that are not negative are in the order of their bits: halve the range of bits.
    bits = cut.view(np.int32)
    low, high = 0, bits[0]
    while low < high:
        bits[0] = (low + high) >> 1
        if _count(arena, frontier, False) >= frontier.order:
            high = (low + high) >> 1
        else:
            low = ((low + high) >> 1) + 1
    bits[0] = low
    counters[TIES] = frontier.order - _count(arena, frontier, True)


@inlined
def _count(arena: Arena, frontier: Frontier, below: bool) -> int:
    """Counts the states of the layer that score at most the cut, or below it."""
    row, number = frontier.counters[DEALT] & 1, 0
    for i in range(frontier.counters[SIZE]):
        score = arena.scores[frontier.states[row, i]]
        if score < frontier.cut[0] or (score == frontier.cut[0] and not below):
            number += 1
    return number
