"""One search of one position: makes room, runs the kernel, and reads the winning path."""

from enum import IntEnum
from functools import cache

import numpy as np

from ..game.cards import QUEEN, SUITS
from ..game.foundations import Foundations
from ..game.position import Position
from ..game.rules import Rules
from ..game.verdict import DEFAULT_MEMORY
from ..kernel import frontier
from ..kernel.frontier import MOST_MOVES, NOT_WON, lengthened_frontier, new_frontier, new_room
from ..kernel.loop import Stop, run
from ..kernel.relaxed.memo import MOST_CHILDREN, grown_memo, memo_bytes, new_memo
from ..kernel.root import Switch, foundation_word, problem_of
from ..kernel.table import bytes_for, grown, new_arena

FIRST_CAPACITY = 1 << 12
GROWTH = 4
PATIENCE = 5_000
MOST_STATES = 2**31 - 1  # states are numbered by 32-bit integers


@cache
def prepare() -> None:
    """Compiles the kernels, or reads them from disk, once in a process."""
    rules = Rules()
    nothing_left = Foundations(rules.upper_top, rules.lower_top, QUEEN, rules.king_spots)
    over = Position(rules, (None,) * rules.reserve, (), (), (nothing_left,) * len(SUITS))
    Search(over, Form.CREDIT).path()


class Form(IntEnum):
    """The form of the game that is searched."""

    PLAIN = 0
    """The real moves, under every rule."""
    CREDIT = 1
    """Deals, pops and commitments: for ``deal = any`` without transfers."""


class Order(IntEnum):
    """The order in which states are searched."""

    DEPTH = frontier.DEPTH
    """Depth first, the best successor first."""
    LAYERS = frontier.LAYERS
    """By the number of cards dealt, as a beam that widens itself."""
    BREADTH = frontier.BREADTH
    """All states by the least number of moves to them."""


class Search:
    """A search that can be run a while, looked at, and run on.

    :param memory: bytes that the tables and the frontier may take.
    :param patience: the number of states before the relaxed game is asked.
    :raises ValueError: if the position is not one of the game, or the form does not fit the rules.
    """

    def __init__(
        self,
        position: Position,
        form: Form,
        order: Order = Order.LAYERS,
        switches: Switch = Switch.ALL,
        memory: int = DEFAULT_MEMORY,
        patience: int = PATIENCE,
    ) -> None:
        self.form = form
        self._memory = memory
        problem = problem_of(position, form is Form.CREDIT, switches)
        relaxes = bool(switches & Switch.RELAXED) and not problem.transfers
        self._patience = patience if relaxes else MOST_STATES
        dealt, root = len(position.waste), foundation_word(position.foundations)
        self._problem = problem._replace(switches=int(switches & ~Switch.RELAXED))
        self._arena = new_arena(problem.size, FIRST_CAPACITY, dealt, root)
        self._frontier = new_frontier(int(order), FIRST_CAPACITY)
        self._room = new_room(self._arena)
        self._memo = new_memo(self._arena.keys.shape[1], FIRST_CAPACITY)
        if not (position.waste or position.stock):
            self._room.won[0] = 0

    @property
    def states(self) -> int:
        """The number of states found so far, relaxed ones included."""
        return int(self._arena.used[0] + self._memo.used[0])

    def run(self, limit: int) -> Stop:
        """Searches until there are ``limit`` states, or the search ends.

        :returns: ``FULL`` only if the table may not grow any more.
        """
        while True:
            if self._room.won[0] != NOT_WON:
                return Stop.WON
            end = min(limit, self._patience)
            stop = Stop(
                run(self._problem, self._arena, self._room, self._frontier, self._memo, end)
            )
            if stop is Stop.PAUSED and self.states < limit:
                self._patience = MOST_STATES
                self._problem = self._problem._replace(
                    switches=self._problem.switches | int(Switch.RELAXED)
                )
                continue
            if stop is not Stop.FULL or not self._grow(limit):
                return stop

    def level_sizes(self) -> list[int]:
        """Gets the number of states by the least number of moves to them, breadth first only.

        A level that is not complete yet is left out.
        """
        states = int(self._arena.used[0])
        parents = self._arena.parents[:states]
        levels = np.zeros(states, np.int64)
        for number in range(1, states):
            levels[number] = levels[parents[number]] + 1
        complete = levels[min(int(self._frontier.place[frontier.NEXT]), states - 1)] + 1
        sizes: list[int] = np.bincount(levels).tolist()
        return sizes[:complete]

    def path(self) -> list[int]:
        """Gets what happens on the way to the win.

        :returns: for the real moves the codes of ``kernel.moves.real``; for the credit form the
            events of ``kernel.moves.credit``: deals, pops and plays.
        """
        won = int(self._room.won[0])
        if self.form is Form.PLAIN:
            return self._codes_to(won)
        path = self._frontier._replace(order=frontier.TRACE)
        run(self._problem, self._arena, self._room, path, self._memo, 0)
        self._room.won[0] = won
        events: list[int] = self._room.events[1 : self._room.events[0] + 1].tolist()
        return events

    def _codes_to(self, number: int) -> list[int]:
        """Gets the codes of the moves from the root to a state."""
        numbers = []
        while number > 0:
            numbers.append(number)
            number = int(self._arena.parents[number])
        codes: list[int] = self._arena.codes[numbers[::-1]].tolist()
        return codes

    def _grow(self, limit: int) -> bool:
        """Makes room for more states, unless that is forbidden or there is none."""
        states, relaxed = self._arena.parents.size, self._memo.status.size
        grows_memo = int(self._memo.used[0]) + MOST_CHILDREN > relaxed
        now = relaxed if grows_memo else states
        capacity = min(now * GROWTH, max(limit, 2 * now) + MOST_MOVES)
        needed = bytes_for(states, self._arena) + memo_bytes(relaxed, self._memo)
        needed += (
            memo_bytes(capacity, self._memo) if grows_memo else bytes_for(capacity, self._arena)
        )
        if capacity > MOST_STATES or needed > self._memory:
            return False
        try:
            if grows_memo:
                self._memo = grown_memo(self._memo, capacity)
            else:
                larger = grown(self._arena, capacity), lengthened_frontier(self._frontier, capacity)
                self._arena, self._frontier = larger
        except MemoryError:
            return False
        return True
