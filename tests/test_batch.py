"""Batches: the same rows however often and however rudely they are cut off."""

import fcntl
import os
import pty
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import termios
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.batch.store import Row, Store, StoreError, unpack_moves
from solver.batch.workers import Batch, Unit, Workers, decide, local_workers, units_of
from solver.cli.merge import merge
from solver.game.deal import deal_from_seed
from solver.game.position import replay, start
from solver.game.rules import PRESETS
from solver.game.verdict import Limits, Verdict
from solver.kernel.jit import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")

TILL_DAWN = PRESETS["till-dawn"]
COMMAND = [sys.executable, "-m", "solver", "batch", "--rules", "till-dawn"]
LIMITS = Limits(10**6, memory=1 << 30)
KILLS = 20


def rows_of(path: Path, name: str = "till-dawn") -> list[tuple[object, ...]]:
    """Gets all that does not depend on the clock from a store, as any program would read it."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        return database.execute(
            "SELECT seed, verdict, reason, states, method, moves FROM verdict"
            " JOIN rules ON rules.id = verdict.rules WHERE name = ? ORDER BY seed",
            (name,),
        ).fetchall()


def batch(path: Path, *options: str) -> "subprocess.Popen[str]":
    """Starts a batch in a process group of its own."""
    return subprocess.Popen(
        [*COMMAND, "--store", str(path), "--jobs", "1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished(path: Path, *options: str) -> tuple[int, str]:
    process = batch(path, *options)
    out, err = process.communicate()
    assert out == ""
    return process.returncode, err


def wait_for_rows(process: "subprocess.Popen[str]", path: Path, number: int) -> None:
    while process.poll() is None:
        try:
            if len(rows_of(path)) >= number:
                return
        except sqlite3.OperationalError:
            pass  # the tables are being made
        time.sleep(0.005)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    path = tmp_path_factory.mktemp("batch") / "whole.db"
    code, err = finished(path, "--seeds", "100000-100399")
    assert code == 0, err
    assert "400 of 400 deals" in err
    rows = rows_of(path)
    assert len(rows) == 400
    return rows


def test_every_stored_win_replays(undisturbed: list[tuple[object, ...]]) -> None:
    for seed, verdict, _, _, _, moves in undisturbed:
        if verdict == "winnable":
            assert isinstance(seed, str)
            assert isinstance(moves, bytes)
            position = start(deal_from_seed(seed), TILL_DAWN)
            assert replay(position, unpack_moves(moves)).is_won


def test_kills_at_random_moments_lose_nothing(
    undisturbed: list[tuple[object, ...]], tmp_path: Path
) -> None:
    rng = random.Random(1)
    path = tmp_path / "killed.db"
    kept = 0
    for _ in range(KILLS):
        process = batch(path, "--seeds", "100000-100399")
        wait_for_rows(process, path, kept + rng.choice([0, 1, 1, 15, 30]))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        rows = rows_of(path)
        assert len(rows) >= kept
        assert set(rows) <= set(undisturbed)
        kept = len(rows)
    assert finished(path, "--seeds", "100000-100399")[0] == 0
    assert rows_of(path) == undisturbed


def is_running(pid: int) -> bool:
    """Whether a process is there and has not ended; who is to bury it may be gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def workers_of(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def wait_for_the_end(pids: list[int]) -> None:
    while any(map(is_running, pids)):
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system lists no children")
def test_workers_of_a_killed_batch_end(tmp_path: Path) -> None:
    path = tmp_path / "killed.db"
    process = batch(path, "--seeds", "100000-199999", "--jobs", "2")
    wait_for_rows(process, path, 1)
    workers = workers_of(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.wait()
    wait_for_the_end(workers)  # for ever, where they do not
    assert process.communicate()[0] == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_finishes_what_is_in_flight_and_the_same_command_goes_on(
    undisturbed: list[tuple[object, ...]], tmp_path: Path, number: signal.Signals
) -> None:
    path = tmp_path / "stopped.db"
    process = batch(path, "--seeds", "100000-100399")
    wait_for_rows(process, path, 1)
    os.killpg(process.pid, number)
    _, err = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "the same command goes on from here" in err
    assert 0 < len(rows_of(path)) < 400
    assert finished(path, "--seeds", "100000-100399")[0] == 0
    assert rows_of(path) == undisturbed
    assert "Nothing to do" in finished(path, "--seeds", "100000-100399")[1]


def test_a_closed_terminal_ends_a_batch_in_good_order(
    undisturbed: list[tuple[object, ...]], tmp_path: Path
) -> None:
    path = tmp_path / "closed.db"
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--store", str(path), "--jobs", "1", "--seeds", "100000-100399"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        text=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0) and None,
    )
    os.close(theirs)
    wait_for_rows(process, path, 1)
    os.close(terminal)  # what is printed from now on fails
    assert process.wait() == 130
    assert 0 < len(rows_of(path)) < 400
    assert finished(path, "--seeds", "100000-100399")[0] == 0
    assert rows_of(path) == undisturbed


def test_a_batch_under_nohup_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "nohup.db"
    line = ["nohup", *COMMAND, "--store", str(path), "--jobs", "1", "--seeds", "100000-100199"]
    process = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_for_rows(process, path, 1)
    os.killpg(process.pid, signal.SIGHUP)
    process.communicate()
    assert process.returncode == 0
    assert len(rows_of(path)) == 200


def test_shards_join_to_the_whole(undisturbed: list[tuple[object, ...]], tmp_path: Path) -> None:
    shards = [tmp_path / f"{k}.db" for k in (1, 2, 3)]
    for k, path in enumerate(shards, 1):
        assert finished(path, "--seeds", "100000-100099", "--shard", f"{k}/3")[0] == 0
    joined = tmp_path / "joined.db"
    command = [sys.executable, "-m", "solver", "merge", *map(str, [joined, *shards])]
    subprocess.run(command, check=True)
    assert rows_of(joined) == undisturbed[:100]


def test_only_the_undecided_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "retry.db"
    assert finished(path, "--seeds", "100000-100019", "--states", "200")[0] == 0
    first = rows_of(path)
    unknown = [row[0] for row in first if row[1] == "unknown"]
    assert 0 < len(unknown) < 20
    assert "no deal is left to try" in finished(path, "--retry-unknown", "--states", "200")[1]
    _, err = finished(path, "--retry-unknown", "--states", "100000")
    assert f"{len(unknown)} of {len(unknown)} deals" in err
    assert {row for row in first if row[1] != "unknown"} < set(rows_of(path))
    assert all(row[1] != "unknown" for row in rows_of(path))


def test_a_full_disk_is_one_line_and_leaves_a_good_store(tmp_path: Path) -> None:
    path = tmp_path / "full.db"
    assert finished(path, "--seeds", "100000-100009")[0] == 0
    before = rows_of(path)
    limited = subprocess.run(
        [*COMMAND, "--store", str(path), "--jobs", "1", "--seeds", "100000-100399"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)),
    )
    assert limited.returncode == 1
    assert "Traceback" not in limited.stderr
    assert f"Error: {path}: " in limited.stderr
    assert set(before) <= set(rows_of(path))
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert finished(path, "--seeds", "100000-100399")[0] == 0
    assert len(rows_of(path)) == 400


