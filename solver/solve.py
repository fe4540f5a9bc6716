"""Decides a position: the portfolio of searches, the verdict, and the replay of every win."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from .game import IllegalMoveError, Move, Position, Source
from .kernel.run import Stop
from .line import moves_of
from .rules import Dealing, Rules
from .search import DEFAULT_MEMORY, Form, Search

DEFAULT_STATES = 20_000_000
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
class Arm:
    """One search of the portfolio: its form, its beam width (0: depth first), its share.

    ``states`` is the most states it may spend, ``None`` for all that is left.
    """

    form: Form
    width: int
    states: int | None

    @property
    def name(self) -> str:
        """A short name, such as ``credit-beam-64``."""
        return f"{self.form.name.lower()}-" + (f"beam-{self.width}" if self.width else "depth")


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict with what it rests on: for a win the moves, and what was spent.

    ``arm`` names the search that decided, if one did.
    """

    rules: Rules
    verdict: Verdict
    reason: Reason | None
    states: int
    seconds: float
    moves: tuple[Move, ...] = ()
    arm: str | None = None


def arms_for(rules: Rules) -> tuple[Arm, ...]:
    """Gets the searches to try on a game with these rules, in order.

    The last one is exhaustive depth-first search with all that is left of the budget.
    """
    if rules.deal is Dealing.STUCK or rules.transfers:
        return (
            Arm(Form.PLAIN, 0, 5_000),
            Arm(Form.PLAIN, 32, None),
            Arm(Form.PLAIN, 512, None),
            Arm(Form.PLAIN, 8192, None),
            Arm(Form.PLAIN, 0, None),
        )
    return (
        Arm(Form.CREDIT, 4, None),
        Arm(Form.CREDIT, 32, None),
        Arm(Form.CREDIT, 256, None),
        Arm(Form.CREDIT, 4096, None),
        Arm(Form.CREDIT, 0, None),
    )


def solve(
    position: Position,
    states: int = DEFAULT_STATES,
    memory: int = DEFAULT_MEMORY,
    on_progress: Callable[[int], None] = lambda states: None,
) -> Result:
    """Decides a position within a budget of states.

    :param states: the most states that all searches together may find.
    :param memory: bytes that the table of one search may take.
    :param on_progress: called now and then with the number of states so far.
    :raises ReplayError: if a win that was found does not replay.
    """
    clock = time.perf_counter()
    run = _Portfolio(position, states, memory, on_progress)
    try:
        verdict, reason = run.decide()
    except KeyboardInterrupt:
        verdict, reason = Verdict.UNKNOWN, Reason.INTERRUPTED
    return Result(
        position.rules,
        verdict,
        reason,
        run.spent,
        time.perf_counter() - clock,
        tuple(run.moves),
        run.arm,
    )


class _Portfolio:
    def __init__(
        self, position: Position, states: int, memory: int, on_progress: Callable[[int], None]
    ) -> None:
        self.position = position
        self.states = states
        self.memory = memory
        self.on_progress = on_progress
        self.spent = 0
        self.moves: list[Move] = []
        self.arm: str | None = None

    def decide(self) -> tuple[Verdict, Reason | None]:
        rules = self.position.rules
        if rules.transfers:
            # A line without transfers is a line with them; and it is much easier to find.
            without = self.position._replace(rules=replace(rules, transfers=False))
            if self._try_all(without, self.states // 2) is Stop.WON:
                return Verdict.WINNABLE, None
        stop = self._try_all(self.position, self.states)
        if stop is Stop.WON:
            return Verdict.WINNABLE, None
        if stop is Stop.EXHAUSTED:
            return Verdict.UNWINNABLE, None
        return Verdict.UNKNOWN, Reason.TABLE if stop is Stop.FULL else Reason.BUDGET

    def _try_all(self, position: Position, budget: int) -> Stop:
        """Runs one arm after the other until one decides, or ``budget`` states are spent in all."""
        stop = Stop.PAUSED
        for arm in arms_for(position.rules):
            stop = self._try(position, arm, budget)
            if stop in (Stop.WON, Stop.EXHAUSTED):
                self.arm = arm.name
                break
        return stop

    def _try(self, position: Position, arm: Arm, budget: int) -> Stop:
        search = Search(position, arm.form, arm.width, memory=self.memory)
        before = self.spent
        most = max(budget - before, 0)
        if arm.states is not None:
            most = min(most, arm.states)
        stop = Stop.PAUSED
        while stop is Stop.PAUSED and search.states < most:
            stop = search.run(min(search.states + SLICE, most))
            self.spent = before + search.states
            self.on_progress(self.spent)
        if stop is Stop.WON:
            self.moves = confirmed(self.position, moves_of(position, arm.form, search.path()))
        return stop


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
            move = next(move for move in position.legal_moves() if move.source is Source.RESERVE)
            position = position.play(move)
            line.append(move)
    except (IllegalMoveError, StopIteration) as error:
        raise ReplayError(f"a win that was found does not replay: move {len(line) + 1}") from error
    return line
