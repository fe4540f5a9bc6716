"""The loss bound over arrays of states: see ``docs/proofs.md``."""

import numpy as np
import numpy.typing as npt

from ..cards import JACK, KING, QUEEN
from ..rules import Kings, Rules
from .arrays import (
    BYTES,
    LANE,
    ArrayTable,
    Ints,
    Lanes,
    Pair,
    States,
    lanes_of,
    less,
    waste_bytes,
)
from .bound import BARE

Small = npt.NDArray[np.int32]

ODD, EVEN = 0x2AA8, 0x1554  # ranks 3 to K, and 2 to Q
NUMBERED = 0x1FFC  # ranks 2 to Q
ODD_AND_ACE = 0x2AAA


def _runs() -> Small:
    """Gets for each 16-bit word the number of ones below its lowest zero."""
    runs = np.zeros(1 << 16, np.int32)
    for length in range(1, 17):
        ones = (1 << length) - 1
        runs[ones :: ones + 1] = length
    return runs


RUN = _runs()
LOWEST = RUN[np.arange(1 << 16) ^ 0xFFFF]
"""For each 16-bit word the number of its lowest one, 16 if it has none."""

_VALUES = np.arange(256, dtype=np.uint8)
FIRST_ONES = np.zeros((9, 256), np.uint8)
"""For each number and byte, the byte with only so many of its lowest ones."""
for _ones in range(1, 9):
    _left = _VALUES & ~FIRST_ONES[_ones - 1]
    FIRST_ONES[_ones] = FIRST_ONES[_ones - 1] | _left & -_left


def most_plays(rules: Rules, lanes: Lanes, once: Lanes, twice: Lanes) -> Small:
    """Gets the largest numbers of cards that can be played to suits' foundations.

    ``once`` and ``twice`` have the ranks of which copies may be used. The upper pile stops as far
    up as it can, or before the first single copy that is in the way of the lower pile, or before
    the first that is in the way of the deuce pile: within each of the cases that these two make,
    the highest stop is the best.
    """
    lane, one, both = (words.astype(np.int32) for words in (lanes, once, twice))
    upper, lower, deuce = lane & 15, lane >> 4 & 15, lane >> 8 & 15
    numbered = one & NUMBERED
    reach = upper + RUN[numbered >> upper + 1]
    single = numbered & ~both
    best = _with_stop(rules, lane, one, both, reach)
    for ranks, by_two in ((ODD, lower), (EVEN, deuce)):
        above = -1 << np.maximum(upper, by_two) + 1
        stop = LOWEST[single & ranks & above] - 1
        at = np.nonzero(stop < reach)
        best[at] = np.maximum(
            best[at], _with_stop(rules, lane[at], one[at], both[at], stop[at].astype(np.int32))
        )
    return best


def _with_stop(rules: Rules, lane: Small, one: Small, both: Small, stop: Small) -> Small:
    upper, lower, deuce = lane & 15, lane >> 4 & 15, lane >> 8 & 15
    taken = (2 << stop) - (2 << upper)
    left = (both | one & ~taken) & NUMBERED
    lowers = RUN[(left | EVEN) >> lower + 1] >> 1
    deuces = RUN[(left | ODD_AND_ACE) >> deuce + 1] >> 1
    lower = lower + 2 * lowers
    places = rules.king_spots - (lane >> 12)
    if rules.lower_top == KING:
        places = places + (lower == JACK)
    if rules.upper_top == KING:
        free = lower >= JACK if rules.kings is Kings.LOWER_FIRST else True
        places = places + ((stop == QUEEN) & free)
    kings = (one >> KING) + (both >> KING)
    plays: Small = stop - upper + lowers + deuces + np.minimum(kings, places)
    return plays


class Base:
    """What the plays of states are counted from: their foundations, or, with transfers, none."""

    def __init__(self, table: ArrayTable, states: States) -> None:
        self.table = table
        if table.rules.transfers:
            f = np.full(states.f.shape, sum(BARE << 16 * suit for suit in range(4)), states.f.dtype)
            self.played: Pair = (np.zeros_like(f), np.zeros_like(f))
        else:
            f = states.f
            self.played = (
                table.plane(table.lanes.played1, f),
                table.plane(table.lanes.played2, f),
            )
        self.lanes = lanes_of(f)
        self.gained: Ints = table.cards_on(f) - table.root_count


