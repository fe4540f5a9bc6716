"""The files that commands are given: what is refused before any work, so that nothing is lost."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..base.files import descriptor_of
from ..show.console import one_line

STORE = b"SQLite format 3\0"
"""How every store begins."""


@dataclass(frozen=True, slots=True)
class Use:
    """What a command does with a file."""

    path: Path
    reads: bool
    writes: bool

    def clashes_with(self, other: "Use") -> bool:
        """Whether one use would destroy what the other needs or makes."""
        return (self.writes or other.writes) and _is_same(self.path, other.path)


class InputFile(click.Path):
    """A file that is read: '-' is standard input."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Gets the path, unless it is also written to."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        _use(Use(path, reads=True, writes=False), ctx)
        return path


class OutputFile(click.Path):
    """A file that is written whole, in place of one that may be there; never a store.

    :param or_stdout: whether '-' is standard output.
    """

    def __init__(self, or_stdout: bool = False) -> None:
        super().__init__(path_type=Path)
        self._or_stdout = or_stdout

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Gets the path, if it can be written and nothing that is needed is there."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if self._or_stdout and str(path) == "-":
            return path
        if not path.name:
            self.fail(f"'{one_line(value)}' is not the name of a file", param, ctx)
        for each in self.written(path):
            self._check(each, param, ctx)
            _use(Use(each, reads=False, writes=True), ctx)
        return path

    def written(self, path: Path) -> tuple[Path, ...]:
        """Gets all the files that are written."""
        return (path,)

    def _check(self, path: Path, param: click.Parameter | None, ctx: click.Context | None) -> None:
        name = one_line(path)
        if str(path) == "-" or path.is_dir():
            self.fail(f"'{name}' is not the name of a file", param, ctx)
        if descriptor_of(path) is not None:
            return
        folder = path.resolve().parent
        is_special = path.exists() and not path.is_file()
        if not (is_special or folder.is_dir()):
            self.fail(f"there is no folder '{one_line(path.parent)}'", param, ctx)
        if not os.access(path if is_special else folder, os.W_OK):
            self.fail(f"'{name}' can't be written", param, ctx)
        if _is_store(path):
            self.fail(f"'{name}' is a store, and would be written over", param, ctx)


class PictureFile(OutputFile):
    """A picture that is written.

    :param with_numbers: whether its numbers are written too, as CSV beside it.
    """

    def __init__(self, with_numbers: bool) -> None:
        super().__init__()
        self._with_numbers = with_numbers

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Gets the path, if a picture of that kind can be drawn there."""
        from ..show.plots import FORMATS

        if Path(value).suffix.lower()[1:] not in FORMATS:
            self.fail(f"'{one_line(value)}' ends neither in .svg nor in .png", param, ctx)
        return super().convert(value, param, ctx)

    def written(self, path: Path) -> tuple[Path, ...]:
        """Gets the picture, and the file of its numbers."""
        return (path, path.with_suffix(".csv")) if self._with_numbers else (path,)


class StoreFile(click.Path):
    """A store that is read, or also added to.

    :param writes: whether it is added to, and made if it isn't there.
    """

    def __init__(self, writes: bool = False) -> None:
        super().__init__(path_type=Path)
        self._writes = writes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Gets the path, if there can be a store."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if self._writes and (not path.name or (path.exists() and not path.is_file())):
            self.fail(f"'{one_line(value)}' is not the name of a file", param, ctx)
        if self._writes and not path.resolve().parent.is_dir():
            self.fail(f"there is no folder '{one_line(path.parent)}'", param, ctx)
        _use(Use(path, reads=True, writes=self._writes), ctx)
        return path


def _use(use: Use, ctx: click.Context | None) -> None:
    """Notes what becomes of a file, and refuses a use that spoils one noted before.

    :raises UsageError: if there is such a use.
    """
    if ctx is None:
        return
    before: list[Use] = ctx.meta.setdefault(__name__, [])
    for other in before:
        if use.clashes_with(other):
            written = use if use.writes else other
            why = "read" if (other if use.writes else use).reads else "written"
            raise click.UsageError(
                f"'{one_line(written.path)}' would be written over: it is {why} too"
            )
    before.append(use)


def _is_same(path: Path, other: Path) -> bool:
    """Whether two names are of one file, which may not be there yet."""
    status, other_status = _status(path), _status(other)
    if status is None or other_status is None:
        return status is other_status and path.resolve() == other.resolve()
    # Two may write to a device or a pipe.
    return stat.S_ISREG(status.st_mode) and os.path.samestat(status, other_status)


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(0 if str(path) == "-" else path)
    except OSError:
        return None


def _is_store(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(STORE)) == STORE
    except OSError:  # what can't be read may still be replaced
        return False
