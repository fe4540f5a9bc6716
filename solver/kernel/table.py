"""The states of a search: packed exactly, numbered in order of discovery, found by hash.

A state is packed into two 64-bit words::

    word 0   waste bits 0..63
    word 1   waste bits 64..n-1, a one at bit ``dealt``  |  foundations, mixed radix, 42 bits
             <------------- n - 63 bits -------------->     << n - 63

where n is the number of stock cards; the one at bit ``dealt`` marks the end of what was dealt and
lies in word 0 where that fits. The foundations of a suit are one of 13 x 7 x 7 x 2 = 1274 cases.
That leaves bit 63 of the last word unused. A full deal with fewer than 8 reserve slots has n > 84;
the foundations then take a third word.

Example: at the start of a full deal (n = 76, nothing dealt) word 0 is 1, and word 1 is the
foundations' number << 13.

The hash decides only where to look: a state is found if all its words are equal.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .jit import Word, highest, inlined, kernel, merged, signed, unsigned
from .root import Words
from .state import LANE, ONE, ZERO, View

CASES = 1274  # foundations of one suit
FOUND = -1
USED = unsigned(2**63 - 1)
MOST_IN_TWO_WORDS = 84


class Arena(NamedTuple):
    """States by number, each with its parent's number, the code of the move from it, and its score.

    ``keys`` uint64[capacity, 2 or 3], ``parents`` int32[capacity], ``codes`` uint16[capacity],
    ``scores`` float32[capacity], ``tight`` bool[capacity] (see ``bound.score``);
    ``slots`` int32[power of two]: number + 1 of the state hashed there, 0 if none; ``used``
    int64[1]: the number of states.
    """

    keys: Words
    parents: npt.NDArray[np.int32]
    codes: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.float32]
    tight: npt.NDArray[np.bool_]
    slots: npt.NDArray[np.int32]
    used: npt.NDArray[np.int64]


def new_arena(size: int, capacity: int, dealt: int, f: int) -> Arena:
    """Makes an arena with one state, the root: ``dealt`` of ``size`` stock cards are on the waste.

    The root is not in the slots yet: see :func:`enter_root`.

    :raises MemoryError: if there is no room.
    """
    words = 2 if size <= MOST_IN_TWO_WORDS else 3
    arena = Arena(
        np.empty((capacity, words), np.uint64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.uint16),
        np.empty(capacity, np.float32),
        np.empty(capacity, np.bool_),
        np.zeros(slots_for(capacity), np.int32),
        np.ones(1, np.int64),
    )
    waste = (2 << dealt) - 1  # with the one that marks the end
    packed = 0
    for suit in range(4):
        lane = f >> 16 * suit & 0xFFFF
        packed = packed * CASES + _case_of(lane & 15, lane >> 4 & 15, lane >> 8 & 15, lane >> 12)
    whole = waste | packed << max(size + 1, 64) if words == 2 else waste | packed << 128
    arena.keys[0] = [whole >> 64 * word & 2**64 - 1 for word in range(words)]
    # The root is not judged; calling it tight has its successors judged in full.
    arena.parents[0], arena.codes[0], arena.scores[0], arena.tight[0] = -1, 0, 0.0, True
    return arena


def _case_of(upper: int, lower: int, deuce: int, king: int) -> int:
    """Numbers a suit's foundations, by the ranks on top."""
    return (((upper - 1) * 7 + (lower >> 1)) * 7 + (deuce >> 1)) * 2 + king


case_of = inlined(_case_of)


def grown(arena: Arena, capacity: int) -> Arena:
    """Gets a copy of an arena with more room.

    :raises MemoryError: if there is no room.
    """
    used = int(arena.used[0])
    more = Arena(
        lengthened(arena.keys, capacity, used),
        lengthened(arena.parents, capacity, used),
        lengthened(arena.codes, capacity, used),
        lengthened(arena.scores, capacity, used),
        lengthened(arena.tight, capacity, used),
        np.zeros(slots_for(capacity), np.int32),
        arena.used,
    )
    rehash(more)
    return more


def bytes_for(capacity: int, arena: Arena) -> int:
    """Gets the memory for a number of states: an arena's arrays, and a frontier's at most."""
    entries: int = capacity * (8 * arena.keys.shape[1] + 4 + 2 + 4 + 1 + 4)
    return entries + 4 * slots_for(capacity)


def lengthened(array: npt.NDArray[Any], capacity: int, used: int) -> npt.NDArray[Any]:
    """Gets a longer copy of an array, of which only the first ``used`` items matter."""
    longer: npt.NDArray[Any] = np.empty((capacity, *array.shape[1:]), array.dtype)
    longer[:used] = array[:used]
    return longer


