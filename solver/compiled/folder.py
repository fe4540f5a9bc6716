"""Where machine code is kept: a folder named after all that it depends on, so never stale.

Nothing here makes a folder or needs the compiler.
"""

import hashlib
import os
import re
import shutil
import sys
import warnings
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ..base.files import write
from ..base.signature import code_signature

CHECKSUM_BYTES = hashlib.sha256().digest_size
SUFFIX = ".nbc"
SEARCH = "kernel.loop.run"
COMPILERS = ("llvmlite", "numba", "numpy")
_OF_A_VERSION = re.compile(r"[0-9a-f]{16}(-[0-9a-f]{8})?")


class CodeCacheWarning(RuntimeWarning):
    """Compiled code could not be kept: it will be compiled again by the next process."""


def root() -> Path:
    """Gets the folder for the code of all versions.

    It lies in NUMBA_CACHE_DIR if that is set, else in the user's cache folder.
    """
    given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return Path(given or os.path.expanduser("~/.cache")) / "rr-solve"


@cache
def _version() -> str:
    """Gets a name for the sources and for all that turns them into machine code."""
    made_by = [sys.implementation.cache_tag or "", *map(version, COMPILERS)]
    made_by += sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    made_by_hash = hashlib.sha256("\0".join(made_by).encode()).hexdigest()[:8]
    return f"{code_signature()}-{made_by_hash}"


def folder() -> Path:
    """Gets the folder for the code of this version; it may not exist."""
    return root() / _version()


def is_compiled(function: str) -> bool:
    """Whether a function is compiled, so that it can start at once.

    :param function: its name after that of its module in this package: ``kernel.loop.run``.
    """
    return any(read(path) is not None for path in folder().glob(f"{function}-*{SUFFIX}"))


def read(path: Path) -> bytes | None:
    """Gets the code in a file, ``None`` if it isn't there as it was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, code = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
    return code if hashlib.sha256(code).digest() == checksum else None


def keep(path: Path, code: bytes) -> None:
    """Writes code into a file, with a checksum.

    :raises OSError: if it can't be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write({path: hashlib.sha256(code).digest() + code})


def sizes() -> dict[str, int]:
    """Gets the bytes that each version's code takes."""
    return {
        each.name: sum(file.stat().st_size for file in each.rglob("*") if file.is_file())
        for each in _versions()
    }


def clear() -> None:
    """Removes the code of all versions, and nothing else.

    :raises OSError: if a file can't be removed.
    """
    for each in _versions():
        shutil.rmtree(each)


def _versions() -> list[Path]:
    if not root().is_dir():
        return []
    return sorted(
        path
        for path in root().iterdir()
        if _OF_A_VERSION.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
    )


@cache
def warn_not_kept(where: Path, why: str) -> None:
    """Warns, once in a process, that code could not be kept."""
    warnings.warn(
        f"the compiled code could not be kept in {where}: {why}", CodeCacheWarning, stacklevel=2
    )
