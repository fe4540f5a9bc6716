"""The relaxed game and its plans against trying everything, by the piles of ``game.position``."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from solver.engine.search import Form, Order, Search
from solver.game.cards import RANKS, SUITS, Card, Rank, card, rank_of, suit_of
from solver.game.deal import deal_from_seed
from solver.game.foundations import Foundations, Pile
from solver.game.position import Position, start
from solver.game.rules import PRESETS, Dealing, Kings, Rules
from solver.kernel.frontier import Room, new_room
from solver.kernel.jit import COMPILED, kernel, signed, unsigned
from solver.kernel.loop import Stop
from solver.kernel.relaxed.ask import STALE, ask
from solver.kernel.relaxed.memo import ALIVE, DEAD, OPEN, Memo, new_memo
from solver.kernel.relaxed.plans import BEFORE, PILES, PLAYS, Plans, new_plans, write_all_plans
from solver.kernel.root import Ints, Problem, Switch, Words, foundation_word
from solver.kernel.state import look
from solver.kernel.table import unpack
from solver.kernel.waits import NO_PILE, pile_if_other_waits

from .naive import Relaxed, TooLargeError, random_position

NO_LIMIT = 1 << 40
MOST_NAIVE = 20_000  # states of the oracle
ROOTS = 18 if COMPILED else 8  # for each of the rules on kings and each form
SAMPLE = 30 if COMPILED else 20  # states of each search

State = tuple[tuple[Card, ...], int, tuple[Foundations, ...]]
"""A waste, the number of cards dealt, and the foundations."""


# Only compiled code can call what has no door from Python.
@kernel
def asked(problem: Problem, memo: Memo, room: Room, key: Words, limit: int) -> int:
    w0, w1, dealt, f = unpack(problem.size, key.reshape(1, key.size), 0)
    return ask(problem, memo, room, look(problem, w0, w1, dealt, f), limit)


@kernel
def unpacked(size: int, key: Words, words: Words) -> None:
    w0, w1, dealt, f = unpack(size, key.reshape(1, key.size), 0)
    words[0], words[1], words[2], words[3] = w0, w1, np.uint64(dealt), f


@kernel
def written(problem: Problem, words: Words, most: int, plans: Plans, numbers: Ints) -> int:
    view = look(problem, words[0], words[1], signed(words[2]), words[3])
    return write_all_plans(problem, view, most, plans, numbers)


@kernel
def pile_for(problem: Problem, words: Words, held: Card) -> int:
    view = look(problem, words[0], words[1], signed(words[2]), words[3])
    shift = unsigned(held & 48)
    return pile_if_other_waits(
        problem, view.w0, view.w1, True, held, view.f >> shift, view.played >> shift
    )


def words_of(search: Search, key: Words) -> Words:
    words = np.zeros(4, np.uint64)
    unpacked(search._problem.size, key, words)
    return words


def state_of(search: Search, stock: tuple[Card, ...], key: Words) -> State:
    w0, w1, dealt, f = words_of(search, key).tolist()
    waste = tuple(stock[i] for i in range(len(stock)) if (w0 | w1 << 64) >> i & 1)
    return waste, dealt, tuple(piles_of(f >> 16 * suit) for suit in SUITS)


def piles_of(lane: int) -> Foundations:
    return Foundations(lane & 15, lane >> 4 & 15, lane >> 8 & 15, lane >> 12 & 15)


@cache
def plays_of(piles: Foundations, rules: Rules) -> list[tuple[Rank, Foundations]]:
    """Gets the cards of a suit that its piles take, and the piles with each."""
    return [
        (rank, piles.put(pile)) for rank in RANKS for pile in Pile if piles.takes(pile, rank, rules)
    ]


class RelaxedGame:
    """The relaxed game below a position, decided by trying everything."""

    def __init__(self, position: Position) -> None:
        self.rules = position.rules
        self.stock = position.waste + position.stock
        self.root_count = sum(piles.size() for piles in position.foundations)
        self.known: dict[Relaxed, bool] = {}

    def in_hand(self, state: State) -> Counter[Card]:
        waste, dealt, foundations = state
        elsewhere = Counter([*waste, *self.stock[dealt:]])
        elsewhere.update(card(rank, s) for s in SUITS for rank in foundations[s].cards())
        return Counter({card(rank, s): 2 for s in SUITS for rank in RANKS}) - elsewhere

    def is_winnable(self, state: State) -> bool:
        """Whether a state can be won.

        :raises TooLargeError: after ``MOST_NAIVE`` states.
        """
        waste, dealt, foundations = state
        hand = tuple(sorted(self.in_hand(state).elements()))
        credit = sum(piles.size() for piles in foundations) - self.root_count
        credit -= dealt - len(waste)
        return self._is_winnable(Relaxed(hand, waste, self.stock[dealt:], foundations, credit))

    def _is_winnable(self, state: Relaxed) -> bool:
        if not state.waste:
            return True
        if state not in self.known:
            if len(self.known) > MOST_NAIVE:
                raise TooLargeError
            # No state comes back to itself: each move deals, plays or takes a card.
            self.known[state] = any(map(self._is_winnable, state.following(self.rules)))
        return self.known[state]


def searches(kings: Kings, form: Form, reserves: list[int]) -> Iterator[tuple[Position, Search]]:
    """Gets searches of small positions, which have been run a while without the relaxed game."""
    rng = random.Random(f"{kings} {form}")
    for _ in range(ROOTS):
        deal = Dealing.ANY if form is Form.CREDIT else rng.choice([*Dealing])
        reserve = rng.choice(reserves)
        rules = Rules(kings, deal, False, rng.random() < 0.3, reserve)
        position = random_position(rng, rules, reserve + rng.choice([14, 17, 20]))
        search = Search(position, form, Order.LAYERS, Switch.ALL & ~Switch.RELAXED)
        search.run(400)
        yield position, search


def sample_of(search: Search) -> list[Words]:
    """Gets the keys of some states."""
    used = int(search._arena.used[0])
    numbers = random.Random(used).sample(range(used), min(used, SAMPLE))
    return [search._arena.keys[number].copy() for number in numbers]


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("kings", Kings)
def test_what_is_dead_or_alive_is_so_by_the_bare_game(kings: Kings, form: Form) -> None:
    met: Counter[int] = Counter()
    for position, search in searches(kings, form, [1, 2, 2, 3, 3, 4]):
        game = RelaxedGame(position)
        memo, room = new_memo(search._arena.keys.shape[1], 1 << 14), new_room(search._arena)
        for key in sample_of(search):
            waste, dealt, foundations = state_of(search, game.stock, key)
            if not waste:
                continue
            said = asked(search._problem, memo, room, key, NO_LIMIT)
            met[said] += 1
            assert_known(game, (waste[:-1], dealt, foundations), said)
        for number in range(int(memo.used[0])):
            key, status = memo.keys[number].copy(), int(memo.status[number])
            # Of a stale state it is known what it can do before the next deal with some takes only.
            if not key[-1] & STALE or status == ALIVE:
                key[-1] &= ~STALE
                assert_known(game, state_of(search, game.stock, key), status)
    assert met[OPEN] == 0
    if COMPILED:
        assert met[DEAD] >= 10
        assert met[ALIVE] >= 50


@pytest.mark.parametrize("number", [86, 114, 124, 386, 817])
def test_takes_after_a_deal_that_made_nothing_certain(number: int) -> None:
    """Roots found at random where the answers change if ``has_use`` is false more often."""
    rng = random.Random(number)
    kings, form = rng.choice([*Kings]), rng.choice([*Form])
    deal = Dealing.ANY if form is Form.CREDIT else rng.choice([*Dealing])
    reserve = rng.choice([1, 2, 2, 3, 3, 4])
    rules = Rules(kings, deal, False, False, reserve)
    position = random_position(rng, rules, reserve + rng.choice([12, 14, 17, 20]))
    search = Search(position, form, Order.LAYERS, Switch.ALL & ~Switch.RELAXED)
    search.run(400)
    game = RelaxedGame(position)
    memo, room = new_memo(search._arena.keys.shape[1], 1 << 15), new_room(search._arena)
    for key in search._arena.keys[: int(search._arena.used[0])]:
        waste, dealt, foundations = state_of(search, game.stock, key)
        if waste:
            said = asked(search._problem, memo, room, key.copy(), NO_LIMIT)
            assert_known(game, (waste[:-1], dealt, foundations), said)


def assert_known(game: RelaxedGame, state: State, status: int) -> None:
    """Makes sure that what is known of a relaxed state is true, unless its game is too large."""
    if status != OPEN:
        with suppress(TooLargeError):
            assert game.is_winnable(state) == (status == ALIVE)


def reachable(root: Foundations, hand: Counter[Rank], rules: Rules) -> set[Foundations]:
    """Gets all that a suit's foundations can become by plays from hand."""
    seen, left = {root}, [root]
    while left:
        piles = left.pop()
        held = hand_after(root, hand, piles)
        for rank, after in plays_of(piles, rules):
            if held[rank] and after not in seen:
                seen.add(after)
                left.append(after)
    return seen


