"""One search of one position: makes room, runs the kernel, and reads the winning path."""

from enum import IntEnum
from functools import cache

import numpy as np

from . import DEFAULT_MEMORY
from .cards import QUEEN, SUITS
from .game import Foundations, Position
from .kernel import frontier
from .kernel.arena import bytes_for, grown, new_arena
from .kernel.frontier import (
    MOST_MOVES,
    NOT_WON,
    lengthened_frontier,
    new_frontier,
    new_room,
    path_frontier,
)
from .kernel.problem import Switch, foundation_word, problem_of
from .kernel.run import Stop, run
from .rules import Rules

FIRST_CAPACITY = 1 << 12
GROWTH = 4
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

    :param memory: bytes that the table and the frontier may take.
    :raises ValueError: if the position is not one of the game, or the form does not fit the rules.
    """

    def __init__(
        self,
        position: Position,
        form: Form,
        order: Order = Order.LAYERS,
        switches: Switch = Switch.ALL,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self.form = form
        self._memory = memory
        self._problem = problem_of(position, form is Form.CREDIT, switches)
        dealt = len(position.waste)
        root = foundation_word(position.foundations)
        self._arena = new_arena(self._problem.size, FIRST_CAPACITY, dealt, root)
        self._room = new_room(self._arena)
        self._frontier = new_frontier(int(order), FIRST_CAPACITY)
        if not (position.waste or position.stock):
            self._room.won[0] = 0

    @property
    def states(self) -> int:
        """The number of states found so far."""
        return int(self._arena.used[0])

    def run(self, limit: int) -> Stop:
        """Searches until there are ``limit`` states, or the search ends.

        :returns: ``FULL`` only if the table may not grow any more.
        """
        while True:
            if self._room.won[0] != NOT_WON:
                return Stop.WON
            stop = Stop(run(self._problem, self._arena, self._room, self._frontier, limit))
            if stop is not Stop.FULL or not self._grow(limit):
                return stop

    def level_sizes(self) -> list[int]:
        """Gets the number of states by the least number of moves to them, breadth first only.

        A level that is not complete yet is left out.
        """
        parents = self._arena.parents[: self.states]
        levels = np.zeros(self.states, np.int64)
        for number in range(1, self.states):
            levels[number] = levels[parents[number]] + 1
        complete = levels[min(int(self._frontier.place[frontier.NEXT]), self.states - 1)] + 1
        sizes: list[int] = np.bincount(levels).tolist()
        return sizes[:complete]

    def path(self) -> list[int]:
        """Gets what happens on the way to the win.

        :returns: for the real moves the codes of ``kernel.plain``; for the credit form the events
            of ``kernel.credit``: deals, pops and plays.
        """
        numbers = []
        number = int(self._room.won[0])
        while number >= 0:
            numbers.append(number)
            number = int(self._arena.parents[number])
        numbers.reverse()
        if self.form is Form.PLAIN:
            codes: list[int] = self._arena.codes[numbers[1:]].tolist()
            return codes
        self._room.won[0], self._room.events[0] = NOT_WON, 0
        path = path_frontier(numbers, self._arena.parents.size)
        run(self._problem, self._arena, self._room, path, 0)
        self._room.won[0] = numbers[-1]
        events: list[int] = self._room.events[1 : self._room.events[0] + 1].tolist()
        return events

    def _grow(self, limit: int) -> bool:
        """Makes room for more states, unless that is forbidden or there is none."""
        now = self._arena.parents.size
        capacity = min(now * GROWTH, max(limit, 2 * now) + MOST_MOVES)
        if (
            capacity > MOST_STATES
            or bytes_for(capacity, self._arena) + bytes_for(now, self._arena) > self._memory
        ):
            return False
        try:
            larger = grown(self._arena, capacity), lengthened_frontier(self._frontier, capacity)
        except MemoryError:
            return False
        self._arena, self._frontier = larger
        return True
