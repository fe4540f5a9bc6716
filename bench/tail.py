"""The tail: for each preset a list of the hardest deals found so far.

``bench/tail/PRESET.csv`` has the columns ``seed``, ``states`` and ``verdict``, the hardest deal
first. Harder is what took more states; among equals what is undecided. The states of an undecided
deal are its budget, or a few more.

``python -m bench.tail STORE...`` merges the hardest deals of stores made by ``rr-solve batch``.
"""

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import click

from solver.base.files import csv_text, write
from solver.batch.store import UNKNOWN, VERDICTS, Store, contradict, gives_way
from solver.cli.options import stores_argument
from solver.game.rules import PRESETS
from solver.game.verdict import Verdict

FOLDER = Path(__file__).parent / "tail"
LENGTH = 300  # the most deals of a list


@dataclass(frozen=True, slots=True)
class Entry:
    """A deal, the states that were spent on it, and the verdict."""

    seed: str
    states: int
    verdict: Verdict


COLUMNS = [field.name for field in fields(Entry)]


def merged(entries: Iterable[Entry], news: Iterable[Entry], length: int = LENGTH) -> list[Entry]:
    """Gets the hardest of the deals known and of those that come in, the hardest first.

    :raises ValueError: if two verdicts contradict each other.
    """
    found = {entry.seed: entry for entry in entries}
    for entry in news:
        found[entry.seed] = updated(found.get(entry.seed, entry), entry)
    return sorted(found.values(), key=_place)[:length]


def updated(known: Entry, new: Entry) -> Entry:
    """Gets what is known of a deal after news of it.

    A later verdict takes the place of an earlier one, since another search spends other states.

    :raises ValueError: if the verdicts contradict each other.
    """
    if contradict(known, new):
        raise ValueError(f"deal {new.seed} is {known.verdict} in the list, but {new.verdict} now")
    return new if new.verdict is not UNKNOWN or gives_way(known, new) else known


def _place(entry: Entry) -> tuple[int, bool, int, str]:
    return -entry.states, entry.verdict != UNKNOWN, len(entry.seed), entry.seed


def read_list(path: Path) -> list[Entry]:
    """Reads a list; one that is not there yet is empty.

    :raises ValueError: if the file is no such list.
    """
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = csv.reader(file)
        if next(rows, None) != COLUMNS:
            raise ValueError(f"{path}: the first line must be {','.join(COLUMNS)}")
        return [_entry(row, f"{path}:{rows.line_num}") for row in rows]


def _entry(row: list[str], where: str) -> Entry:
    if len(row) != len(COLUMNS) or not row[1].isdecimal() or row[2] not in VERDICTS:
        raise ValueError(f"{where}: {','.join(row)!r} is not a deal, its states and its verdict")
    return Entry(row[0], int(row[1]), VERDICTS[row[2]])


def as_csv(entries: Iterable[Entry]) -> str:
    """Gets a list as text, as :func:`read_list` reads it."""
    return csv_text(COLUMNS, (astuple(entry) for entry in entries))


def tail_of(name: str) -> list[Entry]:
    """Gets the list of a preset."""
    return read_list(FOLDER / f"{name}.csv")


def grow(path: Path, folder: Path) -> None:
    """Merges the deals of a store into the lists in a folder.

    :raises ValueError: if the store or a list can't be read, or they contradict each other.
    """
    with Store(path) as store:
        for rules in store.rules().values():
            if rules.name not in PRESETS:
                click.echo(f"{path}: {rules.name} is no preset, left out", err=True)
                continue
            target = folder / f"{rules.name}.csv"
            before = read_list(target)
            news = (Entry(row.seed, row.states, row.verdict) for row in store.rows(rules))
            after = merged(before, news)
            folder.mkdir(exist_ok=True)
            write({target: as_csv(after).encode()})
            click.echo(_summary(rules.name, before, after))


def _summary(name: str, before: list[Entry], after: list[Entry]) -> str:
    new = len({entry.seed for entry in after} - {entry.seed for entry in before})
    undecided = sum(entry.verdict == UNKNOWN for entry in after)
    return (
        f"{name:<17} {len(after)} deals, {new} of them new, {undecided} undecided, "
        f"{after[-1].states:,} to {after[0].states:,} states"
        if after
        else f"{name:<17} no deals"
    )


@click.command()
@stores_argument
def main(stores: tuple[Path, ...]) -> None:
    """Merge the hardest deals of stores into the lists in bench/tail."""
    try:
        for path in stores:
            grow(path, FOLDER)
    except ValueError as error:  # a StoreError among them
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from None


if __name__ == "__main__":
    main()
