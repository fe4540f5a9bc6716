"""Beam order: layer by layer, by the number of cards dealt.

A layer is closed under plays; then a card is dealt in the best of its states, as many as the beam is wide. A beam
that dropped nothing has searched everything.
"""

import numpy as np

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
from .jit import jit


@jit
def take_next(frontier: Frontier) -> int:
    """Gets the next state to expand, in the way that ``counters[PHASE]`` says; -1 if none."""
    counters = frontier.counters
    while counters[SIZE]:
        row = counters[DEALT] & 1
        while counters[NEXT] < counters[SIZE]:
            i = counters[NEXT]
            counters[NEXT] += 1
            if counters[PHASE] == PLAYS or _is_kept(frontier, frontier.scores[row, i]):
                return frontier.states[row, i]
        counters[NEXT] = 0
        if counters[PHASE] == PLAYS:
            counters[PHASE] = DEALS
            _set_cut(frontier)
        else:
            counters[PHASE] = PLAYS
            counters[DEALT] += 1
            counters[SIZE] = counters[FOLLOWING]
            counters[FOLLOWING] = 0
    return -1


@jit
def take_in(frontier: Frontier, room: Room, found: int) -> None:
    """Appends successors to the layers they belong to.

    A state in which no card may be dealt gets an infinite score.
    """
    counters = frontier.counters
    if not room.able[0]:
        frontier.scores[counters[DEALT] & 1, counters[NEXT] - 1] = np.inf
    for i in range(found):
        counter = SIZE if room.dealt[i] == counters[DEALT] else FOLLOWING
        row, at = room.dealt[i] & 1, counters[counter]
        frontier.states[row, at] = room.numbers[i]
        frontier.scores[row, at] = room.scores[i]
        counters[counter] += 1


@jit
def _is_kept(frontier: Frontier, score: float) -> bool:
    if score != frontier.cut[0]:
        return score < frontier.cut[0]
    frontier.counters[TIES] -= 1
    return frontier.counters[TIES] >= 0


@jit
def _set_cut(frontier: Frontier) -> None:
    """Sets the score of the worst state to deal in, and how many states of that score to take."""
    counters = frontier.counters
    scores = frontier.scores[counters[DEALT] & 1, : counters[SIZE]]
    able = 0
    for score in scores:
        if score < np.inf:
            able += 1
    counters[TIES] = 0
    if able <= frontier.order:
        frontier.cut[0] = np.inf
        return
    counters[LOSSES] += able - frontier.order
    frontier.cut[0] = np.sort(scores)[frontier.order - 1]
    counters[TIES] = frontier.order
    for score in scores:
        if score < frontier.cut[0]:
            counters[TIES] -= 1
