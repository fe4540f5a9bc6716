"""Deal numbers against layouts of the real PySolFC program, and the text form of a deal."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.cards import PLAYABLE, Card, card_names, parse_card
from solver.game.deal import Deal, deal_from_seed, parse_seed, parse_table, place_name

from . import DATA

LAYOUTS = json.loads((DATA / "pysol_deals.json").read_text())["deals"]
DEAL = deal_from_seed("1")
UNNUMBERED = replace(DEAL, seed=None)
LINES = str(DEAL).splitlines()
STOCK_LINE = next(i for i, line in enumerate(LINES) if line.startswith("Stock:"))


def error_of(text: str) -> str:
    """Gets what is wrong with the text of a deal."""
    with pytest.raises(ValueError, match=r".") as caught:
        parse_table(text, "board.txt")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def with_line(number: int, change: Callable[[str], str]) -> str:
    """Gets the text of ``DEAL`` with one line changed; lines count from 1."""
    lines = LINES.copy()
    lines[number - 1] = change(lines[number - 1])
    return "\n".join(lines)


@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout["number"] for layout in LAYOUTS])
def test_a_numbered_deal_is_that_of_pysol(layout: dict[str, list[str]]) -> None:
    deal = deal_from_seed(str(layout["number"]))
    assert [place_name(card) for card in deal.reserve] == layout["reserve"]
    assert card_names(deal.stock).split() == layout["stock"]


def test_layouts_of_both_generators_are_on_record() -> None:
    numbers = [layout["number"] for layout in LAYOUTS]
    assert {"1", "31999", "32000", "ms100000"} <= set(numbers)


@pytest.mark.parametrize("seed", ["0", "1", "31999", "32000", "ms32000", "ms2147483647", "9" * 40])
def test_every_number_deals_each_card_once_per_copy(seed: str) -> None:
    deal = deal_from_seed(seed)
    assert Counter(deal.reserve + deal.stock) == PLAYABLE
    assert len(deal.reserve) == 16
    assert deal.seed == seed


def test_numbers_below_32000_are_ms_deals_and_others_are_not() -> None:
    for number in ("1", "20000", "31999"):
        assert replace(deal_from_seed("ms" + number), seed=number) == deal_from_seed(number)
    assert deal_from_seed("ms32000").stock != deal_from_seed("32000").stock


@pytest.mark.parametrize("reserve", [1, 8, 24])
def test_the_reserve_takes_the_first_cards_of_the_same_shuffle(reserve: int) -> None:
    deal, usual = deal_from_seed("100000", reserve), deal_from_seed("100000")
    assert len(deal.reserve) == reserve
    assert deal.reserve + deal.stock == usual.reserve + usual.stock


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        ("100000", "100000"),
        ("#0000100000", "100000"),
        ("#00000000000000100000", "100000"),
        ("# 00000000000000012345", "12345"),
        ("#ms123", "ms123"),
        ("# ms00123", "ms123"),
        (" 7\n", "7"),
        ("0", "0"),
        ("000", "0"),
        ("1,000", "1000"),
        ("ms2,147,483,647", "ms2147483647"),
        ("007", "7"),
        ("ms123", "ms123"),
        ("MS123", "ms123"),
        ("Ms0123", "ms123"),
        ("#ms00000000000000000123", "ms123"),
        ("ms1", "ms1"),
        ("ms2147483647", "ms2147483647"),
        ("2147483648", "2147483648"),
        ("12345678901234567890", "12345678901234567890"),
        ("9" * 40, "9" * 40),
        ("0" * 100 + "9" * 40, "9" * 40),
    ],
)
def test_a_number_has_one_standard_form(text: str, seed: str) -> None:
    assert parse_seed(text) == seed
    assert parse_seed(seed) == seed
    assert deal_from_seed(text) == deal_from_seed(seed)


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "#", "##1", "abc", "1a", "-5", "+5", "1.5", "1e5", "1_000", "1,00", "1 2"],
        *[",100", "1000,000", "1,000,", "1,,000", "1,0000"],
        *["0x10", "1\n2", "1\0", "ms", "ms0", "ms000", "ms-1", "ms 1", "1ms", "msms1", "pysol1"],
        *["ms2147483648", "ms99999999999", "9" * 41],
        *["\u0661\u0662", "\uff11", "\u00b2", "m\u017f1"],  # beyond ASCII
    ],
)
def test_other_text_is_no_number(text: str) -> None:
    for read in (parse_seed, deal_from_seed):
        with pytest.raises(ValueError, match="is not a deal number") as caught:
            read(text)
        assert repr(text) in str(caught.value)


def test_a_number_too_long_is_told_so() -> None:
    with pytest.raises(ValueError, match="is not a deal number: it has more than 40 digits"):
        parse_seed("9" * 41)


def test_the_text_form_is_short_and_labelled() -> None:
    assert LINES[0] == "# Royal Rendezvous deal 1"
    assert LINES[1] == "Reserve: 3D 5H JC KH 5S 5H KC KC"
    assert [line.split(" ")[0] for line in LINES[1:]] == ["Reserve:"] * 2 + ["Stock:"] * 4
    assert max(map(len, LINES)) <= 79


@settings(deadline=None, derandomize=True)
@given(st.permutations(list(PLAYABLE.elements())), st.integers(1, 24))
def test_text_reads_back(cards: list[Card], reserve: int) -> None:
    deal = Deal(tuple(cards[:reserve]), tuple(cards[reserve:]))
    assert parse_table(str(deal)) == deal
    assert str(parse_table(str(deal))) == str(deal)


def test_the_number_is_only_a_comment() -> None:
    assert parse_table(str(DEAL)) == UNNUMBERED


def reserve_last(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(lines[STOCK_LINE:] + lines[1:STOCK_LINE])


def labels_once(text: str) -> str:
    for label in ("Reserve: ", "Stock: "):
        before, _, after = text.partition(label)
        text = before + label + after.replace(label, "")
    return text


def tens_as_10(text: str) -> str:
    return re.sub(r"\bT([CSHD])", r"10\1", text)


def with_comments(text: str) -> str:
    return text.replace("\n", " # then 3C AH ?? Stock: KC\n#Stock: KC\n \t\n\n")


FORMS: dict[str, Callable[[str], str]] = {
    "as printed": str,
    "Talon is the stock": lambda text: text.replace("Stock:", "Talon:"),
    "ten as 10": tens_as_10,
    "ten as both": lambda text: re.sub(r"\bT([CS])", r"10\1", text),
    "lower case": str.lower,
    "upper case": str.upper,
    "comments and empty lines": with_comments,
    "no title": lambda text: text.partition("\n")[2],
    "no last line break": lambda text: text.rstrip("\n"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "BOM": lambda text: "\ufeff" + text,
    "BOM before a label": lambda text: "\ufeff" + text.partition("\n")[2],
    "spaces and tabs": lambda text: text.replace(":", " :\t").replace(" ", "  \t"),
    "no space after a label": lambda text: text.replace(": ", ":"),
    "each pile labelled once": labels_once,
    "one card per line": lambda text: labels_once(text).partition("\n")[2].replace(" ", "\n"),
    "stock before reserve": reserve_last,
}


@pytest.mark.parametrize("form", FORMS)
def test_people_may_write_it_otherwise(form: str) -> None:
    text = FORMS[form](str(DEAL))
    assert parse_table(text) == UNNUMBERED
    assert form == "as printed" or text != str(DEAL)


def test_all_forms_may_meet() -> None:
    text = tens_as_10(labels_once(str(DEAL).partition("\n")[2]))
    text = text.replace("Stock:", "Talon:").replace(" ", "\n", 40)
    text = with_comments(text).lower().replace("\n", "\r\n")
    assert parse_table("\ufeff" + text) == UNNUMBERED


def test_cards_may_be_parted_by_commas() -> None:
    for comma in (", ", ","):
        piles = "\n".join(line.replace(" ", comma) for line in LINES[1:])
        assert parse_table(piles.replace(f":{comma}", ": ")) == UNNUMBERED


def test_piles_may_take_turns() -> None:
    mixed = [LINES[line] for line in (1, 3, 4, 2, 5, 6)]
    assert parse_table("\n".join(mixed)) == UNNUMBERED


@pytest.mark.parametrize("name", ["3X", "1C", "joker", "3", "♣3", "3C."])
def test_a_wrong_card_is_named_with_its_line(name: str) -> None:
    text = with_line(5, lambda line: f"{line} {name}  # extra")
    assert error_of(text) == f"board.txt:5: {name!r} is not a card"


def test_line_numbers_count_comments_and_empty_lines() -> None:
    text = "\ufeff# a\r\n\r\n  # b\r\n" + str(DEAL).replace("\n", "\r\n") + "\r\n3X"
    assert error_of(text).startswith(f"board.txt:{3 + len(LINES) + 2}: '3X'")


@pytest.mark.parametrize("name", ["AC", "AS", "ah", "Ad"])
def test_an_ace_is_never_dealt(name: str) -> None:
    error = error_of(with_line(3, lambda line: f"{line} {name}"))
    assert error == f"board.txt:3: {name.upper()} is not dealt: it starts on a foundation"


@pytest.mark.parametrize("name", ["KC", "10H", "3d"])
def test_a_third_copy_is_named_with_its_line(name: str) -> None:
    error = error_of(with_line(len(LINES), lambda line: f"{line} {name}"))
    assert error.startswith(f"board.txt:{len(LINES)}: ")
    assert re.search(rf"\b{name.upper().replace('10', 'T')} appears 3 times, expected 2", error)


def test_a_second_deuce_is_named_with_its_line() -> None:
    error = error_of(with_line(len(LINES), lambda line: f"{line} 2S"))
    assert error == f"board.txt:{len(LINES)}: card 2S appears 2 times, expected 1"


def test_a_card_too_many_counts_over_both_piles() -> None:
    error = error_of("Reserve: 3C 3C\nStock: 4C\n3C")
    assert error == "board.txt:3: card 3C appears 3 times, expected 2"


@pytest.mark.parametrize("gone", [["3D"], ["KC", "KC"], ["3D", "5H", "JC", "KH"]])
def test_missing_cards_are_named(gone: list[str]) -> None:
    reserve = LINES[1].removeprefix("Reserve: ").split()
    for name in gone:
        reserve.remove(name)
    error = error_of(with_line(2, lambda line: "Reserve: " + " ".join(reserve)))
    assert error.startswith("board.txt: ")
    assert str(len(gone)) in error
    assert Counter(re.findall(r"\b[2-9TJQK][CSHD]\b", error)) == Counter(gone)


def test_many_missing_cards_are_counted() -> None:
    text = "\n".join(LINES[:STOCK_LINE])
    assert error_of(text) == "board.txt: 76 of the 92 cards missing"


@pytest.mark.parametrize("label", ["Tableau", "", "Wastes", "Reserves", "Reserve 3D Stock", "R"])
def test_an_unknown_label_is_named_with_its_line(label: str) -> None:
    error = error_of(with_line(4, lambda line: f"{label}: 3C"))
    assert error.startswith(f"board.txt:4: {label!r} is not")


def test_two_labels_on_a_line_are_refused() -> None:
    assert error_of("Reserve: 3D 5H Stock: 4C").startswith("board.txt:1: ")


def test_cards_before_any_label_are_named_with_their_line() -> None:
    error = error_of("# title\n3D 5H\n" + str(DEAL))
    assert error == "board.txt:2: expected a label such as 'Reserve:' before '3D'"


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "# nothing here\n", "Reserve:\nStock:\n"])
def test_empty_text_is_no_deal(text: str) -> None:
    assert error_of(text) == "board.txt: 92 of the 92 cards missing"


def test_a_text_without_a_source_is_called_deal() -> None:
    with pytest.raises(ValueError, match=r"^deal:1: 'nonsense'"):
        parse_table("Reserve: nonsense")


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.one_of(st.text(), st.text("Resrvtock:#KQJT10A2SHDC \n\r\t\0", max_size=60)))
def test_other_text_is_refused_on_one_line(text: str) -> None:
    assert error_of(text).startswith("board.txt:")


@settings(deadline=None, derandomize=True)
@given(st.data())
def test_a_text_with_one_character_changed_is_the_same_deal_or_refused(data: st.DataObject) -> None:
    text = str(DEAL)
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.one_of(st.characters(), st.sampled_from("\n#: 2AKTCSHD")))
    try:
        deal = parse_table(text[:at] + new + text[at + 1 :])
    except ValueError:
        return
    assert Counter(deal.reserve + deal.stock) == Counter(DEAL.reserve + DEAL.stock)


def test_seats_of_the_cards_are_kept() -> None:
    swapped = str(DEAL).replace("3D 5H JC", "5H 3D JC")
    expected = (parse_card("5H"), parse_card("3D"), *DEAL.reserve[2:])
    assert parse_table(swapped) == Deal(expected, DEAL.stock)
