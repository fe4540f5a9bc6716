"""Proofs: a loss has one under every method, a win has none, and the two checkers agree."""

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from solver.game.deal import deal_from_seed
from solver.game.pasted import parse_moves
from solver.game.position import Position, replay, start
from solver.game.rules import PRESETS, Dealing, Kings, Rules
from solver.proof.certificate import read_certificate
from solver.proof.claim import Form, InvalidError, LimitError, Method, method_for
from solver.proof.fast import bound as arrays_bound
from solver.proof.fast import loss as fast
from solver.proof.lanes import Lanes
from solver.proof.plain import bound
from solver.proof.plain import loss as plain
from solver.proof.verify import check, loss

from .naive import TooLargeError, is_winnable, random_position

MEMORY = 1 << 24
LOSSES = [
    *[("100016", "wikipedia", 16), ("100148", "wikipedia", 16), ("100002", "wikipedia", 10)],
    *[("100000", "wikipedia-strict", 16), ("100023", "wikipedia-strict", 16)],
    *[("100016", "solsuite", 16), ("100036", "solsuite", 10)],
    *[("100006", "till-dawn", 10), ("100059", "pysol", 7)],
]
POSITIONS = 40  # random ones, compared with brute force
MOST_STATES = 1000

Proof = tuple[bytes, int, int]


def verified(certificate: bytes, fast: bool = False, memory: int = MEMORY) -> None:
    check(*read_certificate(io.BytesIO(certificate)), memory, fast=fast)


def certificate_of(
    seed: str, name: str, reserve: int, reduce: bool = True, fast: bool = False
) -> bytes:
    rules = replace(PRESETS[name], reserve=reserve)
    method = method_for(rules, reduce=reduce)
    return loss(deal_from_seed(seed, reserve), rules, method, 1000, MEMORY, fast=fast)


@pytest.mark.parametrize(("seed", "name", "reserve"), LOSSES)
@pytest.mark.parametrize("reduce", [True, False])
def test_small_losses_have_one_proof_that_both_checkers_accept(
    seed: str, name: str, reserve: int, reduce: bool
) -> None:
    certificate = certificate_of(seed, name, reserve, reduce)
    assert certificate == certificate_of(seed, name, reserve, reduce, fast=True)
    verified(certificate)
    verified(certificate, fast=True)


def methods_for(rules: Rules) -> Iterator[Method]:
    """Gets every form with every choice of reductions."""
    for form in [Form.PLAIN, *([Form.CREDIT] if rules.has_credit_form else [])]:
        reductions = method_for(rules, form).reductions
        for number in range(len(reductions) + 1):
            for some in combinations(sorted(reductions), number):
                yield Method(form, frozenset(some))


def proof_of(position: Position, method: Method, by_fast: bool) -> Proof | None:
    """Gets the reasons of a proof that a position is lost, and its tally, if there is one."""
    reasons = bytearray()

    def write(more: bytes) -> None:
        reasons.extend(more)
        if len(reasons) > MOST_STATES:
            raise LimitError

    try:
        tally = (fast if by_fast else plain).prove(position, method, write, MEMORY)
    except (InvalidError, LimitError):
        return None
    return bytes(reasons), tally.states, tally.refuted


def small_positions(rng: random.Random) -> Iterator[tuple[Position, bool]]:
    """Gets random positions under any rules, two thirds of them lost."""
    while True:
        rules = Rules(
            rng.choice([*Kings]),
            rng.choice([*Dealing]),
            transfers=rng.random() < 0.4,
            auto_deal=rng.random() < 0.5,
            reserve=rng.randint(1, 5),
        )
        position = random_position(rng, rules, rules.reserve + rng.choice([8, 10, 12]))
        try:
            winnable = is_winnable(position, MOST_STATES)
        except TooLargeError:
            continue
        if not winnable or rng.random() < 0.2:
            yield position, winnable


def test_a_position_has_a_proof_if_and_only_if_it_is_lost() -> None:
    positions = small_positions(random.Random(3))
    wins = 0
    for _ in range(POSITIONS):
        position, winnable = next(positions)
        wins += winnable
        for method in methods_for(position.rules):
            proof = proof_of(position, method, by_fast=False)
            assert (proof is None) == winnable, (position, method)
            if winnable:
                break
        assert proof_of(position, method, by_fast=True) == proof, (position, method)
    assert POSITIONS // 5 < wins < POSITIONS


@pytest.mark.parametrize("name", PRESETS)
def test_a_table_some_moves_later_has_a_certificate(name: str) -> None:
    rng = random.Random(name)
    rules = replace(PRESETS[name], reserve=7)
    position = start(deal_from_seed("100059", 7), rules)
    for _ in range(6):
        moves = position.legal_moves()
        position = position.play(rng.choice(moves))
    certificate = loss(position.deal, rules, method_for(rules), 1000, MEMORY)
    header, _ = read_certificate(io.BytesIO(certificate))
    assert header.position() == position
    verified(certificate)
    verified(certificate, fast=True)


def test_a_loss_is_one_three_deals_later_too() -> None:
    rules = PRESETS["wikipedia"]
    position = replay(start(deal_from_seed("100016"), rules), parse_moves("deal deal deal"))
    verified(loss(position.deal, rules, method_for(rules), 1000, MEMORY))


# The loss bound


def piles_and_cards(rng: random.Random, rules: Rules) -> tuple[int, int]:
    """Gets one suit's foundations, and a multiset of ranks, two bits each."""
    upper = rng.randint(1, rules.upper_top)
    lower = rng.randrange(1, rules.lower_top + 1, 2)
    deuce = rng.randrange(0, 13, 2)
    code = upper | lower << 4 | deuce << 8 | rng.randint(0, rules.king_spots) << 12
    return code, sum(rng.choice([0, 1, 1, 2, 2]) << 2 * rank for rank in range(2, 14))


class Trying(dict[tuple[int, int], int]):
    """The most plays to one suit's piles, found by trying them all, one by one."""

    def __init__(self, rules: Rules) -> None:
        self.lanes = Lanes(rules, Method(Form.PLAIN))

    def __missing__(self, case: tuple[int, int]) -> int:
        code, cards = case
        plays = [
            1 + self[after, cards - (1 << shift)]
            for shift, places in self.lanes[code].places
            if cards >> shift & 3
            for after in places
        ]
        most = self[case] = max(plays, default=0)
        return most


@pytest.mark.parametrize("kings", Kings)
def test_the_bound_counts_the_most_plays_of_a_suit(kings: Kings) -> None:
    rng = random.Random(5)
    rules = Rules(kings)
    cases = [piles_and_cards(rng, rules) for _ in range(100)]
    places = arrays_bound.king_places(rules)
    compiled = []
    for code, cards in cases:
        copies = [cards >> 2 * rank & 3 for rank in range(16)]
        once = sum(1 << rank for rank in range(16) if copies[rank])
        twice = sum(1 << rank for rank in range(16) if copies[rank] == 2)
        compiled.append(arrays_bound.most_plays(places, code, once, twice))
    counted = [bound.most_plays(rules, code, cards) for code, cards in cases]
    assert counted == compiled
    tried = Trying(rules)
    assert counted == [tried[case] for case in cases]
