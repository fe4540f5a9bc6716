"""The relaxed game of the fast checker, compiled: see ``docs/proofs.md``.

A state has many combinations of plays between two takes, so they are gone through one by one here.
As in ``arrays_bound`` all words are signed: no card has bit 63, and of a word of the waste only
single bits are asked for, and its highest one.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ...game.rules import Kings
from ..claim import BYTES_PER_STATE, check_memory
from .arrays import WORD, ArrayTable, Ints, States, lane_tables
from .bound import KingPlaces, compiled, king_places, less, lies, more, plays_in, signed

UPPER, BY_TWO, KING, TAKES, SETTLES, SIZE = range(6)
"""Kinds of pile, and columns of what is known of a suit's foundations: the ranks that these piles
take next, and that any does; the ranks of which a single card in hand is settled where a pile takes
it; the number of cards."""

F, HAND1, HAND2, CREDIT, PLAYS = range(5)
"""Columns of ``Plays.met``, the last one for the first suit."""

ROOM = 1 << 12  # rows for successors at first
SCATTER = 0x1E3779B97F4A7C15  # near 2^61 times the golden ratio: multiples are spread evenly


class Root(NamedTuple):
    """What is the same for all states: see ``ArrayTable``.

    ``lanes`` int64[65536, 6] has a row for each lane code.
    """

    kings: KingPlaces
    lanes: Ints
    bits: Ints
    root_count: int


class Columns(NamedTuple):
    """States side by side, and the cards in hand in each."""

    dealt: Ints
    w0: Ints
    w1: Ints
    f: Ints
    hand1: Ints
    hand2: Ints

    def states(self, number: int) -> States:
        """Gets the first states."""
        dealt, *words = (column[:number].copy() for column in self[:4])
        return States(dealt, *(word.view(WORD) for word in words))


class Plays(NamedTuple):
    """What plays lead to from one state, in the order in which it is met.

    ``met`` int64[rows, 8]: foundations, cards in hand, credit, and how many cards of each suit can
    be played at most from then on, the top of the waste with them. ``slots`` is a hash table, twice
    as long, of 1 + the numbers of rows by their foundations; ``slot`` has the place of each in it.
    """

    met: Ints
    slots: Ints
    slot: Ints


@cache
def _lanes(kings: Kings) -> Ints:
    tables = lane_tables(kings, transfers=False)
    takes = tables.upper | tables.bytwo | tables.king
    settles = tables.played1 | tables.ending
    columns = (tables.upper, tables.bytwo, tables.king, takes, settles, tables.size)
    return np.stack(columns, axis=1).astype(np.int64)


def _root(table: ArrayTable) -> Root:
    rules = table.rules
    return Root(king_places(rules), _lanes(rules.kings), signed(table.bits), table.root_count)


def _columns(table: ArrayTable, states: States) -> Columns:
    words = (*states[1:], *table.hands(states))
    return Columns(states.dealt, *(signed(word) for word in words))


def _room(rows: int) -> Columns:
    return Columns(*(np.zeros(rows, np.int64) for _ in Columns._fields))


def relaxed_states(table: ArrayTable, states: States) -> States:
    """Gets the states of the relaxed game below states that have a waste, given its table."""
    number = states.f.size
    found = _room(number)
    _below(_root(table), _columns(table, states), found)
    return found.states(number)


def relaxed_moves(table: ArrayTable, states: States) -> tuple[States, Ints]:
    """Gets the states that follow, with their parents' numbers.

    A card is dealt into the hand; or the top is taken, after plays that are made for it.

    :raises LimitError: if that takes more bytes than the table allows.
    """
    root, columns = _root(table), _columns(table, states)
    rows, number, written = ROOM, 0, 0
    parts, parents = [], []
    while number < states.f.size:
        check_memory((rows + written) * BYTES_PER_STATE, table.memory)
        found, parent = _room(rows), np.zeros(rows, np.int64)
        plays = Plays(*(np.zeros(shape, np.int64) for shape in ((rows, 8), 2 * rows, rows)))
        before = number
        number, used = _successors(root, columns, found, parent, plays, number, 0)
        written += used
        parts.append(found.states(used))
        parents.append(parent[:used])
        if number == before:
            rows *= 2
    if not parts:
        return states, np.zeros(0, np.int64)
    return States._make(map(np.concatenate, zip(*parts, strict=True))), np.concatenate(parents)


@compiled
def _highest(w0: int, w1: int) -> int:
    """Gets the number of the highest bit of a waste that has one."""
    word, number = (w1, 64) if w1 else (w0, 0)
    if word < 0:
        return number + 63
    for step in (32, 16, 8, 4, 2, 1):
        if word >> step:
            word >>= step
            number += step
    return number


@compiled
def _without(w0: int, w1: int, place: int) -> tuple[int, int]:
    """Takes a card off a waste."""
    bit = 1 << (place & 63)
    return (w0 ^ bit, w1) if place < 64 else (w0, w1 ^ bit)


@compiled
def _credit(root: Root, dealt: int, w0: int, w1: int, f: int) -> int:
    """Gets the number of cards played since the root less the cards dealt that left the waste."""
    cards = -root.root_count
    for suit in range(4):
        cards += root.lanes[f >> 16 * suit & 0xFFFF, SIZE]
    for place in range(dealt):
        cards -= not lies(w0, w1, place)
    return cards


@compiled
def _step(card: int, kind: int) -> int:
    """Gets what a card adds to the foundations on a kind of pile."""
    rank, shift = card & 15, card & 48
    if kind == UPPER:
        return 1 << shift
    if kind == BY_TWO:
        return 2 << shift + (4 if rank & 1 else 8)
    return 1 << shift + 12


@compiled
def _settled(
    root: Root, w0: int, w1: int, f: int, hand1: int, hand2: int, credit: int, suit: int
) -> tuple[int, int, int, int, int, int]:
    """Counts all settled cards as played, the first one first, and takes tops while it can.

    :param suit: the first suit that can have settled cards.
    """
    while True:
        while suit < 4:
            lane = f >> 16 * suit & 0xFFFF
            one, two = hand1 >> 16 * suit, hand2 >> 16 * suit
            sure = root.lanes[lane, TAKES] & one & (root.lanes[lane, SETTLES] | two)
            if not sure:
                suit += 1
                continue
            rank = 0
            while not sure >> rank & 1:
                rank += 1
            kind = UPPER
            while not root.lanes[lane, kind] >> rank & 1:
                kind += 1
            card = 16 * suit + rank
            f += _step(card, kind)
            hand1, hand2 = less(hand1, hand2, 1 << card, 0)
            credit += 1
        if credit <= 0 or not w0 | w1:
            return w0, w1, f, hand1, hand2, credit
        place = _highest(w0, w1)
        w0, w1 = _without(w0, w1, place)
        hand1, hand2 = more(hand1, hand2, root.bits[place])
        credit -= 1
        suit = 0


@compiled
def _write(found: Columns, row: int, dealt: int, w0: int, w1: int, f: int) -> int:
    """Writes a state to a row, and gets the number of the next one."""
    found.dealt[row], found.w0[row], found.w1[row], found.f[row] = dealt, w0, w1, f
    return row + 1


@compiled
def _below(root: Root, states: Columns, found: Columns) -> None:
    for i in range(states.f.size):
        place = _highest(states.w0[i], states.w1[i])
        w0, w1 = _without(states.w0[i], states.w1[i], place)
        hand1, hand2 = more(states.hand1[i], states.hand2[i], root.bits[place])
        credit = _credit(root, states.dealt[i], w0, w1, states.f[i])
        w0, w1, f, _, _, _ = _settled(root, w0, w1, states.f[i], hand1, hand2, credit, 0)
        _write(found, i, states.dealt[i], w0, w1, f)


@compiled
def _is_new(plays: Plays, number: int, f: int) -> bool:
    """Keeps foundations as those of a row, if they are met for the first time."""
    mask = plays.slots.size - 1
    at = (f ^ f >> 31) * SCATTER >> 24 & mask
    while plays.slots[at]:
        if plays.met[plays.slots[at] - 1, F] == f:
            return False
        at = at + 1 & mask
    plays.slots[at], plays.slot[number], plays.met[number, F] = number + 1, at, f
    return True


@compiled
def _successors(
    root: Root, states: Columns, found: Columns, parent: Ints, plays: Plays, number: int, used: int
) -> tuple[int, int]:
    """Writes what follows from states, from a number on, as far as there is room.

    :param used: the number of rows that are written. (A bare 0 here would be a type of its own, for
        which all that is called would be compiled again.)
    :returns: the number of the first state that was not done, and the number of rows.
    """
    while number < states.f.size:
        end, met = _after(root, states, number, found, used, plays)
        for i in range(met):
            plays.slots[plays.slot[i]] = 0
        if end < 0:
            break
        for row in range(used, end):
            parent[row] = number
        used = end
        number += 1
    return number, used


@compiled
def _after(
    root: Root, states: Columns, number: int, found: Columns, used: int, plays: Plays
) -> tuple[int, int]:
    """Writes what follows from one state to rows from ``used`` on.

    :returns: the end of its rows, -1 if there is no room; and how many plays were met.
    """
    rows = found.f.size
    dealt, w0, w1 = states.dealt[number], states.w0[number], states.w1[number]
    f, hand1, hand2 = states.f[number], states.hand1[number], states.hand2[number]
    credit = _credit(root, dealt, w0, w1, f)
    if used == rows:
        return -1, 0
    if dealt < root.bits.size:  # which costs a credit
        more1, more2 = more(hand1, hand2, root.bits[dealt])
        v0, v1, g, _, _, _ = _settled(root, w0, w1, f, more1, more2, credit - 1, 0)
        used = _write(found, used, dealt + 1, v0, v1, g)
    place = _highest(w0, w1)
    top = root.bits[place]
    u0, u1 = _without(w0, w1, place)
    known = plays.met
    _is_new(plays, 0, f)
    known[0, HAND1], known[0, HAND2], known[0, CREDIT] = hand1, hand2, credit
    more1, more2 = more(hand1, hand2, top)
    for suit in range(4):
        known[0, PLAYS + suit] = plays_in(root.kings, f, more1, more2, suit)
    met, at = 1, -1
    while at + 1 < met:
        at += 1
        f, hand1, hand2, credit = (
            known[at, F],
            known[at, HAND1],
            known[at, HAND2],
            known[at, CREDIT],
        )
        possible = credit
        for suit in range(4):
            possible += known[at, PLAYS + suit]
        if possible <= 0:
            continue  # the take is out of reach
        takes = credit == 0
        if takes:
            hand1, hand2 = more(hand1, hand2, top)
        for suit in range(4):
            lane = f >> 16 * suit & 0xFFFF
            left = root.lanes[lane, TAKES] & hand1 >> 16 * suit
            for rank in range(2, 14):
                if not left >> rank & 1:
                    continue
                bit = 1 << 16 * suit + rank
                less1, less2 = less(hand1, hand2, bit, 0)
                for kind in range(3):
                    if not root.lanes[lane, kind] >> rank & 1:
                        continue
                    if met == rows or used == rows:
                        return -1, met
                    v0, v1, paid, first = (u0, u1, 0, 0) if takes else (w0, w1, credit + 1, suit)
                    g = f + _step(16 * suit + rank, kind)
                    v0, v1, g, h1, h2, paid = _settled(root, v0, v1, g, less1, less2, paid, first)
                    if v0 != w0 or v1 != w1:
                        used = _write(found, used, dealt, v0, v1, g)
                    elif _is_new(plays, met, g):
                        for other in range(4):
                            known[met, PLAYS + other] = known[at, PLAYS + other]
                        known[met, HAND1], known[met, HAND2], known[met, CREDIT] = h1, h2, paid
                        more1, more2 = more(h1, h2, top)
                        known[met, PLAYS + suit] = plays_in(root.kings, g, more1, more2, suit)
                        met += 1
                    if root.lanes[lane, SETTLES] >> rank & 1:
                        break  # its other place ends with it, or is taken
    return used, met
