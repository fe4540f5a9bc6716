"""Verdicts on whole deals: won and lost, simple and hard, cut short, renamed, interrupted."""

import dataclasses
import random
import signal
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import pytest

from solver.engine.decide import ReplayError, confirmed, solve
from solver.engine.search import Form, Order
from solver.game.cards import Card
from solver.game.deal import Deal, deal_from_seed
from solver.game.errors import Error
from solver.game.moves import DEAL
from solver.game.position import Position, replay, start
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import Limits, Reason, Result, Verdict
from solver.kernel.jit import COMPILED

from .naive import random_position

whole_deals = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")

WON_SIMPLE, WON_HARD = ("wikipedia", "100001"), ("wikipedia", "100026")
LOST_SIMPLE, LOST_HARD = ("wikipedia", "100016"), ("wikipedia-strict", "100138")


def position_of(rules: str, seed: str) -> Position:
    return start(deal_from_seed(seed), PRESETS[rules])


def facts(result: Result) -> tuple[object, ...]:
    """Gets all of a result but the time it took."""
    return dataclasses.astuple(dataclasses.replace(result, seconds=0.0))


@whole_deals
@pytest.mark.parametrize(
    ("rules", "seed", "order"),
    [
        (*WON_SIMPLE, Order.LAYERS),
        ("wikipedia", "100002", Order.DEPTH),
        (*WON_HARD, Order.LAYERS),
        ("wikipedia-strict", "100001", Order.DEPTH),
        ("pysol", "ms1", Order.LAYERS),
    ],
)
def test_a_win_comes_with_moves_that_win(rules: str, seed: str, order: Order) -> None:
    position = position_of(rules, seed)
    result = solve(position, order=order)
    assert result.verdict is Verdict.WINNABLE
    assert replay(position, result.moves).is_won


@whole_deals
@pytest.mark.parametrize("order", [Order.LAYERS, Order.DEPTH])
@pytest.mark.parametrize("deal", [LOST_SIMPLE, LOST_HARD])
def test_a_loss_is_exhaustion_in_every_order(deal: tuple[str, str], order: Order) -> None:
    result = solve(position_of(*deal), order=order)
    assert (result.verdict, result.reason, result.moves) == (Verdict.UNWINNABLE, None, ())


@whole_deals
def test_both_forms_of_the_game_give_the_same_verdict() -> None:
    for seed in range(100000, 100020):
        position = position_of("wikipedia", str(seed))
        verdicts = {solve(position, form=form).verdict for form in Form}
        assert len(verdicts) == 1
        assert Verdict.UNKNOWN not in verdicts


@whole_deals
def test_two_runs_are_the_same() -> None:
    for rules in PRESETS:
        position = position_of(rules, "100003")
        assert facts(solve(position)) == facts(solve(position))


@whole_deals
@pytest.mark.parametrize("order", [Order.LAYERS, Order.DEPTH])
def test_the_budget_is_kept_to_the_state_and_its_end_is_no_loss(order: Order) -> None:
    position = position_of(*LOST_HARD)
    result = solve(position, Limits(1000), order)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, Reason.BUDGET)
    assert 1000 <= result.states < 1100


@whole_deals
def test_a_search_can_be_stopped_and_that_is_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.engine.decide.SLICE", 100)
    answers = iter([False, True])
    result = solve(position_of(*LOST_HARD), should_stop=lambda: next(answers))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, Reason.STOPPED)
    result = solve(position_of(*LOST_HARD), Limits(seconds=1e-9))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, Reason.TIME)


@pytest.mark.parametrize("name", ["states", "seconds", "memory"])
def test_limits_are_above_nothing(name: str) -> None:
    for value in (0, -1, float("nan")):
        given: dict[str, Any] = {name: value}
        with pytest.raises(Error, match=f"{name} must be above 0, not "):
            Limits(**given)


@whole_deals
def test_a_full_table_is_no_loss() -> None:
    result = solve(position_of(*LOST_HARD), Limits(memory=1 << 20))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, Reason.TABLE)


