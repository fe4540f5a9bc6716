"""The one place that says how kernels are compiled, with typing that survives the decorator."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
from llvmlite import ir
from numba.extending import intrinsic

P = ParamSpec("P")
R = TypeVar("R")

# No door from Python: each saves the compiler a quarter of a second.
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

COMPILED: bool = not numba.config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``: kernels then run as plain Python."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a function that is called from Python, and keeps the machine code on disk."""
    compiled: Callable[P, R] = numba.njit(cache=True, error_model="numpy")(function)
    return compiled


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a function that only compiled code calls."""
    compiled: Callable[P, R] = numba.njit(cache=True, error_model="numpy", **INNER)(function)
    return compiled


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a function into each of its callers: for those whose call costs more than their work."""
    compiled: Callable[P, R] = numba.njit(
        cache=True, error_model="numpy", forceinline=True, **INNER
    )(function)
    return compiled


if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]
    def _cttz(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return numba.types.int64(numba.types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctpop(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return numba.types.int64(numba.types.uint64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctlz(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

        return numba.types.int64(numba.types.uint64), generate

    @inlined
    def lowest(word: int) -> int:
        """Gets the number of the lowest bit that is set; 64 for zero."""
        result: int = _cttz(word)
        return result

    @inlined
    def highest(word: int) -> int:
        """Gets the number of the highest bit that is set; -1 for zero."""
        result: int = 63 - _ctlz(word)
        return result

    @inlined
    def count(word: int) -> int:
        """Gets the number of bits that are set."""
        result: int = _ctpop(word)
        return result

else:

    def lowest(word: int) -> int:
        """Gets the number of the lowest bit that is set; 64 for zero."""
        value = int(word)
        return (value & -value).bit_length() - 1 if value else 64

    def highest(word: int) -> int:
        """Gets the number of the highest bit that is set; -1 for zero."""
        return int(word).bit_length() - 1

    def count(word: int) -> int:
        """Gets the number of bits that are set."""
        return int(word).bit_count()
