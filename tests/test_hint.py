"""Hints and reviews against brute force, and exact results on known deals."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from solver.engine.decide import solve
from solver.game.deal import deal_from_seed
from solver.game.moves import DEAL, Move, Source
from solver.game.pasted import parse_moves
from solver.game.position import Position, replay, start
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import Limits, Verdict
from solver.kernel.jit import COMPILED
from solver.player.hints import Judge, brought_forward, hint
from solver.player.reviews import review

from .naive import is_winnable, random_position

WON, UNKNOWN, LOST = Verdict.WINNABLE, Verdict.UNKNOWN, Verdict.UNWINNABLE
RULES: dict[str, Rules] = {
    **PRESETS,
    "transfers": Rules(transfers=True),
    "strict transfers": replace(PRESETS["wikipedia-strict"], transfers=True),
}
POSITIONS = 120 if COMPILED else 5
ENOUGH = 1_000_000
whole_deals = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")


def small_positions(rules: Rules, seed: int, most_cards: int = 14) -> Iterator[Position]:
    rng = random.Random(seed)
    for _ in range(POSITIONS // 3 if rules.transfers else POSITIONS):
        slots = rng.randint(1, 3)
        yield random_position(rng, replace(rules, reserve=slots), rng.randint(0, most_cards))


@cache
def verdict_of(position: Position) -> Verdict:
    return WON if is_winnable(position, ENOUGH) else LOST


@pytest.mark.parametrize("name", RULES)
def test_a_hint_agrees_with_brute_force(name: str) -> None:
    seen = set()
    for position in small_positions(RULES[name], 1):
        found = hint(position, Judge(Limits(ENOUGH)))
        assert found.verdict is verdict_of(position)
        assert {option.move for option in found.options} == set(position.legal_moves())
        for option in found.options:
            assert option.verdict is verdict_of(position.play(option.move)), (position, option)
            seen.add(option.verdict)
        verdicts = [option.verdict for option in found.options]
        assert verdicts == sorted(verdicts, key=[WON, UNKNOWN, LOST].index)
        assert found.states >= sum(option.states for option in found.options)
    assert seen == {WON, LOST} or not COMPILED


@pytest.mark.parametrize("name", RULES)
def test_a_hint_on_a_small_budget_says_nothing_wrong(name: str) -> None:
    seen = set()
    for position in small_positions(RULES[name], 2, 20):
        found = hint(position, Judge(Limits(2)))
        seen.add(found.verdict)
        if found.verdict is not UNKNOWN:
            assert found.verdict is verdict_of(position)
        for option in found.options:
            if option.verdict is not UNKNOWN:
                assert option.verdict is verdict_of(position.play(option.move))
    assert UNKNOWN in seen or not COMPILED


@pytest.mark.parametrize("name", RULES)
def test_a_win_brought_forward_is_a_win(name: str) -> None:
    brought = 0
    for position in small_positions(RULES[name], 3):
        win = solve(position).moves
        for move in position.legal_moves() if win else []:
            line = brought_forward(position, move, win)
            if line is not None:
                brought += move != win[0]
                assert line[0] == move
                assert replay(position, line).is_won
    assert brought or not COMPILED


def random_game(rng: random.Random, position: Position) -> list[Move]:
    """Gets a game to its end, with few transfers, since those can go on for ever."""
    moves = []
    while legal := position.legal_moves():
        legal = [move for move in legal if move.source is not Source.FOUNDATION] or legal
        if legal[0].source is Source.FOUNDATION and rng.random() < 0.5:
            break
        moves.append(rng.choice(legal))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("name", RULES)
def test_a_review_agrees_with_brute_force(name: str) -> None:
    rng, lost_on_the_way = random.Random(4), 0
    for position in small_positions(RULES[name], 5, 10):
        moves = random_game(rng, position)
        found = review(position, moves, Judge(Limits(ENOUGH)))
        assert found.start is verdict_of(position)
        assert [step.move for step in found.steps] == moves
        losing = []
        for number, step in enumerate(found.steps, 1):
            after = position.play(step.move)
            assert step.before is verdict_of(position)
            assert step.after is verdict_of(after)
            plays = position.legal_moves()
            assert len(step.options) == len(plays)
            assert step.count(WON) == sum(verdict_of(position.play(m)) is WON for m in plays)
            if step.before is WON and step.after is LOST:
                losing.append(number)
            position = after
        assert list(found.losing_steps) == losing
        lost_on_the_way += len(losing)
    assert lost_on_the_way or not COMPILED


def test_a_judge_refuses_to_contradict_itself() -> None:
    position = next(small_positions(PRESETS["wikipedia"], 1))
    judge = Judge(Limits(ENOUGH))
    judge.learn(position, ())
    with pytest.raises(RuntimeError, match="a position is winnable, and unwinnable now"):
        judge.learn_lost(position)


def test_an_interrupted_search_interrupts_the_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.engine.decide.Search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hint(start(deal_from_seed("100001"), Rules()), Judge(Limits(ENOUGH)))


def at(seed: str, moves: str, rules: str = "wikipedia") -> Position:
    return replay(start(deal_from_seed(seed), PRESETS[rules]), parse_moves(moves))


@whole_deals
def test_a_won_game_has_no_moves_and_is_won() -> None:
    begin = start(deal_from_seed("100001"), PRESETS["wikipedia"])
    found = hint(replay(begin, solve(begin).moves), Judge(Limits(ENOUGH)))
    assert (found.verdict, found.options) == (WON, ())


@whole_deals
def test_a_lost_deal_costs_one_search() -> None:
    position = at("100016", "")
    found = hint(position, Judge(Limits(ENOUGH)))
    assert found.states == solve(position).states
    assert [(option.verdict, option.states) for option in found.options] == [(LOST, 0)]


@whole_deals
def test_equal_positions_are_decided_once() -> None:
    position = at("100000", "deal R:2C>upper deal R:2D>upper deal")
    judge = Judge(Limits(ENOUGH))
    first = hint(position, judge)
    assert first.states > 0
    turned = position._replace(reserve=position.reserve[::-1])
    again = hint(turned, judge)
    assert again.states == 0
    assert {(o.move, o.verdict) for o in again.options} == {
        (o.move, o.verdict) for o in first.options
    }


@whole_deals
@pytest.mark.parametrize("rules", PRESETS)
def test_moves_share_their_work(rules: str) -> None:
    shared = alone = 0
    for seed in range(100000, 100010):
        position = at(str(seed), "deal" if rules != "wikipedia-strict" else "", rules)
        shared += hint(position, Judge(Limits(ENOUGH))).states
        alone += sum(
            solve(position.play(move), Limits(ENOUGH)).states for move in position.legal_moves()
        )
    assert shared < alone


@whole_deals
def test_a_review_of_a_won_game_needs_no_search_for_its_positions() -> None:
    position = at("100001", "")
    moves = solve(position).moves
    found = review(position, moves, Judge(Limits(1)))
    assert {step.before for step in found.steps} == {WON}
    assert (found.start, list(found.losing_steps)) == (WON, [])


@whole_deals
def test_a_win_found_late_settles_what_came_before() -> None:
    position = at("100001", "")
    moves = solve(position).moves
    found = review(position, moves[:-20], Judge(Limits(60)))
    assert {step.after for step in found.steps} == {WON}


@whole_deals
def test_the_losing_move_of_a_known_game() -> None:
    position = at("100000", "")
    moves = parse_moves("R:2C>upper R:4H>deuce R:2D>upper R:6H>deuce R:4D>deuce R:3D>upper")
    found = review(position, moves, Judge(Limits(ENOUGH)))
    step = found.steps[-1]
    assert (step.before, step.after, step.count(WON), len(step.options)) == (WON, LOST, 1, 3)
    assert [option.move for option in step.options if option.verdict is WON] == [DEAL]
    assert list(found.losing_steps) == [len(moves)]
