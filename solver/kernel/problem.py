"""What stays fixed during a search, laid out for the kernels.

Names used in all kernels:

=============  =====================================================================================
card           ``16 * suit + rank``: also the number of the card's bit in a 64-bit plane
plane          64-bit word with a bit per card type; a pair of planes (``x1``, ``x2``) counts copies:
               bit set in x1: at least one copy, in x2: both
stock          *all* cards not in the reserve at the root, in deal order: the root's waste, bottom
               to top, and after it the cards still to be dealt
dealt          number of stock cards that have left the stock
w0, w1         waste: bit i set if stock card i lies on it
f              foundations, 16 bits a suit: upper | lower << 4 | deuce << 8 | king << 12 (top ranks)
gained         foundation cards played since the root
=============  =====================================================================================
"""

from enum import IntFlag
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..cards import DEUCE, KING, QUEEN, SUITS, Card, Rank, card
from ..game import Foundations, Position
from ..rules import Dealing, Kings

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

MAX_STOCK = 91
ALL_TYPES = sum(1 << card(rank, suit) for suit in SUITS for rank in range(DEUCE, KING + 1))


class Switch(IntFlag):
    """What the search may use besides the bare rules; each can be switched off for tests."""

    BOUND = 1
    """Cut states that the loss bound refutes."""
    TWINS = 2
    """Merge wastes that are equal as sequences of card types."""
    CERTAIN = 4
    """Real moves: play a reserve card at once if its place is certain."""
    FREE_POP = 8
    """Credit form: release a waste top at once if that costs nothing."""
    ENDS = 16
    """Credit form: a card is settled if its other pile ends with it."""

    ALL = BOUND | TWINS | CERTAIN | FREE_POP | ENDS
    NONE = 0


# Kernels see plain integers.
BOUND, TWINS, CERTAIN = int(Switch.BOUND), int(Switch.TWINS), int(Switch.CERTAIN)
FREE_POP, ENDS = int(Switch.FREE_POP), int(Switch.ENDS)


class Problem(NamedTuple):
    """A root position under its rules, as arrays and plain integers.

    ``types`` (uint64[n]) holds the bit of each stock card, ``suits`` (int64[n]) 16 times its suit,
    ``twins`` (int64[n]) the index of an equal card earlier in the stock, or -1; ``known1`` and
    ``known2`` (uint64[n + 1]) are the planes of all cards but the stock from ``dealt`` on.
    The masks hold the ranks of one or of all suits that a kind of pile can take, or ends with.
    """

    types: Words
    suits: Ints
    twins: Ints
    known1: Words
    known2: Words
    size: int
    root_count: int
    upper_ranks: np.uint64
    bytwo_ranks: np.uint64
    spot: bool
    lower_first: bool
    ends_upper: np.uint64
    ends_bytwo: np.uint64
    stuck: bool
    transfers: bool
    auto_deal: bool
    credit: bool
    switches: int


def problem_of(position: Position, credit: bool, switches: Switch = Switch.ALL) -> Problem:
    """Lays out a position for the kernels.

    :param credit: whether to search the credit form of the game; needs ``deal = any`` and no
        transfers.
    :raises ValueError: if the position has a gap in the reserve while cards are left to fill it.
    """
    rules = position.rules
    if credit and (rules.transfers or rules.deal is not Dealing.ANY):
        raise ValueError("the credit form needs deal = any and no transfers")
    stock = position.waste + position.stock
    if stock and len([card for card in position.reserve if card]) < rules.reserve:
        raise ValueError("the reserve has a gap while the waste or the stock has cards")
    known1, known2 = _known_planes(stock)
    return Problem(
        types=np.array([1 << card for card in stock], np.uint64),
        suits=np.array([card // 16 * 16 for card in stock], np.int64),
        twins=np.array([_twin(stock, i) for i in range(len(stock))], np.int64),
        known1=known1,
        known2=known2,
        size=len(stock),
        root_count=sum(piles.count() for piles in position.foundations),
        upper_ranks=_ranks(*range(2, rules.upper_top + 1)),
        bytwo_ranks=_ranks(*range(2, QUEEN + 1, 2), *range(3, rules.lower_top + 1, 2)),
        spot=rules.king_spots > 0,
        lower_first=rules.kings is Kings.LOWER_FIRST,
        ends_upper=_in_all_suits(rules.upper_top),
        ends_bytwo=_in_all_suits(rules.lower_top, QUEEN),
        stuck=rules.deal is Dealing.STUCK,
        transfers=rules.transfers,
        auto_deal=rules.auto_deal,
        credit=credit,
        switches=int(switches),
    )


def foundation_word(foundations: tuple[Foundations, ...]) -> np.uint64:
    """Packs the foundations of four suits into the word ``f``."""
    return np.uint64(
        sum(
            (piles.upper | piles.lower << 4 | piles.deuce << 8 | piles.king << 12) << 16 * suit
            for suit, piles in enumerate(foundations)
        )
    )


def _known_planes(stock: tuple[Card, ...]) -> tuple[Words, Words]:
    """Gets the planes of all 96 cards but the aces, less the stock from each index on."""
    known1 = np.full(len(stock) + 1, ALL_TYPES, np.uint64)
    known2 = known1.copy()
    for i in reversed(range(len(stock))):
        bit = np.uint64(1 << stock[i])
        known1[i] = known1[i + 1] & ~bit | known2[i + 1] & bit
        known2[i] = known2[i + 1] & ~bit
    return known1, known2


def _twin(stock: tuple[Card, ...], index: int) -> int:
    return stock.index(stock[index]) if stock[index] in stock[:index] else -1


def _ranks(*ranks: Rank) -> np.uint64:
    return np.uint64(sum(1 << rank for rank in ranks))


def _in_all_suits(*ranks: Rank) -> np.uint64:
    return np.uint64(sum({1 << card(rank, suit) for rank in ranks for suit in SUITS}))
