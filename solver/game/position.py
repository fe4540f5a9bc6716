"""The rules of the game as slow, plain Python: the specification.

Nothing here knows how deals are searched. Every solution is replayed through this module before
it is shown, and the compiled search is tested against it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
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
    Rank,
    Suit,
    card,
    card_name,
    parse_card,
    rank_of,
    suit_of,
)
from .deal import Deal
from .rules import Dealing, Kings, Rules


class Pile(StrEnum):
    """The kinds of foundation; each suit has one of each."""

    UPPER = "upper"
    LOWER = "lower"
    DEUCE = "deuce"
    KING = "king"


class Source(StrEnum):
    """Where a move takes its card from."""

    STOCK = "deal"
    RESERVE = "R"
    WASTE = "W"
    FOUNDATION = "F"


# Members by names of their own: the way through their class is longer than the rest of a test.
_UPPER, _LOWER, _DEUCE, _ = Pile
_STOCK, _RESERVE, _WASTE, _FOUNDATION = Source
_LOWER_FIRST, _ANY = Kings.LOWER_FIRST, Dealing.ANY
_new = tuple.__new__  # which Position(...) calls too, by a longer way


class IllegalMoveError(ValueError):
    """A move that the rules don't allow where it was tried."""


class Move(NamedTuple):
    """A move: its source and, unless it is a deal, the card and the foundation it goes to.

    For a transfer ``from_pile`` is the foundation that the card leaves; ``card`` is then an ace
    standing for the suit, since the position says which card is on top.
    """

    source: Source
    card: Card | None = None
    pile: Pile | None = None
    from_pile: Pile | None = None

    def __str__(self) -> str:
        """Writes the move's notation; :func:`parse_move` reads it back."""
        if self.card is None:
            return "deal"
        what = card_name(self.card)
        if self.source is Source.FOUNDATION:
            what = f"{self.from_pile}:{SUIT_NAMES[suit_of(self.card)]}"
        return f"{self.source}:{what}>{self.pile}"


DEAL = Move(Source.STOCK)


@cache
def reserve_move(card: Card, pile: Pile) -> Move:
    """Gets the move of a reserve card to a foundation of its suit."""
    return Move(Source.RESERVE, card, pile)


@cache
def waste_move(card: Card, pile: Pile) -> Move:
    """Gets the move of the top waste card to a foundation of its suit."""
    return Move(Source.WASTE, card, pile)


def transfer(suit: Suit, from_pile: Pile, pile: Pile) -> Move:
    """Gets the move of a foundation's top card to another foundation."""
    return Move(Source.FOUNDATION, card(ACE, suit), pile, from_pile)


def parse_move(text: str) -> Move:
    """Reads a move: ``deal``, ``R:3D>lower``, ``W:2C>lower`` or ``F:upper:C>lower``, in any case.

    :raises ValueError: if the text is no move.
    """
    if text.lower() == "deal":
        return DEAL
    try:
        what, to = text.split(">")
        letter, _, name = what.partition(":")
        source, pile = Source(letter.upper()), Pile(to.lower())
        if source is Source.FOUNDATION:
            from_pile, suit_name = name.split(":")
            return transfer(_parse_suit(suit_name), Pile(from_pile.lower()), pile)
        return Move(source, parse_card(name), pile)
    except ValueError:
        raise ValueError(f"{text!r} is not a move") from None


def _parse_suit(name: str) -> Suit:
    return parse_card("A" + name) // 16


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
        if pile is _UPPER:
            if self.upper == QUEEN and rules.kings is _LOWER_FIRST and self.lower != KING:
                return 0
            return self.upper + 1 if self.upper < rules.upper_top else 0
        if pile is _LOWER:
            return self.lower + 2 if self.lower < rules.lower_top else 0
        if pile is _DEUCE:
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
        if pile is _UPPER:
            return Foundations(upper + cards, lower, deuce, king)
        if pile is _LOWER:
            return Foundations(upper, lower + 2 * cards, deuce, king)
        if pile is _DEUCE:
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


@cache
def _next(piles: Foundations, pile: Pile, kings: Kings) -> tuple[Rank, Foundations]:
    """Gets the rank that a pile takes next, 0 if none, and the foundations then.

    Where kings go is all of the rules that matters here, and found sooner than by all of them.
    """
    rank = piles.next_rank(pile, Rules(kings))
    return rank, piles.put(pile) if rank else piles


@cache
def _cards_taken(suit: Suit, piles: Foundations, kings: Kings) -> frozenset[Card | None]:
    """Gets the cards that some pile of a suit takes next."""
    ranks = {_next(piles, pile, kings)[0] for pile in Pile} - {0}
    return frozenset(card(rank, suit) for rank in ranks)


