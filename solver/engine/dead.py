"""Where a certificate may try the relaxed game: the search's own answers, as advice.

Nothing rests on them. A proof goes through all states of the relaxed game below each state that it
calls dead, in the checker's own program, so that a wrong answer would be found out.
"""

from collections.abc import Sequence

import numpy as np

from ..game.position import Position
from ..kernel.frontier import new_room
from ..kernel.relaxed.each import FEW, ask_each
from ..kernel.relaxed.memo import MOST_CHILDREN, grown_memo, memo_bytes, new_memo
from ..kernel.root import problem_of
from ..kernel.table import new_arena

FIRST_CAPACITY = 1 << 14
WORD = 2**64 - 1


class DeadStates:
    """The states below a position that the relaxed game proves lost, as far as that is cheap.

    :param memory: the most bytes for what is remembered; where more is needed, answers are no.
    """

    def __init__(self, position: Position, memory: int) -> None:
        self._problem = problem_of(position, credit=False)
        arena = new_arena(self._problem.size, 1, 0, 0)
        self._room = new_room(arena)
        self._memo = new_memo(arena.keys.shape[1], FIRST_CAPACITY)
        self._memory = memory

    def __call__(self, states: Sequence[tuple[int, int, int]]) -> Sequence[bool]:
        """Tells which states are dead.

        :param states: of each the number of cards dealt, which of them are in the waste (bit i: the
            i-th), and the foundations as kernels have them.
        """
        words = [(dealt, waste & WORD, waste >> 64, f) for dealt, waste, f in states]
        columns = np.array(words, np.uint64).reshape(-1, 4)
        dead = np.zeros(len(states), np.bool_)
        number = 0
        while number < len(states):
            self._make_room(max(FEW, int(self._memo.used[0])))
            number = ask_each(self._problem, self._memo, self._room, columns, dead, number)
        answers: list[bool] = dead.tolist()
        return answers

    def _make_room(self, more: int) -> None:
        needed = int(self._memo.used[0]) + more + MOST_CHILDREN
        capacity = 2 * needed
        if needed > self._memo.status.size and memo_bytes(capacity, self._memo) <= self._memory:
            self._memo = grown_memo(self._memo, capacity)