def hand_after(root: Foundations, hand: Counter[Rank], piles: Foundations) -> Counter[Rank]:
    """Gets what is left of a suit's cards in hand when its foundations have grown."""
    return hand - (Counter(piles.cards()) - Counter(root.cards()))


def settled(
    root: Foundations, hand: Counter[Rank], piles: Foundations, rules: Rules
) -> Foundations:
    """Gets a suit's foundations after every play for which there is no choice.

    There is none if the card's other copy is on a foundation or in hand too, or if all other
    piles that can get the card end with it.
    """
    held = hand_after(root, hand, piles)
    on = Counter(piles.cards())
    for pile in Pile:
        for rank in RANKS:
            if held[rank] and piles.takes(pile, rank, rules):
                elsewhere = [ranks for other, ranks in ranks_of(rules).items() if other is not pile]
                ends = all(ranks[-1] == rank for ranks in elsewhere if rank in ranks)
                if on[rank] == 1 or held[rank] == 2 or ends:
                    return settled(root, hand, piles.put(pile), rules)
    return piles


@cache
def ranks_of(rules: Rules) -> dict[Pile, range]:
    """Gets the ranks that the piles take, kings' own piles last."""
    return {
        Pile.UPPER: range(2, rules.upper_top + 1),
        Pile.LOWER: range(3, rules.lower_top + 1, 2),
        Pile.DEUCE: range(4, 13, 2),
        Pile.KING: range(13, 13 + rules.king_spots),
    }


