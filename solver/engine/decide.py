"""Decides a position: which searches to run, the verdict, and the replay of every win."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from .. import DEFAULT_MEMORY, DEFAULT_STATES
from ..game.position import IllegalMoveError, Move, Position, check
from ..game.rules import Rules
from ..kernel.loop import Stop
from .path import moves_of
from .search import Form, Order, Search, prepare

SLICE = 50_000  # states between two looks at the clock and at Ctrl-C


class Verdict(StrEnum):
    """What is known of a position."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why a verdict is unknown."""

    BUDGET = "state budget"
    TABLE = "table full"
    INTERRUPTED = "interrupted"


class ReplayError(RuntimeError):
    """A win that the rules do not confirm: a fault of the program, never of the deal."""


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict with what it rests on: for a win the moves, and what was spent.

    ``method`` names the search that decided, or the last one tried.
    """

    rules: Rules
    verdict: Verdict
    reason: Reason | None
    method: str
    states: int
    seconds: float
    moves: tuple[Move, ...] = ()


def form_for(rules: Rules) -> Form:
    """Gets the form in which a game with these rules is searched unless one is asked for."""
    return Form.CREDIT if rules.has_credit_form else Form.PLAIN


def solve(
    position: Position,
    states: int = DEFAULT_STATES,
    memory: int = DEFAULT_MEMORY,
    order: Order = Order.LAYERS,
    form: Form | None = None,
    on_progress: Callable[[int], None] = lambda states: None,
) -> Result:
    """Decides a position within a budget of states.

    :param states: the budget: all searches together stop once they have found so many states (the
        successors of one state are always found together).
    :param memory: bytes that the table of a search may take.
    :param form: the form of the game to search; by default :func:`form_for` chooses.
    :param on_progress: called now and then with the number of states so far.
    :raises ValueError: if the position is not one of the game, or the form does not fit the rules.
    :raises ReplayError: if a win that was found does not replay.
    """
    check(position)
    prepare()
    run = _Run(position, states, memory, order, form, on_progress)
    clock = time.perf_counter()
    try:
        verdict, reason = run.decide()
    except KeyboardInterrupt:
        verdict, reason = Verdict.UNKNOWN, Reason.INTERRUPTED
    seconds = time.perf_counter() - clock
    return Result(position.rules, verdict, reason, run.method, run.spent, seconds, tuple(run.moves))


def confirmed(position: Position, moves: Iterable[Move]) -> list[Move]:
    """Replays a win by the plain rules, and completes it.

    When the stock and the waste are empty every card left can be played, so the plays that remain
    are added as they come.

    :raises ReplayError: if the moves don't win.
    """
    line = []
    try:
        for move in moves:
            position = position.play(move)
            line.append(move)
        while not position.is_won:
            move = next(position.plays())
            position = position.play(move)
            line.append(move)
    except (IllegalMoveError, StopIteration) as error:
        raise ReplayError(f"a win that was found does not replay: move {len(line) + 1}") from error
    return line


@dataclass(slots=True)
class _Run:
    """One call of :func:`solve`: what it was given, and what it has spent and found."""

    position: Position
    states: int
    memory: int
    order: Order
    form: Form | None
    on_progress: Callable[[int], None]
    method: str = ""
    spent: int = 0
    moves: Iterable[Move] = ()

    def decide(self) -> tuple[Verdict, Reason | None]:
        for position, budget in self._games():
            stop = self._search(position, budget)
            if stop is Stop.WON:
                return Verdict.WINNABLE, None
        if stop is Stop.EXHAUSTED:
            return Verdict.UNWINNABLE, None
        return Verdict.UNKNOWN, Reason.TABLE if stop is Stop.FULL else Reason.BUDGET

    def _games(self) -> Iterator[tuple[Position, int]]:
        """Gets the games to search, each with the states that may be spent by its end.

        The last one is the game itself. A line without transfers is one with them and much easier
        to find, so that game comes first where transfers are allowed; only a win in it counts.
        """
        rules = self.position.rules
        if rules.transfers and self.form is None:
            without = self.position._replace(rules=replace(rules, transfers=False))
            yield without, self.states // 2
        yield self.position, self.states

    def _search(self, position: Position, budget: int) -> Stop:
        form = form_for(position.rules) if self.form is None else self.form
        self.method = f"{form.name} {self.order.name}".lower()
        if position.rules != self.position.rules:
            self.method += " without transfers"
        search = Search(position, form, self.order, memory=self.memory)
        before = self.spent
        most = max(budget - before, 1)
        stop = Stop.PAUSED
        while stop is Stop.PAUSED and search.states < most:
            stop = search.run(min(search.states + SLICE, most))
            self.spent = before + search.states
            self.on_progress(self.spent)
        if stop is Stop.WON:
            self.moves = confirmed(self.position, moves_of(position, form, search.path()))
        return stop
