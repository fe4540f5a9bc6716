"""What one suit's foundations take next, by the rules of ``game.position``, worked out once a case.

A multiset of cards is an integer with two bits a card type, at ``2 * card``; that of one suit's
ranks has them at ``2 * rank``. Adding and taking away cards is addition and subtraction.
"""

from typing import NamedTuple

from ..game.cards import ACE, DEUCE, KING, QUEEN, RANKS, Rank
from ..game.foundations import Foundations, Pile
from ..game.rules import Rules
from .claim import Method, Reduction, lane_code, lane_piles

LEAST_CHOICE = (Pile.LOWER, Pile.DEUCE, Pile.KING, Pile.UPPER)
"""Real moves: the order in which the place of a certain card is looked for."""


class Lane(NamedTuple):
    """One suit's foundations. A *lane after* is the code of the foundations after a play.

    ``places``: for each rank that a pile takes next, twice the rank and the lanes after, one for
    each such pile; ``settling``: twice the rank, the number of copies in hand that settle one, and
    the lane after; ``commits``: rank to lanes after, for the commitments of the credit form;
    ``free_pops``: rank to the number of copies in hand that make popping another one free;
    ``certain``: twice the rank and the lane after, for certain cards; ``transfers``: lanes after.
    """

    size: int
    played: int
    places: tuple[tuple[int, tuple[int, ...]], ...]
    settling: tuple[tuple[int, int, int], ...]
    commits: dict[Rank, tuple[int, ...]]
    free_pops: dict[Rank, int]
    certain: tuple[tuple[int, int], ...]
    transfers: tuple[int, ...]


class Lanes(dict[int, Lane]):
    """Lanes by code, made when they are first asked for."""

    def __init__(self, rules: Rules, method: Method) -> None:
        self.rules = rules
        self.method = method

    def __missing__(self, code: int) -> Lane:
        lane = self[code] = self._lane(lane_piles(code))
        return lane

    def _lane(self, piles: Foundations) -> Lane:
        ranks = [rank for rank in RANKS if self._open(piles, rank)]
        return Lane(
            size=piles.size(),
            played=sum(1 << 2 * rank for rank in piles.cards() if rank != ACE),
            places=tuple((2 * rank, self._after(piles, self._open(piles, rank))) for rank in ranks),
            settling=tuple((2 * rank, *self._settling(piles, rank)) for rank in ranks),
            commits={rank: self._after(piles, self._commits(piles, rank)) for rank in ranks},
            free_pops={
                rank: 0 if rank in piles.cards() else 1
                for rank in ranks
                if rank in piles.cards() or len(self._open(piles, rank)) == 2
            },
            certain=tuple(self._certain(piles)),
            transfers=tuple(self._transfers(piles)),
        )

    def _open(self, piles: Foundations, rank: Rank) -> list[Pile]:
        return [pile for pile in Pile if piles.takes(pile, rank, self.rules)]

    def _after(self, piles: Foundations, places: list[Pile]) -> tuple[int, ...]:
        return tuple(lane_code(piles.put(pile)) for pile in places)

    def _ending(self, piles: Foundations, rank: Rank) -> list[Pile]:
        """Gets the open piles for a rank whose other place ends with it (ENDS)."""
        if Reduction.ENDS not in self.method.reductions:
            return []
        return [
            pile
            for pile in self._open(piles, rank)
            if all(self._last(other) == rank for other in self._homes(rank) if other is not pile)
        ]

    def _homes(self, rank: Rank) -> list[Pile]:
        """Gets the two piles that take a rank in the course of a game."""
        by_two = Pile.LOWER if rank % 2 else Pile.DEUCE
        return [
            *([Pile.UPPER] if rank <= self.rules.upper_top else []),
            *([by_two] if rank <= self._last(by_two) else []),
            *([Pile.KING] if rank == KING and self.rules.king_spots else []),
        ]

    def _last(self, pile: Pile) -> Rank:
        """Gets the rank that a pile ends with."""
        tops = {Pile.UPPER: self.rules.upper_top, Pile.LOWER: self.rules.lower_top}
        return {**tops, Pile.DEUCE: QUEEN, Pile.KING: KING}[pile]

    def _settling(self, piles: Foundations, rank: Rank) -> tuple[int, int]:
        ending = [] if rank in piles.cards() else self._ending(piles, rank)
        copies = 1 if ending or rank in piles.cards() else 2
        return copies, self._after(piles, ending or self._open(piles, rank))[0]

    def _commits(self, piles: Foundations, rank: Rank) -> list[Pile]:
        return self._ending(piles, rank)[:1] or self._open(piles, rank)

    def _certain(self, piles: Foundations) -> list[tuple[int, int]]:
        if Reduction.CERTAIN not in self.method.reductions:
            return []
        found = []
        for rank in RANKS[DEUCE - 1 :]:
            places = [p for p in LEAST_CHOICE if piles.takes(p, rank, self.rules)]
            if places and (rank == KING or rank in piles.cards()):
                found.append((2 * rank, self._after(piles, places)[0]))
        return found

    def _transfers(self, piles: Foundations) -> list[int]:
        if not self.rules.transfers:
            return []
        found: list[int] = []
        for pile in Pile:
            rank = piles.top(pile)
            if rank > ACE:
                rest = piles.take(pile)
                others = [other for other in self._open(rest, rank) if other is not pile]
                found += self._after(rest, others)
        return found
