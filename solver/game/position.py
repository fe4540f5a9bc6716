"""The rules of the game in plain Python: the specification.

Nothing here knows how deals are searched. Every solution is replayed through this module before
it is shown, and the compiled search is tested against it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from .cards import (
    ACE,
    DEUCE,
    KING,
    QUEEN,
    RANKS,
    SUIT_NAMES,
    SUITS,
    Card,
    Suit,
    card,
    card_name,
    rank_of,
    suit_of,
)
from .deal import Deal
from .errors import Error
from .foundations import START, Foundations, Pile
from .moves import DEAL, Move, Source, parse_move, reserve_move, transfer, waste_move
from .rules import Dealing, Kings, Rules


class IllegalMoveError(Error):
    """A move that the rules don't allow where it was tried."""


class Position(NamedTuple):
    """Everything on the table.

    ``reserve`` has a place for every slot, ``None`` where there is a gap; ``waste`` runs from
    bottom to top, ``stock`` in deal order; ``foundations`` has one entry per suit.
    """

    rules: Rules
    reserve: tuple[Card | None, ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    foundations: tuple[Foundations, ...] = START

    def __str__(self) -> str:
        """Writes the table as text; ``game.deal.parse_table`` reads it back."""
        return str(self.deal)

    @property
    def deal(self) -> Deal:
        """What lies on the table, without the rules: :func:`start` gets the position back."""
        return Deal(self.reserve, self.stock, None, self.waste, self.foundations)

    @property
    def is_won(self) -> bool:
        """Whether every card is on a foundation."""
        return not self.waste and not self.stock and not any(self.reserve)

    def legal_moves(self) -> list[Move]:
        """Gets every legal move, each once, sorted by notation."""
        moves = {*self.plays(), *self._transfers()}
        if self._may_deal():
            moves.add(DEAL)
        return sorted(moves, key=str)

    def plays(self) -> Iterator[Move]:
        """Gets every legal play: of the reserve's cards, slot by slot, then of the waste top.

        Of equal cards in the reserve each gives its moves.
        """
        for held in self.reserve:
            if held is not None:
                yield from (reserve_move(held, pile) for pile in self._places(held))
        if self.waste:
            top = self.waste[-1]
            yield from (waste_move(top, pile) for pile in self._places(top))

    def play(self, move: Move | str) -> "Position":
        """Gets the position after a move and all that happens by itself.

        :param move: a move, or its notation.
        :raises IllegalMoveError: if the move is not legal here.
        :raises Error: if the text is no move.
        """
        if isinstance(move, str):
            move = parse_move(move)
        after = self._after(move)
        if after is None:
            raise IllegalMoveError(f"'{move}' is not legal here")
        return after

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal here."""
        return self._after(move) is not None

    def playable_from_reserve(self) -> bool:
        """Whether any reserve card can be played to a foundation."""
        return any(held is not None and any(self._places(held)) for held in self.reserve)

    def _may_deal(self) -> bool:
        """Whether a stock card may be turned to the waste."""
        if not self.stock:
            return False
        return self.rules.deal is Dealing.ANY or not self.playable_from_reserve()

    def _places(self, card: Card) -> Iterator[Pile]:
        """Gets the foundations that a card may go to."""
        piles = self.foundations[suit_of(card)]
        return (pile for pile in Pile if piles.takes(pile, rank_of(card), self.rules))

    def _transfers(self) -> Iterator[Move]:
        """Gets the moves of a foundation's top card to another; aces stay."""
        if not self.rules.transfers:
            return
        for suit in SUITS:
            for pile in Pile:
                rank = self.foundations[suit].top(pile)
                if rank <= ACE:
                    continue
                rest = self.foundations[suit].take(pile)
                for other in Pile:
                    if other is not pile and rest.takes(other, rank, self.rules):
                        yield transfer(suit, pile, other)

    def _after(self, move: Move) -> "Position | None":
        """Gets the position after a move, ``None`` if it is not legal."""
        if move.source is Source.STOCK:
            after = self._dealt() if move == DEAL and self._may_deal() else None
        elif move.source is Source.FOUNDATION:
            after = self._transferred(move) if move in self._transfers() else None
        else:
            after = self._played(move)
        if after and after.rules.auto_deal and not after.waste and after.stock:
            return after._dealt()
        return after

    def _dealt(self) -> "Position":
        """Turns a stock card to the waste."""
        return self._replace(waste=self.waste + self.stock[:1], stock=self.stock[1:])

    def _transferred(self, move: Move) -> "Position":
        """Moves a foundation's top card to another."""
        assert move.card is not None
        assert move.pile is not None
        assert move.from_pile is not None
        suit = suit_of(move.card)
        return self._with(suit, self.foundations[suit].take(move.from_pile).put(move.pile))

    def _played(self, move: Move) -> "Position | None":
        """Plays a card of the reserve, or of the waste, to a foundation that takes it next."""
        _, held, pile, from_pile = move
        if held is None or pile is None or from_pile is not None:
            return None
        suit = suit_of(held)
        piles = self.foundations[suit]
        if not piles.takes(pile, rank_of(held), self.rules):
            return None
        after = self._with(suit, piles.put(pile))
        if move.source is Source.WASTE:
            return after._replace(waste=self.waste[:-1]) if held in self.waste[-1:] else None
        return after._without(held) if held in self.reserve else None

    def _with(self, suit: Suit, piles: Foundations) -> "Position":
        """Changes the foundations of a suit."""
        others = self.foundations
        return self._replace(foundations=(*others[:suit], piles, *others[suit + 1 :]))

    def _without(self, held: Card) -> "Position":
        """Takes a card out of the reserve.

        The top waste card fills the gap, or the next stock card where the waste is empty.
        """
        slot = self.reserve.index(held)
        waste, stock = self.waste, self.stock
        if not waste:
            waste, stock = stock[:1], stock[1:]
        filler = waste[-1] if waste else None
        reserve = (*self.reserve[:slot], filler, *self.reserve[slot + 1 :])
        return self._replace(reserve=reserve, waste=waste[:-1], stock=stock)


def start(deal: Deal, rules: Rules) -> Position:
    """Gets the position of a deal, or of a table some moves later.

    :raises Error: if the deal's reserve is not the size that the rules say, or if its stock is
        unknown: nothing can be said of what follows.
    """
    if deal.unseen:
        raise Error(
            f"the stock is unknown ({deal.unseen} cards); a verdict needs its cards in deal order"
        )
    if len(deal.reserve) != rules.reserve:
        raise Error(
            f"the deal has {len(deal.reserve)} reserve cards, the rules say {rules.reserve}"
        )
    turned = 1 if rules.auto_deal and not deal.waste else 0
    waste, stock = deal.waste + deal.stock[:turned], deal.stock[turned:]
    return Position(rules, deal.reserve, waste, stock, deal.foundations)


def replay(position: Position, moves: Iterable[Move | str]) -> Position:
    """Gets the position after several moves.

    :raises IllegalMoveError: naming the first illegal move and its number.
    """
    for number, move in enumerate(moves, 1):
        try:
            position = position.play(move)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from None
    return position


def check(position: Position) -> None:
    """Makes sure that a position is one of the game.

    :raises Error: naming what is wrong: a card too many or too few, a foundation that no game
        leads to, a gap or an empty waste that the rules would have filled.
    """
    rules = position.rules
    if len(position.reserve) != rules.reserve:
        raise Error(f"the reserve has {len(position.reserve)} slots, the rules say {rules.reserve}")
    possible = _possible_tops(rules)
    for suit, piles in enumerate(position.foundations):
        if rules.kings is Kings.LOWER_FIRST and piles.upper == KING != piles.lower:
            raise Error(f"the upper pile of {SUIT_NAMES[suit]} has its king before the lower")
        for pile, tops in possible.items():
            if getattr(piles, pile) not in tops:
                raise Error(
                    f"the {pile} pile of {SUIT_NAMES[suit]} can't be at {getattr(piles, pile)}"
                )
    if sorted(_all_cards(position)) != _BOTH_DECKS_SORTED:  # which is quicker than to count them
        seen = cards_of(position)
        wrong = min(held for held in {*seen, *_BOTH_DECKS} if seen[held] != _BOTH_DECKS[held])
        raise Error(
            f"card {card_name(wrong)} appears {seen[wrong]} times, expected {_BOTH_DECKS[wrong]}"
        )
    if None in position.reserve and (position.waste or position.stock):
        raise Error("the reserve has a gap while the waste or the stock has cards")
    if rules.auto_deal and position.stock and not position.waste:
        raise Error("the waste is empty, where the rules turn a card by themselves")


_BOTH_DECKS = Counter({card(rank, suit): 2 for suit in SUITS for rank in RANKS})
_BOTH_DECKS_SORTED = sorted(_BOTH_DECKS.elements())


@cache
def _possible_tops(rules: Rules) -> dict[Pile, range]:
    return {
        Pile.UPPER: range(ACE, rules.upper_top + 1),
        Pile.LOWER: range(ACE, rules.lower_top + 1, 2),
        Pile.DEUCE: range(0 if rules.transfers else DEUCE, QUEEN + 1, 2),
        Pile.KING: range(rules.king_spots + 1),
    }


def cards_of(position: Position) -> Counter[Card]:
    """Gets every card of a position, foundations included, with its number of copies."""
    return Counter(_all_cards(position))


def _all_cards(position: Position) -> list[Card]:
    cards = [held for held in position.reserve if held is not None]
    cards += position.waste
    cards += position.stock
    for suit, piles in enumerate(position.foundations):
        cards += _cards_on(suit, piles)
    return cards


@cache
def _cards_on(suit: Suit, piles: Foundations) -> list[Card]:
    """Gets the cards on a suit's foundations."""
    return [card(rank, suit) for rank in piles.cards()]
