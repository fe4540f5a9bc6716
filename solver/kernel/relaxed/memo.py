"""What is known of the relaxed states of a search: see ``ask``."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..jit import inlined
from ..root import MAX_STOCK, Ints, Words
from ..table import lengthened, rehash, slots_for
from .plans import Plans, new_plans

OPEN, DEAD, ALIVE = range(3)
"""What is known of a relaxed state."""

MOST_CHILDREN = 2048
"""Successors of one state; where there are more, nothing is said of it."""

ALLOWANCE = 3000
"""Relaxed states that a layer of the search may cost before one of its states dies of them, and as
many again for each that does."""

LONGEST = 1 << 16
"""Room on the stack; where it is full, nothing is said."""


class Memo(NamedTuple):
    """Relaxed states by number, and the stack of those being tried.

    ``keys`` uint64[capacity, 2 or 3], packed as in the arena, with the kind of state in the bit
    that is free there; ``status`` uint8[capacity]; ``scores`` float32[capacity]; ``slots``
    int32[power of two]; ``used`` int64[1]: the number of states.
    ``stack`` int64: a state's number n, or ~n once its successors have been put on top of it.
    ``allowed`` int64[93]: by cards dealt, the relaxed states that may still be added.
    ``plans`` and ``numbers`` int64[8] are work space: see ``write_all_plans``.
    """

    keys: Words
    status: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.float32]
    slots: npt.NDArray[np.int32]
    used: Ints
    stack: Ints
    allowed: Ints
    plans: Plans
    numbers: Ints


def new_memo(words: int, capacity: int) -> Memo:
    """Makes an empty memo for states of 2 or 3 words.

    :raises MemoryError: if there is no room.
    """
    return Memo(
        np.empty((capacity, words), np.uint64),
        np.empty(capacity, np.uint8),
        np.empty(capacity, np.float32),
        np.zeros(slots_for(capacity), np.int32),
        np.zeros(1, np.int64),
        np.empty(LONGEST, np.int64),
        np.full(MAX_STOCK + 2, ALLOWANCE, np.int64),
        new_plans(),
        np.empty(8, np.int64),
    )


def grown_memo(memo: Memo, capacity: int) -> Memo:
    """Gets a copy of a memo with more room.

    :raises MemoryError: if there is no room.
    """
    used = int(memo.used[0])
    more = memo._replace(
        keys=lengthened(memo.keys, capacity, used),
        status=lengthened(memo.status, capacity, used),
        scores=lengthened(memo.scores, capacity, used),
        slots=np.zeros(slots_for(capacity), np.int32),
    )
    rehash(more)
    return more


def memo_bytes(capacity: int, memo: Memo) -> int:
    """Gets the memory for a number of relaxed states."""
    entries: int = capacity * (8 * memo.keys.shape[1] + 1 + 4)
    return entries + 4 * slots_for(capacity) + 8 * LONGEST


@inlined
def has_room(memo: Memo) -> bool:
    """Whether another state's successors would fit."""
    return int(memo.used[0]) + MOST_CHILDREN <= memo.status.size
