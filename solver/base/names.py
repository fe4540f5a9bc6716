"""Enumerations whose members are words."""

from enum import StrEnum


class Name(StrEnum):
    """A word out of few, written as itself; its ``repr`` is the member's name, as code has it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
