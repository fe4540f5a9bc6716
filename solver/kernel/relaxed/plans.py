"""What each suit can do with the cards in hand: the relaxed game takes a card by such plans.

A *plan* of a suit is what its foundations can become when cards in hand are played and no other
card comes in hand; settled cards are played at once. Suits share nothing, so any plans of the four
suits can be carried out together.
"""

import numpy as np
import numpy.typing as npt

from ..jit import Word, inlined, jit, lowest, merged, signed, unsigned
from ..root import ENDS, WAITS, Ints, Problem
from ..state import (
    DEUCE,
    KING,
    KING_BIT,
    LANE,
    LOWER,
    ONE,
    UPPER,
    View,
    foundation_step,
    next_in_suit,
    played_in_suit,
)
from ..table import CASES
from ..waits import NO_PILE, pile_if_other_waits

PILES, PLAYS, BEFORE = range(3)
"""Columns of a plan: the suit's lane of ``f`` afterwards; the number of cards played; and the
largest number of them that a plan plays from which it is one commitment away, -1 if there is none.
"""

Plans = npt.NDArray[np.int64]
"""int64[4, 1274, 3]: the plans of each suit, the first of which plays nothing."""


def new_plans() -> Plans:
    """Makes room for all plans there can be."""
    return np.empty((4, CASES, 3), np.int64)


@inlined
def lane_count(lane: int) -> int:
    """Gets the number of cards on a suit's foundations."""
    return (lane & 15) + ((lane >> 4 & 15) + 1) // 2 + (lane >> 8 & 15) // 2 + (lane >> 12)


@merged
def settle_lane(
    problem: Problem, view: View, suit: int, known1: Word, known2: Word, lane: Word
) -> Word:
    """Plays every settled card of a suit, given the planes of its cards in hand and played."""
    while True:
        one, both = played_in_suit(lane)
        hand1, hand2 = known1 & ~one | known2 & ~both, known2 & ~one
        upper, bytwo, king = next_in_suit(problem.kings, lane)
        sure = one | hand2
        if problem.switches & ENDS:
            sure |= (
                upper & (problem.ends_bytwo & LANE | KING_BIT)
                | bytwo & (problem.ends_upper & LANE | KING_BIT)
                | king
            )
        sure &= hand1 & (upper | bytwo | king)
        rank, pile = lowest(sure), KING
        if sure:
            bit = ONE << unsigned(rank)
            if upper & bit:
                pile = UPPER
            elif bytwo & bit:
                pile = LOWER if rank & 1 else DEUCE
        else:
            pile = NO_PILE
            single = (upper | bytwo) & hand1 & ~KING_BIT
            while problem.switches & WAITS and single and pile == NO_PILE:
                rank = lowest(single)
                single &= single - ONE
                card = 16 * suit + rank
                pile = pile_if_other_waits(problem, view.w0, view.w1, True, card, lane, one)
        if pile == NO_PILE:
            return lane
        lane += foundation_step(rank, pile)


@merged
def note_plan(plans: Plans, suit: int, number: int, lane: int, before: int) -> int:
    """Adds a plan unless it is there, and gets the number of plans."""
    for i in range(number):
        if plans[suit, i, PILES] == lane:
            plans[suit, i, BEFORE] = max(plans[suit, i, BEFORE], before)
            return number
    plans[suit, number, PILES] = lane
    plans[suit, number, PLAYS] = lane_count(lane) - lane_count(plans[suit, 0, PILES])
    plans[suit, number, BEFORE] = before
    return number + 1


@jit
def write_plans(problem: Problem, view: View, suit: int, most: int, plans: Plans) -> int:
    """Writes all plans of a suit, and gets their number.

    A plan that plays ``most`` cards is not carried on.
    """
    shift = unsigned(16 * suit)
    root = view.f >> shift & LANE
    one, both = played_in_suit(root)
    hand1, hand2 = view.hand1 >> shift & LANE, view.hand2 >> shift & LANE
    known1, known2 = hand1 | one, hand2 | hand1 & one | both
    plans[suit, 0, PILES], plans[suit, 0, PLAYS], plans[suit, 0, BEFORE] = signed(root), 0, -1
    number, at = 1, 0
    while at < number:
        lane, plays = unsigned(plans[suit, at, PILES]), plans[suit, at, PLAYS]
        at += 1
        if plays >= most:
            continue
        one, both = played_in_suit(lane)
        upper, bytwo, king = next_in_suit(problem.kings, lane)
        left = (known1 & ~one | known2 & ~both) & (upper | bytwo | king)
        while left:
            rank = lowest(left)
            bit = ONE << unsigned(rank)
            left ^= bit
            for pile in range(4):
                takes = upper if pile == UPPER else king if pile == KING else bytwo
                if takes & bit and (pile == UPPER or pile == KING or (pile == LOWER) == rank & 1):
                    after = lane + foundation_step(rank, pile)
                    after = settle_lane(problem, view, suit, known1, known2, after)
                    number = note_plan(plans, suit, number, signed(after), plays)
    return number


@merged
def write_all_plans(problem: Problem, view: View, most: int, plans: Plans, numbers: Ints) -> int:
    """Writes the plans of all suits, and gets the most cards they play together.

    ``numbers``: the number of plans of each suit, and then the most cards that one of each plays.
    """
    total = 0
    for suit in range(4):
        numbers[suit] = write_plans(problem, view, suit, most, plans)
        best = 0
        for i in range(numbers[suit]):
            best = max(best, plans[suit, i, PLAYS])
        numbers[4 + suit] = best
        total += best
    return total
