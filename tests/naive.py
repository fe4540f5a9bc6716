"""Oracles: brute force over ``game.position`` and the relaxed game, and random small positions."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from solver.game.cards import KING, SUITS, Card, card, rank_of, suit_of
from solver.game.foundations import Foundations, Pile
from solver.game.position import Position
from solver.game.rules import Kings, Rules


class TooLargeError(Exception):
    """Brute force met more states than it was allowed."""


def key_of(position: Position) -> tuple[object, ...]:
    """Gets what tells positions of one game apart: the order of the reserve does not matter."""
    reserve = tuple(sorted(card or 0 for card in position.reserve))
    return reserve, position.waste, len(position.stock), position.foundations


def is_winnable(position: Position, most_states: int) -> bool:
    """Decides a position by trying everything: no bound, no order, no pruning.

    :raises TooLargeError: after ``most_states`` states.
    """
    seen = {key_of(position)}
    left = [position]
    while left:
        position = left.pop()
        if position.is_won:
            return True
        for move in position.legal_moves():
            after = position.play(move)
            if key_of(after) not in seen:
                seen.add(key_of(after))
                left.append(after)
        if len(seen) > most_states:
            raise TooLargeError
    return False


def random_position(rng: random.Random, rules: Rules, cards: int) -> Position:
    """Gets a position with so many cards off the foundations, spread at random.

    Foundations are unplayed from the end of the game at random, which keeps them consistent. High
    cards tend to lie in the reserve and low ones deep in the waste, by a random degree: a third of
    the positions are lost.
    """
    full = Foundations(rules.upper_top, rules.lower_top, 12, rules.king_spots)
    suits = rng.sample(SUITS, rng.choice([1, 1, 2, 3]) if cards <= 20 else 2)
    foundations = [full] * 4
    loose: list[Card] = []
    while len(loose) < cards:
        suit = rng.choice(suits)
        taken = _unplayed(rng, foundations[suit], rules)
        if taken is None:
            continue
        foundations[suit], rank = taken
        loose.append(card(rank, suit))
    noise = rng.choice([2, 4, 8, 16])
    loose.sort(key=lambda card: rng.uniform(0, noise) - rank_of(card))
    slots = rules.reserve
    reserve: tuple[Card | None, ...] = tuple(loose[:slots])
    rest = loose[slots:]
    waste = rng.randint(0, len(rest)) if rng.random() < 0.7 else 0
    rest[:waste] = rest[:waste][::-1]
    if rules.auto_deal and rest:
        waste = max(waste, 1)
    return Position(
        rules,
        reserve + (None,) * (slots - len(reserve)),
        tuple(rest[:waste]),
        tuple(rest[waste:]),
        tuple(foundations),
    )


def _unplayed(
    rng: random.Random, piles: Foundations, rules: Rules
) -> tuple[Foundations, int] | None:
    """Takes a random top card off one suit's foundations, if the chosen pile has one to take."""
    choice = rng.randrange(4)
    if choice == 0 and piles.king:
        return Foundations(piles.upper, piles.lower, piles.deuce, 0), KING
    if choice == 1 and piles.upper > 1:
        return Foundations(piles.upper - 1, piles.lower, piles.deuce, piles.king), piles.upper
    if rules.kings is Kings.LOWER_FIRST and piles.upper == piles.lower == KING:
        return None
    if choice == 2 and piles.lower > 1:
        return Foundations(piles.upper, piles.lower - 2, piles.deuce, piles.king), piles.lower
    if choice == 3 and piles.deuce > 2:
        return Foundations(piles.upper, piles.lower, piles.deuce - 2, piles.king), piles.deuce
    return None


class Relaxed(NamedTuple):
    """A state of the relaxed game, as ``docs/proofs.md`` has it; ``hand`` is sorted."""

    hand: tuple[Card, ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    foundations: tuple[Foundations, ...]
    credit: int

    def following(self, rules: Rules) -> Iterator["Relaxed"]:
        """Gets the states after each move: a deal, a take, and plays from hand and waste."""
        hand, waste, stock, foundations, credit = self
        if stock:
            yield Relaxed(_sorted(hand, stock[0]), waste, stock[1:], foundations, credit - 1)
        if credit > 0:
            yield Relaxed(_sorted(hand, waste[-1]), waste[:-1], stock, foundations, credit - 1)
        for played in {*hand, *(waste[-1:] if credit == 0 else ())}:
            suit = suit_of(played)
            for pile in Pile:
                if not foundations[suit].takes(pile, rank_of(played), rules):
                    continue
                piles = [*foundations]
                piles[suit] = piles[suit].put(pile)
                after = self._replace(foundations=tuple(piles))
                if played in hand:
                    place = hand.index(played)
                    left = hand[:place] + hand[place + 1 :]
                    yield after._replace(hand=left, credit=credit + 1)
                if credit == 0 and played == waste[-1]:
                    yield after._replace(waste=waste[:-1])


def _sorted(hand: tuple[Card, ...], more: Card) -> tuple[Card, ...]:
    return tuple(sorted([*hand, more]))


def is_dead(state: Relaxed, rules: Rules, most_states: int) -> bool:
    """Whether no line of play of the relaxed game empties the waste, by trying everything.

    :raises TooLargeError: after ``most_states`` states.
    """
    seen = {state}
    left = [state]
    while left:
        state = left.pop()
        if not state.waste:
            return False
        for after in state.following(rules):
            if after not in seen:
                seen.add(after)
                left.append(after)
        if len(seen) > most_states:
            raise TooLargeError
    return True
