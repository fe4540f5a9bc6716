"""Positions counted by the least number of moves to them: the same in both models of the game.

``data/perft.json`` holds the counts; the positions of ``game.position`` are told apart by
``key_of``, those of the compiled search by its packed states.
"""

import json
from typing import Any

import pytest

from solver.engine.search import Form, Order, Search
from solver.game.deal import deal_from_seed
from solver.game.position import Position, start
from solver.game.rules import PRESETS
from solver.kernel.jit import COMPILED
from solver.kernel.root import Switch

from . import DATA
from .naive import key_of

TABLE: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text())


def perft(position: Position, depth: int) -> list[int]:
    """Counts the positions of ``game.position`` at each depth up to ``depth``."""
    seen, level, counts = {key_of(position)}, [position], [1]
    for _ in range(depth):
        after = {
            key: child
            for parent in level
            for child in map(parent.play, parent.legal_moves())
            if (key := key_of(child)) not in seen
        }
        seen.update(after)
        level = list(after.values())
        counts.append(len(level))
    return counts


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['rules']}-{row['seed']}")
def test_both_models_count_the_same_positions(row: dict[str, Any]) -> None:
    rules = PRESETS[row["rules"]]
    position = start(deal_from_seed(row["seed"]), rules)
    counts = row["counts"] if COMPILED else row["counts"][:4]
    assert perft(position, len(counts) - 1) == counts
    search = Search(position, Form.PLAIN, Order.BREADTH, Switch.TWINS)
    search.run(2 * sum(counts))
    assert search.level_sizes()[: len(counts)] == counts


def test_the_table_has_every_preset() -> None:
    assert {row["rules"] for row in TABLE} == {*PRESETS}
