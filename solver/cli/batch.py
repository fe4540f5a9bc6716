"""The commands that decide many deals: ``batch`` and ``merge``."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..batch.store import Row, Store, StoreError
from ..game.deal import parse_seed
from ..game.rules import Rules
from ..game.verdict import DEFAULT_STATES, Limits, Verdict
from ..proof.certificate import file_name
from ..show.console import one_line
from .options import (
    INTERRUPTED,
    budget_options,
    cores,
    read_rules,
    reserve_option,
    rules_options,
    say_if_compiling,
)
from .progress import Progress, bar

if TYPE_CHECKING:
    from ..batch.workers import Workers

STOPPING = "Stopping after the deals in flight (again: at once) ..."
MOST_DEALS = 10_000_000
WHOLE = 1, 1
"""The shard of all deals."""


def _seeds_option(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> list[str]:
    try:
        return _all_seeds(part for text in texts for part in text.split(","))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _all_seeds(ranges: Iterable[str]) -> list[str]:
    """Gets the deal numbers of ranges.

    :raises ValueError: if one is none, or there are too many deals.
    """
    seeds = [*islice((seed for text in ranges for seed in _seed_range(text)), MOST_DEALS + 1)]
    if len(seeds) > MOST_DEALS:
        raise ValueError(f"more than {MOST_DEALS:,} deals")
    return seeds


def _seed_range(text: str) -> Iterator[str]:
    """Gets the deal numbers of ``N``, ``msN``, ``A-B`` or ``msA-msB``.

    :raises ValueError: if the text is none of them.
    """
    first, dash, last = text.strip().partition("-")
    first = parse_seed(first)
    last = parse_seed(last) if dash else first
    kind = "ms" if first.startswith("ms") else ""
    low, high = int(first.removeprefix(kind)), int(last.removeprefix("ms"))
    if last.startswith("ms") != bool(kind) or high < low:
        raise ValueError(f"{text!r} is not a range of deal numbers")
    yield from (f"{kind}{number}" for number in range(low, high + 1))


def _shard_option(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[int, int]:
    if text is None:
        return WHOLE
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{text!r} is not K/N with K from 1 to N")
    return int(match[1]), int(match[2])


@click.command(short_help="Decide many deals and keep the verdicts.")
@click.option(
    "--seeds",
    multiple=True,
    callback=_seeds_option,
    metavar="A-B",
    help="Deal numbers: N, A-B, msA-msB, several with commas.",
)
@click.option(
    "--seeds-file",
    type=click.File(encoding="utf-8-sig"),
    help="A file of deal numbers or ranges, separated by blanks or lines.",
)
@click.option(
    "--store", "path", type=click.Path(path_type=Path), required=True, help="The SQLite file."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=cores,
    show_default="the cores there are",
    metavar="N",
    help="Worker processes.",
)
@click.option("--dask", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead.")
@click.option(
    "--shard",
    callback=_shard_option,
    metavar="K/N",
    help="Every N-th deal only, from the K-th on; 'merge' joins the stores.",
)
@click.option(
    "--retry-unknown",
    is_flag=True,
    help="Only the deals that are still undecided, and have not been given so much before.",
)
@click.option(
    "--certificates",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a proof of each verdict into this folder, for 'rr-solve verify'; with --dask it is"
    " one on the workers' machines.",
)
@click.option(
    "--difficulty", is_flag=True, help="Measure how hard the deals are too (0.3 s a deal)."
)
@reserve_option
@rules_options
@budget_options(DEFAULT_STATES)
def batch(
    seeds: list[str],
    seeds_file: Any,
    path: Path,
    jobs: int,
    dask: str | None,
    shard: tuple[int, int],
    retry_unknown: bool,
    certificates: Path | None,
    difficulty: bool,
    reserve: int | None,
    limits: Limits,
    **switches: Any,
) -> int:
    """Decide many deals and keep the verdicts in a store.

    Deals that the store has are not decided again, so the same command goes on where it was cut
    off; those of which a certificate is asked for and missing are. Ctrl-C ends it after the deals
    in flight, a second one at once.
    """
    every_rules = [
        replace(rules, reserve=reserve or rules.reserve) for rules in read_rules(**switches)
    ]
    named = list(dict.fromkeys([*seeds, *_seeds_in(seeds_file)]))
    if not path.name:
        raise click.BadParameter("'' is not the name of a file", param_hint="--store")
    if not named and not retry_unknown:
        raise click.UsageError("no deals: --seeds A-B, or --seeds-file FILE")
    if not named and shard != WHOLE:
        raise click.UsageError(
            "--shard needs --seeds or --seeds-file: other stores have other undecided deals"
        )
    if retry_unknown and not path.exists():
        raise click.ClickException(f"{one_line(path)}: there is no such store")
    wanted = named[shard[0] - 1 :: shard[1]]
    here = None if dask else certificates
    try:
        if here:
            here.mkdir(parents=True, exist_ok=True)
        with Store(path, writable=True) as store:
            todo = [
                (
                    rules,
                    _untried(store, rules, wanted if named else None, limits)
                    if retry_unknown
                    else _todo(store, rules, wanted, here, difficulty),
                )
                for rules in every_rules
            ]
            if not any(deals for _, deals in todo):
                why = "no deal is left to try again" if retry_unknown else "the store has all deals"
                click.echo(f"Nothing to do: {why}", err=True)
                return 0
            with _workers(jobs, dask) as workers:
                extras = certificates, difficulty
                return _run(store, todo, limits, workers, *extras)
    except ValueError as error:  # a StoreError among them
        raise click.ClickException(str(error)) from None
    except OSError as error:  # a certificate can't be written
        where = one_line(error.filename or certificates)
        raise click.ClickException(f"{where}: {error.strerror or error}") from None


@click.command(short_help="Join stores into one.")
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
def merge(target: Path, sources: tuple[Path, ...]) -> None:
    """Copy the rows of SOURCES into the store TARGET, which may be new."""
    if target.resolve() in [source.resolve() for source in sources]:
        raise click.UsageError(f"{target} can't be merged into itself")
    try:
        with ExitStack() as opened:
            others = [opened.enter_context(Store(source)) for source in sources]
            store = opened.enter_context(Store(target, writable=True))
            for other in others:
                store.copy_from(other)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _seeds_in(file: Any) -> list[str]:
    if file is None:
        return []
    number = 0

    def ranges() -> Iterator[str]:
        nonlocal number
        for line in file:
            number += 1
            yield from line.split()

    try:
        return _all_seeds(ranges())
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file.name}: {error}") from None
    except ValueError as error:
        raise click.ClickException(f"{file.name}:{number}: {error}") from None


def _todo(
    store: Store,
    rules: Rules,
    wanted: Sequence[str],
    certificates: Path | None,
    difficulty: bool,
) -> list[str]:
    """Gets the deals that are still to be decided, in the order asked for."""
    store.add_rules(rules)
    there = store.measured(rules) if difficulty else store.seeds(rules)
    if certificates:
        undecided = {row.seed for row in store.rows(rules) if row.verdict is Verdict.UNKNOWN}
        there = {
            seed
            for seed in there
            if seed in undecided or (certificates / file_name(seed, rules)).exists()
        }
    return [seed for seed in wanted if seed not in there]


def _untried(store: Store, rules: Rules, wanted: Sequence[str] | None, limits: Limits) -> list[str]:
    """Gets the deals that are worth another search: of those asked for, or of all."""
    store.add_rules(rules)
    untried = store.untried(rules, limits)
    if wanted is not None:
        return [seed for seed in wanted if seed in untried]
    return sorted(untried, key=lambda seed: (len(seed), seed))


@contextmanager
def _workers(jobs: int, dask: str | None) -> Iterator["Workers"]:
    from ..batch.workers import dask_workers, local_workers

    if dask is not None:
        with dask_workers(dask) as workers:
            yield workers
    else:
        say_if_compiling()
        yield local_workers(jobs)


def _run(
    store: Store,
    todo: list[tuple[Rules, list[str]]],
    limits: Limits,
    workers: "Workers",
    certificates: Path | None,
    difficulty: bool,
) -> int:
    from ..batch.workers import Batch, Unit, interruptible, units_of

    counts = _Counts(sum(len(seeds) for _, seeds in todo))
    run_id = store.begin_run(limits, [rules for rules, _ in todo])
    run = Batch(store, run_id, workers, counts.add)
    units = [
        unit
        for rules, seeds in todo
        for unit in units_of(
            Unit(rules, tuple(seeds), limits, certificates, difficulty), workers.count
        )
    ]
    try:
        with interruptible(run, lambda: counts.progress.say(STOPPING)):
            run.run(units)
    finally:
        counts.close()
    if counts.done < counts.total:
        click.echo("Stopped; the same command goes on from here", err=True)
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
        click.echo(
            f"{self.done:,} of {self.total:,} deals in {seconds:.0f} s: {self._won()}", err=True
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
