"""Figures of whole processes: start, batches with one and two jobs, peak memory."""

import multiprocessing
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from solver.game.rules import PRESETS

from .figures import Figures, Section
from .measure import about, clocked, first_deals
from .timing import timed

STARTS = 5
BATCH_DEALS, BATCH_STATES = 4000, 20_000
MEMORY_DEALS, MEMORY_STATES = 100, 200_000
HARD_DEAL, HARD_STATES = "167521", 2_000_000
STATUS = Path("/proc/self/status")


def starts() -> Iterator[Section]:
    """Measures a whole process that solves one deal: cold (it compiles) and warm."""
    command = ["--seed", "100000", "--quiet"]
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        cold = _seconds(command, environment)
        warm = statistics.median(_seconds(command, environment) for _ in range(STARTS))
    rows: dict[str, Figures] = {"cold": {"seconds": cold}, "warm": {"seconds": warm}}
    yield Section("start", f"a process that solves deal 100000; warm: median of {STARTS}", rows)


def batch() -> Iterator[Section]:
    """Measures ``rr-solve batch`` with one job and with two, start of the workers included."""
    rows: dict[str, Figures] = {}
    first, *_, last = first_deals(BATCH_DEALS)
    command = ["batch", "--seeds", f"{first}-{last}", "--states", str(BATCH_STATES)]
    for name, jobs in ("one job", 1), ("two jobs", 2):
        with tempfile.TemporaryDirectory() as folder:
            extras = ["--store", f"{folder}/store.db", "--jobs", str(jobs)]
            rows[name] = {"seconds": _seconds([*command, *extras], os.environ)}
    for figures in rows.values():
        figures["deals/s"] = BATCH_DEALS / figures["seconds"]
        figures["speed-up"] = rows["one job"]["seconds"] / figures["seconds"]
    yield Section("batch", f"{about(BATCH_DEALS, BATCH_STATES)}, wikipedia", rows)


def _seconds(arguments: Sequence[str], environment: Mapping[str, str]) -> float:
    """Gets the time of ``rr-solve`` as a process."""
    command = [sys.executable, "-m", "solver", *arguments]
    _, milliseconds = clocked(
        lambda: subprocess.run(command, env=environment, check=True, capture_output=True)
    )
    return milliseconds / 1000


def memory() -> Iterator[Section]:
    """Measures the peak memory of processes that solve ``wikipedia`` deals."""
    rows: dict[str, Figures] = {
        "no deal": _peak([], 1),
        f"{MEMORY_DEALS} deals": _peak(first_deals(MEMORY_DEALS), MEMORY_STATES),
        f"deal {HARD_DEAL}": _peak([HARD_DEAL], HARD_STATES),
    }
    yield Section("memory", "the peak of a process, with the most states of a deal", rows)


def _peak(seeds: list[str], states: int) -> Figures:
    ignore = signal.signal, (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the parent
    with multiprocessing.get_context("spawn").Pool(1, *ignore) as pool:
        return pool.apply(_solve_and_look, (seeds, states))


def _solve_and_look(seeds: list[str], states: int) -> Figures:
    results = timed(PRESETS["wikipedia"], seeds, states)
    return {"MB": _peak_kilobytes() / 1024, "states": max((r.states for r in results), default=0)}


def _peak_kilobytes() -> int:
    """Gets the most memory that this process had resident.

    What ``getrusage`` says may be the parent's: on Linux it is kept when a program is started.
    """
    if STATUS.exists():
        fields = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
        return int(fields["VmHWM"].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
