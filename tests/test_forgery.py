"""Forged and damaged certificates of losses: refused in one line, and no memory eaten.

A changed certificate may still be a proof: the loss bound may hold at another depth too, or under
other rules. Where that can happen the tests say so.
"""

import io
import json
import random
import tracemalloc
import zlib
from dataclasses import replace
from itertools import islice
from types import ModuleType

import pytest

from bench.fuzz import Fuzzer, true_losses
from bench.mutations import JUNK, bomb, changed_bit, opened, sealed, with_reasons
from solver.engine.decide import solve
from solver.game.deal import Deal, deal_from_seed
from solver.game.foundations import Foundations
from solver.game.position import Position, replay, start
from solver.game.rules import PRESETS
from solver.kernel.jit import COMPILED
from solver.proof.certificate import MAGIC, MOST_HEADER
from solver.proof.claim import InvalidError, LimitError, Method, method_for
from solver.proof.fast import loss as fast
from solver.proof.plain import loss as plain

from .test_proof import MEMORY, certificate_of, small_positions, verified

CHECKERS = [plain, fast]
SMALL = [("100023", "wikipedia-strict", 16), ("100002", "wikipedia", 10), ("100002", "solsuite", 7)]
LARGER = [("100016", "wikipedia", 16), ("100006", "till-dawn", 10)]
WHOLE = certificate_of("100016", "wikipedia", 16)

checkers = pytest.mark.parametrize("checker", CHECKERS, ids=["plain", "fast"])


def refusal(certificate: bytes, by_fast: bool = False) -> str:
    """Gets the fault that a checker finds."""
    with pytest.raises(InvalidError) as refused:
        verified(certificate, by_fast)
    text = str(refused.value)
    assert text
    assert text.isprintable()
    assert len(text) < 400
    return text


def is_proof(checker: ModuleType, position: Position, method: Method, reasons: bytes) -> bool:
    """Whether a checker accepts some reasons, and all of them."""
    file = io.BytesIO(reasons)
    try:
        checker.check(position, method, file.read, MEMORY)
    except InvalidError:
        return False
    return not file.read()


def proof(seed: str, name: str, reserve: int) -> tuple[Position, Method, bytes]:
    """Gets what the proof of a loss is about, and its reasons."""
    rules = replace(PRESETS[name], reserve=reserve)
    _, body = opened(certificate_of(seed, name, reserve))
    return start(deal_from_seed(seed, reserve), rules), method_for(rules), zlib.decompress(body)


# Reasons


@checkers
@pytest.mark.parametrize("case", SMALL)
def test_one_bit_of_one_reason(checker: ModuleType, case: tuple[str, str, int]) -> None:
    position, method, reasons = proof(*case)
    for place, reason in enumerate(reasons):
        for bit in range(8) if checker is plain else (0, 1 + place % 7):
            changed = changed_bit(reasons, place, bit)
            # A refuted state may be so at another depth, or its successors be there anyway.
            assert not is_proof(checker, position, method, changed) or reason
    assert is_proof(checker, position, method, reasons)


@pytest.mark.parametrize("case", [*SMALL, *LARGER])
def test_no_state_that_was_expanded_can_be_refuted(case: tuple[str, str, int]) -> None:
    position, method, reasons = proof(*case)
    for place in [place for place, reason in enumerate(reasons) if not reason]:
        for depth in (1, 2, 3, 5, 8, 13, 21, 34, 76, 255):
            changed = reasons[:place] + bytes([depth]) + reasons[place + 1 :]
            assert not is_proof(plain, position, method, changed)


@pytest.mark.parametrize("case", SMALL)
def test_one_reason_less_and_one_more(case: tuple[str, str, int]) -> None:
    header, body = opened(certificate_of(*case))
    reasons = zlib.decompress(body)
    position, method, _ = proof(*case)
    longer = set()
    for place in range(len(reasons) + 1):
        before, after = reasons[:place], reasons[place:]
        if after:
            assert refusal(with_reasons(header, before + after[1:]))
        longer |= {before + more + after for more in (b"\0", b"\1")}
    said = [{is_proof(c, position, method, changed) for c in CHECKERS} for changed in longer]
    # Where a state is expanded that was refuted, and its successor is refuted, it is a proof.
    assert said.count({True}) <= header["refuted"]
    assert said.count({True}) + said.count({False}) == len(longer)


