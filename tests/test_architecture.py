"""Which room may know which: each wall is a line, checked on the imports themselves."""

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import solver
from solver.base.signature import COMPILED_ROOMS, DECIDING_ROOMS
from solver.game.verdict import Reason, Verdict

ROOT = Path(solver.__file__).parent
# The rooms that each room may import from, beside itself and what every room stands on.
WALLS = {
    "base": "",
    "compiled": "",
    "game": "",
    "kernel": "compiled game",
    "proof": "compiled game",
    "engine": "kernel game",
    "player": "engine proof game",
    "batch": "player engine proof game compiled",
    "show": "batch player engine proof game",
    "cli": "show batch player engine proof kernel game compiled",
}
# The rooms that may import a library.
LIBRARIES = {
    "numba": "compiled kernel proof",
    "llvmlite": "kernel",
    "numpy": "kernel proof engine",
    "click": "cli",
    "matplotlib": "show",
    "sqlite3": "batch",
    "distributed": "batch",
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def room_of(module: str) -> str:
    """Gets the room of a module of ours; '' for the package itself."""
    return module.split(".")[1] if module in INSIDE else ""


# A count of undecided deals is called "unknown" in tables and in JSON.
SPELLED = {
    "solver.show.advice_text",
    "solver.show.plots",
    "solver.show.review_plot",
    "solver.show.stats_text",
}

INSIDE = {name for name in FILES if name.count(".") and name != "solver.__main__"}


def imported_by(path: Path, package: str) -> set[str]:
    """Gets the modules that a file names in its imports, at whatever depth they stand."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *filter(None, [node.module])])
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= {name if name in FILES else base for name in names}
    return found


@cache
def imports_of(module: str) -> frozenset[str]:
    is_package = FILES[module].name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    return frozenset(imported_by(FILES[module], package))


def ours(modules: Collection[str]) -> set[str]:
    return {module for module in modules if module.split(".")[0] == "solver"}


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import json, os.path\n"
        "from . import cli, version\n"
        "from ..game.position import Move\n"
        "from numba import njit\n"
        "if True:\n    def f():\n        from .kernel import jit\n"
        "        from .kernel.loop import Stop\n"
    )
    assert imported_by(path, "solver") >= {"json", "os.path", "solver.cli", "solver", "numba"}
    assert imported_by(path, "solver") >= {"solver.kernel.jit", "solver.kernel.loop"}
    assert "solver.game.position" in imported_by(path, "solver.kernel")


def test_every_module_is_in_a_room() -> None:
    assert {room_of(module) for module in INSIDE} == set(WALLS)
    assert set(FILES) - INSIDE == {"solver", "solver.__main__"}


@pytest.mark.parametrize("room", WALLS)
def test_no_import_goes_through_a_wall(room: str) -> None:
    allowed = {"", room, "base", *WALLS[room].split()}
    crossings = {
        (module, other)
        for module in INSIDE
        if room_of(module) == room
        for other in ours(imports_of(module))
        if room_of(other) not in allowed
    }
    assert crossings == set()


@pytest.mark.parametrize("rooms", [COMPILED_ROOMS, DECIDING_ROOMS])
def test_what_a_signature_covers_imports_nothing_else(rooms: tuple[str, ...]) -> None:
    covered = {module for module in INSIDE if room_of(module) in rooms}
    used = {other for module in covered for other in ours(imports_of(module)) - {"solver"}}
    assert used - covered == set()


def test_what_is_compiled_is_covered_by_the_signature_of_compiled_code() -> None:
    compiling = {
        module
        for module in INSIDE
        if imports_of(module) & {"numba", "solver.kernel.jit", "solver.compiled.kept"}
    }
    assert {module for module in compiling if room_of(module) not in COMPILED_ROOMS} == set()


def test_rooms_form_no_circle() -> None:
    TopologicalSorter({room: below.split() for room, below in WALLS.items()}).prepare()


def test_modules_form_no_circle() -> None:
    TopologicalSorter({module: ours(imports_of(module)) for module in FILES}).prepare()


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_known_in_its_rooms_only(library: str) -> None:
    rooms = {
        room_of(module)
        for module in FILES
        if library in {name.split(".")[0] for name in imports_of(module)}
    }
    assert rooms
    assert rooms <= set(LIBRARIES[library].split())


def test_the_game_needs_only_the_standard_library() -> None:
    others = {
        name.split(".")[0]
        for module in INSIDE
        if room_of(module) in ("game", "base")
        for name in imports_of(module) - ours(imports_of(module))
    }
    assert others <= sys.stdlib_module_names


def test_the_game_loads_nothing_heavy() -> None:
    plain = [module for module in sorted(INSIDE) if room_of(module) == "game"]
    code = (
        "import sys, " + ", ".join(plain) + "\n"
        "bad = [m for m in sys.modules if m.startswith(('numpy', 'numba', 'solver.kernel'))]\n"
        "print(bad)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_nothing_is_imported_by_a_computed_name() -> None:
    # But the façade's names, which are those that type checkers are told.
    for module in FILES:
        assert module == "solver" or "importlib" not in imports_of(module)
        assert "__import__" not in FILES[module].read_text(encoding="utf-8")


def test_no_verdict_is_spelled_elsewhere() -> None:
    words = {str(verdict) for verdict in Verdict} | {str(reason) for reason in Reason}
    spelled = {
        (module, node.value)
        for module, path in FILES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in words
    }
    assert {module for module, _ in spelled} - SPELLED == {"solver.game.verdict"}


def test_nothing_imports_what_measures_it() -> None:
    assert not [
        module for module in FILES if any(n.startswith("bench") for n in imports_of(module))
    ]


def test_the_oracle_knows_no_kernel() -> None:
    names = imported_by(Path(__file__).with_name("naive.py"), "tests")
    assert {room_of(name) for name in ours(names)} <= {"game"}


MOST_LINES, MOST_PARAMETERS = 60, 8
# Functions that are longer still.
TOO_LONG = {("solver/proof/fast/relaxed.py", "_after")}


def functions() -> Iterator[tuple[tuple[str, str], ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Gets every function that is shipped or measures what is, by its file and its name."""
    for folder in (ROOT, ROOT.parent / "bench"):
        for path in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield (path.relative_to(ROOT.parent).as_posix(), node.name), node


def test_functions_are_short() -> None:
    long = {
        name for name, node in functions() if (node.end_lineno or 0) - node.lineno + 1 > MOST_LINES
    }
    assert long - TOO_LONG == set()


def test_functions_have_few_parameters() -> None:
    several = set()
    for name, node in functions():
        asked = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        asked += filter(None, (node.args.vararg, node.args.kwarg))
        if len(asked) > MOST_PARAMETERS:
            several.add(name)
    assert several == set()
