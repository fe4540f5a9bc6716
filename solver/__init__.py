"""Exhaustive solver for the solitaire Royal Rendezvous."""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

__version__ = "0.1.0"

DEFAULT_STATES = 20_000_000
"""The budget of a search: of 300 deals it leaves none undecided under any preset."""

DEFAULT_MEMORY = 4 << 30
"""The most bytes that a search's table may take."""


def _source_signature() -> str:
    """Gets a hash of all of the package's sources."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _code_name(signature: str) -> str:
    """Gets a name for the machine code: the sources, and numba's settings where there are any."""
    settings = sorted(
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    if not settings:
        return signature
    return f"{signature}-{hashlib.sha256(' '.join(settings).encode()).hexdigest()[:8]}"


def _cache_dir(name: str) -> Path:
    """Gets a writable folder of a name for compiled code.

    It lies in NUMBA_CACHE_DIR if that is set, else in the user's cache folder, else it is a
    temporary one.
    """
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given and Path(given).name == name:  # set by a parent process, below
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for root in (given, os.path.join(home, "rr-solve")):
        if root:
            folder = Path(root) / name
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError:
                continue
            if os.access(folder, os.W_OK):
                return folder
    return Path(tempfile.mkdtemp(prefix="rr-solve-")) / name


SIGNATURE = _source_signature()
"""Names the exact code: a hash of all sources."""

CACHE_DIR = _cache_dir(_code_name(SIGNATURE))
"""Where compiled kernels are kept."""


def is_compiled(function: str = "loop.run") -> bool:
    """Whether a function of this code is compiled, so that it can start at once.

    :param function: its name after that of its module; by default the search.
    """
    return any(CACHE_DIR.rglob(f"{function}-*.nbc"))


# numba keys its cache by the one file that a function is in, and would run old machine code after
# an edit to anything that the function uses, or to its own settings. A folder named after all of
# them can't be stale.
os.environ["NUMBA_CACHE_DIR"] = str(CACHE_DIR)
if "numba" in sys.modules:  # it has read its settings already
    sys.modules["numba"].config.CACHE_DIR = str(CACHE_DIR)
