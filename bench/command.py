"""What the commands share."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from solver.cli.options import INTERRUPTED


@contextmanager
def interruptible() -> Iterator[None]:
    """Has Ctrl-C end the program in one line, and with its exit code."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Interrupted", err=True)
        sys.exit(INTERRUPTED)
