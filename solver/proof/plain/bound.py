"""The loss bound in plain Python, in the most literal form: see ``docs/proofs.md``."""

from ...game.cards import JACK, KING, QUEEN, Rank
from ...game.foundations import Foundations
from ...game.rules import Kings, Rules
from ..claim import lane_code, lane_piles

BARE = lane_code(Foundations(deuce=0))


def most_plays(rules: Rules, code: int, available: int) -> int:
    """Gets the largest number of cards that can be played to one suit's foundations.

    ``available`` is the multiset of the ranks that may be used. Suits share nothing, so the order
    of play does not matter, and the one choice is who gets a single copy: the upper pile or the
    pile that goes up by two. Every rank at which the upper pile may stop is tried, kings apart.
    """
    piles = lane_piles(code)
    best = 0
    taken = 0
    for stop in range(piles.upper, max(piles.upper, QUEEN) + 1):
        if stop > piles.upper:
            if not available >> 2 * stop & 3:
                break
            taken += 1 << 2 * stop
        best = max(best, stop - piles.upper + _with_stop(rules, piles, stop, available - taken))
    return best


def _with_stop(rules: Rules, piles: Foundations, stop: Rank, left: int) -> int:
    """Gets the plays to the other piles, and of kings, if the upper pile stops at a rank."""
    lower, deuce = piles.lower, piles.deuce
    while lower < JACK and left >> 2 * (lower + 2) & 3:
        lower += 2
    while deuce < QUEEN and left >> 2 * (deuce + 2) & 3:
        deuce += 2
    places = rules.king_spots - piles.king
    if lower == JACK and rules.lower_top == KING:
        places += 1
    if stop == QUEEN and rules.upper_top == KING:
        places += rules.kings is not Kings.LOWER_FIRST or lower >= JACK
    kings = min(places, left >> 2 * KING & 3)
    return (lower - piles.lower) // 2 + (deuce - piles.deuce) // 2 + kings
