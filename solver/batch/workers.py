"""Decides many deals with many workers, and loses nothing on the way.

The driver alone writes to the store. Workers are any ``concurrent.futures.Executor``; what they get
is a *unit*, some deals under one set of rules, and what they give back is a row a deal.

A worker that dies takes the units that were in flight with it. Each of them is done again by
itself; one that dies again is split into its deals; a deal that kills its worker twice when it is
alone is recorded as unknown.
"""

import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType
from typing import Any

from ..compiled.folder import SEARCH, CodeCacheWarning, is_compiled
from ..game.deal import deal_from_seed
from ..game.errors import Error
from ..game.position import start
from ..game.rules import Rules
from ..game.verdict import Limits, Reason, Verdict
from .store import NO_METHOD, Row, Store, pack_moves

MOST_IN_UNIT = 50  # deals
UNITS_PER_WORKER = 8  # into which what is left is split
IN_FLIGHT = 2  # units a worker, one of them waiting
LOOK_SECONDS = 0.2  # between two looks at Ctrl-C
CONNECT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Unit:
    """Some deals under one set of rules, with the limits of each.

    ``certificates`` is the folder for certificates, if any are to be written.
    """

    rules: Rules
    seeds: tuple[str, ...]
    limits: Limits
    certificates: Path | None = None
    difficulty: bool = False
    """Whether to measure how hard the deals are too."""

    def split(self) -> list["Unit"]:
        """Gets a unit for each of the deals."""
        return [replace(self, seeds=(seed,)) for seed in self.seeds]


@dataclass(frozen=True, slots=True)
class Workers:
    """Where units are done: how to get an executor, its workers, and how it says that one died."""

    executor: Callable[[], Executor]
    count: int
    deaths: tuple[type[BaseException], ...]


def local_workers(count: int) -> Workers:
    """Gets worker processes on this machine, which :func:`compile_first` saves work."""
    context = multiprocessing.get_context("spawn")

    def executor() -> Executor:
        return ProcessPoolExecutor(count, context, _begin_work)

    return Workers(executor, count, (BrokenExecutor,))


def compile_first() -> None:
    """Compiles what is not compiled yet, before several processes would do it."""
    if not is_compiled(SEARCH):
        from ..engine.search import prepare

        prepare()


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """Gets the workers of a Dask cluster, given the address of its scheduler.

    The scheduler itself moves the units of a worker that died to another one, until it finds a unit
    guilty of several deaths.

    :raises Error: if ``distributed`` is not installed, or no scheduler with workers answers.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise Error("--dask needs: pip install 'royal-rendezvous-solver[dask]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise Error(f"no Dask scheduler at {address}: {error}") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise Error(f"the Dask scheduler at {address} has no workers")
        yield Workers(lambda: client.get_executor(pure=False), threads, (KilledWorker,))


def _begin_work() -> None:
    """Leaves to the driver warnings and Ctrl-C, at which workers finish what they are at.

    A driver that is killed can't end its workers, so they watch it: a thread does, since the
    search lets go of the interpreter many times a second.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    warnings.simplefilter("ignore", CodeCacheWarning)
    threading.Thread(target=_end_with_the_driver, daemon=True).start()


def _end_with_the_driver() -> None:
    driver = multiprocessing.parent_process()
    assert driver is not None
    driver.join()
    os._exit(1)  # no other way ends a thread that is in the search


def decide(unit: Unit) -> list[Row]:
    """Decides the deals of a unit: what a worker does."""
    return [_row(unit, seed) for seed in unit.seeds]


def _row(unit: Unit, seed: str) -> Row:
    from ..engine.decide import solve  # the driver itself needs no kernels

    deal = deal_from_seed(seed, unit.rules.reserve)
    position = start(deal, unit.rules)
    result = solve(position, unit.limits)
    if unit.certificates is not None:
        from ..player.certify import write_into

        write_into(unit.certificates, deal, result, unit.limits)
    difficulty = None
    if unit.difficulty:
        from ..player.difficulty import difficulty_of_result

        difficulty = difficulty_of_result(position, result, unit.limits.memory)
    return Row(
        seed,
        result.verdict,
        result.reason,
        result.states,
        result.method,
        round(result.seconds * 1e6),
        pack_moves(result.moves) if result.verdict is Verdict.WINNABLE else None,
        difficulty,
    )


