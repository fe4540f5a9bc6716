"""Files that commands write: the options that name them, and what is refused before any work."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from ..base.files import write
from ..show.console import one_line
from .errors import reported
from .options import F


def new_file_option(name: str, text: str) -> Callable[[F], F]:
    """Gets what adds an option that names a file to write.

    :param text: its line of help.
    """
    return click.option(
        name,
        type=click.Path(path_type=Path),
        callback=writable,
        metavar="FILE",
        help=text,
    )


def plot_option(text: str) -> Callable[[F], F]:
    """Gets what adds the option that names a picture.

    :param text: its line of help.
    """

    def check(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
        from ..show.plots import FORMATS

        if path is not None and path.suffix.lower()[1:] not in FORMATS:
            raise click.BadParameter(f"'{one_line(path)}' ends neither in .svg nor in .png")
        return writable(context, parameter, path)

    return click.option(
        "--plot", type=click.Path(path_type=Path), callback=check, metavar="FILE", help=text
    )


def writable(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuses at once what can't be written after a long search."""
    if path is None:
        return None
    if str(path) == "-" or path.is_dir():
        raise click.BadParameter(f"'{one_line(path)}' is not the name of a file")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise click.BadParameter(f"there is no folder '{one_line(path.parent)}'")
    if not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
        raise click.BadParameter(f"'{one_line(path)}' can't be written")
    return path


def spare(stores: Sequence[Path], *outputs: Path) -> None:
    """Refuses to write over a store that is read.

    :raises UsageError: if an output is one.
    """
    there = {store.resolve() for store in stores}
    for output in outputs:
        if output.resolve() in there:
            raise click.UsageError(f"'{one_line(output)}' is a store, and would be written over")


def write_output(path: Path, content: bytes) -> None:
    """Writes a file, whole or not at all.

    :raises ClickException: if it can't be written.
    """
    with reported(path):
        write({path: content})


def require_plots() -> None:
    """Makes sure, before a long search, that pictures can be drawn.

    :raises ClickException: if matplotlib is not installed.
    """
    from ..show.plots import require_matplotlib

    with reported():
        require_matplotlib()
