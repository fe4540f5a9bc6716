"""Positions and games as text: parser and printer invert each other, and what is refused."""

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.cards import SUIT_NAMES, SUIT_SYMBOLS
from solver.game.deal import Deal, deal_from_seed, parse_table
from solver.game.foundations import Foundations
from solver.game.moves import DEAL, Move, Source, parse_move
from solver.game.notation import with_some_stock
from solver.game.pasted import parse_moves
from solver.game.position import Position, check, replay, start
from solver.game.rules import PRESETS, Rules
from solver.show.result_text import solution

from .naive import random_position

START = start(deal_from_seed("100000"), PRESETS["wikipedia"])
OPENING = "deal R:2C>upper deal R:2D>upper"
TABLE = str(replay(START, parse_moves(OPENING)).deal)


def random_deal(rng: random.Random, rules: Rules) -> Position:
    return start(deal_from_seed(str(rng.randrange(10**9)), rules.reserve), rules)


def random_line(rng: random.Random, position: Position, moves: int) -> tuple[list[Move], Position]:
    """Gets legal moves, and where they lead."""
    line: list[Move] = []
    while len(line) < moves and (legal := position.legal_moves()):
        line.append(rng.choice(legal))
        position = position.play(line[-1])
    return line, position


rules_of_any_kind = st.builds(
    replace, st.sampled_from(sorted(PRESETS.values(), key=str)), reserve=st.integers(1, 24)
)
randoms = st.randoms(use_true_random=False)


def with_symbols(text: str, mark: str) -> str:
    """Gets a text with a symbol and a mark for each letter that stands for a suit."""
    symbols = dict(zip(SUIT_NAMES, SUIT_SYMBOLS, strict=True))
    return re.sub(r"(?<=[0-9TJQKA:])[CSHD]\b", lambda suit: symbols[suit[0]] + mark, text)


@given(randoms, rules_of_any_kind, st.integers(0, 200))
def test_the_text_of_a_position_reads_back(rng: random.Random, rules: Rules, moves: int) -> None:
    _, position = random_line(rng, random_deal(rng, rules), moves)
    deal = position.deal
    assert parse_table(str(deal)) == deal
    assert start(parse_table(str(deal)), rules) == position


@given(randoms, st.sampled_from(sorted(PRESETS)), st.integers(0, 40), st.integers(1, 8))
def test_the_text_of_a_late_position_reads_back(
    rng: random.Random, name: str, cards: int, reserve: int
) -> None:
    position = random_position(rng, replace(PRESETS[name], reserve=reserve), cards)
    assert start(parse_table(str(position)), position.rules) == position


@given(randoms, rules_of_any_kind, st.integers(0, 60))
def test_a_position_with_an_unknown_stock_reads_back(
    rng: random.Random, rules: Rules, moves: int
) -> None:
    _, position = random_line(rng, random_deal(rng, rules), moves)
    deal = replace(position.deal, stock=(), unseen=len(position.stock))
    assert parse_table(str(deal)) == deal
    guess = with_some_stock(deal, rules)
    check(guess)
    assert guess.legal_moves() == position.legal_moves()
    assert guess._replace(stock=()) == position._replace(stock=())
    if deal.unseen:
        with pytest.raises(ValueError, match=rf"the stock is unknown \({deal.unseen} cards\)"):
            start(deal, rules)


def test_the_text_has_a_line_for_each_kind_of_foundation_that_has_changed() -> None:
    assert TABLE.splitlines()[:5] == [
        "# Royal Rendezvous",
        "Upper: 2C AS AH 2D",
        "Reserve: TC 4H 6S KS 9S 9H 4D QC",
        "Reserve: QH 9C 3D JC 7H QD KC 6H",
        "Stock: QH 5C 8D KD 8S 5S 7D 7S JD 6C TD 4C 5D 8S 7D 6H TS 7C 4S",
    ]


def test_piles_of_a_line_may_come_in_any_order() -> None:
    turned = TABLE.replace("2C AS AH 2D", "2d AH\nAS 2C")
    assert parse_table(turned) == parse_table(TABLE)


def test_empty_foundations_are_gaps() -> None:
    rules = PRESETS["pysol"]
    position = start(deal_from_seed("100000"), rules).play(parse_move("F:deuce:C>upper"))
    text = str(position)
    assert "Upper: 2C AS AH AD\nDeuce: -- 2S 2H 2D\n" in text
    assert start(parse_table(text.replace("-- ", "")), rules) == position


