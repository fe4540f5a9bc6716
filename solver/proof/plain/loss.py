"""The plain checker of losses: Python integers, one state at a time, no search.

It derives the states of the closed set by itself, from the root on, and reads a reason for each: 0
for *expanded*, then all successors are in the set; j for *refuted* by the loss bound at depth j of
the waste; ``DEAD`` for *dead by the relaxed game*. What the last needs makes a second closed set:
the states of that game below all dead ones, which are gone through in the same way after the first.

States come in the order of their potential, which every move raises, and of their keys among
equals. Transfers do not raise it: states that they lead to follow those of the same potential from
which they were reached, round by round.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from ...game.position import Position
from ..claim import (
    ALIVE,
    BYTES_PER_STATE,
    DEAD,
    ENDS_EARLY,
    WON,
    AreDead,
    Method,
    Read,
    Tally,
    Watch,
    Write,
    check_memory,
    fault,
    ignore,
    none,
    not_refuted,
    set_bits,
    unpack,
)
from .bound import BARE
from .moves import relaxed_state, successors
from .table import Table, played

LOOK = 1024  # states between two calls of watch


def check(
    position: Position, method: Method, read: Read, memory: int, watch: Watch = ignore
) -> Tally:
    """Checks the proof that a position is lost.

    :param memory: the most bytes for states that wait.
    :raises InvalidError: naming the first state with a fault.
    :raises LimitError: if more memory is needed.
    :raises Error: if the method does not go with the rules.
    """

    def reason_of(table: Table, key: int) -> int | None:
        return next(iter(read(1)), None)

    return _walk(position, Table(position, method, memory), reason_of, memory, watch)


def prove(
    position: Position,
    method: Method,
    write: Write,
    memory: int,
    watch: Watch = ignore,
    are_dead: AreDead = none,
) -> Tally:
    """Writes the proof that a position is lost, and checks it on the way.

    A state is refuted where the bound allows it, at the least depth, and else expanded.

    :param are_dead: which states to call dead by the relaxed game, if the method has that: they
        must have a waste. A wrong answer spoils the proof, which is then found to be none.
    :raises InvalidError: if a won state is reached.
    :raises LimitError: if more memory is needed.
    :raises Error: if the method does not go with the rules.
    """

    def reason_of(table: Table, key: int) -> int:
        reason = least_refuted(table, key)
        if not reason and table.relaxed and are_dead([key])[0]:
            reason = DEAD
        write(bytes([reason]))
        return reason

    return _walk(position, Table(position, method, memory), reason_of, memory, watch)


ReasonOf: TypeAlias = Callable[[Table, int], int | None]


def _walk(
    position: Position, table: Table, reason_of: ReasonOf, memory: int, watch: Watch
) -> Tally:
    """Goes through the states of the game, and through those of the relaxed game below them."""
    walk = _Walk(position, table, reason_of, memory, watch)
    walk.run({table.root})
    if table.relaxed:
        states = walk.tally.states
        _Walk(position, table.relaxed, reason_of, memory, watch, walk.tally).run(walk.below)
        walk.tally.relaxed = walk.tally.states - states
    return walk.tally


@dataclass(slots=True)
class _Walk:
    """One pass through the states of one game; ``below`` are relaxed states that it needs."""

    position: Position
    table: Table
    reason_of: ReasonOf
    memory: int
    watch: Watch
    tally: Tally = field(default_factory=Tally)
    waiting: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    below: set[int] = field(default_factory=set)
    live: int = 0

    def run(self, roots: set[int]) -> None:
        """Goes through all states that are met from some on."""
        for root in roots:
            self.waiting[self.table.potential(root)].add(root)
            if self.table.is_won(root):
                raise fault(self.position, 1, root, WON)
        self.live = len(roots)
        while self.waiting:
            potential = min(self.waiting)
            self._bucket(potential)
            self.live -= len(self.waiting.pop(potential))

    def _bucket(self, potential: int) -> None:
        """Goes through the states of one potential, round by round."""
        round_ = sorted(self.waiting[potential])
        while round_:
            fresh: list[int] = []
            for key in round_:
                self._state(key, potential, fresh)
            round_ = sorted(fresh)

    def _state(self, key: int, potential: int, fresh: list[int]) -> None:
        """Takes one state: its reason must hold, or its successors wait from now on."""
        self._count()
        reason = self.reason_of(self.table, key)
        if reason is None:
            raise self._fault(key, ENDS_EARLY)
        if reason:
            self._refuted(key, reason)
            return
        for after in successors(self.table, key):
            if self.table.is_won(after):
                raise self._fault(key, WON)
            rises_to = self.table.potential(after)
            bucket = self.waiting[rises_to]
            if after not in bucket:
                bucket.add(after)
                self.live += 1
                if rises_to == potential:
                    fresh.append(after)

    def _refuted(self, key: int, reason: int) -> None:
        self.tally.refuted += 1
        if reason == DEAD and self.table.relaxed:
            self._dead(key, self.table.relaxed)
        elif not is_refuted(self.table, key, reason):
            raise self._fault(key, not_refuted(reason))

    def _dead(self, key: int, relaxed: Table) -> None:
        """Takes a state that the relaxed game is to refute: what that needs comes later."""
        self.tally.dead += 1
        state = relaxed_state(relaxed, key)
        if relaxed.is_won(state):
            raise self._fault(key, ALIVE)
        self.below.add(state)

    def _count(self) -> None:
        self.tally.states += 1
        if self.tally.states % LOOK == 0:
            self.watch(self.tally.states)
            check_memory((self.live + len(self.below)) * BYTES_PER_STATE, self.memory)

    def _fault(self, key: int, reason: str) -> Exception:
        return fault(self.position, self.tally.states, key, reason, self.table.form)


def least_refuted(table: Table, key: int) -> int:
    """Gets the least depth of the waste at which the loss bound holds, 0 if there is none."""
    end = table.depths(unpack(key)[1]) + 1
    return next((depth for depth in range(1, end) if is_refuted(table, key, depth)), 0)


def is_refuted(table: Table, key: int, depth: int) -> bool:
    """Whether the loss bound holds at a depth j of the waste: j cards stay, and more lie on them.

    With e cards dealt at the moment when w_{j+1} has left, e - j plays are needed. Fewer cards
    dealt allow no more plays: so if ``possible`` are too few for e, the next e to look at is the
    one that needs just as many.
    """
    dealt, waste, foundations = unpack(key)
    if depth > table.depths(waste):
        return False
    codes = [foundations >> 16 * suit & 0xFFFF for suit in range(4)]
    gone = played(table.lanes_of(foundations))
    if table.rules.transfers:  # what lies on foundations may be used again, from nothing
        codes, gone = [BARE] * 4, 0
    gained = sum(table.lanes[code].size for code in codes) - table.root_count
    for place in islice(set_bits(waste), depth):
        gone += 1 << 2 * table.stock[place]
    end = table.size
    while end >= dealt:
        left = table.known[end] - gone
        possible = gained + sum(
            table.most_plays(code, left >> 32 * suit & 0xFFFFFFFF)
            for suit, code in enumerate(codes)
        )
        if possible >= end - depth:
            return False
        end = possible + depth
    return True
