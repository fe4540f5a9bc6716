"""How far long work has come: one line on stderr, drawn over and over while that is a terminal."""

import math
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import click

from ..show.console import is_terminal

BAR = 24  # characters
REFRESH, REPORT, NEVER = 0.5, 5.0, math.inf  # seconds between two lines


class Progress:
    """A line that says how far work has come, and wipes itself away.

    :param text: gets the line from the number reached, from how much of it was reached since the
        first call, and from the seconds that this took.
    :param on_terminal: the seconds between two lines on a terminal.
    :param elsewhere: the seconds between two lines where nothing can be drawn over.
    """

    def __init__(
        self,
        text: Callable[[int, int, float], str],
        on_terminal: float = REFRESH,
        elsewhere: float = NEVER,
    ) -> None:
        self._text = text
        self._terminal = is_terminal(sys.stderr)
        self._wait = on_terminal if self._terminal else elsewhere
        self._begin: tuple[int, float] | None = None
        self._last = 0.0
        self._shown = False

    def __call__(self, number: int) -> None:
        """Shows the number reached, if enough time has passed; the first call starts the clock."""
        now = time.monotonic()
        if self._begin is None:
            self._begin = number, now
            self._last = now
        if now - self._last < self._wait:
            return
        self._last = now
        first, began = self._begin
        text = self._text(number, number - first, now - began)
        _print(f"\r\x1b[K{text} " if self._terminal else f"{text}\n")
        self._shown = True

    def say(self, text: str) -> None:
        """Says something that stays, on a line of its own."""
        _print(f"\n{text}\n" if self._terminal and self._shown else f"{text}\n")

    def close(self) -> None:
        """Wipes the line away."""
        if self._shown and self._terminal:
            _print("\r\x1b[K")
            self._shown = False


def _print(text: str) -> None:
    """Prints on stderr; that a terminal is gone is no reason to lose what the work has found."""
    with suppress(OSError):
        click.echo(text, err=True, nl=False)


def bar(number: int, total: int) -> str:
    """Draws which part of a total is reached."""
    full = BAR * min(number, total) // total
    return f"[{'#' * full}{'.' * (BAR - full)}]"


def state_progress(total: int = 0) -> Progress:
    """Gets what says how far a search or a check has come.

    :param total: the number of states at the end, 0 if that is not known.
    """

    def text(states: int, done: int, seconds: float) -> str:
        if not total:
            return f"{states:,} states, {seconds:.0f} s"
        left = max(seconds * (total - states) / max(done, 1), 0)
        return f"{bar(states, total)} {states:,} of {total:,} states, {left:.0f} s left"

    return Progress(text, elsewhere=REPORT)
