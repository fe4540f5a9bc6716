"""Where a certificate may try the relaxed game: the search's own answers, as advice.

Nothing rests on them. A proof goes through all states of the relaxed game below each state that it
calls dead, in the checker's own program, so that a wrong answer would be found out.
"""

from .game import Position
from .kernel.arena import new_arena
from .kernel.frontier import Room, new_room
from .kernel.jit import Word, kernel, unsigned
from .kernel.memo import DEAD, MOST_CHILDREN, Memo, grown_memo, memo_bytes, new_memo
from .kernel.problem import Problem, problem_of
from .kernel.relaxed import ask
from .kernel.view import look
from .proof.claim import unpack

FEW = 1000  # relaxed states that an answer may cost in any case
FIRST_CAPACITY = 1 << 14
WORD = 2**64 - 1


class DeadStates:
    """The states below a position that the relaxed game proves lost, asked one by one.

    :param memory: the most bytes for what is remembered; where more is needed, answers are no.
    """

    def __init__(self, position: Position, memory: int) -> None:
        self._problem = problem_of(position, credit=False)
        arena = new_arena(self._problem.size, 1, 0, 0)
        self._room = new_room(arena)
        self._memo = new_memo(arena.keys.shape[1], FIRST_CAPACITY)
        self._memory = memory

    def __call__(self, key: int) -> bool:
        """Whether a state, by its key in proofs, is dead, as far as that is found out cheaply."""
        dealt, waste, f = unpack(key)
        if not waste:
            return False
        most = max(FEW, int(self._memo.used[0]))
        self._make_room(most)
        w0, w1, f = map(unsigned, (waste & WORD, waste >> 64, f))
        return _ask(self._problem, self._memo, self._room, dealt, w0, w1, f, most) == DEAD

    def _make_room(self, more: int) -> None:
        needed = int(self._memo.used[0]) + more + MOST_CHILDREN
        capacity = 2 * needed
        if needed > self._memo.status.size and memo_bytes(capacity, self._memo) <= self._memory:
            self._memo = grown_memo(self._memo, capacity)


@kernel
def _ask(
    problem: Problem, memo: Memo, room: Room, dealt: int, w0: Word, w1: Word, f: Word, most: int
) -> int:
    return ask(problem, memo, room, look(problem, w0, w1, dealt, f), most)
