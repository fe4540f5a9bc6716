"""Compiled code on disk: made anew where it is damaged, and not missed where it can't be kept."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.cli.cache import cache as cache_command
from solver.compiled.folder import SEARCH, folder, is_compiled, read

WON = "100000"
LOST = "100016"
SOLVE = ("--seed", WON, "--quiet")
COMPILING = "Compiling the search, half a minute ..."


def rr_solve(
    cache: Path, *arguments: str, limit: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command with a cache in a folder, under a limit of the shell's ``ulimit``."""
    shell = f'ulimit {limit}; exec "$@"' if limit else 'exec "$@"'
    return subprocess.run(
        ["sh", "-c", shell, "sh", sys.executable, "-m", "solver", *arguments],
        env={key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
        | {"XDG_CACHE_HOME": str(cache)}
        | environment,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    """Gets a cache with the code that this process has compiled."""
    shutil.copytree(folder(), tmp_path / "cache" / "rr-solve" / folder().name)
    return tmp_path / "cache"


def files_of(cache: Path, function: str = "") -> list[Path]:
    return sorted(cache.glob(f"rr-solve/*/{function}*.nbc"))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:1000])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def blank(path: Path) -> None:
    """Fills a file with zeros from its middle on, as a power cut may leave it."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2].ljust(len(content), b"\0"))


@pytest.mark.parametrize("damage", [cut, empty, blank])
def test_a_damaged_file_is_compiled_anew(warm: Path, damage: Callable[[Path], None]) -> None:
    [search] = files_of(warm, SEARCH)
    whole = search.stat().st_size
    damage(search)
    done = rr_solve(warm, *SOLVE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "winnable\n", COMPILING + "\n")
    assert read(search) is not None
    assert search.stat().st_size == pytest.approx(whole, rel=0.1)
    done = rr_solve(warm, *SOLVE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "winnable\n", "")


def test_damage_to_every_file_costs_no_more_than_a_first_start(warm: Path, tmp_path: Path) -> None:
    for number, path in enumerate(files_of(warm)):
        (cut, empty, blank)[number % 3](path)
    store = str(tmp_path / "store.db")
    done = rr_solve(warm, "batch", "--seeds", "1-4", "--store", store, "--jobs", "2")
    assert done.returncode == 0
    assert "4 of 4 deals" in done.stderr
    [search] = files_of(warm, SEARCH)
    assert read(search) is not None


def test_a_damaged_fast_checker_is_compiled_anew(warm: Path, tmp_path: Path) -> None:
    proof = str(tmp_path / "lost.rrc")
    assert rr_solve(warm, "--seed", LOST, "--quiet", "--certificate", proof).returncode == 0
    assert "valid" in rr_solve(warm, "verify", "--fast", proof).stdout
    checker = files_of(warm, "proof.fast.")
    assert checker
    for path in checker:
        empty(path)
    done = rr_solve(warm, "verify", "--fast", proof)
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "valid")
    assert all(read(path) is not None for path in files_of(warm, "proof.fast.bound._refuted"))


def test_a_verdict_needs_no_room_for_compiled_code(tmp_path: Path) -> None:
    """A limit on the size of files stops writing as a full disk does."""
    done = rr_solve(tmp_path, *SOLVE, limit="-f 8")
    assert (done.returncode, done.stdout) == (0, "winnable\n")
    compiling, warning = done.stderr.splitlines()
    assert compiling == COMPILING
    kept_in = tmp_path / "rr-solve" / folder().name
    why = os.strerror(errno.EFBIG)
    assert warning == f"Warning: the compiled code could not be kept in {kept_in}: {why}"
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_verdict_needs_few_files(warm: Path) -> None:
    done = rr_solve(warm, *SOLVE, limit="-n 20")
    assert (done.returncode, done.stdout, done.stderr) == (0, "winnable\n", "")


def test_a_folder_that_cannot_be_made_leaves_nothing_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    version = rr_solve(tmp_path / "file", "--version", TMPDIR=str(temporary))
    done = rr_solve(tmp_path / "file", *SOLVE, TMPDIR=str(temporary))
    assert (version.returncode, version.stderr) == (0, "")
    assert (done.returncode, done.stdout) == (0, "winnable\n")
    assert done.stderr.count("could not be kept in") == 1
    assert not list(temporary.iterdir())


def test_what_makes_no_search_makes_no_folder(tmp_path: Path) -> None:
    for arguments in (["--version"], ["cache"], ["show", "--seed", WON]):
        assert rr_solve(tmp_path / "cache", *arguments).returncode == 0
    assert not (tmp_path / "cache").exists()


def test_the_cache_is_shown_and_cleared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    run = CliRunner().invoke
    here = folder()
    assert run(cache_command).output == f"{here}: nothing yet\n"
    other = here.with_name("0123456789abcdef-01234567")
    mine = here.with_name("my notes")
    for version, size in (here, 2_500_000), (other, 1_200_000), (mine, 10):
        version.mkdir(parents=True)
        (version / "file").write_bytes(bytes(size))
    assert run(cache_command).output.splitlines() == [
        f"{here}: 2.5 MB",
        f"Of other versions, in {here.parent}: 1.2 MB",
    ]
    assert run(cache_command, "--clear").output == f"{here.parent}: 3.7 MB removed\n"
    assert sorted(path.name for path in here.parent.iterdir()) == ["my notes"]
    assert not is_compiled(SEARCH)
