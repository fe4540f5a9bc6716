"""Which module may know which: the layers, checked on the imports themselves."""

import ast
import subprocess
import sys
from collections.abc import Collection
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import solver

ROOT = Path(solver.__file__).parent
# Modules of one line know nothing of each other, except that kernels make up one layer.
LAYERS = [
    ["solver"],
    ["solver.cards", "solver.files"],
    ["solver.rules", "solver.deal", "solver.level"],
    ["solver.game"],
    ["solver.steps"],
    ["solver.screen"],
    ["solver.page"],
    ["solver.proof"],
    ["solver.proof.claim"],
    ["solver.proof.lanes", "solver.proof.bound", "solver.proof.certificate"],
    ["solver.proof.table"],
    ["solver.proof.moves", "solver.proof.arrays"],
    ["solver.proof.plain", "solver.proof.arrays_bound"],
    ["solver.proof.arrays_relaxed"],
    ["solver.proof.arrays_moves"],
    ["solver.proof.fast"],
    ["solver.proof.verify"],
    ["solver.position"],
    ["solver.kernel"],
    ["solver.search", "solver.dead"],
    ["solver.line"],
    ["solver.solve"],
    ["solver.files"],
    ["solver.certify"],
    ["solver.report", "solver.hint"],
    ["solver.review", "solver.difficulty"],
    ["solver.advice"],
    ["solver.store"],
    ["solver.batch"],
    ["solver.stats"],
    ["solver.plots", "solver.stats_text"],
    ["solver.review_plot"],
    ["solver.cli_options"],
    ["solver.cli_deal", "solver.terminal"],
    [
        "solver.cli_stats",
        "solver.cli_batch",
        "solver.cli_replay",
        "solver.cli_verify",
        "solver.cli_player",
    ],
    ["solver.cli"],
    ["solver.__main__"],
]
PLAIN = [
    "solver.level",
    "solver.cards",
    "solver.rules",
    "solver.deal",
    "solver.game",
    "solver.position",
]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


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


def layer_of(module: str) -> int:
    """Gets the number of a module's layer; each module of ``solver.kernel`` is in that of it."""
    if module.startswith("solver.kernel."):
        module = "solver.kernel"
    return next(number for number, layer in enumerate(LAYERS) if module in layer)


def ours(modules: Collection[str]) -> set[str]:
    return {module for module in modules if module.split(".")[0] == "solver"}


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import json, os.path\n"
        "from . import cli, __version__\n"
        "from ..game import Move\n"
        "from numba import njit\n"
        "if True:\n    def f():\n        from .kernel import jit\n"
        "        from .kernel.run import Stop\n"
    )
    assert imported_by(path, "solver") >= {"json", "os.path", "solver.cli", "solver", "numba"}
    assert imported_by(path, "solver") >= {"solver.kernel.jit", "solver.kernel.run"}
    assert "solver.game" in imported_by(path, "solver.kernel")


def test_every_module_has_its_layer() -> None:
    named = {name for layer in LAYERS for name in layer}
    assert {name for name in FILES if not name.startswith("solver.kernel.")} == named


@pytest.mark.parametrize("module", FILES)
def test_a_module_knows_only_earlier_layers(module: str) -> None:
    within = "solver.kernel."
    too_high = {
        other
        for other in ours(imports_of(module))
        if layer_of(other) >= layer_of(module)
        and not (module.startswith(within) and other.startswith(within))
    }
    assert too_high == set()


def test_modules_form_no_circle() -> None:
    TopologicalSorter({module: ours(imports_of(module)) for module in FILES}).prepare()


def test_only_kernel_search_and_fast_checker_know_numba() -> None:
    compiling = {
        module
        for module in FILES
        if {name.split(".")[0] for name in imports_of(module)} & {"numba", "llvmlite"}
    }
    assert {module for module in compiling if not module.startswith("solver.kernel.")} <= {
        "solver.search",
        "solver.proof.arrays_bound",
    }
    assert compiling


@pytest.mark.parametrize("module", PLAIN)
def test_the_rules_need_only_the_standard_library(module: str) -> None:
    others = imports_of(module) - ours(imports_of(module))
    assert {name.split(".")[0] for name in others} <= sys.stdlib_module_names


def test_the_rules_load_nothing_heavy() -> None:
    code = (
        "import sys, " + ", ".join(PLAIN) + "\n"
        "bad = [m for m in sys.modules if m.startswith(('numpy', 'numba', 'solver.kernel'))]\n"
        "print(bad)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_nothing_is_imported_by_a_computed_name() -> None:
    for module in FILES:
        assert "importlib" not in imports_of(module)
        assert "__import__" not in FILES[module].read_text(encoding="utf-8")


def test_the_oracle_knows_no_kernel() -> None:
    names = imported_by(Path(__file__).with_name("naive.py"), "tests")
    assert ours(names) <= set(PLAIN)