def test_a_deal_turns_a_card_by_itself_where_the_rules_say_so() -> None:
    rules = PRESETS["pysol"]
    deal = deal_from_seed("100000")
    assert start(parse_table(str(deal)), rules) == start(deal, rules)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            "Upper: 2C",
            "Upper: 3C",
            "pos.txt:7: card 3C appears 2 times beside the foundations, expected 1",
        ),
        ("Upper: 2C", "Upper: AC", "pos.txt: 1 of the 91 cards missing: 2C"),
        ("AS AH 2D", "AS AH 2D 2C", "pos.txt:2: the upper pile of C is given twice"),
        ("Upper:", "Lower: 4C\nUpper:", "pos.txt:2: 4C can't be on the lower pile"),
        ("Upper:", "Deuce: 5C\nUpper:", "pos.txt:2: 5C can't be on the deuce pile"),
        ("Upper:", "King: QC\nUpper:", "pos.txt:2: QC can't be on the king pile"),
        ("TC 4H", "TC TC TC 4H", "pos.txt:3: card TC appears 3 times, expected 2"),
        ("TC 4H", "TC 4H AH", "pos.txt:3: AH is not dealt: it starts on a foundation"),
        ("TC 4H", "TC 4H 4H", "pos.txt:8: card 4H appears 3 times, expected 2"),
        ("Stock: QH", "Stock: QH --", "pos.txt:5: '--' is not a card"),
        ("Stock: QH", "Stock: 3 unknown\nStock: QH", "pos.txt:5: some stock cards are named"),
        ("Stock: QH", "Stock: unknown QH", "pos.txt:5: 'unknown' is not a card"),
        ("TC 4H", "4H", "pos.txt: 1 of the 90 cards missing: TC"),
    ],
)
def test_what_is_wrong_in_a_position_is_named(old: str, new: str, error: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_table(TABLE.replace(old, new, 1), "pos.txt")
    assert str(caught.value).startswith(error)


def test_unknown_cards_are_counted() -> None:
    text = TABLE.partition("Stock:")[0]
    assert parse_table(text + "Stock: 74 UNKNOWN").unseen == 74
    with pytest.raises(ValueError, match=r"^deal: 73 stock cards are unknown, but 74 cards are"):
        parse_table(text + "Stock: 73 unknown")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"reserve": (None, *START.reserve[1:]), "waste": START.reserve[:1]}, "has a gap while"),
        ({"foundations": (Foundations(13, 1, 2, 0), *START.deal.foundations[1:])}, "appears"),
    ],
)
def test_inconsistent_positions_are_refused(changes: dict[str, object], error: str) -> None:
    deal: Deal = replace(START.deal, **changes)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=error):
        check(start(deal, START.rules))


# Games


@given(randoms, st.sampled_from(sorted(PRESETS)), st.integers(0, 200))
def test_moves_read_back_from_notation_and_from_words(
    rng: random.Random, name: str, moves: int
) -> None:
    begin = random_deal(rng, PRESETS[name])
    line, _ = random_line(rng, begin, moves)
    for separator in (" ", "\n", ", ", "; ", ";"):
        assert parse_moves(separator.join(map(str, line))) == line
    for case in (str.upper, str.lower):
        assert parse_moves(" ".join(case(str(move)) for move in line)) == line
    spaced = [str(move).replace(">", " > ") for move in line]
    assert parse_moves("\n".join(spaced)) == line
    numbered = [f"{number}. {move}" for number, move in enumerate(line, 1)]
    assert parse_moves("\n".join(numbered)) == line
    words = list(solution(begin, line, colour=False))
    assert parse_moves("\n".join(["Deal 5: winnable", "", "Solution", *words])) == line
    assert parse_moves("\n".join(words).upper()) == line


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("deal\nfoo", "game.txt:2: 'foo' is not a move"),
        ("deal\n\n# hm\nR:1C>upper", "game.txt:4: 'R:1C>upper' is not a move"),
        (
            "1. reserve 2C to uper",
            "game.txt:1: 'uper' is not one of upper, lower, deuce, king",
        ),
        ("1. reserve 2X to upper", "game.txt:1: '2X' is not a card"),
        ("1. transfer 2C from upper to there", "game.txt:1: 'there' is not one of upper, "),
        ("Solution\n  1. dael 2C", "game.txt:2: 'dael' is not a move"),
        ("deal 2X", "game.txt:1: '2X' is not a move"),
    ],
)
def test_what_is_no_move_is_named(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_moves(text, "game.txt")
    assert str(caught.value).startswith(error)
    assert "\n" not in str(caught.value)


def test_moves_may_have_comments() -> None:
    assert parse_moves("\ufeff# my game\n deal,deal # two\r\n3. deal  7H\n\n") == [DEAL] * 3


@pytest.mark.parametrize("mark", ["", "\ufe0e"])
def test_symbols_as_on_a_terminal_or_a_page_are_read(mark: str) -> None:
    table = with_symbols(TABLE, mark)
    assert f"♥{mark}" in table
    assert parse_table(table) == parse_table(TABLE)
    begin = start(deal_from_seed("100000"), PRESETS["pysol"])
    line, _ = random_line(random.Random(1), begin, 60)
    assert {move.source for move in line} == set(Source)
    for moves in (map(str, line), solution(begin, line, colour=False)):
        text = with_symbols("\n".join(moves), mark)
        assert "C" not in text
        assert parse_moves(text) == line
