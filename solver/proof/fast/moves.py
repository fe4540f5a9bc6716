"""The successors of states by the thousand, in each form of the game: see ``docs/proofs.md``."""

from typing import NamedTuple

import numpy as np

from ..claim import Form
from .arrays import WORD, ArrayTable, Flags, Ints, States, Words, lanes_of
from .relaxed import relaxed_moves

ONE = np.uint64(1)
KINGS = np.uint64(0x2000200020002000)
LOWER_SHIFT, DEUCE_SHIFT, KING_SHIFT = 4, 8, 12
UPPER, BY_TWO, KING = range(3)


class Rows(NamedTuple):
    """States on the way to successors: with the cards in hand, and the number of the parent."""

    dealt: Ints
    w0: Words
    w1: Words
    f: Words
    hand1: Words
    hand2: Words
    parent: Ints

    def take(self, which: Ints | Flags | slice) -> "Rows":
        """Gets copies of some rows."""
        return Rows._make(column[which] for column in self)

    def states(self) -> States:
        """Gets the states."""
        return States(self.dealt, self.w0, self.w1, self.f)


class Places(NamedTuple):
    """The planes of the cards that upper, by-two and king piles take next."""

    upper: Words
    bytwo: Words
    king: Words

    def take(self, which: Ints) -> "Places":
        """Gets some rows."""
        return Places._make(plane[which] for plane in self)

    def any(self) -> Words:
        """Gets the cards that some pile takes."""
        return self.upper | self.bytwo | self.king


def successors(table: ArrayTable, states: States) -> tuple[States, Ints]:
    """Gets the states that a proof must have if some are expanded, with their parents' numbers."""
    if table.form is Form.RELAXED:
        return relaxed_moves(table, states)
    rows = Rows(*states, *table.hands(states), np.arange(states.f.size))
    rows = (_credit_moves if table.form is Form.CREDIT else _real_moves)(table, rows)
    return rows.states(), rows.parent


def open_places(table: ArrayTable, f: Words) -> Places:
    """Gets what each pile takes next."""
    lanes = table.lanes
    return Places(*(table.plane(plane, f) for plane in (lanes.upper, lanes.bytwo, lanes.king)))


def _credit_moves(table: ArrayTable, rows: Rows) -> Rows:
    """Deal; pop for one credit; or, where there is none, commit one card and pop."""
    parts = [_pushed(table, rows.take(rows.dealt < table.size))]
    rows = rows.take((rows.w0 | rows.w1) != 0)
    rich = table.credits(rows.states()) > 0
    parts.append(_popped(table, rows.take(rich)))
    parts += _commitments(table, _popped(table, rows.take(~rich)))
    return _settled(table, _joined(parts))


def _commitments(table: ArrayTable, rows: Rows) -> list[Rows]:
    """Plays a card in hand, each to each place, or to one if its other place ends with it."""
    places = open_places(table, rows.f)
    ending = _ending(table, rows.f)
    left = rows.hand1 & places.any()
    parts = [rows.take(slice(0))]
    while left.any():
        bit = left & -left
        left ^= bit
        free = bit != 0
        for kind, plane in enumerate(places):
            at = np.nonzero((plane & bit != 0) & free)[0]
            parts.append(_put(rows.take(at), bit[at], np.full(at.size, kind)))
            free &= ~((plane & bit != 0) & (ending & bit != 0))
    return parts


def _ending(table: ArrayTable, f: Words) -> Words:
    if not table.ends:
        return np.zeros_like(f)
    return table.plane(table.lanes.ending, f)


