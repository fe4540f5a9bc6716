"""Deals: PySolFC's numbered shuffles, and a text form that people can read and type.

The text form follows the boards of PySolFC and fc-solve::

    # anything after a hash is a comment
    Reserve: 3D 5H JC KH 5S 5H KC KC
    Reserve: 8D JD 8C 6C 6H TC 8D 4C
    Stock: JS QC 4H KD ...

Cards are listed in the order in which they are dealt. A line without a label goes on with the
pile of the line before. A table some moves later has more lines::

    Upper: 3C AS AH 2D
    Lower: AC 5S AH AD
    Deuce: 2C 2S 4H 2D
    King: KC -- -- --
    Reserve: 3D 5H -- KH ...
    Waste: 7S 3H 9C
    Stock: 12 unknown

The first four have the top cards of the foundations, each line all of its kind; a line that is
left out means that these are as at the start. The waste runs from bottom to top. ``--`` is an
empty place. Of a stock that nobody has seen the number of cards is enough.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .cards import (
    ACE,
    DEUCE,
    KING,
    PLAYABLE,
    RANKS,
    SUIT_NAMES,
    SUITS,
    Card,
    Suit,
    card,
    card_name,
    card_names,
    parse_card,
    rank_of,
    suit_of,
    with_letters,
)
from .errors import Error
from .foundations import START, Foundations, Pile

PILES = (*map(str, Pile), "reserve", "waste", "stock")
LABELS = {**{pile: pile for pile in PILES}, "talon": "stock"}
GAP = "--"
UNSEEN = "unseen"
TOPS = {
    Pile.UPPER: RANKS,
    Pile.LOWER: RANKS[::2],
    Pile.DEUCE: RANKS[1::2],
    Pile.KING: (KING,),
}
"""The ranks of the cards that may be on top of a foundation."""
MOST_DIGITS = 40  # of a deal's number
MOST_NAMED = 12  # missing cards, in an error
RESERVE_ROW, STOCK_ROW = 8, 19  # cards in a line: the reserve as on the table
PYSOLFC_DECK = tuple(
    None if rank == ACE or (rank == DEUCE and copy == 0) else card(rank, suit)
    for copy in range(2)
    for suit in range(4)
    for rank in RANKS
)
"""The unshuffled cards; those that start on foundations are ``None``."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A table: as it was dealt, or some moves later.

    ``reserve`` is row by row, ``None`` where there is a gap; ``stock`` is in deal order and
    ``waste`` from bottom to top; ``foundations`` has one entry per suit. ``seed`` is there if the
    deal has a number and no move was made. ``unseen`` counts the cards of a stock that nobody has
    looked at; ``stock`` is then empty.
    """

    reserve: tuple[Card | None, ...]
    stock: tuple[Card, ...]
    seed: str | None = None
    waste: tuple[Card, ...] = ()
    foundations: tuple[Foundations, ...] = START
    unseen: int = 0

    @property
    def is_start(self) -> bool:
        """Whether no move was made."""
        return not self.waste and self.foundations == START

    def __str__(self) -> str:
        """Writes the text form; :func:`parse_table` reads it back."""
        title = "Royal Rendezvous" + (f" deal {self.seed}" if self.seed else "")
        lines = [
            f"{pile.capitalize()}: {' '.join(map(place_name, row))}"
            for pile, rows in self.piles()
            for row in rows
        ]
        if self.unseen:
            lines.append(f"Stock: {self.unseen} unknown")
        return "\n".join([f"# {title}", *lines]) + "\n"

    def piles(self) -> Iterator[tuple[str, list[tuple[Card | None, ...]]]]:
        """Gets the piles that there is something to show of, each with its cards in rows."""
        for pile in Pile:
            if any(
                now.top(pile) != first.top(pile)
                for now, first in zip(self.foundations, START, strict=True)
            ):
                yield pile, [tuple(_top(self.foundations[suit], pile, suit) for suit in SUITS)]
        for name, cards, width in (
            ("reserve", self.reserve, RESERVE_ROW),
            ("waste", self.waste, STOCK_ROW),
            ("stock", self.stock, STOCK_ROW),
        ):
            if cards:
                yield name, [cards[i : i + width] for i in range(0, len(cards), width)]


def _top(piles: Foundations, pile: Pile, suit: Suit) -> Card | None:
    rank = piles.top(pile)
    return card(rank, suit) if rank else None


def place_name(card: Card | None) -> str:
    """Gets the name of the card in a place that may be empty."""
    return GAP if card is None else card_name(card)


def parse_seed(text: str) -> str:
    """Gets the standard form of a deal number: ``N`` or ``msN``.

    Accepts PySolFC's own display forms, with ``#`` or ``# `` before the number and zeros before its
    digits; and commas between thousands.

    :raises Error: if the text is no deal number.

    >>> parse_seed("#00000000000000100000")
    '100000'
    """
    form = r"(?:# *)?(ms)?0*([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)"
    match = re.fullmatch(form, text.strip(), re.IGNORECASE | re.ASCII)
    if match is None:
        raise Error(f"{text!r} is not a deal number: a whole number N, or msN, is expected")
    digits = match[2].replace(",", "")
    if len(digits) > MOST_DIGITS:
        raise Error(f"{text!r} is not a deal number: it has more than {MOST_DIGITS} digits")
    number = int(digits)
    if match[1] is None:
        return str(number)
    if not 1 <= number < 2**31:
        raise Error(f"{text!r} is not a deal number: msN needs N from 1 to 2147483647")
    return f"ms{number}"


def deal_from_seed(seed: str, reserve: int = 16) -> Deal:
    """Deals PySolFC's game number ``seed`` with ``reserve`` slots in the reserve.

    :raises Error: if ``seed`` is no deal number.
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


