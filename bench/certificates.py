"""Checks the certificates of a batch with both checkers, and tables them: ``make certificates``.

Every deal of the store that is decided must have one, and each must be valid and tell the verdict
that is stored.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import click

from solver import DEFAULT_MEMORY
from solver.proof.certificate import Header, file_name, read_certificate
from solver.proof.verify import verify
from solver.rules import Rules
from solver.store import Store


@dataclass(slots=True)
class Line:
    """What was checked under one set of rules; times are in seconds of the processor."""

    name: str
    wins: int = 0
    losses: int = 0
    states: int = 0
    most_states: int = 0
    size: int = 0
    most_size: int = 0
    plain: float = 0.0
    fast: float = 0.0

    def add(self, path: Path, winnable: bool) -> None:
        """Checks one certificate, with both checkers if it is of a loss."""
        began = time.process_time()
        header = checked(path, fast=False)
        if (header.method is None) != winnable:
            raise ValueError(f"{path}: not the verdict in the store")
        if winnable:
            self.wins += 1
            return
        between = time.process_time()
        checked(path, fast=True)
        self.plain += between - began
        self.fast += time.process_time() - between
        self.losses += 1
        self.states += header.tally.states
        self.most_states = max(self.most_states, header.tally.states)
        self.size += path.stat().st_size
        self.most_size = max(self.most_size, path.stat().st_size)

    def __str__(self) -> str:
        counts = f"{self.name:17}{self.wins:6,}{self.losses:8,}"
        if not self.losses:
            return counts
        return (
            f"{counts}{self.states:12,}{self.most_states:12,}{self.size:12,}{self.most_size:10,}"
            f"{self.states / self.plain:12,.0f}{self.states / self.fast:12,.0f}"
        )


HEADER = (
    f"{'valid proofs of':17}{'wins':>6}{'losses':>8}{'states':>12}{'largest':>12}{'bytes':>12}"
    f"{'largest':>10}{'plain, /s':>12}{'fast, /s':>12}"
)


def checked(path: Path, fast: bool) -> Header:
    """Checks a certificate, and gets what it says.

    :raises InvalidError: if it is not valid.
    """
    with path.open("rb") as file:
        header, body = read_certificate(file)
        verify(header, body, DEFAULT_MEMORY, fast=fast)
    return header


def line(store: Store, folder: Path, rules: Rules) -> Line:
    """Checks all certificates of one set of rules."""
    found = Line(rules.name)
    for row in store.rows(rules):
        if row.verdict == "unknown":
            click.echo(f"{rules.name} {row.seed}: undecided", err=True)
        else:
            found.add(folder / file_name(row.seed, rules), row.verdict == "winnable")
    return found


@click.command()
@click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
def main(path: Path, folder: Path) -> None:
    """Check the certificates in FOLDER of the deals in STORE."""
    try:
        with Store(path) as store:
            print(HEADER)
            for rules in store.rules().values():
                print(line(store, folder, rules))
                sys.stdout.flush()
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