def waiting_pile(game: RelaxedGame, state: State, held: Card, piles: Foundations) -> Iterator[Pile]:
    """Gets the piles that a single card in hand can go to because its other pile has to wait."""
    waste, dealt, _ = state
    comes = [*reversed(waste)] if held in waste else [*game.stock[dealt:]]
    later = Counter(comes[comes.index(held) + 1 :])
    rank, suit = rank_of(held), suit_of(held)
    paths = {pile: ranks for pile, ranks in ranks_of(game.rules).items() if rank in ranks}
    for pile, other in permutations(paths, 2):
        for need in paths[other]:
            if piles.top(other) < need <= rank + paths[other].step and need != rank:
                missing = 2 - piles.cards().count(need) - later[card(need, suit)]
                if missing == 0 and piles.takes(pile, rank, game.rules):
                    yield pile


@pytest.mark.parametrize("kings", Kings)
def test_cards_whose_other_pile_waits(kings: Kings) -> None:
    found = 0
    for position, search in searches(kings, Form.PLAIN, [4, 8, 12, 16]):
        game = RelaxedGame(position)
        ends = {ranks[-1] for ranks in ranks_of(position.rules).values() if ranks}
        for key in sample_of(search):
            state, words = state_of(search, game.stock, key), words_of(search, key)
            hand, foundations = game.in_hand(state), state[2]
            for held in [held for held, copies in hand.items() if copies == 1]:
                piles, rank = foundations[suit_of(held)], rank_of(held)
                if rank in ends or rank in piles.cards():
                    continue
                allowed = [*map([*Pile].index, waiting_pile(game, state, held, piles))]
                said = pile_for(search._problem, words, held)
                assert said in allowed if allowed else said == NO_PILE
                found += said != NO_PILE
    assert found >= (20 if COMPILED else 5)