class _Word(NamedTuple):
    """A word of a text, with the pile that it stands for and where it stands."""

    pile: str
    text: str
    where: str


def parse_table(text: str, source: str = "deal") -> Deal:
    """Reads the text form of a deal, or of a table some moves later.

    :param source: what to call the text in errors, such as a file name.
    :raises Error: naming the source, the line and the card, if a card is missing, is there too
        often, or lies where it can't.
    """
    words: dict[str, list[_Word]] = {pile: [] for pile in (*PILES, UNSEEN)}
    for word in _words(text, source):
        words[word.pile].append(word)
    tops = zip(*(_tops(pile, words[pile]) for pile in Pile), strict=True)
    foundations = tuple(Foundations(*each) for each in tops)
    left, seen = _cards_left(foundations), Counter[Card]()
    reserve = tuple(
        None if word.text == GAP else _dealt_card(word, left, seen) for word in words["reserve"]
    )
    waste = tuple(_dealt_card(word, left, seen) for word in words["waste"])
    stock = tuple(_dealt_card(word, left, seen) for word in words["stock"])
    unseen = sum(int(word.text) for word in words[UNSEEN])
    if unseen and stock:
        raise Error(f"{words[UNSEEN][0].where}: some stock cards are named, some unknown")
    _check_missing(left - seen, left.total(), unseen, source)
    return Deal(reserve, stock, None, waste, foundations, unseen)


def _words(text: str, source: str) -> Iterator[_Word]:
    pile = ""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        where = f"{source}:{number}"
        label, colon, names = line.split("#", 1)[0].rpartition(":")
        if colon:
            if label.strip().lower() not in LABELS:
                known = ", ".join(pile.capitalize() for pile in PILES)
                raise Error(f"{where}: {label.strip()!r} is not one of {known}")
            pile = LABELS[label.strip().lower()]
        unknown = re.fullmatch(r"\s*([0-9]{1,3})\s+unknown\s*", names, re.IGNORECASE | re.ASCII)
        if unknown and pile == "stock":
            yield _Word(UNSEEN, unknown[1], where)
            continue
        for name in re.split(r"[\s,]+", names):
            if not name:
                continue
            if not pile:
                raise Error(f"{where}: expected a label such as 'Reserve:' before {name!r}")
            yield _Word(pile, name, where)


def _tops(pile: Pile, words: Sequence[_Word]) -> list[int]:
    """Gets what a kind of foundation is at in each suit: a field of ``Foundations``."""
    if not words:
        return [getattr(piles, pile) for piles in START]
    tops = [0] * len(SUITS)
    for word in words:
        if word.text == GAP:
            continue
        top = _card(word)
        if rank_of(top) not in TOPS[pile]:
            raise Error(f"{word.where}: {card_name(top)} can't be on the {pile} pile")
        if tops[suit_of(top)]:
            raise Error(
                f"{word.where}: the {pile} pile of {SUIT_NAMES[suit_of(top)]} is given twice"
            )
        tops[suit_of(top)] = rank_of(top) // KING if pile is Pile.KING else rank_of(top)
    return tops


def _cards_left(foundations: Iterable[Foundations]) -> Counter[Card]:
    """Gets the cards that are not on foundations, aces left out."""
    left = Counter(dict.fromkeys(PLAYABLE, 2))
    for suit, piles in enumerate(foundations):
        left.subtract(card(rank, suit) for rank in piles.cards() if rank != ACE)
    return left


def _card(word: _Word) -> Card:
    try:
        return parse_card(with_letters(word.text))
    except ValueError:
        raise Error(f"{word.where}: {word.text!r} is not a card") from None


def _dealt_card(word: _Word, left: Counter[Card], seen: Counter[Card]) -> Card:
    """Reads a card and counts it in ``seen``, or says why it can't lie where it does."""
    card = _card(word)
    seen[card] += 1
    if card not in PLAYABLE:
        raise Error(f"{word.where}: {card_name(card)} is not dealt: it starts on a foundation")
    if seen[card] > left[card]:
        beside = "" if left[card] == PLAYABLE[card] else " beside the foundations"
        raise Error(
            f"{word.where}: card {card_name(card)} appears {seen[card]} times{beside}, "
            f"expected {left[card]}"
        )
    return card


def _check_missing(missing: Counter[Card], total: int, unseen: int, source: str) -> None:
    if unseen and missing.total() != unseen:
        raise Error(
            f"{source}: {unseen} stock cards are unknown, but {missing.total()} cards are nowhere"
        )
    if missing.total() != unseen:
        names = f": {card_names(missing.elements())}" if missing.total() <= MOST_NAMED else ""
        raise Error(f"{source}: {missing.total()} of the {total} cards missing{names}")
