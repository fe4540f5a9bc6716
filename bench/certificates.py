"""Checks the certificates of a batch with both checkers, and tables them: ``make certificates``.

Each must be valid and be of the deal, the rules and the verdict in the store. Deals without one
are named: those undecided, and losses whose proof needs more states than it was allowed. A win must
have one. The plain checker, which is slow, may be left out for large proofs.
"""

import math
import textwrap
import time
from dataclasses import dataclass, field
from pathlib import Path

import click

from solver.batch.stats import WINNABLE
from solver.batch.store import UNKNOWN, Store
from solver.game.deal import deal_from_seed
from solver.game.position import Position, start
from solver.game.rules import Rules
from solver.game.verdict import DEFAULT_MEMORY
from solver.proof.certificate import Header, file_name, read_certificate
from solver.proof.verify import check


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
    by_both: int = 0
    plain_states: int = 0
    plain: float = 0.0
    fast: float = 0.0
    without: list[str] = field(default_factory=list)
    """The deals without a proof."""

    def add(self, path: Path, position: Position, winnable: bool, most: float) -> None:
        """Checks a certificate; that of a loss with both checkers up to ``most`` states.

        :raises ValueError: if it is not valid, or says something else than the store.
        :raises OSError: if it can't be read.
        """
        began = time.process_time()
        header = checked(path, fast=True)
        if header.position() != position:
            raise ValueError(f"{path}: not of the deal in the store, or of other rules")
        if (header.method is None) != winnable:
            raise ValueError(f"{path}: not the verdict in the store")
        if winnable:
            self.wins += 1
            return
        between = time.process_time()
        self.fast += between - began
        if header.tally.states <= most:
            checked(path, fast=False)
            self.plain += time.process_time() - between
            self.plain_states += header.tally.states
            self.by_both += 1
        self.losses += 1
        self.states += header.tally.states
        self.most_states = max(self.most_states, header.tally.states)
        self.size += path.stat().st_size
        self.most_size = max(self.most_size, path.stat().st_size)

    def __str__(self) -> str:
        counts = f"{self.name:17}{self.wins:6,}{self.losses:8,}"
        if not self.losses:
            return counts
        plain = self.plain_states / self.plain if self.by_both else 0
        return (
            f"{counts}{self.by_both:9,}{self.states:13,}{self.most_states:12,}{self.size:12,}"
            f"{self.most_size:10,}{plain:12,.0f}{self.states / self.fast:12,.0f}"
        )

    def without_text(self) -> str:
        """Names the deals without a proof."""
        text = f"{self.name}, {len(self.without):,} without a proof: {', '.join(self.without)}"
        return textwrap.fill(text, WIDTH, subsequent_indent="  ")


WIDTH = 110
HEADER = (
    f"{'valid proofs of':17}{'wins':>6}{'losses':>8}{'by both':>9}{'states':>13}{'largest':>12}"
    f"{'bytes':>12}{'largest':>10}{'plain, /s':>12}{'fast, /s':>12}"
)


def checked(path: Path, fast: bool) -> Header:
    """Checks a certificate, and gets what it says.

    :raises ValueError: naming the file, if it is not valid.
    """
    try:
        with path.open("rb") as file:
            header, body = read_certificate(file)
            check(header, body, DEFAULT_MEMORY, fast=fast)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return header


def line(store: Store, folder: Path, rules: Rules, most: float) -> Line:
    """Checks all certificates of one set of rules."""
    found = Line(rules.name)
    for row in store.rows(rules, moves=False):
        path, winnable = folder / file_name(row.seed, rules), row.verdict == WINNABLE
        if row.verdict == UNKNOWN or not (winnable or path.exists()):
            found.without.append(row.seed)
        else:
            position = start(deal_from_seed(row.seed, rules.reserve), rules)
            found.add(path, position, winnable, most)
    return found


@click.command()
@click.argument("path", metavar="STORE", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--plain-states",
    "most",
    metavar="N",
    type=click.IntRange(min=0),
    help="Largest proof that the plain checker checks too.  [default: all]",
)
def main(path: Path, folder: Path, most: int | None) -> None:
    """Check the certificates in FOLDER of the deals in STORE."""
    try:
        with Store(path) as store:
            print(HEADER)
            lines = []
            for rules in store.rules().values():
                lines.append(line(store, folder, rules, math.inf if most is None else most))
                print(lines[-1], flush=True)
        for found in lines:
            if found.without:
                print(found.without_text())
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
