"""The command ``batch``: many deals decided, their verdicts kept in a store."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..batch.store import Row, Store
from ..game.rules import Rules
from ..game.verdict import DEFAULT_STATES, Limits, Verdict
from ..proof.certificate import file_name
from ..show.console import one_line
from .errors import reported
from .options import (
    INTERRUPTED,
    budget_options,
    cores,
    gathered,
    reserve_option,
    rules_options,
    say_if_compiling,
)
from .paths import InputFile, StoreFile
from .progress import Progress, bar
from .seeds import WHOLE, seeds_in, seeds_option, shard_option

if TYPE_CHECKING:
    from ..batch.workers import Workers

STOPPING = "Stopping after the deals in flight (again: at once) ..."

Todo = list[tuple[Rules, list[str]]]
"""The deals to decide under each set of rules."""


@dataclass(frozen=True, slots=True)
class Part:
    """Which of the deals are decided: those of a shard, or of these those left undecided."""

    shard: tuple[int, int]
    retry_unknown: bool


@dataclass(frozen=True, slots=True)
class Crew:
    """Who decides the deals: processes of this machine, or the workers of a Dask scheduler."""

    jobs: int
    dask: str | None


@dataclass(frozen=True, slots=True)
class Extras:
    """What is made beside a verdict."""

    certificates: Path | None
    difficulty: bool


named_options = gathered(
    "named",
    lambda seeds, seeds_file: tuple(dict.fromkeys([*seeds, *seeds_in(seeds_file)])),
    click.option(
        "--seeds",
        multiple=True,
        callback=seeds_option,
        metavar="A-B",
        help="Deal numbers: N, A-B, msA-msB, several with commas.",
    ),
    click.option(
        "--seeds-file",
        type=InputFile(),
        help="A file of deal numbers or ranges, separated by blanks or lines.",
    ),
)

part_options = gathered(
    "part",
    Part,
    click.option(
        "--shard",
        callback=shard_option,
        metavar="K/N",
        help="Every N-th deal only, from the K-th on; 'merge' joins the stores.",
    ),
    click.option(
        "--retry-unknown",
        is_flag=True,
        help="Only the deals that are still undecided, and have not been given so much before.",
    ),
)

crew_options = gathered(
    "crew",
    Crew,
    click.option(
        "--jobs",
        type=click.IntRange(1, 1024),
        default=cores,
        show_default="the cores there are",
        metavar="N",
        help="Worker processes.",
    ),
    click.option(
        "--dask", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead."
    ),
)

extras_options = gathered(
    "extras",
    Extras,
    click.option(
        "--certificates",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Write a proof of each verdict into this folder, for 'rr-solve verify'; with --dask it"
        " is one on the workers' machines.",
    ),
    click.option(
        "--difficulty", is_flag=True, help="Measure how hard the deals are too (0.3 s a deal)."
    ),
)


@click.command(short_help="Decide many deals and keep the verdicts.")
@named_options
@click.option(
    "--store", "path", type=StoreFile(writes=True), required=True, help="The SQLite file."
)
@crew_options
@part_options
@extras_options
@reserve_option
@rules_options
@budget_options(DEFAULT_STATES)
def batch(
    named: tuple[str, ...],
    path: Path,
    crew: Crew,
    part: Part,
    extras: Extras,
    reserve: int | None,
    every_rules: list[Rules],
    limits: Limits,
) -> int:
    """Decide many deals and keep the verdicts in a store.

    Deals that the store has are not decided again, so the same command goes on where it was cut
    off; those of which a certificate is asked for and missing are. Ctrl-C ends it after the deals
    in flight, a second one at once.
    """
    _check(named, path, part)
    wanted = named[part.shard[0] - 1 :: part.shard[1]]
    here = None if crew.dask else extras.certificates
    with reported(extras.certificates):
        if here:
            here.mkdir(parents=True, exist_ok=True)
        with _workers(crew) as workers, Store(path, writable=True) as store:
            todo = []
            for rules in every_rules:
                rules = replace(rules, reserve=reserve or rules.reserve)
                store.add_rules(rules)
                if part.retry_unknown:
                    seeds = _untried(store, rules, wanted if named else None, limits)
                else:
                    seeds = _missing(store, rules, wanted, Extras(here, extras.difficulty))
                todo.append((rules, seeds))
            if not any(seeds for _, seeds in todo):
                no_deal = "no deal is left to try again"
                why = no_deal if part.retry_unknown else "the store has all deals"
                click.echo(f"Nothing to do: {why}", err=True)
                return 0
            if not crew.dask:
                _compile_first()
            return _run(store, todo, limits, workers, extras)


def _check(named: Sequence[str], path: Path, part: Part) -> None:
    """Refuses what can't be done, before a store is opened."""
    if not named and not part.retry_unknown:
        raise click.UsageError("no deals: --seeds A-B, or --seeds-file FILE")
    if not named and part.shard != WHOLE:
        raise click.UsageError(
            "--shard needs --seeds or --seeds-file: other stores have other undecided deals"
        )
    if part.retry_unknown and not path.exists():
        raise click.ClickException(f"{one_line(path)}: there is no such store")