def are_refuted(table: ArrayTable, states: States, depths: Ints) -> npt.NDArray[np.bool_]:
    """Tells which states the bound refutes at given depths, which must not be 0."""
    base = Base(table, states)
    kept = table.waste_planes(lowest_cards(states, depths))
    refuted = depths <= table.depths(states)
    end = np.full(depths.shape, table.size)
    at = np.nonzero(refuted)[0]
    while at.size:
        left = less(
            less((table.known1[end[at]], table.known2[end[at]]), (kept[0][at], kept[1][at])),
            (base.played[0][at], base.played[1][at]),
        )
        plays = most_plays(table.rules, base.lanes[at], lanes_of(left[0]), lanes_of(left[1]))
        possible = base.gained[at] + plays.sum(axis=1)
        enough = possible >= end[at] - depths[at]
        refuted[at[enough]] = False
        end[at] = possible + depths[at]
        at = at[~enough & (end[at] >= states.dealt[at])]
    return refuted


def lowest_cards(states: States, numbers: Ints) -> npt.NDArray[np.uint8]:
    """Gets the wastes, byte by byte, with only so many of their lowest cards."""
    bytes_ = waste_bytes(states).copy()
    left = numbers.copy()
    for at in range(BYTES):
        whole = bytes_[:, at]
        bytes_[:, at] = FIRST_ONES[np.clip(left, 0, 8), whole]
        left -= np.bitwise_count(whole)
    return bytes_


def least_refuted(table: ArrayTable, states: States) -> npt.NDArray[np.uint8]:
    """Gets the least depth at which each state is refuted, 0 where there is none."""
    at, depths = _too_few_at_the_end(table, states)
    held = are_refuted(table, states.take(at), depths)
    least = np.zeros(states.f.shape, np.uint8)
    least[at[held][::-1]] = depths[held][::-1]  # of a state's depths the least is written last
    return least


def _too_few_at_the_end(table: ArrayTable, states: States) -> tuple[Ints, Ints]:
    """Gets the depths that can be refutations, since too few plays are left after the last deal.

    Goes up all wastes at once, card by card of the stock; each card changes the plays of one suit.

    :returns: the numbers of states, and depths; those of one state come with rising depths.
    """
    base = Base(table, states)
    known = (np.full(states.f.shape, table.known1[-1]), np.full(states.f.shape, table.known2[-1]))
    left = less(known, base.played)
    once, twice = lanes_of(left[0]).copy(), lanes_of(left[1]).copy()
    plays = most_plays(table.rules, base.lanes, once, twice)
    possible = base.gained + plays.sum(axis=1)
    depth = np.zeros(states.f.shape, np.int64)
    last = table.depths(states)
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    for place in range(int(states.dealt.max(initial=0))):
        word = states.w1 if place >= 64 else states.w0
        at = np.nonzero((word >> (place & 63) & 1).astype(np.bool_) & (depth < last))[0]
        if not at.size:
            continue
        depth[at] += 1
        suit, bit = _suit_and_bit(table.bits[place])
        one, both = once[at, suit], twice[at, suit]
        one, both = one & ~bit | both & bit, both & ~bit
        once[at, suit], twice[at, suit] = one, both
        now = most_plays(table.rules, base.lanes[at, suit], one, both)
        possible[at] += now - plays[at, suit]
        plays[at, suit] = now
        few = at[possible[at] < table.size - depth[at]]
        found.append((few, depth[few]))
    numbers, depths = (np.concatenate(columns) for columns in zip(*found, strict=True))
    return numbers, depths


def _suit_and_bit(plane: np.uint64) -> tuple[int, np.uint16]:
    card = int(plane).bit_length() - 1
    return card // 16, LANE.type(1 << card % 16)
