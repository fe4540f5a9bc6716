"""The fast checker of losses: the same proofs as the plain one's, by the thousand states.

It shares no code with the search, and with the plain checker only the rules of ``game.py`` and the
words for states. The states of one potential are one sorted array; only potentials still to come
are in memory.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..game import Position
from .arrays import ArrayTable, Ints, States, in_order, joined, waste_sizes
from .arrays_bound import are_refuted, least_refuted
from .arrays_moves import successors
from .claim import (
    ENDS_EARLY,
    WON,
    Method,
    Read,
    Tally,
    Watch,
    Write,
    check_memory,
    fault,
    ignore,
    not_refuted,
)

CHUNK = 1 << 13  # states at a time: their arrays stay near the processor
BYTES_PER_STATE = 150  # four words, and as much again twice over while they are sorted

Reasons = npt.NDArray[np.uint8]


def check(
    position: Position, method: Method, read: Read, memory: int, watch: Watch = ignore
) -> Tally:
    """Checks the proof that a position is lost: see ``plain.check``."""

    def reasons_of(states: States) -> Reasons:
        return np.frombuffer(read(states.f.size), np.uint8)

    return _Walk(position, ArrayTable(position, method), reasons_of, memory, watch).run()


def prove(
    position: Position, method: Method, write: Write, memory: int, watch: Watch = ignore
) -> Tally:
    """Writes the proof that a position is lost, the same as ``plain.prove`` does."""
    table = ArrayTable(position, method)

    def reasons_of(states: States) -> Reasons:
        reasons = least_refuted(table, states)
        write(reasons.tobytes())
        return reasons

    return _Walk(position, table, reasons_of, memory, watch).run()


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
    """One pass through the states of a proof: see ``plain``."""

    position: Position
    table: ArrayTable
    reasons_of: Callable[[States], Reasons]
    memory: int
    watch: Watch
    tally: Tally = field(default_factory=Tally)
    waiting: dict[int, _Bucket] = field(default_factory=lambda: defaultdict(_Bucket))

    def run(self) -> Tally:
        root = self.table.root
        if self._are_won(root).any():
            raise fault(self.position, 1, root.key(0), WON)
        self.waiting[int(self._potentials(root)[0])].add(root)
        while self.waiting:
            potential = min(self.waiting)
            self._bucket(potential, self.waiting.pop(potential).sort())
        return self.tally

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
        reasons = self.reasons_of(states)
        number = reasons.size
        states, missing = states.take(slice(number)), states.take(slice(number, number + 1))
        refuted, expanded = np.nonzero(reasons)[0], np.nonzero(reasons == 0)[0]
        held = are_refuted(self.table, states.take(refuted), reasons[refuted].astype(np.int64))
        after, parents = successors(self.table, states.take(expanded))
        self._find_fault(states, reasons, refuted[~held], expanded[parents[self._are_won(after)]])
        self.tally.states += number
        self.tally.refuted += refuted.size
        if missing.f.size:
            raise fault(self.position, self.tally.states + 1, missing.key(0), ENDS_EARLY)
        self._keep(after)
        self.watch(self.tally.states)
        live += sum(bucket.rows for bucket in self.waiting.values())
        check_memory(live * BYTES_PER_STATE, self.memory)

    def _find_fault(self, states: States, reasons: Reasons, unrefuted: Ints, winning: Ints) -> None:
        """Raises the fault of the first state that has one."""
        faults = [(int(at), not_refuted(int(reasons[at]))) for at in unrefuted[:1]]
        faults += [(int(at), WON) for at in np.sort(winning)[:1]]
        if faults:
            at, what = min(faults)
            raise fault(self.position, self.tally.states + at + 1, states.key(at), what)

    def _keep(self, states: States) -> None:
        """Has states wait, by their potentials."""
        if not states.f.size:
            return
        states = in_order(states)
        potentials = self._potentials(states)
        for potential in np.unique(potentials):
            self.waiting[int(potential)].add(states.take(potentials == potential))

    def _potentials(self, states: States) -> Ints:
        if self.table.credit:
            return 2 * states.dealt - waste_sizes(states)
        return states.dealt + self.table.cards_on(states.f)

    def _are_won(self, states: States) -> npt.NDArray[np.bool_]:
        won: npt.NDArray[np.bool_] = (states.dealt == self.table.size) & (
            (states.w0 | states.w1) == 0
        )
        return won
