"""What goes wrong, as one line."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ..show.console import one_line


def reason_of(error: OSError) -> str:
    """Gets what the system says, or what kind of error it is where it says nothing."""
    return error.strerror or str(error) or type(error).__name__


@contextmanager
def reported(where: object = None) -> Iterator[None]:
    """Turns errors of the library and of the system into one line.

    :param where: what to name if the system names no file.
    :raises ClickException: with that line.
    """
    try:
        yield
    except BrokenPipeError:  # a reader that has seen enough is no error
        raise
    except OSError as error:
        named = where if error.filename is None else error.filename
        prefix = "" if named is None else f"{one_line(named)}: "
        raise click.ClickException(prefix + one_line(reason_of(error))) from None
    except ValueError as error:
        raise click.ClickException(one_line(error)) from None
