"""A state opened up for generating successors: what is in hand, and what each pile takes next.

*In hand* are the cards that are neither on the waste, nor in the stock, nor on a foundation. For
the real moves that is the reserve; for the credit form it is every released card not yet counted
as played.
"""

from typing import NamedTuple

from .jit import Word, count, highest, inlined, jit, lowest, merged, signed, unsigned
from .root import (
    KNOWN1,
    KNOWN2,
    LOWER_FIRST,
    LOWER_KING,
    SPOT,
    TWIN,
    TWINS,
    TYPE,
    UPPER_KING,
    Ints,
    Problem,
)

ZERO, ONE, TWO, FOUR = unsigned(0), unsigned(1), unsigned(2), unsigned(4)
LANE, NIBBLE = unsigned(0xFFFF), unsigned(15)
ODD, EVEN = unsigned(0x2AA8), unsigned(0x1554)  # ranks 3 to K and 2 to Q of one suit
KINGS = unsigned(0x2000200020002000)
KING_BIT = unsigned(0x2000)
NUMBERED = unsigned(0x1FFC)  # ranks 2 to Q of one suit

UPPER, LOWER, DEUCE, KING = range(4)  # kinds of foundation


class View(NamedTuple):
    """A state (``w0``, ``w1``, ``dealt``, ``f``) and the planes that follow from it.

    ``hand1`` and ``hand2`` count the cards in hand, ``played`` has the types of which a copy is on
    a foundation; ``upper``, ``bytwo`` (lower and deuce piles) and ``king`` have the cards that
    these piles take next.
    """

    w0: Word
    w1: Word
    dealt: int
    f: Word
    hand1: Word
    hand2: Word
    played: Word
    upper: Word
    bytwo: Word
    king: Word


@inlined
def foundation_count(f: Word) -> int:
    """Gets the number of cards on the foundations."""
    total = 0
    for suit in range(4):
        lane = signed(f >> unsigned(16 * suit) & LANE)
        total += (lane & 15) + ((lane >> 4 & 15) + 1) // 2 + (lane >> 8 & 15) // 2 + (lane >> 12)
    return total


@inlined
def played_in_suit(lane: Word) -> tuple[Word, Word]:
    """Gets the ranks of which one copy and both copies are on a suit's foundations."""
    upper = (TWO << (lane & NIBBLE)) - ONE & (ODD | EVEN)
    lower = (TWO << (lane >> unsigned(4) & NIBBLE)) - ONE & ODD
    deuce = (TWO << (lane >> unsigned(8) & NIBBLE)) - ONE & EVEN
    king = KING_BIT * (lane >> unsigned(12))
    return upper | lower | deuce | king, upper & (lower | deuce) | king & (upper | lower)


@inlined
def played_planes(f: Word) -> tuple[Word, Word]:
    """Gets the planes of the cards on the foundations, aces left out."""
    played1, played2 = ZERO, ZERO
    for suit in range(4):
        shift = unsigned(16 * suit)
        one, both = played_in_suit(f >> shift & LANE)
        played1 |= one << shift
        played2 |= both << shift
    return played1, played2


@inlined
def next_in_suit(kings: int, lane: Word) -> tuple[Word, Word, Word]:
    """Gets the ranks that a suit's upper, by-two and king piles take next."""
    upper_top = lane & NIBBLE
    lower_top = lane >> unsigned(4) & NIBBLE
    upper = TWO << upper_top & NUMBERED
    lower = FOUR << lower_top & NUMBERED
    deuce = FOUR << (lane >> unsigned(8) & NIBBLE) & NUMBERED
    if upper_top == 12 and kings & UPPER_KING and (lower_top == 13 or not kings & LOWER_FIRST):
        upper = KING_BIT
    if lower_top == 11 and kings & LOWER_KING:
        lower = KING_BIT
    king = KING_BIT if kings & SPOT and lane >> unsigned(12) == ZERO else ZERO
    return upper, lower | deuce, king


@jit
def look(problem: Problem, w0: Word, w1: Word, dealt: int, f: Word) -> View:
    """Opens a state."""
    known1, known2 = problem.stock[dealt, KNOWN1], problem.stock[dealt, KNOWN2]
    for word in range(2):
        waste = w1 if word else w0
        while waste:
            bit = problem.stock[64 * word + lowest(waste), TYPE]
            waste &= waste - ONE
            known1 = known1 & ~bit | known2 & bit
            known2 &= ~bit
    return look_at(problem, w0, w1, dealt, f, known1, known2)


