"""Deals: PySolFC's numbered shuffles, and a text form that people can read and type.

The text form follows the boards of PySolFC and fc-solve::

    # anything after a hash is a comment
    Reserve: 3D 5H JC KH 5S 5H KC KC
    Reserve: 8D JD 8C 6C 6H TC 8D 4C
    Stock: JS QC 4H KD ...

Cards are listed in the order in which they are dealt. A line without a label goes on with the
pile of the line before.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .cards import (
    ACE,
    DEUCE,
    PLAYABLE,
    RANKS,
    Card,
    card,
    card_name,
    card_names,
    parse_card,
)

LABELS = {"reserve": "reserve", "stock": "stock", "talon": "stock"}
MOST_NAMED = 12  # missing cards, in an error
CARDS_PER_LINE = 8, 19  # reserve (as on the table), stock
PYSOLFC_DECK = tuple(
    None if rank == ACE or (rank == DEUCE and copy == 0) else card(rank, suit)
    for copy in range(2)
    for suit in range(4)
    for rank in RANKS
)
"""The unshuffled cards; those that start on foundations are ``None``."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The reserve, row by row, and the stock in deal order; ``seed`` if the deal has a number."""

    reserve: tuple[Card, ...]
    stock: tuple[Card, ...]
    seed: str | None = None

    def __str__(self) -> str:
        """Writes the text form; :func:`parse_deal` reads it back."""
        title = "Royal Rendezvous" + (f" deal {self.seed}" if self.seed else "")
        lines = [f"# {title}"]
        for label, pile, width in zip(
            ("Reserve", "Stock"), (self.reserve, self.stock), CARDS_PER_LINE, strict=True
        ):
            lines += [
                f"{label}: {card_names(pile[i : i + width])}" for i in range(0, len(pile), width)
            ]
        return "\n".join(lines) + "\n"


def parse_seed(text: str) -> str:
    """Gets the standard form of a deal number: ``N`` or ``msN``.

    Accepts PySolFC's own display forms, with ``#`` before the number and zeros before its digits.

    :raises ValueError: if the text is no deal number.

    >>> parse_seed("#00000000000000100000")
    '100000'
    """
    match = re.fullmatch(r"#?(ms)?0*([0-9]{1,40})", text.strip(), re.IGNORECASE | re.ASCII)
    if match is None:
        raise ValueError(f"{text!r} is not a deal number: a whole number N, or msN, is expected")
    number = int(match[2])
    if match[1] is None:
        return str(number)
    if not 1 <= number < 2**31:
        raise ValueError(f"{text!r} is not a deal number: msN needs N from 1 to 2147483647")
    return f"ms{number}"


def deal_from_seed(seed: str, reserve: int = 16) -> Deal:
    """Deals PySolFC's game number ``seed`` with ``reserve`` slots in the reserve.

    :raises ValueError: if ``seed`` is no deal number.
    """
    seed = parse_seed(seed)
    deck = list(PYSOLFC_DECK)
    below = _random_source(seed)
    for n in range(len(deck) - 1, 0, -1):
        j = below(n + 1)
        deck[n], deck[j] = deck[j], deck[n]
    dealt = [card for card in reversed(deck) if card is not None]
    return Deal(tuple(dealt[:reserve]), tuple(dealt[reserve:]), seed)


def _random_source(seed: str) -> Callable[[int], int]:
    """Gets the generator that PySolFC uses for a number: a function from n to a draw below n."""
    number = int(seed.removeprefix("ms"))
    if not seed.startswith("ms") and not 1 <= number <= 31999:
        uniform = random.Random(number).random
        return lambda n: int(uniform() * n)
    draws = _linear_congruential(number)
    return lambda n: next(draws) % n


def _linear_congruential(x: int) -> Iterator[int]:
    while True:
        x = (x * 214013 + 2531011) % 2**33
        yield x >> 16 & 0x7FFF


def parse_deal(text: str, source: str = "deal") -> Deal:
    """Reads the text form of a deal.

    :param source: what to call the text in errors, such as a file name.
    :raises ValueError: naming the source, the line and the card, if the text is no full deal.
    """
    piles: dict[str, list[Card]] = {"reserve": [], "stock": []}
    pile: list[Card] | None = None
    seen: Counter[Card] = Counter()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.split("#", 1)[0]
        label, colon, names = content.rpartition(":")
        where = f"{source}:{number}"
        if colon:
            if label.strip().lower() not in LABELS:
                raise ValueError(f"{where}: {label.strip()!r} is not 'Reserve' or 'Stock'")
            pile = piles[LABELS[label.strip().lower()]]
        for name in names.split():
            if pile is None:
                raise ValueError(f"{where}: expected 'Reserve:' or 'Stock:' before {name!r}")
            pile.append(_deal_card(name, seen, where))
    missing = PLAYABLE - seen
    if missing:
        names = f": {card_names(missing.elements())}" if missing.total() <= MOST_NAMED else ""
        raise ValueError(f"{source}: {missing.total()} of the 92 cards missing{names}")
    return Deal(tuple(piles["reserve"]), tuple(piles["stock"]))


def _deal_card(name: str, seen: Counter[Card], where: str) -> Card:
    """Reads a card and counts it in ``seen``, or says why the deal can't hold it."""
    try:
        card = parse_card(name)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    seen[card] += 1
    if card not in PLAYABLE:
        raise ValueError(f"{where}: {card_name(card)} is not dealt: it starts on a foundation")
    if seen[card] > PLAYABLE[card]:
        raise ValueError(
            f"{where}: card {card_name(card)} appears {seen[card]} times, expected {PLAYABLE[card]}"
        )
    return card
