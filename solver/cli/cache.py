"""``rr-solve cache``: where compiled code lies, and the way to remove it."""

import click

from ..compiled.folder import clear, folder, root, sizes

MB = 1e6


@click.command()
@click.option("--clear", "clearing", is_flag=True, help="Remove it; nothing else is removed.")
def cache(clearing: bool) -> None:
    """Says where the compiled code of the search lies, and what room it takes.

    The first search with a version of the program compiles it, which takes half a minute; the code
    is kept in a folder of its own for each version.
    """
    taken = sizes()
    of_others = sum(taken.values()) - taken.get(folder().name, 0)
    if clearing:
        clear()
        click.echo(f"{root()}: {_megabytes(sum(taken.values()))} removed")
        return
    this = taken.get(folder().name)
    click.echo(f"{folder()}: {'nothing yet' if this is None else _megabytes(this)}")
    if of_others:
        click.echo(f"Of other versions, in {root()}: {_megabytes(of_others)}")


def _megabytes(size: int) -> str:
    return f"{size / MB:.1f} MB"
