"""The command ``merge``: stores joined into one."""

from contextlib import ExitStack
from pathlib import Path

import click

from ..batch.store import Store
from .errors import reported
from .paths import StoreFile


@click.command(short_help="Join stores into one.")
@click.argument("target", type=StoreFile(writes=True))
@click.argument("sources", nargs=-1, required=True, type=StoreFile())
def merge(target: Path, sources: tuple[Path, ...]) -> None:
    """Copy the rows of SOURCES into the store TARGET, which may be new."""
    with reported(), ExitStack() as opened:
        others = [opened.enter_context(Store(source)) for source in sources]
        store = opened.enter_context(Store(target, writable=True))
        for other in others:
            store.copy_from(other)
