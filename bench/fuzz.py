"""Fuzzes the checkers of certificates: ``make fuzz``.

Small true certificates are changed at random and given to both checkers. Each must either be
refused in one line, or claim what is true: a changed certificate may still be a proof, of the same
claim or of another one, and the search, which shares no code with the checkers, says whether that
is so.
"""

import io
import random
import re
import resource
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import click

from solver.engine.decide import solve
from solver.game.deal import Deal, deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import DEFAULT_MEMORY, Limits, Verdict
from solver.player.certify import dead_states
from solver.proof.certificate import Header, read_certificate, win_file
from solver.proof.claim import InvalidError, LimitError, method_for
from solver.proof.verify import check, loss

from .mutations import mutated

LOSSES = [
    *[("100016", "wikipedia", 16), ("100002", "wikipedia", 10), ("100023", "wikipedia-strict", 16)],
    *[("100016", "solsuite", 16), ("100006", "till-dawn", 10), ("100059", "pysol", 7)],
]
RELAXED = [("100020", "wikipedia", 10), ("100023", "wikipedia-strict", 16)]
WINS = [("100000", "wikipedia", 16), ("100001", "pysol", 16)]
MEMORY = 1 << 20  # bytes for states that wait
TRUTH_STATES = 300_000
MOST_SECONDS = 5.0  # of the processor, for one check
MOST_GROWTH = 500 << 10  # kilobytes
VALID, LIMIT = "valid", "more memory is needed"


class FoundError(RuntimeError):
    """A fault of a checker."""


def true_losses(few: bool = False) -> Iterator[bytes]:
    """Makes certificates of losses: with and without reductions, and with the relaxed game."""
    for seed, name, reserve in LOSSES[:3] if few else LOSSES:
        rules = replace(PRESETS[name], reserve=reserve)
        for reduce in (True, False):
            method = method_for(rules, reduce=reduce)
            yield loss(deal_from_seed(seed, reserve), rules, method, 1000, MEMORY)
    for seed, name, reserve in RELAXED:
        deal, rules = deal_from_seed(seed, reserve), replace(PRESETS[name], reserve=reserve)
        dead = dead_states(start(deal, rules), DEFAULT_MEMORY)
        method = method_for(rules, relax=True)
        yield loss(deal, rules, method, 1000, MEMORY, are_dead=dead)


def true_wins() -> Iterator[bytes]:
    """Makes certificates of wins."""
    for seed, name, reserve in WINS:
        deal, rules = deal_from_seed(seed, reserve), replace(PRESETS[name], reserve=reserve)
        yield win_file(deal, rules, solve(start(deal, rules)).moves)


def outcome(certificate: bytes, fast: bool) -> str:
    """Gets what a checker says: ``VALID``, ``LIMIT`` or the fault.

    :raises FoundError: if it took too long.
    """
    began = time.process_time()
    file = io.BytesIO(certificate)
    try:
        check(*read_certificate(file), MEMORY, fast=fast)
        said = VALID
    except InvalidError as error:
        said = str(error)
    except LimitError:
        said = LIMIT
    if time.process_time() - began > MOST_SECONDS:
        raise FoundError(f"{time.process_time() - began:.1f} s for: {said}")
    return said


@lru_cache(10_000)
def truth(deal: Deal, rules: Rules) -> Verdict:
    """Gets the verdict of the search."""
    return solve(start(deal, rules), Limits(TRUTH_STATES)).verdict


def what(header: Header) -> tuple[Deal, Rules]:
    """Gets the deal that a certificate is about, be it numbered or not, and the rules."""
    return replace(header.deal, seed=None), header.rules


def is_true(header: Header) -> bool:
    """Whether a certificate claims what is so.

    :raises FoundError: if the search can't tell.
    """
    verdict = truth(*what(header))
    if verdict is Verdict.UNKNOWN:
        raise FoundError("accepted, and the search does not know the verdict")
    return verdict is (Verdict.UNWINNABLE if header.method else Verdict.WINNABLE)


def kind_of(said: str) -> str:
    """Gets a fault without what differs from one certificate to the next."""
    said = re.sub(r"state [\d,]+ \(.*\): ", "state: ", said)
    said = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", said)
    said = re.sub(r"deal:\d+: |: (\w\w )*\w\w$", "", re.sub(r"card \w\w", "card ...", said))
    return re.sub(r"\d[\d,]*", "N", said)[:70]


@dataclass(slots=True)
class Fuzzer:
    """A run: the certificates to change, and what was said of those changed so far."""

    seed: int
    certificates: list[bytes]
    kinds: Counter[str] = field(default_factory=Counter)
    accepted: int = 0
    unlike: int = 0
    """Accepted ones that claim something else than the one they were made from."""

    def run(self, first: int, count: int) -> None:
        """Makes mutations, each of which depends on the seed and its number alone.

        :raises FoundError: naming the first one that a checker does not treat as it should.
        """
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for number in range(first, first + count):
            try:
                self._one(random.Random(f"{self.seed} {number}"))
                grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
                if grown > MOST_GROWTH:
                    raise FoundError(f"{grown >> 10} MB more memory")
            except Exception as error:
                raise FoundError(f"seed {self.seed}, mutation {number}: {error!r}") from error

    def _one(self, rng: random.Random) -> None:
        original = rng.choice(self.certificates)
        certificate = mutated(rng, original)
        plain, fast = (outcome(certificate, fast) for fast in (False, True))
        self.kinds[kind_of(plain)] += 1
        if "\n" in plain + fast or not plain:
            raise FoundError(f"not one line: {plain!r}, {fast!r}")
        if (plain == VALID) != (fast == VALID) and LIMIT not in (plain, fast):
            raise FoundError(f"the checkers do not agree: {plain!r}, {fast!r}")
        if VALID in (plain, fast):
            self._accept(claim(certificate), claim(original))

    def _accept(self, header: Header, original: Header) -> None:
        self.accepted += 1
        self.unlike += what(header) != what(original)
        if not is_true(header):
            raise FoundError("a false claim was accepted")


def claim(certificate: bytes) -> Header:
    """Gets the header of a certificate."""
    return read_certificate(io.BytesIO(certificate))[0]


@click.command()
@click.option("--seed", default=1, show_default=True, help="Of the random changes.")
@click.option("--first", default=0, show_default=True, help="The number of the first change.")
@click.option("--count", default=2000, show_default=True, help="How many changes.")
def main(seed: int, first: int, count: int) -> None:
    """Change true certificates at random, and see what both checkers say of them."""
    fuzzer = Fuzzer(seed, [*true_losses(), *true_wins()])
    for certificate in fuzzer.certificates:
        check(*read_certificate(io.BytesIO(certificate)), MEMORY, fast=True)  # it may be compiled
        assert outcome(certificate, fast=False) == outcome(certificate, fast=True) == VALID
    try:
        fuzzer.run(first, count)
    except FoundError as error:
        raise SystemExit(f"FAULT: {error}") from error
    print(f"{count:,} changed certificates, seed {seed}: no fault of either checker.")
    print(f"Accepted, all true: {fuzzer.accepted:,}; {fuzzer.unlike:,} of them another claim.")
    for kind, number in fuzzer.kinds.most_common():
        print(f"{number:8,}  {kind}")


if __name__ == "__main__":
    main()