def units_of(every: Unit, workers: int) -> Iterator[Unit]:
    """Splits deals into units that get smaller, so that all workers end at about the same time."""
    first = 0
    while first < len(every.seeds):
        share = (len(every.seeds) - first) // (UNITS_PER_WORKER * workers)
        size = max(1, min(MOST_IN_UNIT, share))
        yield replace(every, seeds=every.seeds[first : first + size])
        first += size


@dataclass(slots=True)
class Batch:
    """A run over units: does them all, or stops early when :meth:`stop` is called.

    :raises StoreError: from :meth:`run`, if rows can't be written or contradict the store.
    """

    store: Store
    run_id: int
    workers: Workers
    on_rows: Callable[[list[Row]], None] = lambda rows: None
    work: Callable[[Unit], list[Row]] = decide
    stopped: bool = field(default=False, init=False)

    def stop(self) -> None:
        """Has the run end after what is in flight."""
        self.stopped = True

    def run(self, units: Iterable[Unit]) -> None:
        """Does the units and stores their rows as they come."""
        waiting, suspects = deque(units), deque[Unit]()
        while (waiting or suspects) and not self.stopped:
            if suspects:
                suspects.extend(self._alone(suspects.popleft()))
            else:
                suspects.extend(self._together(waiting))

    def _together(self, waiting: deque[Unit]) -> list[Unit]:
        """Does units side by side, and gets those that were in flight when a worker died."""
        flying: dict[Future[list[Row]], Unit] = {}
        with self._executor() as executor:
            while flying or (waiting and not self.stopped):
                while waiting and not self.stopped and len(flying) < self._most_in_flight:
                    try:
                        future = executor.submit(self.work, waiting[0])
                    except self.workers.deaths:
                        break  # the futures in flight say so too
                    flying[future] = waiting.popleft()
                done, _ = wait(flying, LOOK_SECONDS, FIRST_COMPLETED)
                if any(isinstance(future.exception(), self.workers.deaths) for future in done):
                    return self._landed(flying)
                for future in done:
                    self._keep(flying.pop(future), future.result())
        return []

    def _landed(self, flying: dict[Future[list[Row]], Unit]) -> list[Unit]:
        """Keeps what was finished when a worker died, and gets the units that were not."""
        lost = []
        for future, unit in flying.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self._keep(unit, future.result())
            else:
                lost.append(unit)
        return lost

    def _alone(self, unit: Unit) -> list[Unit]:
        """Does a unit with no other in flight, and gets what is to be tried of it if that dies."""
        for _ in range(2 if len(unit.seeds) == 1 else 1):
            with self._executor() as executor:
                try:
                    self._keep(unit, executor.submit(self.work, unit).result())
                except self.workers.deaths:
                    continue
                return []
        if len(unit.seeds) > 1:
            return unit.split()
        self._keep(unit, [Row(unit.seeds[0], Verdict.UNKNOWN, Reason.DIED, 0, NO_METHOD, 0, None)])
        return []

    def _keep(self, unit: Unit, rows: list[Row]) -> None:
        self.store.add(unit.rules, self.run_id, rows)
        self.on_rows(rows)

    @property
    def _most_in_flight(self) -> int:
        return IN_FLIGHT * self.workers.count

    @contextmanager
    def _executor(self) -> Iterator[Executor]:
        """Gets an executor, and ends it at once if anything goes wrong with the driver."""
        executor = self.workers.executor()
        try:
            yield executor
        except BaseException:
            for process in multiprocessing.active_children():
                process.kill()
            executor.shutdown(wait=False)
            raise
        executor.shutdown()


def _start_tracker() -> None:
    """Starts the process that cleans up after workers, which a SIGHUP for all would else end."""
    earlier = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    resource_tracker.ensure_running()
    signal.signal(signal.SIGHUP, earlier)


@contextmanager
def interruptible(batch: Batch, on_stop: Callable[[], None]) -> Iterator[None]:
    """Lets the first Ctrl-C end a batch in good order, and the next one at once.

    SIGTERM does the same, and SIGHUP, which comes when the terminal is closed, unless it is ignored
    as ``nohup`` has it.
    """

    def handle(number: int, frame: FrameType | None) -> None:
        if batch.stopped:
            raise KeyboardInterrupt
        batch.stop()
        on_stop()

    _start_tracker()
    earlier: dict[int, Any] = {
        number: signal.signal(number, handle)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
