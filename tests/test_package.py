"""The package as it is installed: compiled code that follows the sources."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import solver

SOURCES = Path(solver.__file__).parent


def python(code: str, folder: Path, **environment: str) -> str:
    """Runs code in a new interpreter, in a folder that holds a copy of the package."""
    inherited = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=inherited | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def copied(folder: Path) -> Path:
    shutil.copytree(SOURCES, folder / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_an_edit_anywhere_is_seen_by_compiled_code(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    code = """
from solver.kernel.jit import kernel
from solver.kernel.moves.credit import DEAL, POP
import solver.probe
print(solver.probe.probe())
"""
    (folder / "solver" / "other.py").write_text("VALUE = 1\n")
    (folder / "solver" / "probe.py").write_text(
        "from .kernel.jit import kernel\nfrom .other import VALUE\n"
        "@kernel\ndef probe() -> int:\n    return VALUE\n"
    )
    cache = str(tmp_path / "cache")
    assert python(code, folder, XDG_CACHE_HOME=cache) == "1"
    (folder / "solver" / "other.py").write_text("VALUE = 2\n")
    assert python(code, folder, XDG_CACHE_HOME=cache) == "2"


def test_compiled_code_lies_in_a_folder_named_after_the_sources(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    code = "import solver; print(solver.CACHE_DIR)"
    first = python(code, folder, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert Path(first).is_relative_to(tmp_path / "cache")
    given = python(code, folder, NUMBA_CACHE_DIR=str(tmp_path / "given"))
    assert Path(given).parent == tmp_path / "given"
    assert python(code, folder, NUMBA_CACHE_DIR=given) == given
    checked = python(code, folder, NUMBA_CACHE_DIR=given, NUMBA_BOUNDSCHECK="1")
    assert checked != given
    with (folder / "solver" / "game" / "cards.py").open("a") as file:
        file.write("# edited\n")
    assert python(code, folder, NUMBA_CACHE_DIR=given) != given


def test_a_cache_folder_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (tmp_path / "file").write_text("")
    code = "import solver; print(solver.CACHE_DIR)"
    found = python(code, folder, XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert Path(found).is_relative_to(tmp_path)


def test_every_file_of_the_package_is_installed() -> None:
    """What is no Python is installed only if the settings say so."""
    settings = tomllib.loads((SOURCES.parent / "pyproject.toml").read_text())["tool"]["setuptools"]
    files = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert files == set(settings["package-data"]["solver"])
