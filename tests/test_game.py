"""The plain-Python rules against games recorded from the real PySolFC program."""

import gzip
import json
from typing import Any

from solver.game.cards import SUIT_NAMES, card_name, parse_card
from solver.game.deal import Deal
from solver.game.foundations import Foundations, Pile
from solver.game.moves import parse_move
from solver.game.position import Position, start
from solver.game.rules import PRESETS

from . import DATA

PYSOL = PRESETS["pysol"]


def load_traces() -> list[dict[str, Any]]:
    with gzip.open(DATA / "pysol_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def as_recorded(position: Position) -> dict[str, Any]:
    """Writes a position the way the recorder wrote PySolFC's."""
    piles = {
        str(pile): {SUIT_NAMES[s]: getattr(position.foundations[s], pile) for s in range(4)}
        for pile in Pile
    }
    return piles | {
        "reserve": sorted(card_name(card) for card in position.reserve if card),
        "waste": [card_name(card) for card in position.waste],
        "stock_left": len(position.stock),
    }


def test_every_recorded_position_has_the_same_moves_and_state() -> None:
    compared = 0
    for trace in load_traces():
        deal = Deal(
            tuple(map(parse_card, trace["reserve"])), tuple(map(parse_card, trace["stock"]))
        )
        position = start(deal, PYSOL)
        for step in [*trace["steps"], trace["final"]]:
            compared += 1
            assert as_recorded(position) == step["state"]
            assert [str(move) for move in position.legal_moves()] == step["legal"]
            if "move" in step:
                position = position.play(parse_move(step["move"]))
        assert position.is_won == (trace["result"] == "won")
    assert compared >= 7827


def test_every_combination_of_pile_heights_takes_what_pysol_takes() -> None:
    probe = json.loads((DATA / "pysol_rules_probe.json").read_text())
    assert len(probe) == 2 * 13 * 7 * 6
    for key, expected in probe.items():
        king, upper, deuce_cards, lower_cards = map(int, key.split(","))
        piles = Foundations(upper, 2 * lower_cards - 1, 2 * deuce_cards, king)
        plays = [
            f"{card_name(rank)[0]}>{pile}"
            for rank in range(1, 14)
            for pile in Pile
            if piles.takes(pile, rank, PYSOL)
        ]
        position = Position(PYSOL, (None,) * 16, (), (), (piles, *[Foundations()] * 3))
        transfers = [
            f"{move.from_pile}>{move.pile}"
            for move in position.legal_moves()
            if move.card == parse_card("AC")
        ]
        assert sorted(plays) == expected["plays"], key
        assert sorted(transfers) == expected["transfers"], key