def slots_for(capacity: int) -> int:
    """Gets the size of a hash table for a number of states: at most half full."""
    return 1 << (2 * capacity - 1).bit_length()


@inlined
def pack(size: int, view: View, key: Words) -> None:
    """Writes a state's words to ``key``."""
    packed = ZERO
    for suit in range(4):
        lane = signed(view.f >> unsigned(16 * suit) & LANE)
        case = case_of(lane & 15, lane >> 4 & 15, lane >> 8 & 15, lane >> 12)
        packed = packed * unsigned(CASES) + unsigned(case)
    w0, w1 = view.w0, view.w1
    if view.dealt < 64:
        w0 |= ONE << unsigned(view.dealt)
    else:
        w1 |= ONE << unsigned(view.dealt - 64)
    key[0] = w0
    if key.size == 3:
        key[1], key[2] = w1, packed
    else:
        key[1] = w1 | packed << unsigned(max(size - 63, 0))


@inlined
def unpack(size: int, keys: Words, number: int) -> tuple[Word, Word, int, Word]:
    """Gets ``w0``, ``w1``, ``dealt`` and ``f`` of a state, whatever its unused bit is."""
    w0, w1 = keys[number, 0], keys[number, 1]
    if keys.shape[1] == 3:
        packed = keys[number, 2] & USED
    else:
        shift = unsigned(max(size - 63, 0))
        packed = (w1 & USED) >> shift
        w1 &= (ONE << shift) - ONE
    f = ZERO
    for suit in range(3, -1, -1):
        case = signed(packed % unsigned(CASES))
        packed //= unsigned(CASES)
        king, case = case & 1, case >> 1
        deuce, case = case % 7, case // 7
        lower, upper = case % 7, case // 7
        lane = (upper + 1) | (2 * lower + 1) << 4 | (2 * deuce) << 8 | king << 12
        f |= unsigned(lane) << unsigned(16 * suit)
    if w1:
        dealt = highest(w1)
        return w0, w1 ^ ONE << unsigned(dealt), dealt + 64, f
    dealt = highest(w0)
    return w0 ^ ONE << unsigned(dealt), w1, dealt, f


@merged
def slot_of(key: Words, mask: int) -> int:
    """Gets the slot at which to start looking for a state."""
    h = (key[0] ^ key[0] >> unsigned(32)) * unsigned(0x9E3779B97F4A7C15)
    h = (h ^ h >> unsigned(29) ^ key[1]) * unsigned(0xBF58476D1CE4E5B9)
    if key.size == 3:
        h = (h ^ h >> unsigned(31) ^ key[2]) * unsigned(0x94D049BB133111EB)
    return signed((h ^ h >> unsigned(32)) & unsigned(mask))


class Table(Protocol):
    """States by number and by hash; an arena is one."""

    @property
    def keys(self) -> Words:
        """Gets the states, by number."""

    @property
    def slots(self) -> npt.NDArray[np.int32]:
        """Gets number + 1 of the state hashed to each slot, 0 if none."""

    @property
    def used(self) -> npt.NDArray[np.int64]:
        """Gets the number of states, as an array of one."""


@inlined
def find(table: Table, key: Words) -> int:
    """Gets the slot of a state, or the free slot where it belongs."""
    mask = table.slots.size - 1
    slot = slot_of(key, mask)
    while table.slots[slot]:
        other = table.slots[slot] - 1
        if (
            table.keys[other, 0] == key[0]
            and table.keys[other, 1] == key[1]
            and (key.size == 2 or table.keys[other, 2] == key[2])
        ):
            return slot
        slot = (slot + 1) & mask
    return slot


@merged
def enter_root(arena: Arena) -> None:
    """Sees to it that the root can be found; compiled code does that, since it has the hash."""
    if arena.used[0] == 1:
        arena.slots[find(arena, arena.keys[0])] = 1


@inlined
def append(table: Table, slot: int, key: Words) -> int:
    """Gives a state its number, at the free slot where it belongs; there must be room."""
    number: int = table.used[0]
    table.used[0] += 1
    table.slots[slot] = number + 1
    for word in range(key.size):
        table.keys[number, word] = key[word]
    return number


@merged
def add(arena: Arena, key: Words, parent: int, code: int) -> int:
    """Adds a state unless it is there, and gets its new number or ``FOUND``.

    The caller sees to it that there is room.
    """
    slot = find(arena, key)
    if arena.slots[slot]:
        return FOUND
    number = append(arena, slot, key)
    arena.parents[number] = parent
    arena.codes[number] = code
    return number


@kernel
def rehash(table: Table) -> None:
    """Enters all states of a table into its slots, which are empty."""
    for number in range(table.used[0]):
        table.slots[find(table, table.keys[number])] = number + 1
