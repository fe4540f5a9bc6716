"""The options that name files to write, and the writing."""

from collections.abc import Callable
from pathlib import Path

import click

from ..base.files import write
from .errors import reported
from .options import F
from .paths import OutputFile, PictureFile


def new_file_option(name: str, text: str) -> Callable[[F], F]:
    """Gets what adds an option that names a file to write.

    :param text: its line of help.
    """
    return click.option(name, type=OutputFile(), metavar="FILE", help=text)


def plot_option(text: str, with_numbers: bool = False) -> Callable[[F], F]:
    """Gets what adds the option that names a picture.

    :param text: its line of help.
    :param with_numbers: whether its numbers are written beside it.
    """
    return click.option("--plot", type=PictureFile(with_numbers), metavar="FILE", help=text)


def write_output(*contents: tuple[Path, bytes]) -> None:
    """Writes files, each whole or not at all.

    :raises ClickException: if one can't be written.
    """
    with reported():
        write(dict(contents))


def require_plots() -> None:
    """Makes sure, before a long search, that pictures can be drawn.

    :raises ClickException: if matplotlib is not installed.
    """
    from ..show.plots import require_matplotlib

    with reported():
        require_matplotlib()
