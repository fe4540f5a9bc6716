"""The fast checker of losses: the same proofs as the plain one's, by the thousand states.

It shares no code with the search, and with the plain checker only the rules of ``game.position``
and the words for states. The states of one potential are one sorted array; only potentials still
to come are in memory.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ...game.position import Position
from ..claim import (
    ALIVE,
    BYTES_PER_STATE,
    DEAD,
    ENDS_EARLY,
    WON,
    AreDead,
    Form,
    InvalidError,
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
)
from .arrays import ArrayTable, Ints, States, in_order, joined, waste_sizes
from .bound import are_refuted, least_refuted
from .moves import successors
from .relaxed import relaxed_states

CHUNK = 1 << 13  # states at a time: their arrays stay near the processor

Reasons = npt.NDArray[np.uint8]


def check(
    position: Position, method: Method, read: Read, memory: int, watch: Watch = ignore
) -> Tally:
    """Checks the proof that a position is lost: see ``plain.check``."""

    def reasons_of(table: ArrayTable, states: States) -> Reasons:
        return np.frombuffer(read(states.f.size), np.uint8)

    return _walk(position, ArrayTable(position, method, memory), reasons_of, memory, watch)


def prove(
    position: Position,
    method: Method,
    write: Write,
    memory: int,
    watch: Watch = ignore,
    are_dead: AreDead = none,
) -> Tally:
    """Writes the proof that a position is lost, the same as ``plain.prove`` does."""

    def reasons_of(table: ArrayTable, states: States) -> Reasons:
        reasons = least_refuted(table, states)
        if table.relaxed:
            open_ = reasons == 0
            reasons[open_] = DEAD * np.array(are_dead(states.take(open_).keys()), np.uint8)
        write(reasons.tobytes())
        return reasons

    return _walk(position, ArrayTable(position, method, memory), reasons_of, memory, watch)


ReasonsOf: TypeAlias = Callable[[ArrayTable, States], Reasons]


def _walk(
    position: Position, table: ArrayTable, reasons_of: ReasonsOf, memory: int, watch: Watch
) -> Tally:
    """Goes through the states of the game, and through those of the relaxed game below them."""
    walk = _Walk(position, table, reasons_of, memory, watch)
    if walk.are_won(table.root).any():
        raise fault(position, 1, table.root.key(0), WON)
    walk.run(table.root)
    if table.relaxed and walk.below.rows:
        states = walk.tally.states
        relaxed = _Walk(position, table.relaxed, reasons_of, memory, watch, walk.tally)
        relaxed.run(walk.below.sort())
        walk.tally.relaxed = walk.tally.states - states
    return walk.tally


@dataclass(slots=True)
class _Bucket:
    """States that wait for their turn, some of them several times."""

    parts: list[States] = field(default_factory=list)
    rows: int = 0
    sorted_rows: int = 0

    def add(self, states: States) -> None:
        self.parts.append(states)
        self.rows += states.f.size
        if self.rows > 2 * self.sorted_rows + CHUNK:
            self.sort()

    def sort(self) -> States:
        """Gets the states in order, each once."""
        self.parts = [in_order(joined(self.parts))]
        self.rows = self.sorted_rows = self.parts[0].f.size
        return self.parts[0]


@dataclass(slots=True)
class _Walk:
    """One pass through the states of one game: see ``plain.loss``."""

    position: Position
    table: ArrayTable
    reasons_of: ReasonsOf
    memory: int
    watch: Watch
    tally: Tally = field(default_factory=Tally)
    waiting: dict[int, _Bucket] = field(default_factory=lambda: defaultdict(_Bucket))
    below: _Bucket = field(default_factory=_Bucket)

    def run(self, roots: States) -> None:
        """Goes through all states that are met from some on."""
        self._keep(roots)
        while self.waiting:
            potential = min(self.waiting)
            self._bucket(potential, self.waiting.pop(potential).sort())

    def _bucket(self, potential: int, states: States) -> None:
        """Goes through the states of one potential, round by round."""
        there = states
        while states.f.size:
            for begin in range(0, states.f.size, CHUNK):
                self._chunk(states.take(slice(begin, begin + CHUNK)), len(there.f))
            if potential not in self.waiting:
                return
            states = in_order(self.waiting.pop(potential).sort(), but=there)
            there = in_order(joined([there, states]))

    def _chunk(self, states: States, live: int) -> None:
        """Takes some states: their reasons must hold, or their successors wait from now on."""
        reasons = self.reasons_of(self.table, states)
        number = reasons.size
        states, missing = states.take(slice(number)), states.take(slice(number, number + 1))
        is_dead = (reasons == DEAD) & (self.table.relaxed is not None)
        refuted, dead = np.nonzero((reasons != 0) & ~is_dead)[0], np.nonzero(is_dead)[0]
        expanded = np.nonzero(reasons == 0)[0]
        held = are_refuted(self.table, states.take(refuted), reasons[refuted].astype(np.int64))
        after, parents = successors(self.table, states.take(expanded))
        faults = [(int(at), not_refuted(int(reasons[at]))) for at in refuted[~held][:1]]
        faults += [(int(at), WON) for at in np.sort(expanded[parents[self.are_won(after)]])[:1]]
        faults += [(int(at), ALIVE) for at in dead[~self._kill(states.take(dead))][:1]]
        if faults:
            at, what = min(faults)
            raise self._fault(at, states, what)
        self.tally.states += number
        self.tally.refuted += refuted.size + dead.size
        self.tally.dead += dead.size
        if missing.f.size:
            raise self._fault(0, missing, ENDS_EARLY)
        self._keep(after)
        self.watch(self.tally.states)
        live += self.below.rows + sum(bucket.rows for bucket in self.waiting.values())
        check_memory(live * BYTES_PER_STATE, self.memory)

    def _kill(self, states: States) -> npt.NDArray[np.bool_]:
        """Takes states that the relaxed game is to refute: what that needs comes later.

        :returns: for which it is not won at once.
        """
        table = self.table.relaxed
        open_: npt.NDArray[np.bool_] = (states.w0 | states.w1) != 0
        if table is not None:
            below = relaxed_states(table, states.take(open_))
            self.below.add(below)
            open_[open_] = (below.w0 | below.w1) != 0
        return open_

    def _fault(self, at: int, states: States, what: str) -> InvalidError:
        number = self.tally.states + at + 1
        return fault(self.position, number, states.key(at), what, self.table.form)

    def _keep(self, states: States) -> None:
        """Has states wait, by their potentials."""
        if not states.f.size:
            return
        states = in_order(states)
        potentials = self._potentials(states)
        for potential in np.unique(potentials):
            self.waiting[int(potential)].add(states.take(potentials == potential))

    def _potentials(self, states: States) -> Ints:
        if self.table.form is Form.PLAIN:
            return states.dealt + self.table.cards_on(states.f)
        return 2 * states.dealt - waste_sizes(states)

    def are_won(self, states: States) -> npt.NDArray[np.bool_]:
        won: npt.NDArray[np.bool_] = (states.w0 | states.w1) == 0
        if self.table.form is not Form.RELAXED:
            won &= states.dealt == self.table.size
        return won
