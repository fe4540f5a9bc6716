"""Micro-benchmarks of the parts of the search, on states that a search of a real deal has found.

Each part is called from a compiled loop over the same states. A loop has to open its states first:
that is measured by itself, and taken off the parts that need it. The functions ``opened`` to
``successors`` are all that this file knows of the kernels.
"""

import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from solver.engine.decide import form_for
from solver.engine.search import Search, prepare
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS
from solver.kernel.bound import score
from solver.kernel.expand import step
from solver.kernel.frontier import Room
from solver.kernel.jit import inlined, kernel, signed
from solver.kernel.moves import credit
from solver.kernel.moves import real as plain
from solver.kernel.root import Ints, Problem
from solver.kernel.state import View, look
from solver.kernel.table import Arena, add, find, pack, unpack

from .figures import Figures, Section

DEALS = {"wikipedia": "100271", "wikipedia-strict": "100178"}  # real moves for the second
STATES = 300_000
SAMPLE = 50_000
REPEATS = 7

Loop = Callable[[Problem, Arena, Room, Ints], tuple[int, int]]
"""Gets how many calls it made, and a number that rests on all of them, so that none is left out."""


@inlined
def opened(problem: Problem, arena: Arena, number: int) -> View:
    """Gets a state ready for its successors."""
    w0, w1, dealt, f = unpack(problem.size, arena.keys, number)
    return look(problem, w0, w1, dealt, f)


@inlined
def bound(problem: Problem, view: View) -> int:
    """Calls the loss bound."""
    value, tight = score(problem, view.w0, view.w1, view.dealt, view.f)
    return int(value) + tight


@inlined
def key(problem: Problem, room: Room, view: View) -> int:
    """Packs a state."""
    pack(problem.size, view, room.key)
    return signed(room.key[0]) ^ signed(room.key[1])


@inlined
def successors(problem: Problem, room: Room, view: View) -> tuple[int, int]:
    """Makes all successors of a state, without looking them up; gets how many there are."""
    if problem.credit:
        moves = credit.moves(problem, view, room.codes)
    else:
        moves = plain.moves(problem, view, room.codes)
    if plain.may_deal(problem, view):
        room.codes[moves] = 0
        moves += 1
    total = 0
    for move in range(moves):
        room.events[0] = 0
        child = step(problem, view, room.codes[move], room.events)
        total ^= signed(child.f) ^ signed(child.w0)
    return moves, total


@kernel
def open_states(problem: Problem, arena: Arena, room: Room, sample: Ints) -> tuple[int, int]:
    """Only opens the states."""
    total = 0
    for number in sample:
        view = opened(problem, arena, number)
        total ^= signed(view.hand1) ^ signed(view.hand2)
    return sample.size, total


@kernel
def bound_states(problem: Problem, arena: Arena, room: Room, sample: Ints) -> tuple[int, int]:
    """Calls the loss bound for each state."""
    total = 0
    for number in sample:
        view = opened(problem, arena, number)
        total ^= bound(problem, view) ^ signed(view.hand1) ^ signed(view.hand2)
    return sample.size, total


@kernel
def pack_states(problem: Problem, arena: Arena, room: Room, sample: Ints) -> tuple[int, int]:
    """Packs each state."""
    total = 0
    for number in sample:
        view = opened(problem, arena, number)
        total ^= key(problem, room, view) ^ signed(view.hand1) ^ signed(view.hand2)
    return sample.size, total


@kernel
def expand_states(problem: Problem, arena: Arena, room: Room, sample: Ints) -> tuple[int, int]:
    """Makes the successors of each state."""
    calls = total = 0
    for number in sample:
        view = opened(problem, arena, number)
        found, some = successors(problem, room, view)
        calls += found
        total ^= some ^ signed(view.hand1) ^ signed(view.hand2)
    return calls, total


@kernel
def look_up(problem: Problem, arena: Arena, room: Room, sample: Ints) -> tuple[int, int]:
    """Looks each state up in the table, where it is."""
    total = 0
    for number in sample:
        total ^= find(arena, arena.keys[number])
    return sample.size, total


@kernel
def insert(arena: Arena, empty: Arena, count: int) -> None:
    """Adds the first states of an arena to an empty one."""
    for number in range(count):
        add(empty, arena.keys[number], 0, 0)


def parts() -> Iterator[Section]:
    """Measures the parts under both forms of the game."""
    prepare()
    rows = {f"{name} {seed}": _parts_of(name, seed) for name, seed in DEALS.items()}
    what = f"ns a call, median of {REPEATS}; {SAMPLE:,} of the first {STATES:,} states of a deal"
    yield Section("parts", what, rows)


def _parts_of(name: str, seed: str) -> Figures:
    rules = PRESETS[name]
    search = Search(start(deal_from_seed(seed), rules), form_for(rules))
    whole = _nanoseconds(lambda: search.run(STATES)) / search.states
    sample = np.sort(np.random.default_rng(1).integers(0, search.states, SAMPLE))

    def a_call(loop: Loop, without: Loop | None = None) -> float:
        """Gets the nanoseconds of a call, less those of another loop over the same states."""
        arguments = search._problem, search._arena, search._room, sample
        calls, _ = loop(*arguments)
        took = [_nanoseconds(lambda: loop(*arguments)) for _ in range(REPEATS)]
        if without:
            less = [_nanoseconds(lambda: without(*arguments)) for _ in range(REPEATS)]
            return max(statistics.median(took) - statistics.median(less), 0.0) / calls
        return statistics.median(took) / calls

    return {
        "open": a_call(open_states),
        "bound": a_call(bound_states, open_states),
        "key": a_call(pack_states, open_states),
        "successor": a_call(expand_states, open_states),
        "look-up": a_call(look_up),
        "insert": statistics.median(_insert(search) for _ in range(REPEATS)),
        "search, a state": whole,
    }


def _insert(search: Search) -> float:
    """Gets the nanoseconds that it takes to add a state to a table that has room for all."""
    arena = search._arena
    empty = Arena._make(array.copy() for array in arena)  # copied, so that no page is touched first
    for array in empty:
        array.fill(0)
    insert(arena, empty, 1)
    return _nanoseconds(lambda: insert(arena, empty, search.states)) / search.states


def _nanoseconds(work: Callable[[], object]) -> float:
    """Gets the processor's time for some work: what else runs on the machine is not in it."""
    clock = time.process_time_ns()
    work()
    return float(time.process_time_ns() - clock)