@checkers
def test_a_win_has_no_proof_of_a_loss(checker: ModuleType) -> None:
    rng = random.Random(11)
    winnable = (position for position, wins in small_positions(rng) if wins)
    for position in islice(winnable, 4):
        method = method_for(position.rules)
        forged = [bytes(3000), *(bytes(rng.choices([0, 1, 2, 3], k=3000)) for _ in range(5))]
        for reasons in forged:
            with pytest.raises((InvalidError, LimitError)):
                checker.check(position, method, io.BytesIO(reasons).read, MEMORY)


@checkers
def test_a_state_that_leads_to_a_win_cannot_be_expanded(checker: ModuleType) -> None:
    rules = PRESETS["wikipedia"]
    deal = deal_from_seed("100000")
    position = start(deal, rules)
    moves = solve(position).moves
    states = [replay(position, moves[:number]) for number in range(len(moves))]
    last = max(n for n, state in enumerate(states) if state.waste or state.stock)
    for near in (last, last - 1, last - 2):
        with pytest.raises(InvalidError, match="a won state follows"):
            checker.check(states[near], method_for(rules), io.BytesIO(bytes(3000)).read, MEMORY)


# Deals, rules, counts


@checkers
@pytest.mark.parametrize("case", [*SMALL, *LARGER])
def test_the_proof_of_another_deal(checker: ModuleType, case: tuple[str, str, int]) -> None:
    header, body = opened(certificate_of(*case))
    for seed in ("100000", "100001", "ms1"):
        other = deal_from_seed(seed, case[2])
        for number in (seed, None):
            swapped = {"seed": number, "deal": str(replace(other, seed=None))}
            assert refusal(sealed(header | swapped, body), checker is fast).startswith("state ")
    assert "not number 100000" in refusal(sealed(header | {"seed": "100000"}, body))


@checkers
def test_the_proof_under_other_rules(checker: ModuleType) -> None:
    header, body = opened(certificate_of("100000", "wikipedia-strict", 16))
    for name in ("wikipedia", "solsuite", "till-dawn", "pysol"):  # under these it can be won
        assert refusal(sealed(header | {"rules": PRESETS[name].switches()}, body), checker is fast)
    header, body = opened(WHOLE)
    strict, solsuite, pysol = (
        sealed(header | {"rules": PRESETS[name].switches()}, body)
        for name in ("wikipedia-strict", "solsuite", "pysol")
    )
    assert "the credit form needs" in refusal(strict)
    assert "the credit form needs" in refusal(pysol)
    verified(solsuite, checker is fast)  # the same proof, as no king is ever near


@pytest.mark.parametrize("form", ["credit", "plain"])
@pytest.mark.parametrize("reductions", [[], ["certain"], ["ends"], ["ends", "free-pop"], ["x"]])
def test_the_proof_by_another_method(form: str, reductions: list[str]) -> None:
    header, body = opened(WHOLE)
    changed = sealed(header | {"form": form, "reductions": reductions}, body)
    if changed != WHOLE:
        assert refusal(changed)


@checkers
@pytest.mark.parametrize("change", [-1, 1, 1000, 10**18, 2**62])
def test_wrong_counts(checker: ModuleType, change: int) -> None:
    header, body = opened(WHOLE)
    for name in ("states", "refuted"):
        changed = sealed(header | {name: header[name] + change}, body)
        assert "states" in refusal(changed, checker is fast)


@pytest.mark.parametrize(
    "deal",
    [
        deal_from_seed("100016", 15),
        Deal((None, *deal_from_seed("100016", 15).reserve), deal_from_seed("100016", 15).stock),
        Deal(deal_from_seed("100016").reserve, (), unseen=76),
        replace(deal_from_seed("100016"), foundations=(Foundations(deuce=0),) * 4),
        replace(deal_from_seed("100016"), foundations=(Foundations(king=1),) * 4),
        Deal((), ()),
    ],
    ids=["few slots", "gap", "unseen stock", "no deuces", "kings too many", "empty"],
)
def test_what_is_no_deal(deal: Deal) -> None:
    header, body = opened(WHOLE)
    changed = sealed(header | {"seed": None, "deal": str(replace(deal, seed=None))}, body)
    assert refusal(changed).startswith("the header is wrong: ")


# Headers


