"""The same batch on a Dask cluster on loopback: a real scheduler and two real worker processes."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .test_batch import batch, finished, rows_of, wait_for_rows

pytest.importorskip("distributed", reason="distributed is not installed (extra: dask)")

DASK = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker"]
Process = subprocess.Popen[bytes]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def wait_for_port(port: int) -> None:
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[Process]]]:
    """Starts a scheduler and two workers of one thread each."""
    port = free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    started = [subprocess.Popen([*DASK, "--port", str(port), *local], **quiet)]  # type: ignore[call-overload]
    wait_for_port(port)
    address = f"tcp://127.0.0.1:{port}"
    for _ in range(2):
        options = [address, *local, "--nworkers", "1", "--nthreads", "1", "--no-nanny"]
        started.append(subprocess.Popen([*WORKER, *options], **quiet))  # type: ignore[call-overload]
    yield address, started[1:]
    for process in started:
        process.kill()
        process.wait()


def test_a_worker_is_killed_and_the_batch_ends_with_the_same_rows(
    cluster: tuple[str, list[Process]], tmp_path: Path
) -> None:
    address, workers = cluster
    assert finished(tmp_path / "local.db", "--seeds", "100000-100399")[0] == 0
    while "has no workers" in finished(tmp_path / "x.db", "--seeds", "1", "--dask", address)[1]:
        pass
    path = tmp_path / "dask.db"
    process = batch(path, "--seeds", "100000-100399", "--dask", address)
    wait_for_rows(process, path, 1)
    workers[0].send_signal(signal.SIGKILL)
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert rows_of(path) == rows_of(tmp_path / "local.db")


def test_no_scheduler_is_one_line(tmp_path: Path) -> None:
    code, err = finished(
        tmp_path / "none.db", "--seeds", "1", "--dask", f"tcp://127.0.0.1:{free_port()}"
    )
    assert code == 1
    assert err.startswith("Error: no Dask scheduler at")
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_without_the_extra_there_is_one_line_and_no_store(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ImportError")
    done = subprocess.run(
        [sys.executable, "-m", "solver", "batch", "--seeds", "1", "--store", "x.db", "--dask", "y"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == "Error: --dask needs: pip install 'royal-rendezvous-solver[dask]'\n"
    assert not (tmp_path / "x.db").exists()