@inlined
def look_at(
    problem: Problem, w0: Word, w1: Word, dealt: int, f: Word, known1: Word, known2: Word
) -> View:
    """Opens a state, given the planes of the cards in hand and on the foundations together."""
    played1, played2 = played_planes(f)
    upper, bytwo, king = ZERO, ZERO, ZERO
    for suit in range(4):
        shift = unsigned(16 * suit)
        u, b, k = next_in_suit(problem.kings, f >> shift & LANE)
        upper |= u << shift
        bytwo |= b << shift
        king |= k << shift
    hand1 = known1 & ~played1 | known2 & ~played2
    return View(w0, w1, dealt, f, hand1, known2 & ~played1, played1, upper, bytwo, king)


@merged
def with_foundations(problem: Problem, view: View, f: Word) -> View:
    """Opens the state that comes of plays from the hand alone."""
    played1, played2 = played_planes(view.f)
    known1, known2 = view.hand1 | played1, view.hand2 | view.hand1 & played1 | played2
    return look_at(problem, view.w0, view.w1, view.dealt, f, known1, known2)


@inlined
def top_index(w0: Word, w1: Word) -> int:
    """Gets the stock index of the top waste card; -1 if the waste is empty."""
    return 64 + highest(w1) if w1 else highest(w0)


@inlined
def waste_size(view: View) -> int:
    """Gets the number of waste cards."""
    return count(view.w0) + count(view.w1)


@inlined
def foundation_step(card: int, pile: int) -> Word:
    """Gets what one more card on a pile adds to the word ``f``."""
    amount = TWO if pile == LOWER or pile == DEUCE else ONE
    return amount << unsigned((card & 48) + 4 * pile)


@inlined
def bytwo_pile(card: int) -> int:
    """Gets the by-two pile that takes a card's rank."""
    return LOWER if card & 1 else DEUCE


@inlined
def write_places(view: View, card: int, code: int, codes: Ints, number: int) -> int:
    """Appends a move of the card to each pile that takes it."""
    bit = ONE << unsigned(card)
    if view.upper & bit:
        codes[number] = code | UPPER << 6
        number += 1
    if view.bytwo & bit:
        codes[number] = code | bytwo_pile(card) << 6
        number += 1
    if view.king & bit:
        codes[number] = code | KING << 6
        number += 1
    return number


@inlined
def put(problem: Problem, view: View, card: int, pile: int) -> View:
    """Plays a card in hand to a pile."""
    bit = ONE << unsigned(card)
    f = view.f + foundation_step(card, pile)
    shift = unsigned(card & 48)
    rest = ~(LANE << shift)
    upper, bytwo, king = next_in_suit(problem.kings, f >> shift & LANE)
    return View(
        view.w0,
        view.w1,
        view.dealt,
        f,
        view.hand1 & ~bit | view.hand2 & bit,
        view.hand2 & ~bit,
        view.played | bit,
        view.upper & rest | upper << shift,
        view.bytwo & rest | bytwo << shift,
        view.king & rest | king << shift,
    )


@inlined
def pop(problem: Problem, view: View) -> View:
    """Takes the top waste card in hand."""
    top = top_index(view.w0, view.w1)
    bit = problem.stock[top, TYPE]
    w0, w1 = view.w0, view.w1
    if top < 64:
        w0 ^= ONE << unsigned(top)
    else:
        w1 ^= ONE << unsigned(top - 64)
    return View(
        w0,
        w1,
        view.dealt,
        view.f,
        view.hand1 | bit,
        view.hand2 | view.hand1 & bit,
        view.played,
        view.upper,
        view.bytwo,
        view.king,
    )


@inlined
def push(problem: Problem, view: View) -> View:
    """Deals the next stock card to the waste.

    Only the card types of a waste matter to what can follow. Where the new card's twin came
    earlier in the stock and no waste card came after it, the twin's bit is set instead: so two
    wastes that are equal as sequences of types are equal as words (by induction the word is the
    leftmost place of its sequence in the stock).
    """
    index = view.dealt
    twin = signed(problem.stock[index, TWIN]) - 1
    if problem.switches & TWINS and twin > top_index(view.w0, view.w1):
        index = twin
    w0, w1 = view.w0, view.w1
    if index < 64:
        w0 |= ONE << unsigned(index)
    else:
        w1 |= ONE << unsigned(index - 64)
    return View(
        w0,
        w1,
        view.dealt + 1,
        view.f,
        view.hand1,
        view.hand2,
        view.played,
        view.upper,
        view.bytwo,
        view.king,
    )