def _settled(table: ArrayTable, rows: Rows) -> Rows:
    """Counts all settled cards as played, the first one first, and makes free pops between."""
    at = np.arange(rows.f.size)
    while at.size:
        now = rows.take(at)
        places = open_places(table, now.f)
        played = table.plane(table.lanes.played1, now.f)
        takes = places.any()
        sure = takes & now.hand1 & (played | now.hand2 | _ending(table, now.f))
        settles = sure != 0
        bit = sure & -sure
        kind = np.where(
            places.upper & bit != 0, UPPER, np.where(places.bytwo & bit != 0, BY_TWO, KING)
        )
        _write(rows, at[settles], _put(now.take(settles), bit[settles], kind[settles]))
        leaving = np.nonzero(~settles & ((now.w0 | now.w1) != 0))[0]
        leaving = leaving[_leave(table, now.take(leaving), places.take(leaving), played[leaving])]
        _write(rows, at[leaving], _popped(table, now.take(leaving)))
        settles[leaving] = True
        at = at[settles]
    return rows


def _leave(table: ArrayTable, rows: Rows, places: Places, played: Words) -> Flags:
    """Tells which tops leave at once, in a free pop."""
    if not table.free_pops:
        return np.zeros(rows.f.shape, np.bool_)
    upper, bytwo, king = places
    free = places.any() & played | rows.hand1 & (upper & bytwo | upper & king | bytwo & king)
    fit: Flags = _tops(table, rows) & free != 0
    return fit


def _write(rows: Rows, at: Ints, changed: Rows) -> None:
    for column, values in zip(rows, changed, strict=True):
        column[at] = values


def _real_moves(table: ArrayTable, rows: Rows) -> Rows:
    """Every legal move; where a reserve card is certain, to play it or to deal."""
    places = open_places(table, rows.f)
    playable = rows.hand1 & places.any()
    deals = rows.dealt < table.size
    if table.stuck:
        deals &= playable == 0
    parts = [_pushed(table, rows.take(deals))]
    if table.certain:
        sure = playable & (table.plane(table.lanes.played1, rows.f) | KINGS)
        parts.append(_certain_plays(table, rows, places, sure))
        rest = sure == 0
        rows, playable = rows.take(rest), playable[rest]
        places = Places(*(plane[rest] for plane in places))
    parts += _reserve_plays(table, rows, places, playable)
    parts += _waste_plays(table, rows, places)
    if table.rules.transfers:
        parts += _transfers(table, rows)
    return _joined(parts)


def _certain_plays(table: ArrayTable, rows: Rows, places: Places, sure: Words) -> Rows:
    """Plays the first certain card: a king to the lower or king pile rather than the upper one."""
    at = np.nonzero(sure)[0]
    cards = sure[at]
    bit: Words = cards & -cards
    by_two, king = places.bytwo[at] & bit != 0, places.king[at] & bit != 0
    kind = np.where(by_two, BY_TWO, np.where(king, KING, UPPER))
    return _filled(table, _put(rows.take(at), bit, kind))


def _reserve_plays(table: ArrayTable, rows: Rows, places: Places, playable: Words) -> list[Rows]:
    parts = []
    left = playable.copy()
    while left.any():
        bit = left & -left
        left ^= bit
        for kind, plane in enumerate(places):
            at = np.nonzero(plane & bit)[0]
            played = _put(rows.take(at), bit[at], np.full(at.size, kind))
            parts.append(_filled(table, played))
    return parts


def _waste_plays(table: ArrayTable, rows: Rows, places: Places) -> list[Rows]:
    """Plays the waste top, unless an equal card is in the reserve: that leads to the same state."""
    at = np.nonzero(rows.w0 | rows.w1)[0]
    top = _tops(table, rows.take(at))
    new = top & rows.hand1[at] == 0
    at, top = at[new], top[new]
    parts = []
    for kind, plane in enumerate(places):
        fits = plane[at] & top != 0
        popped = _popped(table, rows.take(at[fits]))
        parts.append(_turned(table, _put(popped, top[fits], np.full(popped.f.size, kind))))
    return parts


