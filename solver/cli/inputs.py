"""Texts that commands read: from a file or standard input, whatever is in them."""

import codecs
import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ..game.deal import parse_seed
from ..show.console import one_line
from .errors import reason_of

MOST_BYTES = 1 << 16  # of a text

SAVED_GAME = re.compile(rb"\x80[\x02-\x05]|X\x07\0\0\0PySolFC|U\x07PySolFC|[SV]'?PySolFC")
"""How a pickle begins, and one of old protocols that PySolFC wrote. To load one is to run what it
says, so none is loaded."""

INSTEAD_OF_SAVED_GAME = (
    "this is a pickle, as PySolFC saves games, and is not read; give the number that PySolFC shows"
    " (--seed N) and the moves made since (--moves FILE), or type in the table as 'rr-solve show'"
    " prints it"
)


def name_of(path: Path) -> str:
    """Gets what a file is called in errors."""
    return "<stdin>" if str(path) == "-" else one_line(path)


@contextmanager
def text_of(path: Path, instead: str, most: int = MOST_BYTES) -> Iterator[str]:
    """Gives a file's text; what goes wrong with it, or with reading it, is one line.

    :param instead: what to say where the file is of no known kind.
    :param most: the bytes that it may have.
    """
    name = name_of(path)
    try:
        yield _read_text(path, most)
    except OSError as error:
        raise click.ClickException(f"{name}: {reason_of(error)}{_if_number(name)}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{name}: this is not a text file; {instead}") from None
    except ValueError as error:
        raise click.ClickException(str(error) or f"{name}: {instead}") from None


def _if_number(name: str) -> str:
    """Gets a way out for those who give the number of a deal as a file."""
    try:
        return f" (a deal's number is given by --seed {parse_seed(name)})"
    except ValueError:
        return ""


def _read_text(path: Path, most: int) -> str:
    if str(path) == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        content = sys.stdin.buffer.read(most + 1)
    else:
        with path.open("rb") as file:
            content = file.read(most + 1)
    if SAVED_GAME.match(content):
        raise ValueError(f"{name_of(path)}: {INSTEAD_OF_SAVED_GAME}")
    in_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = content.decode("utf-16" if in_utf16 else "utf-8-sig")
    if len(content) > most or "\0" in text:
        raise ValueError
    return text
