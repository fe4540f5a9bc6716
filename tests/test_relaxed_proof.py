"""Proofs by the relaxed game: right where it is asked from the start, and hard to forge."""

import io
import random
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from types import ModuleType
from typing import TypeAlias

import numpy as np
import pytest

from bench.mutations import opened, sealed, with_reasons
from solver.game.deal import deal_from_seed
from solver.game.position import Position, cards_of, start
from solver.game.rules import PRESETS
from solver.kernel.jit import COMPILED
from solver.player.certify import dead_states
from solver.proof.claim import (
    DEAD,
    AreDead,
    Form,
    InvalidError,
    LimitError,
    Method,
    Reduction,
    lane_piles,
    method_for,
    set_bits,
    unpack,
)
from solver.proof.fast import loss as fast
from solver.proof.fast import relaxed as arrays_relaxed
from solver.proof.fast.arrays import ArrayTable, one_state
from solver.proof.plain import loss as plain
from solver.proof.plain import moves
from solver.proof.plain.table import Table
from solver.proof.verify import loss

from .naive import Relaxed, TooLargeError, is_dead
from .test_forgery import checkers, is_proof, refusal
from .test_proof import MEMORY, small_positions, verified

POSITIONS = 50
MOST_STATES = 2000
CASES = [
    ("100020", "wikipedia", 10),
    ("100148", "wikipedia", 16),
    ("100023", "wikipedia-strict", 16),
]

Case: TypeAlias = tuple[str, str, int]
compiled = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")


def relaxed_below(position: Position, key: int) -> Relaxed:
    """Gets the relaxed game that proves a state of a proof lost: its top card is in hand."""
    dealt, waste, f = unpack(key)
    stock = position.waste + position.stock
    places = [*set_bits(waste)][:-1]
    foundations = tuple(lane_piles(f >> 16 * suit & 0xFFFF) for suit in range(4))
    hand = cards_of(position)
    hand.subtract(stock[dealt:])
    hand.subtract(stock[i] for i in places)
    hand.subtract(cards_of(Position(position.rules, (), (), (), foundations)))
    played = sum(piles.size() for piles in foundations)
    played -= sum(piles.size() for piles in position.foundations)
    credit = played - (dealt - len(places))
    rest = tuple(stock[i] for i in places)
    return Relaxed(tuple(sorted(hand.elements())), rest, stock[dealt:], foundations, credit)


class Forced(dict[int, bool | None]):
    """Whether states of a position's proofs are dead, by brute force; None if it is too much."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def __missing__(self, key: int) -> bool | None:
        state = relaxed_below(self.position, key)
        try:
            self[key] = is_dead(state, self.position.rules, MOST_STATES)
        except TooLargeError:
            self[key] = None
        return self[key]

    def __call__(self, keys: Sequence[int]) -> list[bool]:
        return [bool(self[key]) for key in keys]


@pytest.fixture
def no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has proofs written without the loss bound, so that the relaxed game has more to do."""
    monkeypatch.setattr(plain, "least_refuted", lambda table, key: 0)
    nothing = lambda table, states: np.zeros(states.f.shape, np.uint8)  # noqa: E731
    monkeypatch.setattr(fast, "least_refuted", nothing)


def proof_of(
    checker: ModuleType, position: Position, method: Method, dead: AreDead
) -> bytes | None:
    """Gets the reasons of a proof that a position is lost, if there is one."""
    reasons = bytearray()

    def write(more: bytes) -> None:
        reasons.extend(more)
        if len(reasons) > 10 * MOST_STATES:
            raise LimitError

    try:
        checker.prove(position, method, write, MEMORY, are_dead=dead)
    except InvalidError:
        return None
    return bytes(reasons)


@cache
def cases() -> list[tuple[Position, bool, Forced]]:
    """Gets random positions under rules without transfers, and whether they can be won."""
    chosen = (case for case in small_positions(random.Random(8)) if not case[0].rules.transfers)
    return [(*case, Forced(case[0])) for case in islice(chosen, POSITIONS)]


def methods_for(position: Position) -> list[Method]:
    forms = [Form.PLAIN, *([Form.CREDIT] if position.rules.has_credit_form else [])]
    return [method_for(position.rules, form, relax=True) for form in forms]


