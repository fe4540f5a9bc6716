"""The foundations of a suit: what lies on them, and what they take next."""

from typing import NamedTuple

from ..base.names import Name
from .cards import ACE, DEUCE, KING, QUEEN, SUITS, Rank
from .rules import Kings, Rules


class Pile(Name):
    """The kinds of foundation; each suit has one of each."""

    UPPER = "upper"
    LOWER = "lower"
    DEUCE = "deuce"
    KING = "king"


class Foundations(NamedTuple):
    """One suit's foundations, each by the rank of its top card (0: empty).

    ``upper`` and ``lower`` start at the ace, ``deuce`` at the two; ``king`` counts its cards.
    """

    upper: Rank = ACE
    lower: Rank = ACE
    deuce: Rank = DEUCE
    king: int = 0

    def next_rank(self, pile: Pile, rules: Rules) -> Rank:
        """Gets the rank of the card that a pile takes next, 0 if it takes none."""
        if pile is Pile.UPPER:
            if self.upper == QUEEN and rules.kings is Kings.LOWER_FIRST and self.lower != KING:
                return 0
            return self.upper + 1 if self.upper < rules.upper_top else 0
        if pile is Pile.LOWER:
            return self.lower + 2 if self.lower < rules.lower_top else 0
        if pile is Pile.DEUCE:
            return self.deuce + 2 if self.deuce < QUEEN else 0
        return KING if self.king < rules.king_spots else 0

    def takes(self, pile: Pile, rank: Rank, rules: Rules) -> bool:
        """Whether a pile takes a card of its suit and this rank next."""
        return rank == self.next_rank(pile, rules)

    def top(self, pile: Pile) -> Rank:
        """Gets the rank of a pile's top card, 0 if the pile is empty."""
        if pile is Pile.KING:
            return KING * self.king
        rank: Rank = getattr(self, pile)
        return rank

    def put(self, pile: Pile) -> "Foundations":
        """Gets the foundations with the next card of a pile on it."""
        return self._changed(pile, 1)

    def take(self, pile: Pile) -> "Foundations":
        """Gets the foundations without a pile's top card."""
        return self._changed(pile, -1)

    def _changed(self, pile: Pile, cards: int) -> "Foundations":
        upper, lower, deuce, king = self
        if pile is Pile.UPPER:
            return Foundations(upper + cards, lower, deuce, king)
        if pile is Pile.LOWER:
            return Foundations(upper, lower + 2 * cards, deuce, king)
        if pile is Pile.DEUCE:
            return Foundations(upper, lower, deuce + 2 * cards, king)
        return Foundations(upper, lower, deuce, king + cards)

    def size(self) -> int:
        """Gets the number of cards on the four piles."""
        return self.upper + (self.lower + 1) // 2 + self.deuce // 2 + self.king

    def cards(self) -> list[Rank]:
        """Gets the ranks of all cards on the four piles."""
        return [
            *range(ACE, self.upper + 1),
            *range(ACE, self.lower + 1, 2),
            *range(DEUCE, self.deuce + 1, 2),
            *[KING] * self.king,
        ]


START = (Foundations(),) * len(SUITS)
"""The foundations before the first move."""
