"""The presets, and the names of rules that are none."""

import json
from dataclasses import FrozenInstanceError, fields, replace
from itertools import product

import pytest

from solver.game.rules import MAX_RESERVE, MIN_RESERVE, PRESETS, Dealing, Kings, Rules

EVERY_RULES = [
    Rules(*switches)
    for switches in product(Kings, Dealing, [False, True], [False, True], [1, 16, 24])
]
YES_NO = {"yes": True, "no": False}


def test_the_presets_are_those_of_the_table() -> None:
    assert {
        name: (str(rules.kings), str(rules.deal), rules.transfers, rules.auto_deal)
        for name, rules in PRESETS.items()
    } == {
        "wikipedia": ("free", "any", False, False),
        "wikipedia-strict": ("free", "stuck", False, False),
        "solsuite": ("lower-first", "any", False, False),
        "till-dawn": ("spot", "any", False, False),
        "pysol": ("upper-or-spot", "any", True, True),
    }
    assert {rules.reserve for rules in PRESETS.values()} == {16}


def test_wikipedia_is_the_default() -> None:
    assert Rules() == PRESETS["wikipedia"]


@pytest.mark.parametrize(
    ("kings", "upper_top", "lower_top", "king_spots"),
    [("free", 13, 13, 0), ("lower-first", 13, 13, 0), ("spot", 12, 13, 1)]
    + [("upper-or-spot", 13, 11, 1)],
)
def test_kings_say_where_piles_end(
    kings: str, upper_top: int, lower_top: int, king_spots: int
) -> None:
    rules = Rules(kings=Kings(kings))
    assert (rules.upper_top, rules.lower_top, rules.king_spots) == (
        upper_top,
        lower_top,
        king_spots,
    )


def test_the_piles_of_a_suit_hold_both_decks() -> None:
    for rules in EVERY_RULES:
        upper, lower, deuce = rules.upper_top, (rules.lower_top + 1) // 2, 6
        assert upper + lower + deuce + rules.king_spots == 26


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_called_by_its_name(name: str) -> None:
    assert PRESETS[name].name == name


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (replace(PRESETS["pysol"], transfers=False), "pysol transfers=no"),
        (replace(PRESETS["pysol"], auto_deal=False), "pysol auto-deal=no"),
        (replace(PRESETS["till-dawn"], transfers=True), "till-dawn transfers=yes"),
        (Rules(reserve=12), "wikipedia reserve=12"),
        (Rules(deal=Dealing.STUCK, reserve=8), "wikipedia-strict reserve=8"),
        (Rules(kings=Kings.SPOT), "till-dawn"),
    ],
)
def test_other_rules_are_called_by_what_they_change(rules: Rules, name: str) -> None:
    assert rules.name == name


def test_every_name_says_all_switches() -> None:
    for rules in EVERY_RULES:
        preset, *changes = rules.name.split(" ")
        read = PRESETS[preset]
        for change in changes:
            switch, value = change.split("=")
            if switch == "kings":
                read = replace(read, kings=Kings(value))
            elif switch == "deal":
                read = replace(read, deal=Dealing(value))
            elif switch == "reserve":
                read = replace(read, reserve=int(value))
            elif switch == "transfers":
                read = replace(read, transfers=YES_NO[value])
            else:
                assert switch == "auto-deal"
                read = replace(read, auto_deal=YES_NO[value])
        assert read == rules


def test_a_name_changes_as_few_switches_as_can_be() -> None:
    for rules in EVERY_RULES:
        ours = rules.switches()
        distances = [
            sum(ours[switch] != value for switch, value in preset.switches().items())
            for preset in PRESETS.values()
        ]
        assert len(rules.name.split(" ")) - 1 == min(distances)


@pytest.mark.parametrize("reserve", [-1, 0, 25, 10**20])
def test_a_reserve_out_of_bounds_is_refused(reserve: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 24 slots, not {reserve}"):
        Rules(reserve=reserve)


def test_a_reserve_within_bounds_is_taken() -> None:
    assert (MIN_RESERVE, MAX_RESERVE) == (1, 24)
    for reserve in range(1, 25):
        assert Rules(reserve=reserve).reserve == reserve


@pytest.mark.parametrize("switch", [field.name for field in fields(Rules)])
def test_rules_are_frozen(switch: str) -> None:
    rules = Rules()
    with pytest.raises(FrozenInstanceError):
        setattr(rules, switch, getattr(rules, switch))


def test_equal_rules_are_one_key() -> None:
    assert len({Rules(), PRESETS["wikipedia"], replace(PRESETS["solsuite"], kings=Kings.FREE)}) == 1


def test_switches_survive_json() -> None:
    for rules in EVERY_RULES:
        switches = rules.switches()
        assert list(switches) == [field.name for field in fields(Rules)]
        assert {type(value) for value in switches.values()} == {str, bool, int}
        assert json.loads(json.dumps(switches)) == switches


def test_switches_are_plain_values() -> None:
    assert PRESETS["pysol"].switches() == {
        "kings": "upper-or-spot",
        "deal": "any",
        "transfers": True,
        "auto_deal": True,
        "reserve": 16,
    }
