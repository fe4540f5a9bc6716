"""The compiled search against brute force over ``game.position``."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from solver.engine.decide import confirmed, form_for
from solver.engine.path import moves_of
from solver.engine.search import PATIENCE, Form, Order, Search
from solver.game.deal import deal_from_seed
from solver.game.position import Position, start
from solver.game.rules import PRESETS, Dealing, Kings, Rules
from solver.kernel.jit import COMPILED
from solver.kernel.loop import Stop
from solver.kernel.root import Switch

from .naive import TooLargeError, is_winnable, random_position

SHORT, LONG = (600 if COMPILED else 40), 100_000
MOST_NAIVE = 1500  # states of the oracle
MOST_STATES = 20_000  # of a search without the bound, which may be left undecided
SINGLE_SWITCHES = [Switch.ALL, Switch.NONE, *(Switch.ALL & ~switch for switch in Switch)]
PAIRS = [Switch.ALL & ~one & ~other for one, other in combinations(Switch, 2)]
EVERY_RULES = [
    Rules(kings, deal, transfers, auto_deal)
    for kings in Kings
    for deal in Dealing
    for transfers in (False, True)
    for auto_deal in (False, True)
]


def random_rules(rng: random.Random) -> Rules:
    """Gets presets half of the time, else any switches, with a small reserve."""
    rules = rng.choice([*PRESETS.values()] if rng.random() < 0.5 else EVERY_RULES)
    return replace(rules, reserve=rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6]))


def small_positions(seed: int, number: int) -> list[tuple[Position, bool]]:
    """Gets random positions with what brute force says of each."""
    rng = random.Random(seed)
    decided: list[tuple[Position, bool]] = []
    while len(decided) < number:
        rules = random_rules(rng)
        cards = rules.reserve + rng.choice([8, 12, 16, 20])
        position = random_position(rng, rules, cards)
        try:
            decided.append((position, is_winnable(position, MOST_NAIVE)))
        except TooLargeError:
            continue
    return decided


def forms_of(rules: Rules) -> list[Form]:
    return sorted({Form.PLAIN, form_for(rules)})


def assert_decides(
    position: Position,
    winnable: bool,
    form: Form,
    order: Order,
    switches: Switch,
    patience: int = 0,
) -> None:
    search = Search(position, form, order, switches, patience=patience)
    stop = search.run(MOST_STATES)
    if stop is Stop.PAUSED and Switch.BOUND not in switches:
        return
    assert (stop is Stop.WON) == winnable, (position, form, order, switches, stop)
    assert stop in (Stop.WON, Stop.EXHAUSTED)
    if stop is Stop.WON:
        confirmed(position, moves_of(position, form, search.path()))


@pytest.fixture(scope="module")
def short_list() -> list[tuple[Position, bool]]:
    return small_positions(1, SHORT)


def test_small_positions_are_won_and_lost_in_good_numbers(
    short_list: list[tuple[Position, bool]],
) -> None:
    lost = sum(not winnable for _, winnable in short_list)
    assert SHORT / 10 < lost < SHORT / 2


@pytest.mark.parametrize("switches", SINGLE_SWITCHES, ids=str)
def test_each_pruning_keeps_every_verdict(
    short_list: list[tuple[Position, bool]], switches: Switch
) -> None:
    for position, winnable in short_list:
        for form in forms_of(position.rules):
            for order in (Order.DEPTH, Order.LAYERS):
                for patience in (0, PATIENCE):
                    assert_decides(position, winnable, form, order, switches, patience)


@pytest.mark.parametrize("switches", PAIRS, ids=str)
def test_each_pair_of_prunings_keeps_every_verdict(
    short_list: list[tuple[Position, bool]], switches: Switch
) -> None:
    for position, winnable in short_list[: SHORT // 2]:
        for form in forms_of(position.rules):
            assert_decides(position, winnable, form, Order.LAYERS, switches)


@pytest.mark.parametrize("rules", EVERY_RULES, ids=lambda rules: rules.name)
def test_every_combination_of_switches(rules: Rules) -> None:
    rng = random.Random(7)
    for _ in range(20 if COMPILED else 1):
        small = replace(rules, reserve=rng.randint(1, 4))
        position = random_position(rng, small, small.reserve + 10)
        try:
            winnable = is_winnable(position, MOST_NAIVE)
        except TooLargeError:
            continue
        for form in forms_of(rules):
            assert_decides(position, winnable, form, Order.LAYERS, Switch.ALL)


def test_a_search_may_be_cut_into_any_pieces(short_list: list[tuple[Position, bool]]) -> None:
    rng = random.Random(3)
    for position, _ in short_list[: SHORT // 3]:
        form = form_for(position.rules)
        whole = Search(position, form)
        stop = whole.run(MOST_STATES)
        cut = Search(position, form)
        while (now := cut.run(cut.states + rng.randint(1, 7))) is Stop.PAUSED:
            pass
        assert (now, cut.states) == (stop, whole.states)
        if stop is Stop.WON:
            assert cut.path() == whole.path()


def test_exhausting_a_position_finds_the_same_states_in_every_order(
    short_list: list[tuple[Position, bool]],
) -> None:
    for position, winnable in short_list:
        if not winnable:
            form = form_for(position.rules)
            searches = [Search(position, form, order) for order in (Order.DEPTH, Order.LAYERS)]
            assert {search.run(MOST_STATES) for search in searches} == {Stop.EXHAUSTED}
            assert searches[0].states == searches[1].states


def test_the_relaxed_game_may_be_asked_in_pieces(
    short_list: list[tuple[Position, bool]],
) -> None:
    rng = random.Random(4)
    for position, winnable in short_list[: SHORT // 3]:
        search = Search(position, form_for(position.rules), patience=rng.randint(0, 20))
        while (stop := search.run(search.states + rng.randint(1, 7))) is Stop.PAUSED:
            pass
        assert (stop is Stop.WON) == winnable


@pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")
@pytest.mark.parametrize(
    ("rules", "deal"),
    # The first needs 1.6 million states without the relaxed game, the others more than 20 million.
    [("wikipedia-strict", "100229"), ("wikipedia", "100271"), ("solsuite", "100287")],
)
def test_the_relaxed_game_decides_hard_deals(rules: str, deal: str) -> None:
    position = start(deal_from_seed(deal), PRESETS[rules])
    assert Search(position, form_for(PRESETS[rules])).run(500_000) is Stop.EXHAUSTED


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_verdicts_of_many_positions(part: int) -> None:
    rng = random.Random(part)
    for position, winnable in small_positions(1000 + part, LONG // 20):
        switches = rng.choice([*SINGLE_SWITCHES, *PAIRS])
        for form in forms_of(position.rules):
            for order in (Order.DEPTH, Order.LAYERS):
                assert_decides(position, winnable, form, order, Switch.ALL)
            assert_decides(position, winnable, form, Order.LAYERS, switches)
