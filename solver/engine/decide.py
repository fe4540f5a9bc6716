"""Decides a position: which searches to run, the verdict, and the replay of every win."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ..game.moves import Move
from ..game.position import IllegalMoveError, Position, check
from ..game.rules import Rules
from ..game.verdict import Limits, Reason, Result, Verdict
from ..kernel.loop import Stop
from .path import moves_of
from .search import Form, Order, Search, prepare

SLICE = 50_000  # states between two looks at the clock and at Ctrl-C


class ReplayError(RuntimeError):
    """A win that the rules do not confirm: a fault of the program, never of the deal."""


def form_for(rules: Rules) -> Form:
    """Gets the form in which a game with these rules is searched unless one is asked for."""
    return Form.CREDIT if rules.has_credit_form else Form.PLAIN


def solve(
    position: Position,
    limits: Limits = Limits(),
    order: Order = Order.LAYERS,
    form: Form | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int], None] = lambda states: None,
) -> Result:
    """Decides a position within limits.

    :param limits: all searches together stop at one of them.
    :param form: the form of the game to search; by default :func:`form_for` chooses.
    :param should_stop: asked about twenty times a second; where it says so, the verdict is unknown.
    :param on_progress: called as often, with the number of states so far.
    :raises ValueError: if the position is not one of the game, or the form does not fit the rules.
    :raises ReplayError: if a win that was found does not replay.
    """
    check(position)
    prepare()
    clock = time.perf_counter()
    run = _Run(position, limits, order, form, should_stop, on_progress, clock)
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
    limits: Limits
    order: Order
    form: Form | None
    should_stop: Callable[[], bool]
    on_progress: Callable[[int], None]
    begin: float
    method: str = ""
    spent: int = 0
    moves: Iterable[Move] = ()

    def decide(self) -> tuple[Verdict, Reason | None]:
        for position, budget in self._games():
            stop = self._search(position, budget)
            if stop is Stop.WON:
                return Verdict.WINNABLE, None
            if isinstance(stop, Reason):
                return Verdict.UNKNOWN, stop
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
            yield without, self.limits.states // 2
        yield self.position, self.limits.states

    def _search(self, position: Position, budget: int) -> Stop | Reason:
        """Searches one game; gets a reason if all searching is to end before the budget."""
        form = form_for(position.rules) if self.form is None else self.form
        self.method = f"{form.name} {self.order.name}".lower()
        if position.rules != self.position.rules:
            self.method += " without transfers"
        search = Search(position, form, self.order, memory=self.limits.memory)
        before = self.spent
        most = max(budget - before, 1)
        stop = Stop.PAUSED
        while stop is Stop.PAUSED and search.states < most:
            stop = search.run(min(search.states + SLICE, most))
            self.spent = before + search.states
            self.on_progress(self.spent)
            if stop is Stop.PAUSED and self.should_stop():
                return Reason.STOPPED
            if stop is Stop.PAUSED and self._is_late():
                return Reason.TIME
        if stop is Stop.WON:
            self.moves = confirmed(self.position, moves_of(position, form, search.path()))
        return stop

    def _is_late(self) -> bool:
        allowed = self.limits.seconds
        return allowed is not None and time.perf_counter() - self.begin >= allowed
