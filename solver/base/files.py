"""Tables as CSV, and files that are written whole or not at all."""

import csv
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


def csv_text(header: Iterable[object], lines: Iterable[Iterable[object]]) -> str:
    """Gets a table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue()


def write(contents: dict[Path, bytes]) -> None:
    """Writes files that are either whole or left as they were.

    :raises OSError: if one can't be written.
    """
    with ExitStack() as renamed:
        for path, content in contents.items():
            renamed.enter_context(_renamed_after(path, content))


@contextmanager
def _renamed_after(path: Path, content: bytes) -> Iterator[None]:
    """Writes beside a file, and takes its place at the end if nothing went wrong."""
    path = path.resolve()  # of a link the target is replaced, not the link
    is_special = path.exists() and not path.is_file()
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if is_special:
            path.write_bytes(content)  # a device or a pipe, which must not be replaced
            yield
        else:
            beside.write_bytes(content)
            yield
            beside.replace(path)
    except OSError as error:
        if error.filename in (None, str(beside)):
            error.filename = str(path)  # the file that was asked for
        raise
    finally:
        beside.unlink(missing_ok=True)
