"""The loss bound: proof that some waste cards can never be reached; and the slack it leaves.

Let w_1 (bottom) ... w_m (top) be the waste, and 1 <= j < m. In every win there is a first moment
when w_{j+1} has left the waste. The waste is then w_1 ... w_j and some number e >= dealt of stock
cards have been dealt. Every foundation play takes exactly one card off the waste, so since the root
at least ``e - j`` cards have been played, and none of them is one of w_1 ... w_j or a stock card
from e on. If even the largest number of plays that the other cards allow is less than ``e - j``
for every e, the state is lost.

That largest number splits by suit, since suits share nothing but the reserve. In one suit the
only choice is which pile takes a rank of which a single copy is available: the upper pile or the
by-two pile. All choices that matter are tried: the upper pile stops before some rank, and the
by-two piles pass a rank below that only if two copies are available (:func:`most_plays`).

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
from .problem import BOUND, Problem
from .view import (
    EVEN,
    LANE,
    NIBBLE,
    ONE,
    ZERO,
    foundation_count,
    played_planes,
)

LOST = -1.0
WEIGHTS = np.array([math.exp(-slack / 2) for slack in range(128)])
NUMBERED = np.uint64(0x1FFE)  # all ranks but the king, of one suit
BARE = np.uint64(0x0011001100110011)  # aces on upper and lower piles, deuce piles empty
BARE_COUNT = 8
ODD_AND_ACE = np.uint64(0x2AAA)  # what lies between the ranks of a deuce pile, an empty one included


@jit
def most_plays(problem: Problem, lane: np.uint64, one: np.uint64, both: np.uint64) -> int:
    """Gets the largest number of cards that can be played to one suit's piles.

    ``one`` and ``both`` have the ranks of which one copy and both copies are available.
    """
    upper = np.int64(lane & NIBBLE)
    lower = np.int64(lane >> np.uint64(4) & NIBBLE)
    deuce = np.int64(lane >> np.uint64(8) & NIBBLE)
    kings = np.int64(one >> np.uint64(13)) + np.int64(both >> np.uint64(13))
    spots = 1 if problem.spot and lane >> np.uint64(12) == ZERO else 0
    king_upper = upper < 13 and problem.upper_ranks >> np.uint64(13) != ZERO
    king_lower = lower < 13 and problem.bytwo_ranks >> np.uint64(13) != ZERO
    bytwo = one & NUMBERED
    both &= NUMBERED
    best = 0
    start = upper
    while True:
        upper += lowest(~(both >> np.uint64(upper + 1)))
        lowers = lowest(~((bytwo | EVEN) >> np.uint64(lower + 1))) >> 1
        deuces = lowest(~((bytwo | ODD_AND_ACE) >> np.uint64(deuce + 1))) >> 1
        lower_open = king_lower and lower + 2 * lowers == 11
        places = spots + (1 if lower_open else 0)
        if king_upper and upper == 12 and (not problem.lower_first or lower == 13 or lower_open):
            places += 1
        best = max(best, upper - start + lowers + deuces + min(kings, places))
        if upper >= 12 or bytwo >> np.uint64(upper + 1) & ONE == ZERO:
            return best
        upper += 1
        bytwo ^= ONE << np.uint64(upper)


@jit
def score(problem: Problem, w0: np.uint64, w1: np.uint64, dealt: int, f: np.uint64) -> float:
    """Gets a state's score, or ``LOST`` if the bound refutes the state."""
    gained = foundation_count(f) - problem.root_count
    if problem.transfers:
        free1, free2 = problem.known1[problem.size], problem.known2[problem.size]
        f, gained = BARE, BARE_COUNT - problem.root_count
    else:
        played1, played2 = played_planes(f)
        free1 = problem.known1[problem.size] & ~played2
        free2 = problem.known1[problem.size] & ~played1
    by_suit = ZERO
    for suit in range(4):
        shift = np.uint64(16 * suit)
        plays = most_plays(problem, f >> shift & LANE, free1 >> shift & LANE, free2 >> shift & LANE)
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
            bit = problem.types[index]
            free1 = free1 & ~bit | free2 & bit
            free2 &= ~bit
            shift = np.uint64(problem.suits[index])
            plays = most_plays(
                problem, f >> shift & LANE, free1 >> shift & LANE, free2 >> shift & LANE
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
        bit = problem.types[end]
        free1 = free1 & ~bit | free2 & bit
        free2 &= ~bit
        shift = np.uint64(problem.suits[end])
        plays = most_plays(problem, f >> shift & LANE, free1 >> shift & LANE, free2 >> shift & LANE)
        gained += plays - np.int64(by_suit >> shift & LANE)
        by_suit = by_suit & ~(LANE << shift) | np.uint64(plays) << shift
        best = max(best, gained - (end - j))
    return best


@jit
def judge(problem: Problem, w0: np.uint64, w1: np.uint64, dealt: int, f: np.uint64) -> float:
    """Gets a state's score as :func:`score` does, but ``LOST`` only if the bound is switched on."""
    value = score(problem, w0, w1, dealt, f)
    return value if value >= 0 or problem.switches & BOUND else 1000.0
