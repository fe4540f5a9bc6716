"""What stays fixed during a search, laid out for the kernels.

Names used in all kernels:

=============  =====================================================================================
card           ``16 * suit + rank``: also the number of the card's bit in a 64-bit plane
plane          64-bit word with a bit per card type; a pair of planes (``x1``, ``x2``) counts
               copies: bit set in x1: at least one, in x2: both
stock          *all* cards not in the reserve at the root, in deal order: the root's waste, bottom
               to top, and after it the cards still to be dealt
dealt          number of stock cards that have left the stock
w0, w1         waste: bit i set if stock card i lies on it
f              foundations, 16 bits a suit: upper | lower << 4 | deuce << 8 | king << 12 (top ranks)
gained         foundation cards played since the root
=============  =====================================================================================
"""

from dataclasses import replace
from enum import IntFlag
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..game.cards import DEUCE, KING, QUEEN, SUITS, Card, Rank, card
from ..game.errors import Error
from ..game.foundations import Foundations
from ..game.position import Position, check
from ..game.rules import Dealing, Kings, Rules
from .jit import Word, kernel, unsigned

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

MAX_STOCK = 91
ALL_CARDS = sum(1 << card(rank, suit) for suit in SUITS for rank in range(DEUCE, KING + 1))


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

    RELAXED = 32
    """Cut states that are lost even if the stock need not be buried; not with transfers."""

    WAITS = 64
    """Credit form, relaxed game: a card is settled if its other pile waits for its other copy."""

    FIRST = 128
    """Credit form, relaxed game: a card that comes before its other copy is released at once if it
    is settled then."""

    ALL = BOUND | TWINS | CERTAIN | FREE_POP | ENDS | RELAXED | WAITS | FIRST
    NONE = 0


# Kernels see plain integers.
BOUND, TWINS, CERTAIN = int(Switch.BOUND), int(Switch.TWINS), int(Switch.CERTAIN)
FREE_POP, ENDS = int(Switch.FREE_POP), int(Switch.ENDS)
RELAXED, WAITS, FIRST = int(Switch.RELAXED), int(Switch.WAITS), int(Switch.FIRST)


TYPE, SHIFT, TWIN, KNOWN1, KNOWN2 = range(5)
"""Columns of ``Problem.stock``."""

SPOT, UPPER_KING, LOWER_KING, LOWER_FIRST = 1, 2, 4, 8
"""Bits of ``Problem.kings``: where kings can go, and whether the lower pile must have its own
first."""


class Problem(NamedTuple):
    """A root position under its rules, as one array and plain integers.

    ``stock`` uint64[n + 1, 5] has a row for each stock card: its bit (TYPE), 16 times its suit
    (SHIFT), 1 + the index of an equal card earlier in the stock or 0 (TWIN); and in row ``dealt``
    the planes of all cards but the stock from there on (KNOWN1, KNOWN2). ``copies`` uint64[64, 2]
    has a row for each card: the bits of its stock indices. ``kings`` and ``switches`` are bit sets.
    The planes ``ends_upper`` and ``ends_bytwo`` have the cards that piles end with.
    """

    stock: Words
    copies: Words
    size: int
    root_count: int
    kings: int
    switches: int
    ends_upper: Word
    ends_bytwo: Word
    stuck: bool
    transfers: bool
    auto_deal: bool
    credit: bool


def problem_of(position: Position, credit: bool, switches: Switch = Switch.ALL) -> Problem:
    """Lays out a position for the kernels.

    :param credit: whether to search the credit form of the game; needs ``deal = any`` and no
        transfers.
    :raises Error: if the position is not one of the game, or the form does not fit the rules.
    """
    rules = position.rules
    # A game that began with transfers may be searched without them, from foundations they left.
    check(position._replace(rules=replace(rules, transfers=True)))
    if credit and not rules.has_credit_form:
        raise Error("the credit form needs deal = any and no transfers")
    stock = position.waste + position.stock
    if len(stock) > MAX_STOCK:
        raise Error(f"more than {MAX_STOCK} cards in waste and stock")
    table, copies = _stock_tables(stock)
    return Problem(
        stock=table,
        copies=copies,
        size=len(stock),
        root_count=sum(piles.size() for piles in position.foundations),
        kings=_king_bits(rules),
        switches=int(switches),
        ends_upper=_in_all_suits(rules.upper_top),
        ends_bytwo=_in_all_suits(rules.lower_top, QUEEN),
        stuck=rules.deal is Dealing.STUCK,
        transfers=rules.transfers,
        auto_deal=rules.auto_deal,
        credit=credit,
    )


def foundation_word(foundations: tuple[Foundations, ...]) -> int:
    """Packs the foundations of four suits into the word ``f``."""
    return sum(
        (piles.upper | piles.lower << 4 | piles.deuce << 8 | piles.king << 12) << 16 * suit
        for suit, piles in enumerate(foundations)
    )


def _stock_tables(stock: tuple[Card, ...]) -> tuple[Words, Words]:
    """Gets the arrays ``stock`` and ``copies`` of a problem."""
    table = np.zeros((len(stock) + 1, 5), np.uint64)
    copies = np.zeros((64, 2), np.uint64)
    fill_tables(np.array(stock, np.int64), table, copies)
    return table, copies


@kernel
def fill_tables(cards: Ints, table: Words, copies: Words) -> None:
    """Fills the arrays of a problem, which are zero, from its stock cards."""
    one = unsigned(1)
    known1, known2 = unsigned(ALL_CARDS), unsigned(ALL_CARDS)
    table[cards.size, KNOWN1], table[cards.size, KNOWN2] = known1, known2
    for i in range(cards.size - 1, -1, -1):
        held = cards[i]
        bit = one << unsigned(held)
        known1, known2 = known1 & ~bit | known2 & bit, known2 & ~bit
        table[i, TYPE], table[i, SHIFT] = bit, unsigned(held // 16 * 16)
        table[i, KNOWN1], table[i, KNOWN2] = known1, known2
        copies[held, i // 64] |= one << unsigned(i % 64)
    for i in range(cards.size):
        for earlier in range(i):
            if cards[earlier] == cards[i]:
                table[i, TWIN] = unsigned(1 + earlier)


@cache
def _king_bits(rules: Rules) -> int:
    return (
        (SPOT if rules.king_spots else 0)
        | (UPPER_KING if rules.upper_top == KING else 0)
        | (LOWER_KING if rules.lower_top == KING else 0)
        | (LOWER_FIRST if rules.kings is Kings.LOWER_FIRST else 0)
    )


@cache
def _in_all_suits(*ranks: Rank) -> Word:
    return unsigned(sum({1 << card(rank, suit) for rank in ranks for suit in SUITS}))