def kills_worker(unit: Unit) -> list[Row]:
    """Does a unit, but dies of one deal always, and of another where it is not alone."""
    if "100013" in unit.seeds or ("100002" in unit.seeds and len(unit.seeds) > 1):
        os.kill(os.getpid(), signal.SIGKILL)
    return decide(unit)


def test_a_worker_that_dies_is_noticed_and_its_deals_are_done(
    undisturbed: list[tuple[object, ...]], tmp_path: Path
) -> None:
    path = tmp_path / "died.db"
    with Store(path, writable=True) as store:
        store.add_rules(TILL_DAWN)
        seeds = [str(number) for number in range(100000, 100020)]
        units = [Unit(TILL_DAWN, tuple(seeds[i : i + 5]), LIMITS) for i in (0, 5, 10, 15)]
        run = store.begin_run(LIMITS)
        Batch(store, run, local_workers(2), work=kills_worker).run(units)
    rows = {str(row[0]): row for row in rows_of(path)}
    assert sorted(rows) == seeds
    assert rows.pop("100013")[1:3] == ("unknown", "worker died")
    assert set(rows.values()) <= set(undisturbed)


def test_any_executor_will_do(undisturbed: list[tuple[object, ...]], tmp_path: Path) -> None:
    path = tmp_path / "threads.db"
    with Store(path, writable=True) as store:
        store.add_rules(TILL_DAWN)
        workers = Workers(lambda: ThreadPoolExecutor(2), 2, ())
        units = units_of(Unit(TILL_DAWN, tuple(map(str, range(100000, 100020))), LIMITS), 2)
        Batch(store, store.begin_run(LIMITS), workers).run(units)
    assert rows_of(path) == undisturbed[:20]


