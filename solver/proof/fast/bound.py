"""The loss bound over arrays of states, compiled: see ``docs/proofs.md``.

In the compiled part a plane, a waste's word and the foundations are signed integers: no card has
bit 63, and of a word only single bits are asked for.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from ...compiled.kept import kept
from ...game.cards import JACK, KING, QUEEN
from ...game.rules import Kings, Rules
from ..plain.bound import BARE
from .arrays import ArrayTable, Flags, Ints, States, Words

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compiles a function, and keeps the machine code on disk."""
    result: Any = kept(numba.njit(error_model="numpy")(function))
    return cast(F, result)


class KingPlaces(NamedTuple):
    """Where a suit's kings may go: how many on spots, and whether on the two piles."""

    spots: int
    upper: bool
    lower: bool
    lower_first: bool


class Base(NamedTuple):
    """What the plays of states are counted from, an item for each state unless said otherwise.

    ``f``: the foundations, and ``played1``, ``played2``: their cards; with transfers there are none
    of either. ``gained``: the number of cards on foundations less that of the root. ``w0``, ``w1``,
    ``dealt``: the states. ``last``: the greatest depth that may be asked. The same for all are the
    stock's cards, ``bits``, and ``known1`` and ``known2``: see ``ArrayTable``.
    """

    f: Ints
    played1: Ints
    played2: Ints
    gained: Ints
    w0: Ints
    w1: Ints
    dealt: Ints
    last: Ints
    bits: Ints
    known1: Ints
    known2: Ints


def king_places(rules: Rules) -> KingPlaces:
    """Gets where kings may go by the rules."""
    upper, lower = rules.upper_top == KING, rules.lower_top == KING
    return KingPlaces(rules.king_spots, upper, lower, rules.kings is Kings.LOWER_FIRST)


def _base(table: ArrayTable, states: States) -> Base:
    if table.rules.transfers:
        f = np.full(states.f.shape, sum(BARE << 16 * suit for suit in range(4)), states.f.dtype)
        played1 = played2 = np.zeros_like(f)
    else:
        f = states.f
        played1 = table.plane(table.lanes.played1, f)
        played2 = table.plane(table.lanes.played2, f)
    return Base(
        f=signed(f),
        played1=signed(played1),
        played2=signed(played2),
        gained=table.cards_on(f) - table.root_count,
        w0=signed(states.w0),
        w1=signed(states.w1),
        dealt=states.dealt,
        last=table.depths(states),
        bits=signed(table.bits),
        known1=signed(table.known1),
        known2=signed(table.known2),
    )


def signed(words: Words) -> Ints:
    """Gets words as the compiled part takes them."""
    return np.ascontiguousarray(words).view(np.int64)


def are_refuted(table: ArrayTable, states: States, depths: Ints) -> Flags:
    """Tells which states the bound refutes at given depths, which must not be 0."""
    held = np.zeros(depths.shape, np.bool_)
    _refuted(king_places(table.rules), _base(table, states), depths, held)
    return held


def least_refuted(table: ArrayTable, states: States) -> npt.NDArray[np.uint8]:
    """Gets the least depth at which each state is refuted, 0 where there is none."""
    least = np.zeros(states.f.shape, np.uint8)
    _least(king_places(table.rules), _base(table, states), least)
    return least


@compiled
def most_plays(kings: KingPlaces, lane: int, once: int, twice: int) -> int:
    """Gets the most plays of a suit: the best of all ranks at which the upper pile may stop.

    It need not stop below a rank of which there are two copies: one is left for the other piles.
    """
    upper = lane & 15
    stop, best, last = upper, 0, False
    while not last:
        card = 1 << stop + 1
        last = stop >= QUEEN or not once & card
        if last or not twice & card:
            best = max(best, stop - upper + _with_stop(kings, lane, stop, once, twice))
        once, twice = less(once, twice, card, 0)
        stop += 1
    return best


