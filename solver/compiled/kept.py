"""Machine code that outlives the process.

numba's own cache looks at one source file, stops at a file that was cut off, and trusts one whose
bytes have changed. Here each function has a file for each of its signatures, with a checksum: what
is missing or damaged is compiled again and written over, and a full disk costs no more than that.
"""

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from .folder import SUFFIX, folder, keep, read, warn_not_kept

# What numba itself writes and reads with, and has no types for.
_RESULT: Any = CompileResult
_dumps: Any = dumps

PACKAGE = __name__.partition(".")[0]


def kept(function: Any) -> Any:
    """Has the machine code of a function kept on disk, if it is compiled at all."""
    if isinstance(function, Dispatcher):
        compiled: Any = function
        compiled._cache = _Files(function.py_func)
    return function


class _Files(NullCache):
    """The files of one function, in the place of numba's cache."""

    def __init__(self, function: Callable[..., Any]) -> None:
        module = function.__module__.removeprefix(f"{PACKAGE}.")
        self._name = f"{module}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(folder())

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Gets what was compiled for a signature, ``None`` if it isn't there whole."""
        target.refresh()
        key = signature, target.codegen().magic_tuple()
        code = read(self._path(key))
        if code is None:
            return None
        of_key, reduced = pickle.loads(code)
        return _RESULT._rebuild(target, *reduced) if of_key == key else None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keeps what was compiled, or warns that it can't."""
        if result.library.has_dynamic_globals:  # addresses of this process
            return
        key = signature, result.codegen.magic_tuple()
        code: bytes = _dumps((key, result._reduce()))
        path = self._path(key)
        try:
            keep(path, code)
        except OSError as error:
            warn_not_kept(path.parent, error.strerror or type(error).__name__)

    def _path(self, key: object) -> Path:
        key_hash = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return folder() / f"{self._name}-{key_hash}{SUFFIX}"
