"""The rule switches on which the sources of the game disagree, and the named presets.

A verdict is about a deal *under rules*: one frozen :class:`Rules` value travels with every search,
result and file.
"""

import re
from dataclasses import dataclass, fields, replace
from typing import Any

from ..base.names import Name
from .errors import Error

MIN_RESERVE, MAX_RESERVE = 1, 24


class Kings(Name):
    """Where kings go, and with that where the upper and lower piles end."""

    FREE = "free"
    """Upper A..K, lower A..K, no condition (Wikipedia)."""

    LOWER_FIRST = "lower-first"
    """As free, but the upper pile takes a king only after the lower pile has its own (SolSuite)."""

    SPOT = "spot"
    """Upper A..Q, lower A..K, and a pile per suit that takes one king (Solitaire Till Dawn)."""

    UPPER_OR_SPOT = "upper-or-spot"
    """Upper A..K, lower A..J, and a pile per suit that takes one king (PySolFC)."""


class Dealing(Name):
    """When the player may deal a card from the stock to the waste."""

    ANY = "any"
    """Whenever the stock has a card (every program looked at)."""

    STUCK = "stuck"
    """Only while no reserve card can be played to a foundation (the letter of Wikipedia)."""


# Members by names of their own: the way through their class is longer than the rest of a test.
_SPOT, _UPPER_OR_SPOT = Kings.SPOT, Kings.UPPER_OR_SPOT


@dataclass(frozen=True, slots=True)
class Rules:
    """One set of rules.

    :raises Error: if the reserve has fewer than 1 or more than 24 slots.
    """

    kings: Kings = Kings.FREE
    deal: Dealing = Dealing.ANY
    transfers: bool = False
    """The top card of a foundation may move to another foundation that takes it."""
    auto_deal: bool = False
    """A stock card is turned at once whenever the waste is empty, also at the start."""
    reserve: int = 16
    """The number of reserve slots."""

    def __post_init__(self) -> None:
        if not MIN_RESERVE <= self.reserve <= MAX_RESERVE:
            raise Error(
                f"the reserve must have {MIN_RESERVE} to {MAX_RESERVE} slots, not {self.reserve}"
            )

    @property
    def upper_top(self) -> int:
        """The last rank of an upper pile."""
        return 12 if self.kings is _SPOT else 13

    @property
    def lower_top(self) -> int:
        """The last rank of a lower pile."""
        return 11 if self.kings is _UPPER_OR_SPOT else 13

    @property
    def king_spots(self) -> int:
        """The number of cards that a suit's king pile takes, 0 or 1."""
        return 1 if self.kings in (_SPOT, _UPPER_OR_SPOT) else 0

    @property
    def has_credit_form(self) -> bool:
        """Whether plays have no deadlines: see ``kernel.moves.credit``."""
        return self.deal is Dealing.ANY and not self.transfers

    @property
    def name(self) -> str:
        """The preset's name, or the nearest preset with the switches that differ.

        >>> Rules().name
        'wikipedia'
        >>> replace(PRESETS["pysol"], transfers=False).name
        'pysol transfers=no'
        """
        preset, changes = min(
            ((name, self._changes(rules)) for name, rules in PRESETS.items()),
            key=lambda item: len(item[1]),
        )
        return " ".join([preset, *changes])

    def switches(self) -> dict[str, str | bool | int]:
        """Gets every switch by name, as plain values for a file."""
        return {
            field.name: str(value) if isinstance(value, Name) else value
            for field in fields(self)
            for value in [getattr(self, field.name)]
        }

    def _changes(self, other: "Rules") -> list[str]:
        theirs = other.switches()
        return [
            f"{switch.replace('_', '-')}={switch_text(value)}"
            for switch, value in self.switches().items()
            if value != theirs[switch]
        ]


def parse_rules(text: str) -> Rules:
    """Reads rules: the name of a preset, and after it the switches that differ.

    Reads what :attr:`Rules.name` and :func:`describe` write, and options of the command line.

    :raises Error: naming the word that is no preset, no switch or no value of one.

    >>> parse_rules("pysol --no-transfers") == parse_rules("pysol transfers=no")
    True
    """
    preset, *words = re.sub(r"\(([^()]*)\)$", _as_switches, text.strip().lower()).split() or [""]
    if preset not in PRESETS:
        raise Error(f"{preset!r} is not one of {', '.join(PRESETS)}")
    rules = PRESETS[preset]
    for word in re.sub(r"(--(?:kings|deal|reserve)) +", r"\1=", " ".join(words)).split():
        rules = _with_switch(rules, word)
    return rules


def _as_switches(listed: re.Match[str]) -> str:
    """Turns what :func:`describe` has in brackets into switches."""
    return " ".join("=".join(switch.split()) for switch in listed[1].split(","))


def _with_switch(rules: Rules, word: str) -> Rules:
    name, equals, value = word.removeprefix("--").partition("=")
    if not equals:
        name, value = (name[3:], "no") if name.startswith("no-") else (name, "yes")
    values: dict[str, dict[str, Any]] = {
        "kings": {each.value: each for each in Kings},
        "deal": {each.value: each for each in Dealing},
        "transfers": {"yes": True, "no": False},
        "auto-deal": {"yes": True, "no": False},
        "reserve": {str(slots): slots for slots in range(MIN_RESERVE, MAX_RESERVE + 1)},
    }
    if name not in values:
        raise Error(f"{word!r} is not a switch of the rules: they are {', '.join(values)}")
    if value not in values[name]:
        raise Error(f"{word!r}: {name} is one of {', '.join(values[name])}")
    return replace(rules, **{name.replace("-", "_"): values[name][value]})


def switch_text(value: str | bool | int) -> str:
    """Gets the value of a switch as people write it: ``yes`` and ``no`` for true and false."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def describe(rules: Rules) -> str:
    """Gets the rules as one line: the name and every switch.

    >>> describe(Rules())
    'wikipedia (kings free, deal any, transfers no, auto-deal no, reserve 16)'
    """
    switches = ", ".join(
        f"{name.replace('_', '-')} {switch_text(value)}" for name, value in rules.switches().items()
    )
    return f"{rules.name} ({switches})"


PRESETS: dict[str, Rules] = {
    "wikipedia": Rules(),
    "wikipedia-strict": Rules(deal=Dealing.STUCK),
    "solsuite": Rules(kings=Kings.LOWER_FIRST),
    "till-dawn": Rules(kings=Kings.SPOT),
    "pysol": Rules(kings=Kings.UPPER_OR_SPOT, transfers=True, auto_deal=True),
}