@pytest.mark.parametrize("part", ["header", "rules"])
def test_junk_in_the_header(part: str) -> None:
    for value in JUNK:
        header, body = opened(WHOLE)
        fields = header if part == "header" else header["rules"]
        for name in [*fields]:
            changed, _ = opened(WHOLE)
            (changed if part == "header" else changed["rules"])[name] = value
            if name in ("sha256", "program") or (name, value) == ("seed", None):
                continue  # made anew, a note, not needed
            if type(value) is not type(fields[name]):
                assert refusal(sealed(changed, body))
        assert refusal(MAGIC + json.dumps(header | {"sha256": value}).encode() + b"\n" + body)


def test_fields_that_are_missing_or_too_many() -> None:
    header, body = opened(WHOLE)
    for name in header:
        if name != "sha256":
            assert (
                "fields"
                in refusal(
                    sealed({key: value for key, value in header.items() if key != name}, body)
                )
                or name == "kind"
            )
    assert "fields" in refusal(sealed({"more": 1, **header}, body))
    assert "fields" in refusal(sealed(dict(reversed(header.items())), body))
    assert refusal(sealed(header | {"kind": "win"}, body))


@pytest.mark.parametrize(
    "line",
    [
        *[b"", b"{}", b"[]", b"null", b"NaN", b"1", b'"loss"', b'{"kind": "loss"}', b"\xff\xfe"],
        *[b"[" * 16_000, b'{"kind":' * 2000, b"[" * 8000 + b"]" * 8000, b"1" * 16_000],
        *[b'{"kind": ["loss"]}', b'{"kind": "loss", "kind": "win"}', b" " * MOST_HEADER],
    ],
    ids=lambda line: line[:10].decode(errors="replace"),
)
def test_lines_that_are_no_header(line: bytes) -> None:
    assert refusal(MAGIC + line + b"\n").startswith("the header is wrong: ")
    assert refusal(MAGIC + line).startswith("the header is wrong: ")


def test_a_header_written_otherwise() -> None:
    header, body = opened(WHOLE)
    for text in (json.dumps(header, indent=1).replace("\n", ""), json.dumps(header) + " "):
        assert "not written as" in refusal(MAGIC + text.encode() + b"\n" + body)


# Files


def test_one_bit_anywhere() -> None:
    for place in range(len(WHOLE)):
        assert refusal(changed_bit(WHOLE, place, place % 8))


@checkers
def test_one_bit_of_the_stream(checker: ModuleType) -> None:
    _, body = opened(WHOLE)
    for place in range(len(WHOLE) - len(body), len(WHOLE)):
        assert refusal(changed_bit(WHOLE, place, place % 8), checker is fast)


@checkers
def test_every_length_that_is_too_short(checker: ModuleType) -> None:
    header, body = opened(WHOLE)
    for length in range(len(WHOLE) - len(body)):
        assert refusal(WHOLE[:length])
    for length in range(len(body)):
        assert refusal(sealed(header, body[:length]), checker is fast)
    for tail in (b"\0", b"more", body):
        assert "goes on" in refusal(WHOLE + tail, checker is fast)
        assert "goes on" in refusal(sealed(header, body + tail), checker is fast)


@checkers
def test_random_bytes(checker: ModuleType) -> None:
    rng = random.Random(2)
    header, _ = opened(WHOLE)
    for length in [*range(10), 100, 1000, 100_000]:
        assert refusal(rng.randbytes(length)) == "this is not a certificate of version 1"
        assert refusal(MAGIC + rng.randbytes(length))
        assert refusal(sealed(header, rng.randbytes(length)), checker is fast)


@checkers
@pytest.mark.parametrize("states", [43, 2**62])
def test_a_bomb_is_not_unpacked(checker: ModuleType, states: int) -> None:
    header, body = opened(WHOLE)
    reasons = zlib.decompress(body)
    tracemalloc.start()
    try:
        refusal(sealed(header | {"states": states}, bomb(reasons, 1 << 26)), checker is fast)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


@checkers
def test_a_proof_without_end_stops_at_the_memory_allowed(checker: ModuleType) -> None:
    header, _ = opened(WHOLE)
    endless = sealed(header | {"states": 2**62}, bomb(size=1 << 24))
    with pytest.raises(LimitError, match="more than 1 MB"):
        verified(endless, checker is fast, memory=1 << 20)


# Anything


@pytest.mark.skipif(not COMPILED, reason="the search is asked for the truth")
def test_a_little_fuzzing() -> None:
    Fuzzer(1, list(true_losses(few=True))).run(0, 50)
