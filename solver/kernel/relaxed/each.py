"""The relaxed game asked about many states, one after the other."""

import numpy as np
import numpy.typing as npt

from ..frontier import Room
from ..jit import kernel, signed
from ..root import Problem, Words
from ..state import look
from .ask import ask
from .memo import DEAD, MOST_CHILDREN, Memo

FEW = 1000  # relaxed states that an answer may cost in any case

Flags = npt.NDArray[np.bool_]


@kernel
def ask_each(
    problem: Problem, memo: Memo, room: Room, states: Words, dead: Flags, number: int
) -> int:
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