def _missing(store: Store, rules: Rules, wanted: Sequence[str], extras: Extras) -> list[str]:
    """Gets the deals that are still to be decided, in the order asked for.

    :param extras: what is made on this machine beside a verdict.
    """
    there = store.measured(rules) if extras.difficulty else store.seeds(rules)
    if extras.certificates:
        undecided = {row.seed for row in store.rows(rules) if row.verdict is Verdict.UNKNOWN}
        there = {
            seed
            for seed in there
            if seed in undecided or (extras.certificates / file_name(seed, rules)).exists()
        }
    return [seed for seed in wanted if seed not in there]


def _untried(store: Store, rules: Rules, wanted: Sequence[str] | None, limits: Limits) -> list[str]:
    """Gets the deals that are worth another search: of those asked for, or of all."""
    untried = store.untried(rules, limits)
    if wanted is not None:
        return [seed for seed in wanted if seed in untried]
    return sorted(untried, key=lambda seed: (len(seed), seed))


@contextmanager
def _workers(crew: Crew) -> Iterator["Workers"]:
    from ..batch.workers import dask_workers, local_workers

    if crew.dask is not None:
        with dask_workers(crew.dask) as workers:
            yield workers
    else:
        yield local_workers(crew.jobs)


def _compile_first() -> None:
    from ..batch.workers import compile_first

    say_if_compiling()
    compile_first()


def _run(store: Store, todo: Todo, limits: Limits, workers: "Workers", extras: Extras) -> int:
    from ..batch.workers import Batch, Unit, interruptible, units_of

    counts = _Counts(sum(len(seeds) for _, seeds in todo))
    run_id = store.begin_run(limits, [rules for rules, _ in todo])
    run = Batch(store, run_id, workers, counts.add)
    units = [
        unit
        for rules, seeds in todo
        for unit in units_of(
            Unit(rules, tuple(seeds), limits, extras.certificates, extras.difficulty),
            workers.count,
        )
    ]
    try:
        with interruptible(run, lambda: counts.progress.say(STOPPING)):
            run.run(units)
    finally:
        counts.close()
    if counts.done < counts.total:
        counts.progress.say("Stopped; the same command goes on from here")
        return INTERRUPTED
    return 0


class _Counts:
    """The verdicts of a run so far, with a bar while it lasts and a line of totals at its end."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.progress = Progress(self._bar)
        self._verdicts: Counter[Verdict] = Counter()
        self._begin = time.monotonic()
        self.progress(0)

    def add(self, rows: list[Row]) -> None:
        """Counts rows that are in the store."""
        self.done += len(rows)
        self._verdicts.update(row.verdict for row in rows)
        self.progress(self.done)

    def close(self) -> None:
        """Ends the bar with the totals."""
        self.progress.close()
        seconds = time.monotonic() - self._begin
        self.progress.say(
            f"{self.done:,} of {self.total:,} deals in {seconds:.0f} s: {self._won()}"
        )

    def _bar(self, deals: int, done: int, seconds: float) -> str:
        rate = done / max(seconds, 1e-3)
        left = (self.total - deals) / max(rate, 1e-9)
        return (
            f"{bar(deals, self.total)} {deals:,}/{self.total:,} "
            f"{rate:.0f}/s, {left:.0f} s left, {self._won()}"
        )

    def _won(self) -> str:
        won, lost, unknown = (self._verdicts[verdict] for verdict in Verdict)
        return f"{won:,} won, {lost:,} lost, {unknown:,} unknown"
