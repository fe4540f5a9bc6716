"""What is found out about a position, and what may be spent on it."""

from dataclasses import dataclass

from ..base.names import Name
from .errors import Error
from .moves import Move
from .rules import Rules

DEFAULT_STATES = 20_000_000
"""The budget of a search: of 300 deals it leaves none undecided under any preset."""

DEFAULT_MEMORY = 4 << 30
"""The most bytes that a search's table may take."""


class Verdict(Name):
    """What is known of a position."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


class Reason(Name):
    """Why a verdict is unknown."""

    BUDGET = "state budget"
    TIME = "time limit"
    TABLE = "table full"
    STOPPED = "stopped"
    """By who asked: see ``should_stop``."""
    INTERRUPTED = "interrupted"
    """By Ctrl-C."""
    DIED = "worker died"
    """The process that searched was killed, in a batch."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be spent.

    :param states: the states that may be found; more, by the successors of one state at most, may
        be found with the last.
    :param seconds: the time that may pass, looked at about twenty times a second; ``None`` for no
        limit. Verdicts then depend on the machine.
    :param memory: the bytes that tables may take.
    :raises Error: if one is not above 0.
    """

    states: int = DEFAULT_STATES
    seconds: float | None = None
    memory: int = DEFAULT_MEMORY

    def __post_init__(self) -> None:
        for name in ("states", "seconds", "memory"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise Error(f"{name} must be above 0, not {value}")


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict with what it rests on: for a win the moves, and what was spent.

    ``reason`` is that of an unknown verdict, else ``None``. ``method`` names the search that
    decided, or the last one tried. ``moves`` have been replayed by the rules of ``game.position``.
    """

    rules: Rules
    verdict: Verdict
    reason: Reason | None
    method: str
    states: int
    seconds: float
    moves: tuple[Move, ...] = ()
