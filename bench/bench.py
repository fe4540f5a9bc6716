"""Prints the figures of the solver on fixed deals: ``make bench``, or parts of it by name.

Times depend on the machine and on what else runs there; counts of states don't. The *signature* is
the total of states over fixed deals: a change that is meant to keep the search keeps it, a change
of the search states the new one (``--save``).
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import click

from .figures import Section, write_json
from .measure import arms, decided, save_signature, signature, speed, steps, tail
from .processes import batch, memory, starts

Part = Callable[[], Iterator[Section]]

DEFAULT: dict[str, Part] = {
    "speed": speed,
    "arms": arms,
    "steps": steps,
    "batch": batch,
    "start": starts,
    "memory": memory,
    "signature": signature,
}
PARTS = DEFAULT | {"decided": decided, "tail": tail}
"""The last two take many minutes, and run only if they are named."""


def _json_option(
    context: click.Context, parameter: click.Parameter, path: Path | None
) -> Path | None:
    """Sees before the minutes of work whether the file can be there after them."""
    if path is not None and not path.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {path.parent}")
    return path


@click.command()
@click.argument("names", metavar="[PART]...", nargs=-1, type=click.Choice([*PARTS]))
@click.option(
    "--json",
    "path",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    callback=_json_option,
    metavar="FILE",
    help="Write all figures to a file too.",
)
@click.option("--save", is_flag=True, help="Make the signature the one on file.")
def main(names: tuple[str, ...], path: Path | None, save: bool) -> None:
    """Print the figures of the solver on fixed deals, of the named parts only if there are any.

    The parts are speed, arms, steps, batch, start, memory and signature, and, only if named,
    decided and tail, which take many minutes.
    """
    sections = []
    for name in names or DEFAULT:
        click.echo(f"{name} ...", err=True)
        for section in PARTS[name]():
            click.echo(f"{section}\n")
            sections.append(section)
            if save and section.name == "signature":
                save_signature(section)
    if path is not None:
        try:
            write_json(path, sections)
        except OSError as error:
            raise click.ClickException(f"{path}: {error.strerror}") from None


if __name__ == "__main__":
    main()
