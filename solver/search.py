"""One search of one position, as a Python object: allocates, runs the kernel, grows, reads paths."""

from enum import IntEnum


from .game import Position
from .kernel.arena import grown, new_arena
from .kernel.expand import add_root
from .kernel.frontier import MOST_MOVES, NOT_WON, lengthened_frontier, new_frontier, new_room
from .kernel.problem import Switch, foundation_word, problem_of
from .kernel.run import Stop, run

FIRST_CAPACITY = 1 << 12
GROWTH = 4


class Form(IntEnum):
    """The form of the game that is searched."""

    PLAIN = 0
    """The real moves, under every rule."""
    CREDIT = 1
    """Deals, pops and commitments: for ``deal = any`` without transfers."""


class Search:
    """A search that can be run a while, looked at, and run on.

    :param width: of the beam; 0 searches depth first.
    :param most_states: the size that the table may grow to.
    :raises ValueError: if the form does not fit the rules, or the position has a gap in the
        reserve that the rules would have filled.
    """

    def __init__(
        self,
        position: Position,
        form: Form,
        width: int = 0,
        switches: Switch = Switch.ALL,
        most_states: int = 1 << 31,
    ) -> None:
        self.position = position
        self.form = form
        self.width = width
        self.most_states = most_states
        self._problem = problem_of(position, form is Form.CREDIT, switches)
        dealt = len(position.waste)
        self._arena = new_arena(self._problem.size, FIRST_CAPACITY)
        self._room = new_room(self._arena)
        self._frontier = new_frontier(width, dealt, FIRST_CAPACITY)
        add_root(
            self._problem, self._arena, self._room, dealt, foundation_word(position.foundations)
        )
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
            if stop is not Stop.FULL or not self._grow():
                return stop

    def _grow(self) -> bool:
        """Makes room for more states, unless that is forbidden or there is none."""
        capacity = min(self._frontier.states.shape[1] * GROWTH, self.most_states + MOST_MOVES)
        if capacity <= self._frontier.states.shape[1]:
            return False
        try:
            self._frontier = lengthened_frontier(self._frontier, capacity)
            self._arena = grown(self._arena, capacity)
        except MemoryError:
            return False
        return True

    def path(self) -> list[int]:
        """Gets the codes of the moves from the root to the won state."""
        codes = []
        number = int(self._room.won[0])
        while number > 0:
            codes.append(int(self._arena.codes[number]))
            number = int(self._arena.parents[number])
        return codes[::-1]
