"""States by the thousand, as arrays: what the fast checker stands on.

Its own model of the game, written anew; only the rules of ``game.position`` are shared with the
plain checker, from which the tables of :class:`ArrayTable` are made. A *plane* is a 64-bit word
with a bit for each card type; a pair of planes counts copies: at least one, and both.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...game.cards import ACE, DEUCE, KING, QUEEN, RANKS
from ...game.foundations import Foundations, Pile
from ...game.position import Position
from ...game.rules import Dealing, Kings, Rules
from ..claim import RELAXED, Form, Method, Reduction, lane_code, pack, root_key, unpack

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Lanes = npt.NDArray[np.uint16]
Flags = npt.NDArray[np.bool_]

WORD, LANE = np.dtype("<u8"), np.dtype("<u2")
BYTES = 12  # of a waste: 8 of w0, 4 of w1
MOST_TRANSFERS = 4  # from one suit's foundations
BY_TWO = (Pile.LOWER, Pile.DEUCE)


class States(NamedTuple):
    """States side by side: cards dealt, waste (bits 0 to 63, the others), foundations."""

    dealt: Ints
    w0: Words
    w1: Words
    f: Words

    def take(self, which: Ints | Flags | slice) -> "States":
        """Gets some of the states."""
        return States._make(column[which] for column in self)

    def keys(self) -> list[int]:
        """Gets the keys of all states."""
        columns = (column.tolist() for column in self)
        return [pack(dealt, w0 | w1 << 64, f) for dealt, w0, w1, f in zip(*columns, strict=True)]

    def key(self, number: int) -> int:
        """Gets the key of one state."""
        return self.take(slice(number, number + 1)).keys()[0]


def one_state(key: int) -> States:
    """Gets a state by its key."""
    dealt, waste, f = unpack(key)
    words = (np.array([word], WORD) for word in (waste & 2**64 - 1, waste >> 64, f))
    return States(np.array([dealt]), *words)


def joined(parts: Sequence[States]) -> States:
    """Gets several groups of states as one."""
    return States._make(np.concatenate(columns) for columns in zip(*parts, strict=True))


def in_order(states: States, but: States | None = None) -> States:
    """Gets states in the order of their keys, each once, without those that ``but`` has."""
    if but is None:
        return states.take(order_of(states))
    both = joined([but, states])
    order = order_of(both)
    return both.take(order[order >= but.f.size])


def order_of(states: States) -> Ints:
    """Gets the numbers of states in the order of their keys, of equal ones only the first."""
    high = states.dealt.astype(WORD) << 32 | states.w1
    order = np.lexsort((states.f, states.w0, high))  # keeps the order among equals
    columns = [column[order] for column in (high, states.w0, states.f)]
    new = np.ones(order.shape, np.bool_)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    kept: Ints = order[new]
    return kept


class LaneTables(NamedTuple):
    """What follows from one suit's foundations, each an array with an item for each lane code.

    The ranks on them once and twice; the ranks that the upper, by-two and king piles take next; the
    ranks some of whose places are open while the other place ends with them; the number of cards;
    and the lanes after each transfer, 0 where there are no more.
    """

    played1: Lanes
    played2: Lanes
    upper: Lanes
    bytwo: Lanes
    king: Lanes
    ending: Lanes
    size: Lanes
    transfers: Lanes


@cache
def lane_tables(kings: Kings, transfers: bool) -> LaneTables:
    """Makes the tables for the rules that matter to foundations."""
    rules = Rules(kings=kings, transfers=transfers)
    columns = [np.zeros(1 << 16, LANE) for _ in range(7)]
    tables = LaneTables._make([*columns, np.zeros((1 << 16, MOST_TRANSFERS), LANE)])
    for upper in RANKS:
        for lower in range(ACE, KING + 1, 2):
            for deuce in range(0 if transfers else DEUCE, QUEEN + 1, 2):
                for king in range(rules.king_spots + 1):
                    _fill(tables, rules, Foundations(upper, lower, deuce, king))
    return tables


def _fill(tables: LaneTables, rules: Rules, piles: Foundations) -> None:
    code = lane_code(piles)
    ranks = [rank for rank in piles.cards() if rank != ACE]
    tables.played1[code] = _bits(ranks)
    tables.played2[code] = _bits(rank for rank in ranks if ranks.count(rank) == 2)
    upper = tables.upper[code] = _open(piles, rules, Pile.UPPER)
    bytwo = tables.bytwo[code] = _open(piles, rules, *BY_TWO)
    king = tables.king[code] = _open(piles, rules, Pile.KING)
    ends_upper = _bits({rules.upper_top, KING})
    ends_bytwo = _bits({rules.lower_top, QUEEN, KING})
    tables.ending[code] = upper & ends_bytwo | bytwo & ends_upper | king
    tables.size[code] = piles.size()
    for i, after in enumerate(_transferred(piles, rules)):
        tables.transfers[code, i] = lane_code(after)


def _bits(ranks: Iterable[int]) -> int:
    return sum(1 << rank for rank in set(ranks))


def _open(piles: Foundations, rules: Rules, *places: Pile) -> int:
    return _bits({rank for rank in RANKS for pile in places if piles.takes(pile, rank, rules)})


def _transferred(piles: Foundations, rules: Rules) -> list[Foundations]:
    found: list[Foundations] = []
    for source in Pile if rules.transfers else ():
        rank = piles.top(source)
        if rank > ACE:
            rest = piles.take(source)
            found += [
                rest.put(pile)
                for pile in Pile
                if pile is not source and rest.takes(pile, rank, rules)
            ]
    return found


class ArrayTable:
    """What stays fixed during a proof by the fast checker.

    ``bits[i]`` is the plane of stock card i; ``earlier[i]`` the place of an equal card before it,
    or -1; ``known1[n]``, ``known2[n]`` count all cards but the stock from its n-th card on. For
    each byte of a waste and each of its values ``waste1`` and ``waste2`` count its cards;
    ``relaxed`` is the table of the relaxed game, if the method uses it; ``memory`` bounds the bytes
    for plays.

    :raises Error: if the method does not go with the rules.
    """

    def __init__(self, position: Position, method: Method, memory: int) -> None:
        method.fit(position.rules)
        relaxes = Reduction.RELAXED in method.reductions
        self.relaxed = ArrayTable(position, RELAXED, memory) if relaxes else None
        self.memory = memory
        self.rules = position.rules
        self.stuck = position.rules.deal is Dealing.STUCK
        self.form = method.form
        self.ends = Reduction.ENDS in method.reductions
        self.free_pops = Reduction.FREE_POP in method.reductions
        self.certain = Reduction.CERTAIN in method.reductions
        self.lanes = lane_tables(position.rules.kings, position.rules.transfers)
        stock = position.waste + position.stock
        self.size = len(stock)
        self.bits: Words = np.array([1 << card for card in stock], WORD)
        first = [stock.index(card) for card in stock]
        self.earlier: Ints = np.array([at if at < i else -1 for i, at in enumerate(first)], int)
        self.root = one_state(root_key(position))
        self.root_count = int(self.cards_on(self.root.f)[0])
        self.known1, self.known2 = self._known(position)
        self.waste1, self.waste2 = self._waste_tables()

    def _known(self, position: Position) -> tuple[Words, Words]:
        once = int(self.plane(self.lanes.played1, self.root.f)[0])
        twice = int(self.plane(self.lanes.played2, self.root.f)[0])
        rows = [(once, twice)]
        held = [card for card in position.reserve if card is not None]
        for card in [*held, *position.waste, *position.stock]:
            once, twice = once | 1 << card, twice | once & 1 << card
            rows.append((once, twice))
        known = np.array(rows[len(held) :], WORD)
        return known[:, 0].copy(), known[:, 1].copy()

    def _waste_tables(self) -> tuple[Words, Words]:
        once, twice = np.zeros((2, BYTES, 256), WORD)
        for place, bit in enumerate(self.bits):
            at, here = divmod(place, 8)
            has = np.arange(256) >> here & 1 == 1
            twice[at, has] |= once[at, has] & bit
            once[at, has] |= bit
        return once, twice

    def plane(self, table: Lanes, f: Words) -> Words:
        """Gets the plane that has in each suit what a table has for that suit's foundations."""
        return table[lanes_of(f)].view(WORD).reshape(f.shape)

    def cards_on(self, f: Words) -> Ints:
        """Gets the numbers of cards on foundations."""
        sizes: Ints = self.lanes.size[lanes_of(f)].sum(axis=1, dtype=np.int64)
        return sizes

    def credits(self, states: States) -> Ints:
        """Gets the numbers of cards played since the root less those of pops."""
        pops = states.dealt - waste_sizes(states)
        return self.cards_on(states.f) - self.root_count - pops

    def depths(self, states: States) -> Ints:
        """Gets the greatest depths of the waste at which the loss bound may be asked."""
        return waste_sizes(states) - (self.form is not Form.RELAXED)

    def waste_planes(self, bytes_: npt.NDArray[np.uint8]) -> tuple[Words, Words]:
        """Counts the cards of wastes that are given byte by byte."""
        once, twice = np.zeros((2, len(bytes_)), WORD)
        for at in range((self.size + 7) // 8):
            more1, more2 = self.waste1[at][bytes_[:, at]], self.waste2[at][bytes_[:, at]]
            twice |= once & more1 | more2
            once |= more1
        return once, twice

    def hands(self, states: States) -> tuple[Words, Words]:
        """Counts the cards that are not in the stock, on the waste or on a foundation."""
        waste = self.waste_planes(waste_bytes(states))
        played = (
            self.plane(self.lanes.played1, states.f),
            self.plane(self.lanes.played2, states.f),
        )
        known = self.known1[states.dealt], self.known2[states.dealt]
        return less(less(known, waste), played)


Pair = tuple[Words, Words]


def less(cards: Pair, gone: Pair) -> Pair:
    """Takes cards away that are there, in pairs of planes."""
    (once, twice), (gone1, gone2) = cards, gone
    return once & ~gone1 | twice & ~gone2, twice & ~gone1


def lanes_of(f: Words) -> Lanes:
    """Gets the foundations suit by suit, as lane codes in four columns."""
    lanes: Lanes = np.ascontiguousarray(f, WORD).view(LANE).reshape(-1, 4)
    return lanes


def waste_bytes(states: States) -> npt.NDArray[np.uint8]:
    """Gets the wastes byte by byte, in ``BYTES`` columns."""
    words = np.stack([states.w0, states.w1], axis=1).astype(WORD, copy=False)
    return words.view(np.uint8)[:, :BYTES]


def waste_sizes(states: States) -> Ints:
    """Gets the numbers of waste cards."""
    return (np.bitwise_count(states.w0) + np.bitwise_count(states.w1)).astype(np.int64)
