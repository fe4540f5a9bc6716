"""The loss bound: proof that some waste cards can never be reached; and the slack it leaves.

Let w_1 (bottom) ... w_m (top) be the waste, and 1 <= j < m. In every win there is a first moment
when w_{j+1} has left the waste. The waste is then w_1 ... w_j and some number e >= dealt of stock
cards have been dealt. Every foundation play takes exactly one card off the waste, so since the root
at least ``e - j`` cards have been played, and none of them is one of w_1 ... w_j or a stock card
from e on. If even the largest number of plays that the other cards allow is less than ``e - j``
for every e, the state is lost.

That largest number splits by suit, since suits share nothing but the reserve. In one suit the
only choice is which pile takes a rank of which a single copy is available: the upper pile or the
by-two pile. :func:`most_plays` tries all choices that matter.

Where a card may be transferred from one foundation to another, what is on the foundations now is
counted as available, and the plays are counted from bare foundations. That gives the largest
foundations that any sequence of plays and transfers can reach, or more.

The slack of w_j is by how much the largest number exceeds what is needed, for the best e. The score
of a state sums exp(-slack / 2) over its waste: small where the waste is held loosely. It orders
the search and proves nothing.
"""

import math

import numpy as np

from .jit import count, jit, lowest
from .problem import (
    BOUND,
    KNOWN1,
    KNOWN2,
    LOWER_FIRST,
    LOWER_KING,
    SHIFT,
    SPOT,
    TYPE,
    UPPER_KING,
    Problem,
)
from .view import (
    EVEN,
    LANE,
    NIBBLE,
    NUMBERED,
    ODD,
    ONE,
    ZERO,
    foundation_count,
    played_planes,
)

LOST = -1.0
WEIGHTS = np.array([math.exp(-slack / 2) for slack in range(128)])
BARE = np.uint64(0x0011001100110011)  # aces on upper and lower piles, deuce piles empty
BARE_COUNT = 8
ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
ODD_AND_ACE = np.uint64(
    0x2AAA
)  # what lies between the ranks of a deuce pile, an empty one included


@jit
def most_plays(kings: int, lane: np.uint64, one: np.uint64, both: np.uint64) -> int:
    """Gets the largest number of cards that can be played to one suit's piles.

    ``one`` and ``both`` have the ranks of which one copy and both copies are available.

    The upper pile can go up to ``reach``. A single copy that it takes stops the by-two pile of that
    rank, and only the first such rank of each by-two pile matters. So the upper pile stops before
    the first odd one, or before the first even one, or goes as far as it can.
    """
    upper = np.int64(lane & NIBBLE)
    lower = np.int64(lane >> np.uint64(4) & NIBBLE)
    deuce = np.int64(lane >> np.uint64(8) & NIBBLE)
    loose = np.int64(one >> np.uint64(13)) + np.int64(both >> np.uint64(13))
    one &= NUMBERED
    reach = upper + lowest(~(one >> np.uint64(upper + 1)))
    lowers = lowest(~((one | EVEN) >> np.uint64(lower + 1))) >> 1
    deuces = lowest(~((one | ODD_AND_ACE) >> np.uint64(deuce + 1))) >> 1
    singles = one & ~both
    odd = lowest(singles & ODD & (ALL_ONES << np.uint64(max(upper, lower) + 1)))
    even = lowest(singles & EVEN & (ALL_ONES << np.uint64(max(upper, deuce) + 1)))
    if odd > reach and even > reach:
        places = king_places(kings, lane, reach, lower + 2 * lowers) if loose else 0
        return reach - upper + lowers + deuces + min(loose, places)
    few_lowers = min(lowers, (odd - lower - 2) >> 1)
    few_deuces = min(deuces, (even - deuce - 2) >> 1)
    best = 0
    for choice in range(3):
        stop = reach if choice == 0 else odd - 1 if choice == 1 else even - 1
        if stop <= reach:
            low = few_lowers if odd <= stop else lowers
            deu = few_deuces if even <= stop else deuces
            places = king_places(kings, lane, stop, lower + 2 * low) if loose else 0
            best = max(best, stop - upper + low + deu + min(loose, places))
    return best