def plans_of(problem: Problem, words: Words, most: int) -> list[dict[Foundations, tuple[int, int]]]:
    """Gets the plans of each suit: the number of plays, and that before the last commitment."""
    plans, numbers = new_plans(), np.zeros(8, np.int64)
    total = written(problem, words, most, plans, numbers)
    found = []
    for suit in SUITS:
        rows = plans[suit, : numbers[suit]].tolist()
        found.append({piles_of(row[PILES]): (row[PLAYS], row[BEFORE]) for row in rows})
        assert len(found[suit]) == numbers[suit]
        assert numbers[4 + suit] == max(plays for plays, _ in found[suit].values())
    assert total == sum(numbers[4:])
    return found


@pytest.mark.parametrize("kings", Kings)
def test_plans_are_all_that_plays_can_lead_to(kings: Kings) -> None:
    sizes: Counter[int] = Counter()
    for position, search in searches(kings, Form.PLAIN, [12, 16, 20, 24]):
        game, rules = RelaxedGame(position), position.rules
        for key in sample_of(search):
            state = state_of(search, game.stock, key)
            hands: list[Counter[Rank]] = [Counter() for _ in SUITS]
            for held, copies in game.in_hand(state).items():
                hands[suit_of(held)][rank_of(held)] = copies
            # The relaxed game plans from states that are settled.
            roots = [settled(state[2][s], hands[s], state[2][s], rules) for s in SUITS]
            words = words_of(search, key)
            words[3] = foundation_word(tuple(roots))
            hands = [hand_after(state[2][s], hands[s], roots[s]) for s in SUITS]
            problem = search._problem._replace(switches=int(Switch.ALL & ~Switch.WAITS))
            everything = plans_of(problem, words, 99)
            few = plans_of(problem, words, 2)
            for suit in SUITS:
                assert_plans(roots[suit], hands[suit], rules, everything[suit])
                assert few[suit].keys() <= everything[suit].keys()
                most = max(plays for plays, _ in everything[suit].values())
                assert min(max(plays for plays, _ in few[suit].values()), 2) == min(most, 2)
                sizes[len(everything[suit])] += 1
    assert max(sizes) >= (6 if COMPILED else 2)


def assert_plans(
    root: Foundations, hand: Counter[Rank], rules: Rules, plans: dict[Foundations, tuple[int, int]]
) -> None:
    every = reachable(root, hand, rules)
    assert {settled(root, hand, piles, rules) for piles in every} == set(plans)
    assert max(piles.size() for piles in every) == max(map(Foundations.size, plans))
    before = dict.fromkeys(plans, -1)
    for piles, (plays, _) in plans.items():
        assert plays == piles.size() - root.size()
        held = hand_after(root, hand, piles)
        for rank, after in plays_of(piles, rules):
            if held[rank]:
                after = settled(root, hand, after, rules)
                before[after] = max(before[after], plays)
    assert before == {piles: before for piles, (_, before) in plans.items()}


@pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")
def test_no_state_on_the_way_to_a_win_is_dead() -> None:
    met: Counter[int] = Counter()
    rules_in_turn = [rules for rules in PRESETS.values() if not rules.transfers]
    won = 0
    for seed in range(100_000, 100_060):
        rules = rules_in_turn[seed % len(rules_in_turn)]
        form = Form.CREDIT if rules.has_credit_form and seed % 4 < 2 else Form.PLAIN
        position = start(deal_from_seed(str(seed)), rules)
        search = Search(position, form, Order.LAYERS, Switch.ALL & ~Switch.RELAXED)
        if won == 20 or search.run(20_000) is not Stop.WON:
            continue
        won += 1
        memo, room = new_memo(search._arena.keys.shape[1], 1 << 16), new_room(search._arena)
        number = int(search._room.won[0])
        while number >= 0:
            key = search._arena.keys[number].copy()
            if any(words_of(search, key)[:2]):
                met[asked(search._problem, memo, room, key, 2000)] += 1
            number = int(search._arena.parents[number])
    assert won == 20
    assert met[DEAD] == 0
    assert met[ALIVE] >= 200