def _transfers(table: ArrayTable, rows: Rows) -> list[Rows]:
    parts = []
    lanes = lanes_of(rows.f)
    for suit in range(4):
        for after in table.lanes.transfers[lanes[:, suit]].T:
            at = np.nonzero(after)[0]
            changed = lanes[at]
            changed[:, suit] = after[at]
            parts.append(rows.take(at)._replace(f=changed.view(WORD).reshape(-1)))
    return parts


def _filled(table: ArrayTable, rows: Rows) -> Rows:
    """Fills the gap that a play of a reserve card has left, from the waste or else the stock."""
    has_waste = (rows.w0 | rows.w1) != 0
    popped = _popped(table, rows.take(has_waste))
    others = rows.take(~has_waste)
    others = others._replace(dealt=np.minimum(others.dealt + 1, table.size))
    return _turned(table, _joined([popped, others]))


def _turned(table: ArrayTable, rows: Rows) -> Rows:
    """Turns the card that turns by itself onto an empty waste."""
    if not table.rules.auto_deal:
        return rows
    turns = ((rows.w0 | rows.w1) == 0) & (rows.dealt < table.size)
    return _joined([rows.take(~turns), _pushed(table, rows.take(turns))])


def _pushed(table: ArrayTable, rows: Rows) -> Rows:
    """Deals the next card, to the leftmost place where the waste reads the same."""
    earlier = table.earlier[rows.dealt]
    shift = (earlier & 63).astype(WORD)
    above = np.where(earlier < 64, rows.w0 >> shift | rows.w1, rows.w1 >> shift)
    place = np.where((earlier >= 0) & (above == 0), earlier, rows.dealt)
    bit = ONE << (place & 63).astype(WORD)
    low = place < 64
    w0, w1 = rows.w0 | np.where(low, bit, 0), rows.w1 | np.where(low, 0, bit)
    return rows._replace(dealt=rows.dealt + 1, w0=w0, w1=w1)


def _highest(rows: Rows) -> tuple[Words, Flags]:
    """Gets the top card's bit in its word, and whether that is the second word."""
    second = rows.w1 != 0
    word = np.where(second, rows.w1, rows.w0)
    for shift in (1, 2, 4, 8, 16, 32):
        word |= word >> np.uint64(shift)
    return word ^ word >> ONE, second


def _tops(table: ArrayTable, rows: Rows) -> Words:
    """Gets the planes of the top waste cards, of which there must be one in each row."""
    return _card_at(table, *_highest(rows))


def _card_at(table: ArrayTable, bit: Words, second: Flags) -> Words:
    cards: Words = table.bits[np.bitwise_count(bit - ONE) + np.where(second, 64, 0)]
    return cards


def _popped(table: ArrayTable, rows: Rows) -> Rows:
    """Takes the top waste card in hand."""
    bit, second = _highest(rows)
    card = _card_at(table, bit, second)
    return rows._replace(
        w0=rows.w0 ^ np.where(second, 0, bit),
        w1=rows.w1 ^ np.where(second, bit, 0),
        hand1=rows.hand1 | card,
        hand2=rows.hand2 | rows.hand1 & card,
    )


def _put(rows: Rows, bit: Words, kind: Ints) -> Rows:
    """Plays a card in hand to a kind of pile."""
    card = np.bitwise_count(bit - ONE).astype(np.int64)
    by_two = np.where(card & 1, LOWER_SHIFT, DEUCE_SHIFT)
    shift = np.where(kind == UPPER, 0, np.where(kind == KING, KING_SHIFT, by_two)) + (card & 48)
    amount = np.where(kind == BY_TWO, 2, 1).astype(WORD)
    return rows._replace(
        f=rows.f + (amount << shift.astype(WORD)),
        hand1=rows.hand1 & ~bit | rows.hand2 & bit,
        hand2=rows.hand2 & ~bit,
    )


def _joined(parts: list[Rows]) -> Rows:
    return Rows._make(np.concatenate(columns) for columns in zip(*parts, strict=True))
