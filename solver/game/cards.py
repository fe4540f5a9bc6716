"""Cards, suits and ranks: the vocabulary that every other module speaks.

A card is a small integer, ``16 * suit + rank``, so that a card is also the number of its bit in a
64-bit word: one 16-bit lane per suit, one bit per rank. The two copies of a card in the two decks
are the same integer, because nothing in the game tells them apart.
"""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from .errors import Error

Suit: TypeAlias = int
Rank: TypeAlias = int
Card: TypeAlias = int

SUITS: tuple[Suit, ...] = (0, 1, 2, 3)
CLUBS, SPADES, HEARTS, DIAMONDS = SUITS
SUIT_NAMES = "CSHD"
SUIT_SYMBOLS = "♣♠♥♦"
LETTERS = str.maketrans(
    {**dict(zip(SUIT_SYMBOLS, SUIT_NAMES, strict=True)), "\ufe0e": "", "\ufe0f": ""}
)
"""What makes letters of symbols, and drops the marks by which a page chooses how these look."""

RANKS: tuple[Rank, ...] = tuple(range(1, 14))
ACE, DEUCE = 1, 2
TEN, JACK, QUEEN, KING = 10, 11, 12, 13
RANK_NAMES = "A23456789TJQK"


def card(rank: Rank, suit: Suit) -> Card:
    """Gets the card of a rank (1 to 13) and a suit (0 to 3)."""
    return 16 * suit + rank


def rank_of(card: Card) -> Rank:
    """Gets the rank of a card, 1 (ace) to 13 (king)."""
    return card % 16


def suit_of(card: Card) -> Suit:
    """Gets the suit of a card, 0 to 3 in the order of ``SUIT_NAMES``."""
    return card // 16


def card_name(card: Card) -> str:
    """Gets the name of a card.

    >>> card_name(card(TEN, HEARTS))
    'TH'
    """
    return RANK_NAMES[rank_of(card) - 1] + SUIT_NAMES[suit_of(card)]


def symbol_name(card: Card) -> str:
    """Gets the name of a card with the symbol of its suit.

    >>> symbol_name(card(TEN, HEARTS))
    'T♥'
    """
    return RANK_NAMES[rank_of(card) - 1] + SUIT_SYMBOLS[suit_of(card)]


def parse_card(text: str) -> Card:
    """Reads a card: rank ``A23456789TJQK`` (or ``10``) and suit ``CSHD``, in any case.

    :raises Error: if the text names no card.

    >>> card_name(parse_card("10h"))
    'TH'
    """
    name = text.upper().replace("10", "T") if text.isascii() else ""
    if len(name) != 2 or name[0] not in RANK_NAMES or name[1] not in SUIT_NAMES:
        raise Error(f"{text!r} is not a card")
    return card(RANK_NAMES.index(name[0]) + 1, SUIT_NAMES.index(name[1]))


def with_letters(text: str) -> str:
    """Gets a text with its suit symbols, as from a terminal or a page, as letters.

    >>> with_letters("T♥ 10♣")
    'TH 10C'
    """
    return text.translate(LETTERS)


def card_names(cards: Iterable[Card]) -> str:
    """Gets the names of several cards, separated by spaces."""
    return " ".join(map(card_name, cards))


PLAYABLE: Counter[Card] = Counter(
    {card(rank, suit): 1 if rank == DEUCE else 2 for suit in SUITS for rank in RANKS[1:]}
)
"""The 92 cards that are dealt, with their number of copies.

The aces and one deuce of each suit start on the foundations.
"""
