"""What is released: the wheel as it is installed, the sources with their tests, lowest versions."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOST = "100016"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "runs")


def run(folder: Path, *command: str, **environment: str) -> str:
    """Gets what a command of this Python prints, run in a folder."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def files_in(folder: Path, *names: str) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for name in names
        for path in (folder / name).rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Gets a copy of the sources with a wheel and an archive of them built in ``dist``."""
    folder = tmp_path_factory.mktemp("release") / "sources"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    before = files_in(folder, ".")
    for kind in ("wheel", "sdist"):
        run(folder, "-c", f"from setuptools.build_meta import build_{kind} as b; b('dist')")
    for path in files_in(folder, ".") - before:
        if not path.startswith("dist/"):
            (folder / path).unlink()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Iterator[ZipFile]:
    [path] = (sources / "dist").glob("*.whl")
    with ZipFile(path) as file:
        yield file


def test_the_wheel_has_every_file_of_the_package_and_the_licence(
    sources: Path, wheel: ZipFile
) -> None:
    inside = set(wheel.namelist())
    beside = {name for name in inside if ".dist-info/" in name}
    assert inside - beside == files_in(sources, "solver")
    assert any(name.endswith("/licenses/LICENSE") for name in beside)


def test_the_wheel_solves_and_replays_away_from_the_sources(wheel: ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "site")
    installed = {"PYTHONPATH": str(tmp_path / "site"), "NUMBA_DISABLE_JIT": "1"}
    installed["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    place = run(tmp_path, "-c", "import solver; print(solver.__file__)", **installed)
    assert Path(place.strip()).is_relative_to(tmp_path / "site")
    command = ("-m", "solver")
    assert run(tmp_path, *command, "--version", **installed).split()[-1] == PROJECT["version"]
    proof = ("--seed", LOST, "--quiet", "--certificate", "lost.rrc")
    assert run(tmp_path, *command, *proof, **installed) == "unwinnable\n"
    said = run(tmp_path, *command, "verify", "lost.rrc", **installed)
    assert said.startswith(f"valid: deal {LOST} is unwinnable\n")
    run(tmp_path, *command, "replay", "--seed", "100000", "--html", "game.html", **installed)
    assert (tmp_path / "game.html").read_text().startswith("<!DOCTYPE html>")


def test_the_archive_of_the_sources_has_what_its_tests_need(sources: Path) -> None:
    [path] = (sources / "dist").glob("*.tar.gz")
    with tarfile.open(path) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    top = {item.name for item in sources.iterdir() if item.is_file()}
    assert {"Makefile", "LICENSE", "README.md", "constraints.txt"} <= top
    folders = ("solver", "tests", "bench", "results", "docs")
    assert top | files_in(sources, *folders) <= inside


def lowest(requirement: str) -> tuple[str, Version]:
    parsed = Requirement(requirement)
    [bound] = parsed.specifier
    assert bound.operator == ">="
    return parsed.name, Version(bound.version)


def test_the_lowest_versions_that_are_allowed_are_those_tried() -> None:
    extras = PROJECT["optional-dependencies"]
    allowed = dict(map(lowest, [*PROJECT["dependencies"], *extras["plot"], *extras["dask"]]))
    lines = (ROOT / "constraints-lowest.txt").read_text().split()
    tried = {
        name: Version(version) for name, _, version in (line.partition("==") for line in lines)
    }
    assert {name: tried[name] for name in allowed} == allowed
