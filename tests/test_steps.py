"""Lines of play step by step, and the table as text, against the positions of ``game.position``."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from solver.game.cards import SUITS, Card, card, card_name, parse_card
from solver.game.deal import deal_from_seed
from solver.game.foundations import Pile
from solver.game.moves import DEAL, Move, Source, parse_move
from solver.game.position import IllegalMoveError, Position, start
from solver.game.rules import PRESETS
from solver.game.steps import Step, in_words, steps_of
from solver.show.table_text import as_text, table

SIZES = (1, 12, 16, 24)


def playout(seed: str, preset: str, reserve: int = 16) -> tuple[Position, list[Move]]:
    """Gets the start of a deal and random legal moves from there, until there is none or 200."""
    position = begin = start(
        deal_from_seed(seed, reserve), replace(PRESETS[preset], reserve=reserve)
    )
    draw = random.Random(f"{seed} {preset} {reserve}")
    moves: list[Move] = []
    while (legal := position.legal_moves()) and len(moves) < 200:
        moves.append(draw.choice(legal))
        position = position.play(moves[-1])
    return begin, moves


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("reserve", SIZES)
def test_steps_are_the_positions_of_the_game(preset: str, reserve: int) -> None:
    position, moves = playout("100000", preset, reserve)
    first, *steps = steps_of(position, moves)
    assert first == Step(position)
    assert [step.move for step in steps] == moves
    for step in steps:
        assert step.move is not None
        position = position.play(step.move)
        assert step.position == position


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("reserve", SIZES)
def test_a_step_says_which_cards_moved(preset: str, reserve: int) -> None:
    steps = steps_of(*playout("100001", preset, reserve))
    for before, step in pairwise(steps):
        assert step.move is not None
        assert step.moved is not None
        if step.move.pile is not None:
            assert on_top(step.position, step.moved, step.move.pile)
        if step.move.from_pile is not None:
            assert on_top(before.position, step.moved, step.move.from_pile)
        if step.move.source is not Source.RESERVE:
            assert (step.slot, step.filler) == (None, None)
            assert step.position.reserve == before.position.reserve
        check_waste(before.position, step)


def check_waste(before: Position, step: Step) -> None:
    """Follows the cards of the waste and the stock through a step."""
    waste, stock = [*before.waste], [*before.stock]
    if step.move == DEAL:
        waste.append(stock.pop(0))
        assert step.moved == waste[-1]
    elif step.move is not None and step.move.source is Source.WASTE:
        assert step.moved == waste.pop()
    elif step.slot is not None:
        assert step.moved == before.reserve[step.slot]
        filler = waste.pop() if waste else stock.pop(0) if stock else None
        assert step.filler == filler
        reserve = [*before.reserve]
        reserve[step.slot] = filler
        assert step.position.reserve == tuple(reserve)
    if step.turned:
        assert waste == []
        waste.append(stock.pop(0))
    assert (step.position.waste, step.position.stock) == (tuple(waste), tuple(stock))


def on_top(position: Position, which: Card, pile: Pile) -> bool:
    return any(card(position.foundations[suit].top(pile), suit) == which for suit in SUITS)


def test_the_first_illegal_move_is_named() -> None:
    position, moves = playout("100000", "wikipedia")
    moves[5] = parse_move("R:KC>king")
    with pytest.raises(IllegalMoveError, match=r"^move 6: 'R:KC>king' is not legal here$"):
        steps_of(position, moves)


def words(step: Step) -> str:
    return " ".join(in_words(step, card_name).split())


def test_a_move_in_words() -> None:
    position = start(deal_from_seed("100000"), PRESETS["wikipedia"])
    moves = [DEAL, *map(parse_move, ["R:2C>upper", "R:2D>upper"]), DEAL]
    assert [words(step) for step in steps_of(position, moves)[1:]] == [
        "deal 7H",
        "reserve 2C to upper; 7H fills the gap",
        "reserve 2D to upper; KS fills the gap",
        "deal QH",
    ]


def test_a_card_that_turns_by_itself_and_a_transfer_in_words() -> None:
    position = start(deal_from_seed("100000"), PRESETS["pysol"])
    moves = map(parse_move, ["R:2C>upper", "R:KC>king", "F:upper:C>deuce", "F:deuce:C>upper"])
    steps = steps_of(position, [*moves][:2])
    assert [words(step) for step in steps[1:]] == [
        "reserve 2C to upper; 7H fills the gap; KS turns by itself",
        "reserve KC to king; KS fills the gap; QH turns by itself",
    ]
    steps = steps_of(position, map(parse_move, ["F:deuce:C>upper", "F:upper:C>deuce"]))
    assert [words(step) for step in steps[1:]] == [
        "transfer 2C from deuce to upper",
        "transfer 2C from upper to deuce",
    ]


def test_the_start_has_no_words() -> None:
    position, _ = playout("100000", "wikipedia")
    with pytest.raises(ValueError, match="no move"):
        in_words(Step(position), card_name)


# The table as text


def read(lines: list[str]) -> dict[str, list[str]]:
    """Gets the piles of a drawn table: the words of each, marks included."""
    piles: dict[str, list[str]] = {}
    for line in lines:
        label, rest = line[:8].strip(), line[8:]
        if label:
            pile = piles.setdefault(label, [])
        pile += [rest[i : i + 4] for i in range(0, len(rest), 4)]
    return piles


def cards_in(cells: list[str]) -> Iterator[Card | None]:
    for cell in cells:
        name = cell[1:3]
        yield None if name == "--" else parse_card(name)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("width", [12, 30, 80, 400])
def test_the_table_shows_every_pile(preset: str, width: int) -> None:
    for step in steps_of(*playout("100002", preset)):
        lines = [as_text(line) for line in table(step, card_name, width)]
        assert max(map(len, lines)) <= width
        piles = read(lines)
        position = step.position
        stock = "".join(piles["Stock"]).strip()
        assert int(stock) == len(position.stock)
        assert tuple(cards_in(piles["Reserve"])) == position.reserve
        assert tuple(cards_in(piles["Waste"])) == position.waste
        for pile in Pile:
            if pile is Pile.KING and not position.rules.king_spots:
                assert "King" not in piles
                continue
            tops = [position.foundations[suit].top(pile) for suit in SUITS]
            assert list(cards_in(piles[pile.capitalize()])) == [
                card(top, suit) if top else None for top, suit in zip(tops, SUITS, strict=True)
            ]


@pytest.mark.parametrize("preset", PRESETS)
def test_marks_are_on_the_cards_of_the_step(preset: str) -> None:
    for step in steps_of(*playout("100003", preset)):
        piles = read([as_text(line) for line in table(step, card_name)])
        marked = [
            (label, cell)
            for label, cells in piles.items()
            for cell in cells
            if cell[0] in "[(" and label != "Stock"
        ]
        expected = set()
        if step.move and step.moved is not None:
            label = step.move.pile.capitalize() if step.move.pile else "Waste"
            expected.add((label, f"[{card_name(step.moved)}]"))
        if step.filler is not None:
            expected.add(("Reserve", f"({card_name(step.filler)})"))
        if step.turned:
            expected.add(("Waste", f"({card_name(step.position.waste[-1])})"))
        assert len(marked) == len(expected)
        assert set(marked) == expected
