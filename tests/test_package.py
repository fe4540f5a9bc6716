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
    (folder / "solver" / "game" / "other.py").write_text("VALUE = 1\n")
    (folder / "solver" / "probe.py").write_text(
        "from .kernel.jit import kernel\nfrom .game.other import VALUE\n"
        "@kernel\ndef probe() -> int:\n    return VALUE\n"
    )
    cache = str(tmp_path / "cache")
    assert python(code, folder, XDG_CACHE_HOME=cache) == "1"
    (folder / "solver" / "game" / "other.py").write_text("VALUE = 2\n")
    assert python(code, folder, XDG_CACHE_HOME=cache) == "2"


def test_compiled_code_lies_in_a_folder_named_after_the_sources(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    code = "from solver.compiled.folder import folder; print(folder())"
    first = python(code, folder, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert Path(first).parent == tmp_path / "cache" / "rr-solve"
    cache = str(tmp_path / "given")
    given = python(code, folder, NUMBA_CACHE_DIR=cache)
    assert Path(given).parent == tmp_path / "given" / "rr-solve"
    assert python(code, folder, NUMBA_CACHE_DIR=cache, NUMBA_BOUNDSCHECK="1") != given
    for unrelated in ("show/plots.py", "engine/decide.py"):
        edit(folder / "solver" / unrelated)
        assert python(code, folder, NUMBA_CACHE_DIR=cache) == given
    edit(folder / "solver" / "game" / "cards.py")
    assert python(code, folder, NUMBA_CACHE_DIR=cache) != given


def test_only_what_decides_is_in_the_signature_of_verdicts(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    code = "from solver.base.signature import verdict_signature; print(verdict_signature())"
    first = python(code, folder)
    for unrelated in ("show/plots.py", "proof/verify.py", "player/hints.py", "cli/main.py"):
        edit(folder / "solver" / unrelated)
        assert python(code, folder) == first
    edit(folder / "solver" / "engine" / "decide.py")
    assert python(code, folder) != first


def edit(path: Path) -> None:
    with path.open("a") as file:
        file.write("# edited\n")


def test_every_file_of_the_package_is_installed() -> None:
    """What is no Python is installed only if the settings say so."""
    settings = tomllib.loads((SOURCES.parent / "pyproject.toml").read_text())["tool"]["setuptools"]
    files = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert files == set(settings["package-data"]["solver"])
