"""Cards: their numbers, their names, and the cards that are dealt."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.game.cards import (
    ACE,
    DEUCE,
    PLAYABLE,
    RANKS,
    SUITS,
    card,
    card_name,
    card_names,
    parse_card,
    rank_of,
    suit_of,
)

EVERY_CARD = [card(rank, suit) for suit in SUITS for rank in RANKS]

NAMES = [rank + suit for suit in "CSHD" for rank in "A23456789TJQK"]
ACCEPTED = {name.replace("T", ten).lower() for name in NAMES for ten in ("T", "10")}

BAD = [
    *["", " ", "3", "C", "C3", "CC", "33", "joker", "xyz", "--"],
    *["1C", "0C", "11C", "12C", "13C", "14C", "XC", "-3C", "010H", "1010", "10", "10 H", "T10"],
    *["3X", "3CC", "33C", "3C4C", "3,C", "3-C", "3 C", " 3C", "3C ", "3C\n", "3C\0", "3♣", "♣"],
    *["\u0663C", "\uff13C", "3\uff23"],  # digits and letters beyond ASCII
]


def test_there_are_52_cards_with_distinct_numbers_below_64() -> None:
    assert len(set(EVERY_CARD)) == 52
    assert all(0 < number < 64 for number in EVERY_CARD)


def test_rank_and_suit_are_what_the_card_was_made_of() -> None:
    for suit in SUITS:
        for rank in RANKS:
            assert (rank_of(card(rank, suit)), suit_of(card(rank, suit))) == (rank, suit)


def test_every_card_has_its_name_and_reads_back() -> None:
    assert [card_name(number) for number in EVERY_CARD] == NAMES
    assert [parse_card(name) for name in NAMES] == EVERY_CARD


def test_case_does_not_matter() -> None:
    for number, name in zip(EVERY_CARD, NAMES, strict=True):
        forms = {name, name.lower(), name[0].lower() + name[1], name[0] + name[1].lower()}
        assert {parse_card(form) for form in forms} == {number}


@pytest.mark.parametrize("suit", "CSHDcshd")
def test_a_ten_is_read_as_10_and_written_as_t(suit: str) -> None:
    assert parse_card("10" + suit) == parse_card("T" + suit) == parse_card("t" + suit)
    assert card_name(parse_card("10" + suit)) == "T" + suit.upper()


@pytest.mark.parametrize("text", BAD)
def test_bad_text_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)


def test_a_long_s_is_no_suit() -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card("2\u017f")


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.one_of(st.text(max_size=4), st.text("A10TKCHSD2kc ", max_size=4)))
@example("10d")
def test_no_other_text_is_a_card(text: str) -> None:
    try:
        parse_card(text)
    except ValueError:
        assert text.lower() not in ACCEPTED
    else:
        assert text.lower() in ACCEPTED


def test_names_of_several_cards_are_separated_by_spaces() -> None:
    assert card_names(map(parse_card, ["10H", "2c", "KD"])) == "TH 2C KD"
    assert card_names([]) == ""


def test_92_cards_are_dealt() -> None:
    assert PLAYABLE.total() == 92
    for suit in SUITS:
        assert [PLAYABLE[card(rank, suit)] for rank in RANKS] == [0, 1, *[2] * 11]


def test_the_dealt_cards_and_the_first_on_foundations_are_two_decks() -> None:
    for number in EVERY_CARD:
        on_foundations = {ACE: 2, DEUCE: 1}.get(rank_of(number), 0)
        assert PLAYABLE[number] + on_foundations == 2
