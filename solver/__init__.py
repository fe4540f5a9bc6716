"""Exhaustive solver for the solitaire Royal Rendezvous."""

import hashlib
import os
from pathlib import Path

__version__ = "0.1.0"


def _source_signature() -> str:
    """Gets a hash of all of the package's sources."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Gets the folder for compiled code: NUMBA_CACHE_DIR, or the user's cache folder."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rr-solve"


SIGNATURE = _source_signature()
"""Names the exact code: a hash of all sources."""

CACHE_DIR = _cache_root() / SIGNATURE
"""Where compiled kernels are kept."""

# numba keys its cache by the one file that a function is in, and would run old machine code after an
# edit to anything that the function uses. A folder named after all sources can't be stale.
os.environ["NUMBA_CACHE_DIR"] = str(CACHE_DIR)
