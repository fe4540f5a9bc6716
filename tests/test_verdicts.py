"""Verdicts on 300 deals against those of an independent program."""

import csv
from dataclasses import replace

import pytest

from solver.engine.decide import solve
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import Limits, Verdict
from solver.kernel.jit import COMPILED

from . import DATA

RULES: dict[str, Rules] = {
    **PRESETS,
    "pysol-no-transfers": replace(PRESETS["pysol"], transfers=False),
}
STATES = 1_500_000  # a small part of the default budget, and enough


@pytest.mark.skipif(not COMPILED, reason="whole deals take minutes uncompiled")
@pytest.mark.parametrize("name", RULES)
def test_300_deals_are_decided_as_by_the_independent_program(name: str) -> None:
    with (DATA / "verdicts.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        result = solve(start(deal_from_seed(row["number"]), RULES[name]), Limits(STATES))
        # What can be won without transfers can be won with them.
        expected = row["pysol-no-transfers" if name == "pysol" else name]
        assert result.verdict is not Verdict.UNKNOWN, row["number"]
        assert result.verdict == (expected or result.verdict), row["number"]
