"""What stays fixed during a proof by the plain checker."""

from functools import lru_cache, partial
from operator import getitem

from ...game.cards import Card
from ...game.position import Position
from ...game.rules import Dealing
from ..claim import RELAXED, Form, Method, Reduction, root_key, unpack
from ..lanes import Lane, Lanes
from .bound import most_plays

MOST_REMEMBERED = 1 << 18  # results of the bound for one suit
BYTES = 12  # of a waste


class Table:
    """A root position and a method, laid out.

    ``known[n]`` is the multiset of all cards but the stock from its n-th card on; ``earlier[i]`` is
    the place of a card equal to stock card i that comes before it, or -1; ``relaxed`` is the table
    of the relaxed game, if the method uses it; ``memory`` bounds the bytes for one state's plays.

    :raises Error: if the method does not go with the rules.
    """

    def __init__(self, position: Position, method: Method, memory: int) -> None:
        method.fit(position.rules)
        relaxes = Reduction.RELAXED in method.reductions
        self.relaxed = Table(position, RELAXED, memory) if relaxes else None
        self.memory = memory
        self.rules = position.rules
        self.stuck = position.rules.deal is Dealing.STUCK
        self.form = method.form
        self.makes_free_pops = Reduction.FREE_POP in method.reductions
        self.lanes = Lanes(position.rules, method)
        self.most_plays = lru_cache(MOST_REMEMBERED)(partial(most_plays, position.rules))
        self.root = root_key(position)
        self.stock = position.waste + position.stock
        self.size = len(self.stock)
        first = [self.stock.index(card) for card in self.stock]
        self.earlier = [at if at < i else -1 for i, at in enumerate(first)]
        lanes = self.lanes_of(unpack(self.root)[2])
        self.root_count = sum(lane.size for lane in lanes)
        reserve = sum(1 << 2 * card for card in position.reserve if card is not None)
        self.known = [reserve + played(lanes)]
        for card in self.stock:
            self.known.append(self.known[-1] + (1 << 2 * card))
        self._by_byte = [self._cards(self.stock[at : at + 8]) for at in range(0, 8 * BYTES, 8)]

    @staticmethod
    def _cards(stock: tuple[Card, ...]) -> list[int]:
        """Gets for each value of one byte of a waste the multiset of the cards it stands for."""
        multisets = [0]
        for card in stock:
            multisets += [others + (1 << 2 * card) for others in multisets]
        return multisets

    def waste_cards(self, waste: int) -> int:
        """Gets the multiset of the cards of a waste."""
        return sum(map(getitem, self._by_byte, waste.to_bytes(BYTES, "little")))

    def lanes_of(self, foundations: int) -> list[Lane]:
        """Gets the foundations suit by suit."""
        return [self.lanes[foundations >> shift & 0xFFFF] for shift in (0, 16, 32, 48)]

    def pushed(self, dealt: int, waste: int) -> int:
        """Gets the waste with the next stock card on it, at the leftmost place that reads so."""
        earlier = self.earlier[dealt]
        return waste | 1 << (earlier if earlier >= 0 and not waste >> earlier else dealt)

    def is_won(self, key: int) -> bool:
        """Whether a state must count as won: no waste, and in the game no stock is left."""
        dealt, waste, _ = unpack(key)
        return not waste and (dealt == self.size or self.form is Form.RELAXED)

    def credit(self, dealt: int, waste: int, foundations: int) -> int:
        """Gets the number of cards played since the root less the number of pops."""
        count = sum(lane.size for lane in self.lanes_of(foundations))
        return count - self.root_count - (dealt - waste.bit_count())

    def depths(self, waste: int) -> int:
        """Gets the greatest depth of a waste at which the loss bound may be asked."""
        return waste.bit_count() - (self.form is not Form.RELAXED)

    def potential(self, key: int) -> int:
        """Gets a number that every move raises, transfers excepted.

        Real moves: the cards dealt and played. Else: the cards dealt and the pops.
        """
        dealt, waste, foundations = unpack(key)
        if self.form is Form.PLAIN:
            return dealt + sum(lane.size for lane in self.lanes_of(foundations))
        return 2 * dealt - waste.bit_count()


def played(lanes: list[Lane]) -> int:
    """Gets the multiset of the cards on four suits' foundations, without aces."""
    return sum(lane.played << 32 * suit for suit, lane in enumerate(lanes))
