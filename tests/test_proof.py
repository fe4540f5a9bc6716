"""Proofs of losses: true ones verify, and no others do."""

import io

import pytest

from solver.deal import deal_from_seed
from solver.proof.certificate import read_certificate
from solver.proof.claim import InvalidError, Read, method_for
from solver.proof.verify import loss, verify
from solver.rules import PRESETS

MEMORY = 1 << 28
SMALL_LOSSES = [
    ("100016", "wikipedia"),
    ("100148", "wikipedia"),
    ("100016", "solsuite"),
    ("100000", "wikipedia-strict"),
    ("100245", "wikipedia-strict"),
]


def reading(reasons: bytes) -> Read:
    """Gets a reader of reasons."""
    return io.BytesIO(reasons).read


def verified(certificate: bytes) -> None:
    file = io.BytesIO(certificate)
    verify(*read_certificate(file), MEMORY)


def certificate_of(seed: str, name: str, reduce: bool = True) -> bytes:
    rules = PRESETS[name]
    return loss(deal_from_seed(seed), rules, method_for(rules, reduce=reduce), 10**5, MEMORY)


def refusal(certificate: bytes) -> str:
    with pytest.raises(InvalidError) as refused:
        verified(certificate)
    return str(refused.value)


@pytest.mark.parametrize(("seed", "name"), SMALL_LOSSES)
@pytest.mark.parametrize("reduce", [True, False])
def test_small_losses_are_certified(seed: str, name: str, reduce: bool) -> None:
    verified(certificate_of(seed, name, reduce=reduce))


@pytest.mark.parametrize(("seed", "name"), SMALL_LOSSES[1:4])
def test_one_changed_bit_is_refused(seed: str, name: str) -> None:
    whole = certificate_of(seed, name)
    for place in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            assert refusal(bytes(changed))
