"""Hashes of the sources that something depends on."""

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

COMPILED_ROOMS = ("base", "compiled", "game", "kernel", "proof")

DECIDING_ROOMS = ("base", "compiled", "engine", "game", "kernel")


def code_signature() -> str:
    """Gets a hash of all that machine code is made from: 16 hexadecimal digits."""
    return _signature(COMPILED_ROOMS)


def verdict_signature() -> str:
    """Gets a hash of all that a verdict depends on: 16 hexadecimal digits."""
    return _signature(DECIDING_ROOMS)


@cache
def _signature(rooms: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for room in rooms:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
