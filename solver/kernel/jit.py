"""The one place that says how kernels are compiled, with typing that survives the decorator."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from ..compiled.kept import kept

if TYPE_CHECKING:
    # To the type checker machine integers are integers; to the compiler the two kinds differ, and
    # mixing them in arithmetic gives the signed one.
    Word: TypeAlias = int

    def unsigned(value: int) -> Word:
        """Gets a number as an unsigned 64-bit word."""

    def signed(value: int) -> int:
        """Gets a number as a signed 64-bit integer."""
else:
    Word = unsigned = np.uint64
    signed = np.int64

P = ParamSpec("P")
R = TypeVar("R")

# Kernels make no arrays, not even of a row of one, so they need not count references to them: a
# fifth of their time.
COMMON: dict[str, Any] = {"error_model": "numpy", "_nrt": False}

# No door from Python: each saves the compiler a quarter of a second.
INNER: dict[str, Any] = {**COMMON, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

COMPILED: bool = not bool(os.environ.get("NUMBA_DISABLE_JIT", "0").strip("0"))
"""False under ``NUMBA_DISABLE_JIT=1``: kernels then run as plain Python."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a function that is called from Python, and keeps the machine code on disk."""
    compiled: Callable[P, R] = kept(numba.njit(**COMMON)(function))
    return compiled


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a function that only compiled code calls."""
    compiled: Callable[P, R] = kept(numba.njit(**INNER)(function))
    return compiled


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a function into each of its callers: a call would cost more than its work."""
    compiled: Callable[P, R] = kept(numba.njit(forceinline=True, **INNER)(function))
    return compiled


def merged(function: Callable[P, R]) -> Callable[P, R]:
    """Makes a function a part of its only caller before that is compiled.

    Machine code is made anew for all that a function calls, each time that one is compiled: a chain
    of large functions would be compiled as often as it is long.
    """
    compiled: Callable[P, R] = kept(numba.njit(inline="always", **INNER)(function))
    return compiled


def _instruction(build: Callable[[Any, Any], Any]) -> Any:
    """Makes a function of one word from the machine instruction that ``build`` writes."""

    def of_word(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return numba.types.int64(numba.types.uint64), generate

    return intrinsic(of_word)


if COMPILED:
    _NO = ir.Constant(ir.IntType(1), 0)  # a word of zero is no error
    _trailing_zeros = _instruction(lambda builder, word: builder.cttz(word, _NO))
    _leading_zeros = _instruction(lambda builder, word: builder.ctlz(word, _NO))
    _ones = _instruction(lambda builder, word: builder.ctpop(word))

    @inlined
    def lowest(word: Word) -> int:
        """Gets the number of the lowest bit that is set; 64 for zero."""
        result: int = _trailing_zeros(word)
        return result

    @inlined
    def highest(word: Word) -> int:
        """Gets the number of the highest bit that is set; -1 for zero."""
        result: int = 63 - _leading_zeros(word)
        return result

    @inlined
    def count(word: Word) -> int:
        """Gets the number of bits that are set."""
        result: int = _ones(word)
        return result

else:
    np.seterr(over="ignore")  # words wrap around here too

    def lowest(word: Word) -> int:
        """Gets the number of the lowest bit that is set; 64 for zero."""
        value = int(word)
        return (value & -value).bit_length() - 1 if value else 64

    def highest(word: Word) -> int:
        """Gets the number of the highest bit that is set; -1 for zero."""
        return int(word).bit_length() - 1

    def count(word: Word) -> int:
        """Gets the number of bits that are set."""
        return int(word).bit_count()