def test_with_the_bound_a_position_has_a_proof_if_and_only_if_it_is_lost() -> None:
    for position, winnable, forced in cases()[: POSITIONS // 3]:
        for method in methods_for(position):
            proof = proof_of(plain, position, method, forced)
            assert (proof is None) == winnable, (position, method)
            assert proof == proof_of(fast, position, method, forced)


@pytest.mark.usefixtures("no_bound")
def test_without_the_bound_a_position_has_a_proof_if_and_only_if_it_is_lost() -> None:
    dead = 0
    for position, winnable, forced in cases():
        for method in methods_for(position):
            proof = proof_of(plain, position, method, forced)
            assert (proof is None) == winnable, (position, method)
            assert proof == proof_of(fast, position, method, forced)
            dead += (proof or b"").count(DEAD)
    assert dead > POSITIONS // 2


@checkers
@pytest.mark.usefixtures("no_bound")
def test_what_is_called_dead_must_be(checker: ModuleType) -> None:
    tried: Counter[bool] = Counter()
    for position, winnable, forced in cases():
        for method in () if winnable else methods_for(position):
            proof_of(plain, position, method, forced)
            for key in [key for key, dead in forced.items() if dead is not None][:10]:
                only = lambda keys, key=key: [key == other for other in keys]  # noqa: E731
                proof = proof_of(checker, position, method, only)
                if proof is None or DEAD in proof:  # it was met
                    assert (proof is not None) == forced[key], (position, method, key)
                    tried[proof is not None] += 1
    assert min(tried[True], tried[False]) > POSITIONS // 6


@pytest.mark.usefixtures("no_bound")
@compiled
def test_the_search_knows_what_is_dead() -> None:
    dead = 0
    for position, _, forced in cases():
        asked = dead_states(position, MEMORY)
        proof_of(plain, position, methods_for(position)[0], forced)
        for key, known in forced.items():
            if asked([key])[0]:
                assert known in (True, None)
                dead += 1
    assert dead > POSITIONS // 2


@compiled
@pytest.mark.parametrize("rows", [1, 1024])
@pytest.mark.parametrize("name", ["wikipedia", "solsuite", "till-dawn", "wikipedia-strict"])
def test_both_checkers_find_the_same_relaxed_states(
    monkeypatch: pytest.MonkeyPatch, name: str, rows: int
) -> None:
    """On random ways through a whole deal; with little room for successors it must grow."""
    monkeypatch.setattr(arrays_relaxed, "ROOM", rows)
    rng = random.Random(1)
    position = start(deal_from_seed("100271"), PRESETS[name])
    method = method_for(position.rules, relax=True)
    table, arrays = Table(position, method, MEMORY), ArrayTable(position, method, MEMORY)
    assert table.relaxed
    assert arrays.relaxed
    key, compared = table.root, 0
    for _ in range(60):
        key = rng.choice([*moves.successors(table, key)][:2])
        if not unpack(key)[1]:
            continue
        state = moves.relaxed_state(table.relaxed, key)
        assert arrays_relaxed.relaxed_states(arrays.relaxed, one_state(key)).keys() == [state]
        for _ in range(10):
            if not unpack(state)[1]:
                break
            after = {*moves.successors(table.relaxed, state)}
            found, parents = arrays_relaxed.relaxed_moves(arrays.relaxed, one_state(state))
            assert {*found.keys()} == after
            assert not parents.any()
            compared += len(after)
            if not after:
                break
            state = rng.choice(sorted(after))
    assert compared > 100


# Forged


@cache
def made(seed: str, name: str, reserve: int) -> tuple[Position, Method, bytes, bytes, int]:
    """Gets what a proof is about, its certificate, its reasons, and how many are not relaxed."""
    rules = replace(PRESETS[name], reserve=reserve)
    deal = deal_from_seed(seed, reserve)
    position, method = start(deal, rules), method_for(rules, relax=True)
    dead = dead_states(position, MEMORY)
    certificate = loss(deal, rules, method, 1000, MEMORY, are_dead=dead)
    assert certificate == loss(deal, rules, method, 1000, MEMORY, fast=True, are_dead=dead)
    reasons = zlib.decompress(opened(certificate)[1])
    tally = plain.check(position, method, io.BytesIO(reasons).read, MEMORY)
    assert tally.dead == reasons.count(DEAD) > 0
    return position, method, certificate, reasons, tally.states - tally.relaxed


@compiled
@pytest.mark.parametrize("case", CASES)
def test_both_checkers_accept_it_and_no_method_without_the_relaxed_game(case: Case) -> None:
    position, method, certificate, reasons, _ = made(*case)
    verified(certificate)
    verified(certificate, fast=True)
    for checker in (plain, fast):
        without = replace(method, reductions=method.reductions - {Reduction.RELAXED})
        assert not is_proof(checker, position, without, reasons)
    header, body = opened(certificate)
    for reductions in ([], ["ends", "free-pop"], ["certain"], ["relaxed", "x"]):
        assert refusal(sealed(header | {"reductions": reductions}, body))
    assert "no form" in refusal(sealed(header | {"form": "relaxed", "reductions": []}, body))


@compiled
@checkers
@pytest.mark.parametrize("case", CASES)
def test_no_state_that_was_expanded_can_be_refuted_or_dead(checker: ModuleType, case: Case) -> None:
    position, method, _, reasons, _ = made(*case)
    rng = random.Random(6)
    expanded = [place for place, reason in enumerate(reasons) if not reason]
    for place in rng.sample(expanded, min(len(expanded), 25)):
        for reason in (rng.randint(1, 76), DEAD):
            changed = reasons[:place] + bytes([reason]) + reasons[place + 1 :]
            assert not is_proof(checker, position, method, changed)


@compiled
@pytest.mark.parametrize("case", CASES)
def test_a_reason_less_or_a_dead_state_that_is_expanded(case: Case) -> None:
    position, method, certificate, reasons, _ = made(*case)
    header, _ = opened(certificate)
    rng = random.Random(7)
    for place in rng.sample(range(len(reasons)), min(len(reasons), 25)):
        reason = reasons[place]
        before, after = reasons[:place], reasons[place + 1 :]
        for checker in (plain, fast):
            assert not is_proof(checker, position, method, before + after)
            if reason == DEAD:
                assert not is_proof(checker, position, method, before + b"\0" + after)
                assert not is_proof(checker, position, method, before + b"\1" + after)
        assert refusal(with_reasons(header, before))  # cut
    assert refusal(with_reasons(header, reasons + b"\0"))


@checkers
def test_a_dead_state_needs_a_waste(checker: ModuleType) -> None:
    rules = PRESETS["wikipedia"]
    position, method = start(deal_from_seed("100016"), rules), method_for(rules, relax=True)
    with pytest.raises(InvalidError, match="won at once"):
        checker.check(position, method, io.BytesIO(bytes([DEAD]) * 9).read, MEMORY)


def test_transfers_rule_the_relaxed_game_out() -> None:
    rules = PRESETS["pysol"]
    assert method_for(rules, relax=True) == method_for(rules)
    with pytest.raises(ValueError, match="no reduction relaxed"):
        Method(Form.PLAIN, frozenset({Reduction.RELAXED})).fit(rules)