class Position(NamedTuple):
    """Everything on the table.

    ``reserve`` has a place for every slot, ``None`` where there is a gap; ``waste`` runs from
    bottom to top, ``stock`` in deal order; ``foundations`` has one entry per suit.
    """

    rules: Rules
    reserve: tuple[Card | None, ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    foundations: tuple[Foundations, ...] = (Foundations(),) * 4

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

    def play(self, move: Move) -> "Position":
        """Gets the position after a move and all that happens by itself.

        :raises IllegalMoveError: if the move is not legal here.
        """
        after = self._after(move)
        if after is None:
            raise IllegalMoveError(f"'{move}' is not legal here")
        return after

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal here."""
        return self._after(move) is not None

    def playable_from_reserve(self) -> bool:
        """Whether any reserve card can be played to a foundation."""
        kings = self.rules.kings
        for suit, piles in enumerate(self.foundations):
            if not _cards_taken(suit, piles, kings).isdisjoint(self.reserve):
                return True
        return False

    def _after(self, move: Move) -> "Position | None":
        """Gets the position after a move, ``None`` if it is not legal."""
        rules, reserve, waste, stock, foundations = self
        source, held, pile, from_pile = move
        if source is _STOCK:
            if move != DEAL or not self._may_deal():
                return None
            waste, stock = waste + stock[:1], stock[1:]
        elif held is None or pile is None:
            return None
        else:
            suit, rank = suit_of(held), rank_of(held)
            piles = foundations[suit]
            if source is _FOUNDATION:
                if from_pile is None or move not in self._transfers():
                    return None
                rank, piles = piles.top(from_pile), piles.take(from_pile)
            elif from_pile is not None:
                return None
            next_rank, piles = _next(piles, pile, rules.kings)
            if rank != next_rank:
                return None
            foundations = foundations[:suit] + (piles,) + foundations[suit + 1 :]
            if source is _WASTE:
                if held not in waste[-1:]:
                    return None
                waste = waste[:-1]
            elif source is _RESERVE:
                if held not in reserve:
                    return None
                slot = reserve.index(held)
                if not waste:  # the gap is filled from the stock
                    waste, stock = stock[:1], stock[1:]
                reserve = reserve[:slot] + (waste[-1:] or (None,)) + reserve[slot + 1 :]
                waste = waste[:-1]
        if rules.auto_deal and not waste:
            waste, stock = stock[:1], stock[1:]
        return _new(Position, (rules, reserve, waste, stock, foundations))

    def _may_deal(self) -> bool:
        if not self.stock:
            return False
        return self.rules.deal is _ANY or not self.playable_from_reserve()

    def _places(self, card: Card) -> Iterator[Pile]:
        piles = self.foundations[suit_of(card)]
        return (pile for pile in Pile if piles.takes(pile, rank_of(card), self.rules))

    def _transfers(self) -> Iterator[Move]:
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


def start(deal: Deal, rules: Rules) -> Position:
    """Gets the position of a deal, or of a table some moves later.

    :raises ValueError: if the deal's reserve is not the size that the rules say, or if its stock is
        unknown: nothing can be said of what follows.
    """
    if deal.unseen:
        raise ValueError(
            f"the stock is unknown ({deal.unseen} cards); a verdict needs its cards in deal order"
        )
    if len(deal.reserve) != rules.reserve:
        raise ValueError(
            f"the deal has {len(deal.reserve)} reserve cards, the rules say {rules.reserve}"
        )
    turned = 1 if rules.auto_deal and not deal.waste else 0
    waste, stock = deal.waste + deal.stock[:turned], deal.stock[turned:]
    foundations = tuple(Foundations(*tops) for tops in deal.foundations)
    return Position(rules, deal.reserve, waste, stock, foundations)


def replay(position: Position, moves: Iterable[Move]) -> Position:
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

    :raises ValueError: naming what is wrong: a card too many or too few, a foundation that no game
        leads to, a gap or an empty waste that the rules would have filled.
    """
    rules = position.rules
    if len(position.reserve) != rules.reserve:
        raise ValueError(
            f"the reserve has {len(position.reserve)} slots, the rules say {rules.reserve}"
        )
    possible = _possible_tops(rules)
    for suit, piles in enumerate(position.foundations):
        if rules.kings is Kings.LOWER_FIRST and piles.upper == KING != piles.lower:
            raise ValueError(f"the upper pile of {SUIT_NAMES[suit]} has its king before the lower")
        for pile, tops in possible.items():
            if getattr(piles, pile) not in tops:
                raise ValueError(
                    f"the {pile} pile of {SUIT_NAMES[suit]} can't be at {getattr(piles, pile)}"
                )
    if sorted(_all_cards(position)) != _BOTH_DECKS_SORTED:  # which is quicker than to count them
        seen = cards_of(position)
        wrong = min(held for held in {*seen, *_BOTH_DECKS} if seen[held] != _BOTH_DECKS[held])
        raise ValueError(
            f"card {card_name(wrong)} appears {seen[wrong]} times, expected {_BOTH_DECKS[wrong]}"
        )
    if None in position.reserve and (position.waste or position.stock):
        raise ValueError("the reserve has a gap while the waste or the stock has cards")
    if rules.auto_deal and position.stock and not position.waste:
        raise ValueError("the waste is empty, where the rules turn a card by themselves")


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