@jit
def king_places(kings: int, lane: np.uint64, upper: int, lower: int) -> int:
    """Gets how many kings a suit can take if its upper and lower piles get so far."""
    places = 1 if kings & SPOT and lane >> np.uint64(12) == ZERO else 0
    lower_takes = lower == 11 and kings & LOWER_KING
    if lower_takes:
        places += 1
    if upper == 12 and kings & UPPER_KING:
        if lower_takes or lower == 13 or not kings & LOWER_FIRST:
            places += 1
    return places


@jit
def score(problem: Problem, w0: np.uint64, w1: np.uint64, dealt: int, f: np.uint64) -> float:
    """Gets a state's score, or ``LOST`` if the bound refutes the state."""
    gained = foundation_count(f) - problem.root_count
    if problem.transfers:
        free1, free2 = problem.stock[problem.size, KNOWN1], problem.stock[problem.size, KNOWN2]
        f, gained = BARE, BARE_COUNT - problem.root_count
    else:
        played1, played2 = played_planes(f)
        free1 = problem.stock[problem.size, KNOWN1] & ~played2
        free2 = problem.stock[problem.size, KNOWN1] & ~played1
    by_suit = ZERO
    for suit in range(4):
        shift = np.uint64(16 * suit)
        plays = most_plays(
            problem.kings, f >> shift & LANE, free1 >> shift & LANE, free2 >> shift & LANE
        )
        gained += plays
        by_suit |= np.uint64(plays) << shift
    checked, total = count(w0) + count(w1) - 1, 0.0
    j = 0
    for word in range(2):
        waste = w1 if word else w0
        while waste and j < checked:
            j += 1
            index = 64 * word + lowest(waste)
            waste &= waste - ONE
            bit = problem.stock[index, TYPE]
            free1 = free1 & ~bit | free2 & bit
            free2 &= ~bit
            shift = problem.stock[index, SHIFT]
            plays = most_plays(
                problem.kings, f >> shift & LANE, free1 >> shift & LANE, free2 >> shift & LANE
            )
            gained += plays - np.int64(by_suit >> shift & LANE)
            by_suit = by_suit & ~(LANE << shift) | np.uint64(plays) << shift
            slack = gained - (problem.size - j)
            if slack < 0:
                slack = best_slack(problem, j, dealt, f, free1, free2, by_suit, gained)
                if slack < 0:
                    return LOST
            total += WEIGHTS[slack]
    return total


@jit
def best_slack(
    problem: Problem,
    j: int,
    dealt: int,
    f: np.uint64,
    free1: np.uint64,
    free2: np.uint64,
    by_suit: np.uint64,
    gained: int,
) -> int:
    """Gets the slack of w_j at the best number of dealt cards, given its state for all dealt."""
    best = gained - (problem.size - j)
    for end in range(problem.size - 1, dealt - 1, -1):
        if gained - (dealt - j) <= best:
            return best
        bit = problem.stock[end, TYPE]
        free1 = free1 & ~bit | free2 & bit
        free2 &= ~bit
        shift = problem.stock[end, SHIFT]
        plays = most_plays(
            problem.kings, f >> shift & LANE, free1 >> shift & LANE, free2 >> shift & LANE
        )
        gained += plays - np.int64(by_suit >> shift & LANE)
        by_suit = by_suit & ~(LANE << shift) | np.uint64(plays) << shift
        best = max(best, gained - (end - j))
    return best


@jit
def judge(problem: Problem, w0: np.uint64, w1: np.uint64, dealt: int, f: np.uint64) -> float:
    """Gets a state's score as :func:`score` does, but ``LOST`` only if the bound is switched on."""
    value = score(problem, w0, w1, dealt, f)
    return value if value >= 0 or problem.switches & BOUND else 1000.0
