"""Stepping a line of play through on a terminal."""

import curses
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from ..game.cards import HEARTS, SUIT_SYMBOLS, Card, card_name, suit_of, symbol_name
from ..game.steps import Step, in_words
from .console import is_terminal
from .table_text import FOLLOWED, LEGEND, MOVED, Cell, Line, table

HELP = "arrows, space, n, p: a move on or back; PgUp, PgDn: ten; Home, End; q: quit"
NEXT = {*map(ord, " n\n\r"), curses.KEY_RIGHT, curses.KEY_DOWN, curses.KEY_ENTER}
PREVIOUS = {ord("p"), curses.KEY_LEFT, curses.KEY_UP, curses.KEY_BACKSPACE}
QUIT = ord("q")
CLOSED = -1
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def is_usable() -> bool:
    """Whether keys can be read from a terminal, and it can be drawn on at any place."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return False
    try:
        curses.setupterm()
    except curses.error:  # a terminal that nobody has described
        return False
    return curses.tigetstr("cup") is not None


def view(steps: Sequence[Step], heading: str) -> None:
    """Shows the steps as keys ask for them, until one asks for the end.

    The terminal is put back as it was on every way out.
    """
    with _ended_by_signals():
        curses.wrapper(lambda window: _Viewer(window, steps, heading).run())


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Turns signals that would end the process at once into a way out that tidies up."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Viewer:
    """What is on the screen: the step that is shown, and how cards look."""

    def __init__(self, window: curses.window, steps: Sequence[Step], heading: str) -> None:
        self._window = window
        self._steps = steps
        self._heading = heading
        self._now = 0
        self._name = _card_names(window.encoding)
        self._red = _red()
        with suppress(curses.error):  # some terminals always show the cursor
            curses.curs_set(0)

    def run(self) -> None:
        while True:
            self._draw()
            key = self._window.getch()
            if key == QUIT or (key == CLOSED and _is_readable()):
                return
            self._now = min(max(self._wanted(key), 0), len(self._steps) - 1)

    def _wanted(self, key: int) -> int:
        """Gets the step that a key asks for, which may be beyond either end."""
        jumps = {
            curses.KEY_PPAGE: self._now - 10,
            curses.KEY_NPAGE: self._now + 10,
            curses.KEY_HOME: 0,
            curses.KEY_END: len(self._steps),
        }
        return jumps.get(key, self._now + (key in NEXT) - (key in PREVIOUS))

    def _draw(self) -> None:
        height, width = self._window.getmaxyx()
        self._window.erase()
        for row, line in enumerate(self._lines(height, width)):
            self._draw_line(row, line, width)
        self._window.refresh()

    def _lines(self, height: int, width: int) -> list[Line]:
        """Gets what fits: the move and the table first, the rest around them if there is room."""
        step = self._steps[self._now]
        text = in_words(step, self._name) if step.move else "the start"
        lines = [_text(f"{self._now}/{len(self._steps) - 1}  {' '.join(text.split())}")]
        lines += table(step, self._name, width - 1)
        around = [_text(self._heading)], [[], _text(LEGEND), _text(HELP)]
        if len(lines) + 4 <= height:
            lines = [*around[0], *lines, *around[1]]
        return lines[:height]

    def _draw_line(self, row: int, line: Line, width: int) -> None:
        column = 0
        for text, card in line:
            room = width - 1 - column  # the last place of all can't be written to
            if room <= 0:
                return
            self._window.addnstr(row, column, text, room, self._look(text, card))
            column += len(text)

    def _look(self, text: str, card: Card | None) -> int:
        if card is None:
            return curses.A_NORMAL
        marked = text[0] in (MOVED[0], FOLLOWED[0])
        red = self._red if suit_of(card) >= HEARTS else 0
        return red | (curses.A_BOLD if marked else 0)


def _text(text: str) -> Line:
    return [Cell(text)]


def _is_readable() -> bool:
    """Whether reading a key would not wait: if there was none, the terminal is gone."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


def _card_names(encoding: str) -> Callable[[Card], str]:
    """Gets the names with symbols where they can be written."""
    try:
        SUIT_SYMBOLS.encode(encoding)
    except UnicodeEncodeError:
        return card_name
    return symbol_name


def _red() -> int:
    """Gets the look of red cards."""
    if "NO_COLOR" in os.environ or not curses.has_colors():
        return curses.A_NORMAL
    try:
        curses.use_default_colors()
        curses.init_pair(1, curses.COLOR_RED, -1)
    except curses.error:
        return curses.A_NORMAL
    return curses.color_pair(1)
