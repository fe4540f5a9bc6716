"""What text is printed on: whether it is a terminal, whether it has colours, what breaks a line."""

import os
import sys
from typing import TextIO


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; a process may have been started without the stream."""
    return stream is not None and stream.isatty()


def in_colour() -> bool:
    """Whether to print in colour."""
    return is_terminal(sys.stdout) and "NO_COLOR" not in os.environ


def one_line(value: object) -> str:
    """Gets a text for an error that can't break the line or hide in it."""
    return "".join(char if char.isprintable() else "?" for char in str(value))
