"""Moves and their notation, and small positions that show what each rules switch does."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.cards import RANKS, SUITS, card, card_name, parse_card, suit_of
from solver.game.deal import deal_from_seed
from solver.game.foundations import Foundations, Pile
from solver.game.moves import DEAL, Move, Source, parse_move, reserve_move, transfer, waste_move
from solver.game.position import IllegalMoveError, Position, cards_of, check, replay, start
from solver.game.rules import PRESETS, Dealing, Kings, Rules

EVERY_CARD = [card(rank, suit) for suit in SUITS for rank in RANKS]
EVERY_MOVE = [
    DEAL,
    *(reserve_move(number, pile) for number in EVERY_CARD for pile in Pile),
    *(waste_move(number, pile) for number in EVERY_CARD for pile in Pile),
    *(transfer(suit, one, other) for suit in SUITS for one in Pile for other in Pile),
]
TWO_DECKS = Counter(EVERY_CARD * 2)
NEW = Foundations()
FREE = Rules()
STUCK = Rules(deal=Dealing.STUCK)
MOVING = Rules(transfers=True)
AUTO = Rules(auto_deal=True)
EVERY_KINGS = {kings: Rules(kings=kings) for kings in Kings}


def table(
    rules: Rules = FREE,
    clubs: Foundations = NEW,
    reserve: str = "",
    waste: str = "",
    stock: str = "",
) -> Position:
    """Gets a position from names of cards; ``--`` is a gap."""
    return Position(
        rules,
        tuple(None if name == "--" else parse_card(name) for name in reserve.split()),
        tuple(map(parse_card, waste.split())),
        tuple(map(parse_card, stock.split())),
        (clubs, NEW, NEW, NEW),
    )


def legal(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves()}


def after(position: Position, *moves: str) -> Position:
    return replay(position, map(parse_move, moves))


def names(cards: Iterable[int | None]) -> str:
    return " ".join("--" if card is None else card_name(card) for card in cards)


def test_the_notation_is_that_of_the_rules() -> None:
    three, deuce = parse_card("3D"), parse_card("2C")
    assert str(DEAL) == "deal"
    assert str(reserve_move(three, Pile.UPPER)) == "R:3D>upper"
    assert str(waste_move(deuce, Pile.LOWER)) == "W:2C>lower"
    assert str(transfer(suit_of(deuce), Pile.UPPER, Pile.LOWER)) == "F:upper:C>lower"


def test_every_move_reads_back() -> None:
    texts = [str(move) for move in EVERY_MOVE]
    assert [parse_move(text) for text in texts] == EVERY_MOVE
    assert len(set(texts)) == 1 + 2 * 52 * 4 + 4 * 4 * 4


def test_a_card_in_a_move_may_be_written_otherwise() -> None:
    assert parse_move("R:10h>upper") == parse_move("R:TH>upper")
    assert parse_move("W:2c>deuce") == parse_move("W:2C>deuce")


@given(st.sampled_from(EVERY_MOVE), st.randoms(use_true_random=False))
def test_a_move_reads_in_any_case(move: Move, rng: random.Random) -> None:
    text = "".join(rng.choice([letter.lower(), letter.upper()]) for letter in str(move))
    assert parse_move(text) == move


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "deal ", " deal", "dealt", "deal>upper", "deal:3D>upper", "stock:3D>upper"],
        *["R", "R:", "R:3D", "R>upper", "R:>upper", "3D>upper", ":3D>upper", "R3D>upper"],
        *["R:3D>", "R:3D>reserve", "R:3D>upper ", "R:3D> upper", "R:3D >upper"],
        *["R:3D>upper>lower", "R:1D>upper", "R:3X>upper", "R:3D:3D>upper"],
        *["X:3D>upper", "W:>lower", "W:2C<lower", "W:2C", "RW:2C>lower"],
        *["F:C>lower", "F:upper>lower", "F:upper:>lower", "F:upper:X>lower", "F:upper:CC>lower"],
        *["F:upper:3C>lower", "F::C>lower", "F:waste:C>lower", "F:upper:C>", "F:upper:C:C>lower"],
        *["deal\n", "R:3D>upper\n", "R:3D>upper\0"],
    ],
)
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="is not a move") as caught:
        parse_move(text)
    assert repr(text) in str(caught.value)
    assert not isinstance(caught.value, IllegalMoveError)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.sampled_from(EVERY_MOVE), st.data())
def test_a_move_with_one_character_changed_is_what_it_says(move: Move, data: st.DataObject) -> None:
    text = str(move)
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 1))
    text = text[:at] + data.draw(st.text("RWFCSHD0123TJ:> adeu", max_size=1)) + text[at + cut :]
    try:
        again = str(parse_move(text))
    except ValueError:
        return
    assert again.upper() == text.upper().replace("10", "T")


@pytest.mark.parametrize(
    ("position", "move"),
    [
        # deals
        (table(), "deal"),
        (table(waste="3C"), "deal"),
        (table(STUCK, reserve="2C", stock="9C"), "deal"),
        # from the reserve
        (table(reserve="4C"), "R:4C>upper"),
        (table(reserve="3C"), "R:3C>upper"),
        (table(reserve="2C"), "R:2C>lower"),
        (table(reserve="2C"), "R:2C>deuce"),
        (table(reserve="2C"), "R:2C>king"),
        (table(reserve="2C"), "R:2S>upper"),
        (table(reserve="2S"), "R:2C>upper"),
        (table(reserve="-- --"), "R:2C>upper"),
        (table(reserve="4C", waste="2C", stock="2S"), "R:2C>upper"),
        (table(reserve="4C", stock="2C"), "R:2C>upper"),
        # from the waste
        (table(waste="2C 9C"), "W:2C>upper"),
        (table(waste="4C"), "W:4C>upper"),
        (table(waste="3C"), "W:3C>deuce"),
        (table(stock="2C"), "W:2C>upper"),
        (table(reserve="2C", waste="9C"), "W:2C>upper"),
        # aces have been played, and nothing goes onto a king
        (table(reserve="AC"), "R:AC>upper"),
        (table(reserve="AC"), "R:AC>king"),
        (table(reserve="2C", clubs=Foundations(13, 13, 12)), "R:2C>upper"),
        (table(reserve="2C", clubs=Foundations(13, 13, 12)), "R:2C>deuce"),
        # transfers
        (table(clubs=Foundations(upper=3)), "F:upper:C>lower"),
        (table(MOVING, Foundations(upper=3)), "F:upper:C>deuce"),
        (table(MOVING, Foundations(upper=3)), "F:upper:S>lower"),
        (table(MOVING, Foundations(upper=3)), "F:upper:C>upper"),
        (table(MOVING, Foundations(upper=3)), "F:lower:C>upper"),
        (table(MOVING, Foundations(upper=3)), "F:king:C>lower"),
        (table(MOVING, Foundations(upper=4)), "F:upper:C>lower"),
        (table(MOVING, Foundations(deuce=0)), "F:deuce:C>upper"),
    ],
)
def test_an_illegal_move_is_refused(position: Position, move: str) -> None:
    assert move not in legal(position)
    assert not position.is_legal(parse_move(move))
    with pytest.raises(IllegalMoveError) as caught:
        position.play(parse_move(move))
    assert move in str(caught.value)


@pytest.mark.parametrize(
    "move",
    [
        Move(Source.STOCK, parse_card("2C")),
        Move(Source.STOCK, parse_card("2C"), Pile.UPPER),
        Move(Source.RESERVE),
        Move(Source.RESERVE, parse_card("2C")),
        Move(Source.RESERVE, None, Pile.UPPER),
        Move(Source.RESERVE, parse_card("2C"), Pile.UPPER, Pile.DEUCE),
        Move(Source.WASTE),
        Move(Source.WASTE, parse_card("2S"), Pile.UPPER, Pile.DEUCE),
        Move(Source.FOUNDATION),
        Move(Source.FOUNDATION, parse_card("AC"), Pile.LOWER),
        Move(Source.FOUNDATION, parse_card("3C"), Pile.LOWER, Pile.UPPER),
    ],
)
def test_a_malformed_move_is_refused(move: Move) -> None:
    position = table(MOVING, Foundations(upper=3), reserve="2C", waste="2S", stock="9C")
    with pytest.raises(IllegalMoveError):
        position.play(move)


def test_an_illegal_move_is_a_value_error() -> None:
    assert issubclass(IllegalMoveError, ValueError)


@pytest.mark.parametrize(
    ("moves", "number", "bad"),
    [
        (["R:3C>lower"], 1, "R:3C>lower"),
        (["deal", "deal", "deal"], 3, "deal"),
        (["R:2C>upper", "R:3C>upper", "W:9C>upper", "W:9C>upper"], 3, "W:9C>upper"),
    ],
)
def test_replay_names_the_first_illegal_move(moves: list[str], number: int, bad: str) -> None:
    position = table(reserve="2C", stock="3C 9C")
    with pytest.raises(IllegalMoveError, match=rf"^move {number}: '{bad}' is not legal"):
        after(position, *moves)


def test_replay_of_no_moves_changes_nothing() -> None:
    assert replay(table(reserve="2C"), []) == table(reserve="2C")


@pytest.mark.parametrize(
    ("kings", "upper", "lower", "spot", "piles"),
    [
        (Kings.FREE, 12, 11, 0, "upper lower"),
        (Kings.FREE, 12, 9, 0, "upper"),
        (Kings.FREE, 11, 11, 0, "lower"),
        (Kings.FREE, 11, 9, 0, ""),
        (Kings.LOWER_FIRST, 12, 11, 0, "lower"),
        (Kings.LOWER_FIRST, 12, 9, 0, ""),
        (Kings.LOWER_FIRST, 12, 13, 0, "upper"),
        (Kings.LOWER_FIRST, 11, 13, 0, ""),
        (Kings.SPOT, 12, 11, 0, "lower king"),
        (Kings.SPOT, 12, 11, 1, "lower"),
        (Kings.SPOT, 12, 13, 0, "king"),
        (Kings.SPOT, 1, 1, 0, "king"),
        (Kings.SPOT, 1, 1, 1, ""),
        (Kings.UPPER_OR_SPOT, 12, 11, 0, "upper king"),
        (Kings.UPPER_OR_SPOT, 12, 11, 1, "upper"),
        (Kings.UPPER_OR_SPOT, 13, 11, 0, "king"),
        (Kings.UPPER_OR_SPOT, 1, 1, 0, "king"),
        (Kings.UPPER_OR_SPOT, 1, 1, 1, ""),
    ],
)
def test_a_king_goes_where_the_switch_says(
    kings: Kings, upper: int, lower: int, spot: int, piles: str
) -> None:
    position = table(EVERY_KINGS[kings], Foundations(upper, lower, 12, spot), "KC", "KC")
    expected = {f"{source}:KC>{pile}" for source in "RW" for pile in piles.split()}
    assert legal(position) == expected


@pytest.mark.parametrize("kings", Kings)
def test_below_the_king_all_rules_agree(kings: Kings) -> None:
    rules = EVERY_KINGS[kings]
    for rank in range(2, 13):
        at_upper = Foundations(upper=rank - 1)
        for other in range(1, 14):
            assert at_upper.takes(Pile.UPPER, other, rules) == (other == rank)
    for top in (1, 3, 5, 7, 9):
        takes = [rank for rank in RANKS if Foundations(lower=top).takes(Pile.LOWER, rank, rules)]
        assert takes == [top + 2]
    for top in (0, 2, 4, 6, 8, 10, 12):
        takes = [rank for rank in RANKS if Foundations(deuce=top).takes(Pile.DEUCE, rank, rules)]
        assert takes == [rank for rank in [top + 2] if rank <= 12]


@pytest.mark.parametrize("kings", Kings)
def test_full_foundations_hold_each_card_twice(kings: Kings) -> None:
    rules = EVERY_KINGS[kings]
    full = Foundations(rules.upper_top, rules.lower_top, 12, rules.king_spots)
    assert Counter(full.cards()) == Counter(RANKS * 2)
    assert full.size() == len(full.cards()) == 26
    assert not any(full.takes(pile, rank, rules) for pile in Pile for rank in RANKS)


def test_deal_any_lets_a_playable_reserve_card_wait() -> None:
    position = table(reserve="2C", stock="9C")
    assert legal(position) == {"R:2C>upper", "deal"}


def test_deal_stuck_makes_reserve_cards_go_first() -> None:
    position = table(STUCK, reserve="2C", stock="9C 8C")
    assert legal(position) == {"R:2C>upper"}
    assert legal(after(position, "R:2C>upper")) == {"deal"}


def test_deal_stuck_leaves_the_waste_top_free_to_wait() -> None:
    position = table(STUCK, reserve="9C", waste="2C", stock="8C")
    assert legal(position) == {"W:2C>upper", "deal"}


def test_deal_stuck_lets_the_waste_top_be_played_while_it_forbids_to_deal() -> None:
    position = table(STUCK, reserve="2C", waste="2S", stock="8C")
    assert legal(position) == {"R:2C>upper", "W:2S>upper"}


def test_deal_stuck_does_not_ask_for_transfers_first() -> None:
    position = table(replace(STUCK, transfers=True), Foundations(3), reserve="9C", stock="8C")
    assert "deal" in legal(position)
    assert "F:upper:C>lower" in legal(position)


@pytest.mark.parametrize("rules", [FREE, STUCK])
def test_the_stock_is_dealt_once(rules: Rules) -> None:
    position = after(table(rules, reserve="9C", stock="8C 7C"), "deal", "deal")
    assert names(position.waste) == "8C 7C"
    assert legal(position) == set()


def test_play_goes_on_after_the_last_deal() -> None:
    position = after(table(reserve="9C", stock="3C 2C"), "deal", "deal", "W:2C>upper")
    assert legal(position) == {"W:3C>upper", "W:3C>lower"}


@pytest.mark.parametrize(
    ("clubs", "moves"),
    [
        (Foundations(), "deuce>upper"),
        (Foundations(upper=2), ""),
        (Foundations(upper=2, deuce=0), "upper>deuce"),
        (Foundations(upper=3), "upper>lower"),
        (Foundations(upper=2, lower=3), "lower>upper"),
        (Foundations(upper=3, lower=3), ""),
        (Foundations(upper=3, deuce=4), "upper>lower deuce>upper"),
        (Foundations(upper=4, lower=3), "upper>deuce"),
        (Foundations(12, 13, 12), "lower>upper"),
        (Foundations(13, 11, 12), "upper>lower"),
        (Foundations(13, 13, 12), ""),
    ],
)
def test_transfers_go_where_the_card_fits(clubs: Foundations, moves: str) -> None:
    others = {f"F:deuce:{suit}>upper" for suit in "SHD"}
    expected = {"F:{}:C>{}".format(*move.split(">")) for move in moves.split()}
    assert legal(table(MOVING, clubs)) == others | expected
    assert legal(table(FREE, clubs)) == set()


def test_a_transfer_moves_one_card() -> None:
    position = after(table(MOVING, Foundations(upper=5, lower=3)), "F:upper:C>lower")
    assert position.foundations == (Foundations(upper=4, lower=5), NEW, NEW, NEW)


def test_the_deuce_pile_is_emptied_and_filled_again() -> None:
    position = after(table(MOVING, reserve="2C 4C"), "F:deuce:C>upper")
    assert position.foundations[0] == Foundations(upper=2, deuce=0)
    assert not position.is_legal(parse_move("R:4C>deuce"))
    refilled = after(position, "R:2C>deuce", "R:4C>deuce")
    assert refilled.foundations[0] == Foundations(upper=2, deuce=4)
    assert after(position, "F:upper:C>deuce") == table(MOVING, reserve="2C 4C")


@pytest.mark.parametrize(
    ("kings", "clubs", "moves"),
    [
        (Kings.UPPER_OR_SPOT, Foundations(12, 11, 12, 1), {"F:king:C>upper"}),
        (Kings.UPPER_OR_SPOT, Foundations(13, 11, 12, 0), {"F:upper:C>king"}),
        (Kings.UPPER_OR_SPOT, Foundations(13, 11, 12, 1), set()),
        (Kings.SPOT, Foundations(12, 11, 12, 1), {"F:king:C>lower"}),
        (Kings.SPOT, Foundations(12, 13, 12, 0), {"F:lower:C>king"}),
    ],
)
def test_a_king_may_leave_its_spot(kings: Kings, clubs: Foundations, moves: set[str]) -> None:
    position = table(replace(MOVING, kings=kings), clubs)
    assert {move for move in legal(position) if ":C>" in move} == moves


def test_lower_first_keeps_the_lower_king_down() -> None:
    clubs = Foundations(upper=12, lower=13, deuce=12)
    lower_first = table(replace(MOVING, kings=Kings.LOWER_FIRST), clubs)
    assert "F:lower:C>upper" not in legal(lower_first)
    assert "F:lower:C>upper" in legal(table(MOVING, clubs))


def test_auto_deal_turns_a_card_at_the_start() -> None:
    deal = deal_from_seed("1")
    turned = start(deal, AUTO)
    assert (turned.waste, turned.stock) == (deal.stock[:1], deal.stock[1:])
    usual = start(deal, FREE)
    assert (usual.waste, usual.stock) == ((), deal.stock)


def test_auto_deal_turns_a_card_after_the_waste_is_played() -> None:
    table_of = {rules: table(rules, waste="2C", stock="9C 8C") for rules in (FREE, AUTO)}
    played = {rules: after(before, "W:2C>upper") for rules, before in table_of.items()}
    assert (names(played[AUTO].waste), names(played[AUTO].stock)) == ("9C", "8C")
    assert (names(played[FREE].waste), names(played[FREE].stock)) == ("", "9C 8C")


def test_auto_deal_turns_a_card_after_the_waste_filled_a_gap() -> None:
    position = after(table(AUTO, reserve="2C", waste="9C", stock="8C 7C"), "R:2C>upper")
    assert (names(position.reserve), names(position.waste)) == ("9C", "8C")
    assert names(position.stock) == "7C"


def test_auto_deal_leaves_the_waste_empty_after_the_last_card() -> None:
    assert after(table(AUTO, waste="2C"), "W:2C>upper").waste == ()
    assert after(table(AUTO, reserve="2C", waste="9C"), "R:2C>upper").waste == ()


def test_auto_deal_turns_nothing_while_the_waste_has_a_card() -> None:
    position = after(table(AUTO, waste="9C 2C", stock="8C"), "W:2C>upper")
    assert (names(position.waste), names(position.stock)) == ("9C", "8C")


def test_the_player_may_deal_on_top_of_an_automatic_card() -> None:
    position = after(table(AUTO, waste="9C", stock="8C 7C"), "deal")
    assert (names(position.waste), names(position.stock)) == ("9C 8C", "7C")


@pytest.mark.parametrize("rules", [FREE, STUCK, MOVING])
def test_a_gap_is_filled_from_the_top_of_the_waste(rules: Rules) -> None:
    position = after(table(rules, reserve="9C 2C 8C", waste="6C 5C", stock="TC"), "R:2C>upper")
    assert names(position.reserve) == "9C 5C 8C"
    assert (names(position.waste), names(position.stock)) == ("6C", "TC")


def test_a_gap_is_filled_from_the_stock_when_the_waste_is_empty() -> None:
    position = after(table(reserve="9C 2C 8C", stock="TC JC"), "R:2C>upper")
    assert names(position.reserve) == "9C TC 8C"
    assert (names(position.waste), names(position.stock)) == ("", "JC")


def test_a_gap_stays_when_waste_and_stock_are_empty() -> None:
    position = after(table(reserve="3C 2C"), "R:2C>upper")
    assert names(position.reserve) == "3C --"
    assert names(after(position, "R:3C>lower").reserve) == "-- --"


def test_nothing_else_fills_a_gap() -> None:
    position = table(reserve="9C --", waste="8C", stock="7C")
    assert names(after(position, "deal").reserve) == "9C --"


def test_one_of_two_copies_leaves_the_reserve() -> None:
    position = table(reserve="9C 3C 3C", clubs=Foundations(upper=2))
    assert [str(move) for move in position.legal_moves()] == ["R:3C>lower", "R:3C>upper"]
    assert names(after(position, "R:3C>upper").reserve).split().count("3C") == 1


def test_the_last_card_wins() -> None:
    position = table(reserve="-- KC", clubs=Foundations(12, 13, 12))
    assert not position.is_won
    assert after(position, "R:KC>upper").is_won
    assert not table(waste="KC", clubs=Foundations(12, 13, 12)).is_won
    assert not table(stock="KC", clubs=Foundations(12, 13, 12)).is_won


@pytest.mark.parametrize("reserve", [1, 15, 17])
def test_a_deal_of_another_size_is_refused(reserve: int) -> None:
    with pytest.raises(ValueError, match=f"has {reserve} reserve cards, the rules say 16"):
        start(deal_from_seed("1", reserve), FREE)


DONE = Foundations(13, 13, 12)
KINGS_LEFT = Foundations(12, 11, 12)


def ending(
    rules: Rules, clubs: Foundations, reserve: str, waste: str = "", stock: str = ""
) -> Position:
    """Gets a position near the end of a game, as ``table``, with all other suits done."""
    other = Foundations(rules.upper_top, rules.lower_top, 12, rules.king_spots)
    rules = replace(rules, reserve=max(len(reserve.split()), 1))
    position = table(rules, clubs, reserve, waste, stock)
    return position._replace(foundations=(clubs, other, other, other))


@pytest.mark.parametrize(
    "position",
    [
        ending(FREE, DONE, "--"),
        ending(FREE, KINGS_LEFT, "KC", "KC"),
        ending(FREE, KINGS_LEFT, "KC", stock="KC"),
        ending(FREE, Foundations(13, 11, 12), "-- KC"),
        ending(AUTO, Foundations(11, 11, 12), "QC", "KC", "KC"),
        ending(MOVING, Foundations(13, 13, 0), "2C 4C 6C", "8C TC QC"),
        ending(EVERY_KINGS[Kings.LOWER_FIRST], Foundations(12, 13, 12), "KC"),
        ending(EVERY_KINGS[Kings.SPOT], Foundations(12, 11, 12, 1), "KC"),
        ending(EVERY_KINGS[Kings.UPPER_OR_SPOT], Foundations(12, 11, 12, 1), "KC"),
    ],
)
def test_a_position_of_a_game_is_accepted(position: Position) -> None:
    check(position)


@pytest.mark.parametrize(
    ("position", "wrong"),
    [
        (ending(FREE, KINGS_LEFT, "KC"), "KC appears 1 times, expected 2"),
        (ending(FREE, KINGS_LEFT, "KC KC KC"), "KC appears 3 times, expected 2"),
        (ending(FREE, DONE, "KC"), "KC appears 3 times"),
        (ending(FREE, KINGS_LEFT, "KC", "QC"), "QC appears 3 times"),
        (ending(FREE, Foundations(11, 11, 12), "KC", "KC"), "QC appears 1 times"),
        (ending(FREE, Foundations(13, 12, 12), "KC"), "lower pile of C can't be at 12"),
        (ending(FREE, Foundations(14, 11, 12), "KC"), "upper pile of C can't be at 14"),
        (ending(FREE, Foundations(0, 13, 12), "KC"), "upper pile of C can't be at 0"),
        (ending(FREE, Foundations(13, 13, 11), "QC"), "deuce pile of C can't be at 11"),
        (ending(FREE, Foundations(12, 11, 12, 1), "KC"), "king pile of C can't be at 1"),
        (ending(EVERY_KINGS[Kings.SPOT], Foundations(13, 11, 12), "KC"), "upper pile of C"),
        (ending(EVERY_KINGS[Kings.UPPER_OR_SPOT], Foundations(12, 13, 12), "KC"), "lower pile"),
        (ending(EVERY_KINGS[Kings.LOWER_FIRST], Foundations(13, 11, 12), "KC"), "king before"),
        (ending(FREE, KINGS_LEFT, "--", "KC KC"), "gap"),
        (ending(FREE, KINGS_LEFT, "KC --", stock="KC"), "gap"),
        (ending(AUTO, KINGS_LEFT, "KC", stock="KC"), "waste is empty"),
        (start(deal_from_seed("1", 8), replace(FREE, reserve=8))._replace(rules=FREE), "8 slots"),
    ],
)
def test_a_position_of_no_game_is_refused(position: Position, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        check(position)


def test_only_transfers_empty_a_deuce_pile() -> None:
    with pytest.raises(ValueError, match="deuce pile of C"):
        check(ending(FREE, Foundations(13, 13, 0), "2C 4C 6C", "8C TC QC"))


@pytest.mark.parametrize("preset", PRESETS)
def test_random_playouts_keep_all_cards_and_only_build_up(preset: str) -> None:
    for number in range(300):
        rng = random.Random(number)
        rules = replace(PRESETS[preset], reserve=1 + number % 24)
        position = start(deal_from_seed(str(50_000 + number), rules.reserve), rules)
        plays = 0
        while plays < 120 and (moves := position.legal_moves()):
            # Those still legal are played too: listing them is what takes long.
            for move in rng.sample(moves, len(moves)):
                if position.is_legal(move):
                    before, position, plays = position, position.play(move), plays + 1
                    assert_built_up(before, move, position)
        assert plays >= 60
        assert cards_of(position) == TWO_DECKS
        check(position)


def assert_built_up(before: Position, move: Move, position: Position) -> None:
    """Asserts that one foundation grew by a card, or a card changed its foundation."""
    changes = [
        (suit, pile, position.foundations[suit].top(pile) - before.foundations[suit].top(pile))
        for suit in SUITS
        if position.foundations[suit] is not before.foundations[suit]
        for pile in Pile
        if position.foundations[suit].top(pile) != before.foundations[suit].top(pile)
    ]
    if move.card is None:
        assert changes == []
        assert len(position.stock) < len(before.stock)
        return
    grown = [(suit, pile) for suit, pile, change in changes if change > 0]
    assert grown == [(suit_of(move.card), move.pile)]
    shrunk = [(suit, pile) for suit, pile, change in changes if change < 0]
    assert shrunk == ([(suit_of(move.card), move.from_pile)] if move.from_pile else [])


@pytest.mark.parametrize("preset", PRESETS)
def test_the_moves_listed_are_those_that_are_legal(preset: str) -> None:
    rng = random.Random(1)
    for number in range(2):
        position = start(deal_from_seed(str(60_000 + number)), PRESETS[preset])
        for _ in range(80):
            moves = position.legal_moves()
            assert moves == sorted(filter(position.is_legal, EVERY_MOVE), key=str)
            if not moves:
                break
            position = position.play(rng.choice(moves))
            assert cards_of(position) == TWO_DECKS
            check(position)