@compiled
def _with_stop(kings: KingPlaces, lane: int, stop: int, once: int, twice: int) -> int:
    """Gets the plays to the other piles, and of kings, if the upper pile stops at a rank."""
    lower, deuce = lane >> 4 & 15, lane >> 8 & 15
    plays = 0
    while lower < JACK and once >> lower + 2 & 1:
        lower += 2
        plays += 1
    while deuce < QUEEN and once >> deuce + 2 & 1:
        deuce += 2
        plays += 1
    places = kings.spots - (lane >> 12)
    if lower == JACK and kings.lower:
        places += 1
    if stop == QUEEN and kings.upper and (lower >= JACK or not kings.lower_first):
        places += 1
    return plays + min(places, (once >> KING & 1) + (twice >> KING & 1))


@compiled
def plays_in(kings: KingPlaces, f: int, once: int, twice: int, suit: int) -> int:
    """Gets the most plays of one suit, given the planes of all."""
    lane, one, two = f >> 16 * suit, once >> 16 * suit, twice >> 16 * suit
    return most_plays(kings, lane & 0xFFFF, one & 0xFFFF, two & 0xFFFF)


@compiled
def more(once: int, twice: int, bit: int) -> tuple[int, int]:
    """Adds a card to a pair of planes."""
    return once | bit, twice | once & bit


@compiled
def less(once: int, twice: int, gone1: int, gone2: int) -> tuple[int, int]:
    """Takes cards away that are there, in pairs of planes."""
    return once & ~gone1 | twice & ~gone2, twice & ~gone1


@compiled
def lies(w0: int, w1: int, place: int) -> bool:
    """Whether a stock card lies on a waste."""
    word = w0 if place < 64 else w1
    return bool(word >> (place & 63) & 1)


@compiled
def _holds(
    kings: KingPlaces, base: Base, i: int, kept1: int, kept2: int, depth: int, end: int
) -> bool:
    """Whether plays are too few at a depth whenever up to ``end`` cards are dealt by then.

    Fewer cards dealt allow no more plays: so the next number to look at is the one that needs just
    as many as are possible. ``kept1`` and ``kept2`` count the waste cards up to the depth.
    """
    while end >= base.dealt[i]:
        once, twice = less(base.known1[end], base.known2[end], kept1, kept2)
        once, twice = less(once, twice, base.played1[i], base.played2[i])
        possible = base.gained[i]
        for suit in range(4):
            possible += plays_in(kings, base.f[i], once, twice, suit)
        if possible >= end - depth:
            return False
        end = possible + depth
    return True


@compiled
def _refuted(kings: KingPlaces, base: Base, depths: Ints, held: Flags) -> None:
    for i in range(depths.size):
        kept1, kept2, depth, place = 0, 0, 0, 0
        while depth < depths[i] and place < base.dealt[i]:
            if lies(base.w0[i], base.w1[i], place):
                depth += 1
                kept1, kept2 = more(kept1, kept2, base.bits[place])
            place += 1
        if depths[i] <= base.last[i]:
            held[i] = _holds(kings, base, i, kept1, kept2, depth, base.bits.size)


@compiled
def _least(kings: KingPlaces, base: Base, least: npt.NDArray[np.uint8]) -> None:
    """Goes up each waste; a card more that is kept changes the plays of one suit."""
    size = base.bits.size
    plays = np.zeros(4, np.int64)
    for i in range(least.size):
        once, twice = less(base.known1[size], base.known2[size], base.played1[i], base.played2[i])
        possible = base.gained[i]
        for suit in range(4):
            plays[suit] = plays_in(kings, base.f[i], once, twice, suit)
            possible += plays[suit]
        kept1, kept2, depth = 0, 0, 0
        for place in range(base.dealt[i]):
            if depth == base.last[i]:
                break
            if not lies(base.w0[i], base.w1[i], place):
                continue
            depth += 1
            bit = base.bits[place]
            kept1, kept2 = more(kept1, kept2, bit)
            once, twice = less(once, twice, bit, 0)
            suit = 0
            while bit >> 16 * suit >= 1 << 16:
                suit += 1
            now = plays_in(kings, base.f[i], once, twice, suit)
            possible += now - plays[suit]
            plays[suit] = now
            if possible < size - depth and _holds(
                kings, base, i, kept1, kept2, depth, possible + depth
            ):
                least[i] = depth
                break
