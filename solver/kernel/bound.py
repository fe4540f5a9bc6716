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

The slack of w_j is by how much the largest number exceeds what is needed, for the best e, or, where
that is not looked for, a good one. The score of a state sums exp(-slack / 2) over its waste: small
where the waste is held loosely. It orders the search and proves nothing.

For most of a waste e = n will do, all cards dealt. Where it does not, neighbours in the waste
mostly share a good e. So :func:`score` counts for two of them, n and the best one of the last card
for which neither would do, and looks for the best one of a card only if both fail.
"""

import math
from typing import NamedTuple

import numpy as np

from .jit import Word, count, inlined, jit, lowest, merged, signed, unsigned
from .root import (
    ALL_CARDS,
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
from .state import (
    EVEN,
    LANE,
    NIBBLE,
    NUMBERED,
    ODD,
    ONE,
    ZERO,
    View,
    foundation_count,
    played_planes,
    waste_size,
)

LOST = -1.0
BURIED = 100.0
WEIGHTS = np.array([math.exp(-slack / 2) for slack in range(128)])
BARE = unsigned(0x0011001100110011)  # aces on upper and lower piles, deuce piles empty
BARE_COUNT = 8
ALL_TYPES = unsigned(ALL_CARDS)
ALL_ONES = unsigned(0xFFFFFFFFFFFFFFFF)
ODD_AND_ACE = unsigned(0x2AAA)  # what lies between the ranks of a deuce pile, an empty one included


@merged
def most_plays(kings: int, lane: Word, one: Word, both: Word) -> int:
    """Gets the largest number of cards that can be played to one suit's piles.

    ``one`` and ``both`` have the ranks of which one copy and both copies are available.

    The upper pile can go up to ``reach``. A single copy that it takes stops the by-two pile of that
    rank, and only the first such rank of each by-two pile matters. So the upper pile stops before
    the first odd one, or before the first even one, or goes as far as it can.
    """
    upper = signed(lane & NIBBLE)
    lower = signed(lane >> unsigned(4) & NIBBLE)
    deuce = signed(lane >> unsigned(8) & NIBBLE)
    loose = signed(one >> unsigned(13)) + signed(both >> unsigned(13))
    one &= NUMBERED
    reach = upper + lowest(~(one >> unsigned(upper + 1)))
    lowers = lowest(~((one | EVEN) >> unsigned(lower + 1))) >> 1
    deuces = lowest(~((one | ODD_AND_ACE) >> unsigned(deuce + 1))) >> 1
    singles = one & ~both
    odd = lowest(singles & ODD & (ALL_ONES << unsigned(max(upper, lower) + 1)))
    even = lowest(singles & EVEN & (ALL_ONES << unsigned(max(upper, deuce) + 1)))
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


@inlined
def king_places(kings: int, lane: Word, upper: int, lower: int) -> int:
    """Gets how many kings a suit can take if its upper and lower piles get so far."""
    places = 1 if kings & SPOT and lane >> unsigned(12) == ZERO else 0
    lower_takes = lower == 11 and kings & LOWER_KING
    if lower_takes:
        places += 1
    if (
        upper == 12
        and kings & UPPER_KING
        and (lower_takes or lower == 13 or not kings & LOWER_FIRST)
    ):
        places += 1
    return places


class Count(NamedTuple):
    """The most plays if so many cards are dealt in the end and no other: in all, and by suit.

    The planes ``free1`` and ``free2`` count the cards that can be played.
    """

    end: int
    free1: Word
    free2: Word
    by_suit: Word
    gained: int


@jit
def score(problem: Problem, w0: Word, w1: Word, dealt: int, f: Word) -> tuple[float, bool]:
    """Gets a state's score, or ``LOST`` if the bound refutes the state; and whether it is tight.

    The top card counts as if there were a card on it, since sooner or later there will be: what
    cannot be reached then costs ``BURIED``, but refutes nothing. Tight is a state with a card that
    can't be reached after all cards have been dealt.
    """
    gained = foundation_count(f) - problem.root_count
    free1, free2 = problem.stock[problem.size, KNOWN1], problem.stock[problem.size, KNOWN2]
    if problem.transfers:
        f, gained = BARE, BARE_COUNT - problem.root_count
    else:
        played1, played2 = played_planes(f)
        free1, free2 = free1 & ~played2, free1 & ~played1
    every = Count(problem.size, free1, free2, ZERO, gained)
    for suit in range(4):
        every = recount(problem.kings, f, every, 16 * suit)
    other = every
    top, total, tight = count(w0) + count(w1), 0.0, False
    j = 0
    for word in range(2):
        waste = w1 if word else w0
        while waste:
            j += 1
            index = 64 * word + lowest(waste)
            waste &= waste - ONE
            bit, shift = problem.stock[index, TYPE], signed(problem.stock[index, SHIFT])
            every = without(problem.kings, f, every, bit, shift)
            slack = every.gained - (problem.size - j)
            if other.end < problem.size:
                other = without(problem.kings, f, other, bit, shift)
            if slack < 0:
                tight = True
                if other.end == problem.size or other.gained - (other.end - j) < 0:
                    other = best_end(problem, j, dealt, f, every)
                slack = other.gained - (other.end - j)
            if slack >= 0:
                total += WEIGHTS[slack]
            elif j == top:
                total += BURIED
            else:
                return LOST, tight
    return total, tight


@inlined
def recount(kings: int, f: Word, old: Count, shift: int) -> Count:
    """Counts one suit's plays again."""
    lane = unsigned(shift)
    plays = most_plays(kings, f >> lane & LANE, old.free1 >> lane & LANE, old.free2 >> lane & LANE)
    gained = old.gained + plays - signed(old.by_suit >> lane & LANE)
    by_suit = old.by_suit & ~(LANE << lane) | unsigned(plays) << lane
    return Count(old.end, old.free1, old.free2, by_suit, gained)