def test_transfers_win_positions_that_are_lost_without() -> None:
    rng = random.Random(11)
    without = dataclasses.replace(PRESETS["pysol"], transfers=False, reserve=2)
    with_them = dataclasses.replace(without, transfers=True)
    pairs = set()
    for _ in range(300 if COMPILED else 20):
        position = random_position(rng, without, 16)
        pair = (
            solve(position, Limits(3000)).verdict,
            solve(position._replace(rules=with_them), Limits(3000)).verdict,
        )
        assert pair != (Verdict.WINNABLE, Verdict.UNWINNABLE)
        pairs.add(pair)
    if COMPILED:
        assert (Verdict.UNWINNABLE, Verdict.WINNABLE) in pairs
        assert (Verdict.UNWINNABLE, Verdict.UNWINNABLE) in pairs


@whole_deals
@pytest.mark.parametrize("reserve", [1, 5, 6, 7, 8, 24])
def test_every_size_of_the_reserve_can_be_searched(reserve: int) -> None:
    for preset in PRESETS.values():
        rules = dataclasses.replace(preset, reserve=reserve)
        result = solve(start(deal_from_seed("100000", reserve), rules), Limits(20_000))
        assert result.verdict is not Verdict.UNKNOWN or reserve in (5, 6, 7, 8)
        assert reserve > 1 or result.verdict is Verdict.UNWINNABLE


@whole_deals
@pytest.mark.parametrize("rules", PRESETS)
def test_suits_have_no_rank(rules: str) -> None:
    rng = random.Random(5)
    for seed in ("100016", "100042", "100053"):
        deal = deal_from_seed(seed)
        names = rng.sample(range(4), 4)

        def renamed(pile: Iterable[Card | None], names: list[int] = names) -> tuple[Card, ...]:
            return tuple(16 * names[card // 16] + card % 16 for card in pile if card is not None)

        other = Deal(renamed(deal.reserve), renamed(deal.stock))
        verdicts = {solve(start(each, PRESETS[rules])).verdict for each in (deal, other)}
        assert len(verdicts) == 1
        assert Verdict.UNKNOWN not in verdicts


def test_the_order_of_the_reserve_does_not_matter() -> None:
    position = position_of(*LOST_SIMPLE)
    turned = position._replace(reserve=position.reserve[::-1])
    first, second = (solve(each, Limits(40)) for each in (position, turned))
    assert (first.verdict, first.states) == (second.verdict, second.states)


def test_a_win_that_does_not_replay_is_refused() -> None:
    position = position_of(*WON_SIMPLE)
    with pytest.raises(ReplayError, match="move 77"):
        confirmed(position, [DEAL] * 77)


def test_a_position_that_is_no_position_is_refused() -> None:
    position = position_of(*WON_SIMPLE)
    with pytest.raises(ValueError, match="appears 1 times, expected 2"):
        solve(position._replace(stock=position.stock[1:]))
    with pytest.raises(ValueError, match="slots"):
        solve(position._replace(rules=Rules(reserve=15)))
    with pytest.raises(ValueError, match="credit form"):
        solve(position._replace(rules=PRESETS["wikipedia-strict"]), form=Form.CREDIT)


def test_an_interruption_is_an_unknown_verdict() -> None:
    def interrupt(states: int) -> None:
        raise KeyboardInterrupt

    result = solve(position_of(*LOST_SIMPLE), Limits(20), on_progress=interrupt)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, Reason.INTERRUPTED)
    assert result.states > 0


@whole_deals
def test_ctrl_c_stops_a_long_search_with_a_report() -> None:
    long = ["--seed", "167521", "--rules", "wikipedia"]
    arguments = [sys.executable, "-m", "solver", *long, "--memory", "20000"]
    process = subprocess.Popen(
        [*arguments, "--states", "1000000000", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Who runs the tests in the background of a shell may have had this signal ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr is not None
    assert "states" in process.stderr.readline()  # the first line of progress
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "unknown\n")
    assert "Traceback" not in err
