"""Where a certificate may try the relaxed game: the search's own answers, as advice.

Nothing rests on them. A proof goes through all states of the relaxed game below each state that it
calls dead, in the checker's own program, so that a wrong answer would be found out.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..game.position import Position
from ..kernel.frontier import Room, new_room
from ..kernel.jit import kernel, signed
from ..kernel.relaxed.ask import ask
from ..kernel.relaxed.memo import DEAD, MOST_CHILDREN, Memo, grown_memo, memo_bytes, new_memo
from ..kernel.root import Problem, Words, problem_of
from ..kernel.state import look
from ..kernel.table import new_arena
from ..proof.claim import unpack

FEW = 1000  # relaxed states that an answer may cost in any case
FIRST_CAPACITY = 1 << 14
WORD = 2**64 - 1

Flags = npt.NDArray[np.bool_]


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

    def __call__(self, keys: Sequence[int]) -> Sequence[bool]:
        """Tells which states are dead, by their keys in proofs."""
        states = [(dealt, waste & WORD, waste >> 64, f) for dealt, waste, f in map(unpack, keys)]
        columns = np.array(states, np.uint64).reshape(-1, 4)
        dead = np.zeros(len(keys), np.bool_)
        number = 0
        while number < len(keys):
            self._make_room(max(FEW, int(self._memo.used[0])))
            number = _ask(self._problem, self._memo, self._room, columns, dead, number)
        answers: list[bool] = dead.tolist()
        return answers

    def _make_room(self, more: int) -> None:
        needed = int(self._memo.used[0]) + more + MOST_CHILDREN
        capacity = 2 * needed
        if needed > self._memo.status.size and memo_bytes(capacity, self._memo) <= self._memory:
            self._memo = grown_memo(self._memo, capacity)


@kernel
def _ask(problem: Problem, memo: Memo, room: Room, states: Words, dead: Flags, number: int) -> int:
    """Asks about states from a number on, until there is no room for another answer.

    :returns: the number of the first state that was not asked about.
    """
    first = number
    while number < len(states):
        most = max(FEW, memo.used[0])
        if number > first and memo.used[0] + most + MOST_CHILDREN > memo.status.size:
            break
        w0, w1 = states[number, 1], states[number, 2]
        if w0 | w1:
            view = look(problem, w0, w1, signed(states[number, 0]), states[number, 3])
            dead[number] = ask(problem, memo, room, view, most) == DEAD
        number += 1
    return number