@inlined
def without(kings: int, f: Word, old: Count, bit: Word, shift: int) -> Count:
    """Counts again when a card of the suit at ``shift`` can't be played any more."""
    free1, free2 = old.free1 & ~bit | old.free2 & bit, old.free2 & ~bit
    return recount(kings, f, Count(old.end, free1, free2, old.by_suit, old.gained), shift)


@jit
def top_slack(problem: Problem, view: View) -> int:
    """Gets the slack of the waste top, as if there were a card on it, after all have been dealt.

    Without transfers only: the cards available are those in hand and the stock.
    """
    stock1 = ALL_TYPES & ~problem.stock[view.dealt, KNOWN2]
    stock2 = ALL_TYPES & ~problem.stock[view.dealt, KNOWN1]
    free1 = view.hand1 | stock1
    free2 = view.hand2 | stock2 | view.hand1 & stock1
    gained = foundation_count(view.f) - problem.root_count
    every = Count(problem.size, free1, free2, ZERO, gained)
    for suit in range(4):
        every = recount(problem.kings, view.f, every, 16 * suit)
    return every.gained - (problem.size - waste_size(view))


@jit
def best_end(problem: Problem, j: int, dealt: int, f: Word, every: Count) -> Count:
    """Gets the count of w_j with the largest slack, given the one for all cards dealt."""
    best, at = every, every
    for end in range(problem.size - 1, dealt - 1, -1):
        if at.gained - (dealt - j) <= best.gained - (best.end - j):
            break
        bit, shift = problem.stock[end, TYPE], signed(problem.stock[end, SHIFT])
        at = without(problem.kings, f, at, bit, shift)
        at = Count(end, at.free1, at.free2, at.by_suit, at.gained)
        if at.gained - (end - j) > best.gained - (best.end - j):
            best = at
    return best


@jit
def judge(
    problem: Problem, view: View, parent: View, score_of: float, tight: bool
) -> tuple[float, bool]:
    """Gets a successor's score, or ``LOST``, and whether it is tight.

    The slack of a waste card when all cards have been dealt depends on the foundations and on the
    cards from it down only. If the foundations are as before, one card came or went; so if no slack
    of the parent was negative, only the top's can be, and that refutes nothing.

    :param score_of: the parent's score.
    :param tight: whether the parent is tight.
    """
    more = waste_size(view) - waste_size(parent)
    if view.f == parent.f and not tight and not problem.transfers and abs(more) == 1:
        slack = top_slack(problem, view if more > 0 else parent)
        if slack >= 0:
            return max(score_of + more * WEIGHTS[slack], 0.0), False
    value, is_tight = score(problem, view.w0, view.w1, view.dealt, view.f)
    if value == LOST and not problem.switches & BOUND:
        return BURIED, True
    return value, is_tight