def test_a_row_that_contradicts_the_store_stops_the_batch(tmp_path: Path) -> None:
    path = tmp_path / "wrong.db"
    with Store(path, writable=True) as store:
        store.add_rules(TILL_DAWN)
        run = store.begin_run(LIMITS)
        store.add(TILL_DAWN, run, [Row("100001", Verdict.UNWINNABLE, None, 1, "none", 1, None)])
        workers = Workers(lambda: ThreadPoolExecutor(1), 1, ())
        with pytest.raises(StoreError, match="deal 100001 is unwinnable here"):
            Batch(store, run, workers).run([Unit(TILL_DAWN, ("100001",), LIMITS)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "no deals"),
        (("--seeds", "5-3"), "'5-3' is not a range"),
        (("--seeds", "ms5-9"), "is not a range"),
        (("--seeds", "x"), "'x' is not a deal number"),
        (("--seeds", "1-99999999999"), "more than 10,000,000 deals"),
        (("--seeds", "1-6000000,6000001-12000000"), "more than 10,000,000 deals"),
        (("--retry-unknown", "--shard", "1/2"), "--shard needs --seeds"),
        (("--seeds", "1", "--states", "9" * 20), "is not in the range"),
        (("--seeds", "1", "--memory", "9" * 13), "is not in the range"),
        (("--seeds", "1", "--shard", "3/2"), "'3/2' is not K/N"),
        (("--seeds", "1", "--rules", "all", "--kings", "free"), "contradict"),
    ],
)
def test_a_wrong_command_line_makes_no_store(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    code, err = finished(tmp_path / "none.db", *options)
    assert code == 2
    assert message in err
    assert not (tmp_path / "none.db").exists()


def test_stores_that_are_not_there_are_not_made(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    assert finished(path, "--retry-unknown") == (1, f"Error: {path}: there is no such store\n")
    result = CliRunner().invoke(merge, [str(path), str(tmp_path / "source.db")])
    assert (result.exit_code, result.stderr.count("source.db: there is no such store")) == (1, 1)
    assert not path.exists()


def test_a_word_that_is_no_deal_number_is_named_with_its_line(tmp_path: Path) -> None:
    listed = tmp_path / "deals.txt"
    listed.write_bytes(b"\xef\xbb\xbf100000 100001\n100002-100009 x\n")
    code, err = finished(tmp_path / "none.db", "--seeds-file", str(listed))
    assert code == 1
    assert err.startswith(f"Error: {listed}:2: 'x' is not a deal number")


def test_a_shard_may_be_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    code, err = finished(path, "--seeds", "100000-100001", "--shard", "3/3")
    assert (code, err) == (0, "Nothing to do: the store has all deals\n")
    assert path.exists()


def test_units_hold_every_deal_once() -> None:
    for number in (0, 1, 15, 16, 399, 10_000):
        seeds = [str(seed) for seed in range(number)]
        units = units_of(Unit(replace(TILL_DAWN, reserve=9), tuple(seeds), LIMITS), 2)
        assert [seed for unit in units for seed in unit.seeds] == seeds
        assert all(1 <= len(unit.seeds) <= 50 for unit in units)
