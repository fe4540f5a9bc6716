"""A terminal for tests: a program runs in it, keys go in, and the screen can be looked at."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Callable, Sequence
from types import TracebackType

import pyte

PATIENCE = 60  # seconds: longer than anything takes, so that a failure ends
KEYS = {
    **{"right": "\x1b[C", "left": "\x1b[D", "up": "\x1b[A", "down": "\x1b[B"},
    **{"home": "\x1b[1~", "end": "\x1b[4~", "page up": "\x1b[5~", "page down": "\x1b[6~"},
    **{"ctrl-c": "\x03", "ctrl-\\": "\x1c"},
}


class PseudoTerminal:
    """A running program with its own terminal; a context manager that ends it."""

    def __init__(
        self, command: Sequence[str], lines: int = 24, columns: int = 80, term: str = "linux"
    ) -> None:
        self.output = b""
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._ours, self._theirs = pty.openpty()
        self.resize(lines, columns)
        self.settings = self.current_settings()
        # What a session opens first becomes its controlling terminal, which sends Ctrl-C to it.
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(self._theirs), *command],
            env={**os.environ, "TERM": term, "LC_ALL": "C.UTF-8"},
            start_new_session=True,
            # Who runs the tests in the background of a shell may have had this signal ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def __enter__(self) -> "PseudoTerminal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self._theirs)
        self.hang_up()

    def current_settings(self) -> list[object]:
        """Gets how the terminal treats what is typed, such as whether it shows it."""
        return termios.tcgetattr(self._theirs)

    def press(self, *keys: str) -> None:
        """Types keys: names in ``KEYS``, or characters."""
        os.write(self._ours, "".join(KEYS.get(key, key) for key in keys).encode())

    def resize(self, lines: int, columns: int) -> None:
        """Changes the size of the window."""
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, size)
        self._screen.resize(lines, columns)

    def send(self, number: signal.Signals) -> None:
        """Sends a signal to the program."""
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Takes the terminal away, as when its window is closed."""
        if self._ours >= 0:
            os.close(self._ours)
        self._ours = -1

    def wait_for(self, condition: Callable[[list[str]], bool]) -> list[str]:
        """Gets the lines on the screen once they are as wanted."""
        while not condition(lines := self.screen()):
            assert self._read(), f"the program ended with {self.process.wait(PATIENCE)}: {lines}"
        return lines

    def wait_for_text(self, text: str) -> list[str]:
        """Gets the lines on the screen once a text is among them."""
        return self.wait_for(lambda lines: any(text in line for line in lines))

    def wait_for_end(self) -> int:
        """Gets the exit code of the program."""
        for _ in range(20 * PATIENCE):
            if self.process.poll() is not None and not select.select([self._ours], [], [], 0)[0]:
                return self.process.returncode
            self._read(0.05)
        raise AssertionError(f"the program goes on: {self.screen()}")

    def screen(self) -> list[str]:
        """Gets the lines on the screen, without blanks at their ends."""
        return [line.rstrip() for line in self._screen.display]

    def _read(self, seconds: float = PATIENCE) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        read = os.read(self._ours, 1 << 16)
        self.output += read
        self._stream.feed(read)
        return bool(read)
