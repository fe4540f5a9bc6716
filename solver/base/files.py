"""Tables as CSV, and files that are written whole or not at all."""

import csv
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

DESCRIPTOR = re.compile(r"/dev/std(?P<name>in|out|err)|/(?:dev|proc/self)/fd/(?P<number>\d{1,9})")


def csv_text(header: Iterable[object], lines: Iterable[Iterable[object]]) -> str:
    """Gets a table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue()


def descriptor_of(path: Path) -> int | None:
    """Gets the number of the open file that a name such as /dev/stdout or /dev/fd/63 stands for."""
    match = DESCRIPTOR.fullmatch(str(path))
    if match is None:
        return None
    return int(match["number"] or ("in", "out", "err").index(match["name"]))


def write(contents: dict[Path, bytes]) -> None:
    """Writes files that are either whole or left as they were.

    Open files, devices and pipes, which can't be replaced, are written to.

    :raises OSError: if one can't be written.
    """
    with ExitStack() as renamed:
        for path, content in contents.items():
            renamed.enter_context(_renamed_after(path, content))


@contextmanager
def _renamed_after(path: Path, content: bytes) -> Iterator[None]:
    """Writes beside a file, and takes its place at the end if nothing went wrong."""
    number = descriptor_of(path)
    if number is not None or (path.exists() and not path.is_file()):
        _write_to(path if number is None else number, path, content)
        yield
        return
    path = path.resolve()  # of a link the target is replaced, not the link
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(content)
        yield
        beside.replace(path)
    except OSError as error:
        if error.filename in (None, str(beside)):
            error.filename = str(path)  # the file that was asked for
        raise
    finally:
        beside.unlink(missing_ok=True)


def _write_to(place: Path | int, path: Path, content: bytes) -> None:
    """Writes where there is no file to replace; an open file stays open."""
    if sys.stdout is not None:
        sys.stdout.flush()  # what was printed before comes first
    try:
        with open(place, "wb", closefd=not isinstance(place, int)) as file:
            file.write(content)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
