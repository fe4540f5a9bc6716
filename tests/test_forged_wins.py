"""Forged and damaged certificates of wins: refused in one line, unless they still win."""

from dataclasses import replace
from itertools import pairwise

import pytest

from bench.mutations import changed_bit, opened, sealed, with_moves
from solver.engine.decide import solve
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS
from solver.kernel.jit import COMPILED
from solver.proof.certificate import win_file
from solver.proof.claim import InvalidError

from .test_forgery import refusal
from .test_proof import verified

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")


def winning_certificate(name: str) -> bytes:
    deal = deal_from_seed("100001")
    return win_file(deal, PRESETS[name], solve(start(deal, PRESETS[name])).moves)


def test_one_bit_anywhere() -> None:
    whole = winning_certificate("wikipedia")
    for place in range(len(whole)):
        assert refusal(changed_bit(whole, place, place % 8))


def test_other_moves() -> None:
    header, body = opened(winning_certificate("wikipedia"))
    moves = body.split(b"\n")[:-1]
    verified(with_moves(header, moves))
    for place, move in enumerate(moves):
        without = moves[:place] + moves[place + 1 :]
        if move != b"deal":  # a deal to an empty waste may be left to the fill that follows
            assert refusal(with_moves(header, without))
        for other in (b"R:KC>king", b"F:upper:C>lower", b"", b"\xff", move.lower() + b" "):
            assert refusal(with_moves(header, [*moves[:place], other, *moves[place + 1 :]]))
    for more in {*moves}:
        assert refusal(with_moves(header, [*moves, more]))
    assert refusal(with_moves(header, moves[::-1]))
    assert refusal(with_moves(header, []))


def test_two_moves_in_the_other_order_win_or_are_refused() -> None:
    header, body = opened(winning_certificate("pysol"))
    moves = body.split(b"\n")[:-1]
    orders = [
        [*moves[:i], second, first, *moves[i + 2 :]]
        for i, (first, second) in enumerate(pairwise(moves))
    ]
    refused = 0
    for order in orders:
        try:
            verified(with_moves(header, order))
        except InvalidError:
            refused += 1
    assert refused > len(orders) // 2


def test_wins_are_neither_recounted_nor_moved_to_other_deals() -> None:
    header, body = opened(winning_certificate("wikipedia"))
    for change in (-1, 1, 2**62):
        assert "lines of moves" in refusal(
            sealed(header | {"moves": header["moves"] + change}, body)
        )
    other = {"seed": "100000", "deal": str(replace(deal_from_seed("100000"), seed=None))}
    assert "not legal" in refusal(sealed(header | other, body))
    assert refusal(sealed(header, body + b"deal\n" * 300_000)) == "the list of moves is too long"
    assert refusal(sealed(header, body.replace(b"\n", b"\r\n")))
    assert refusal(sealed(header | {"kind": "loss"}, body))
