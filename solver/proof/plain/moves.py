"""The successors of a state, for the plain checker: each form of the game (``docs/proofs.md``).

A *hand* is the multiset of the cards that are neither in the stock, nor on the waste, nor on a
foundation: for the real moves the reserve, else the released cards that are not counted as played.
"""

from collections.abc import Iterator

from ..claim import BYTES_PER_STATE, Form, check_memory, pack, unpack
from .table import Table, played


def successors(table: Table, key: int) -> Iterator[int]:
    """Gets the keys of the states that must be in a proof if a state is expanded."""
    state = unpack(key)
    moves = {Form.CREDIT: _credit_moves, Form.PLAIN: _real_moves, Form.RELAXED: _relaxed_moves}
    return moves[table.form](table, *state, _hand(table, *state))


def relaxed_state(table: Table, key: int) -> int:
    """Gets the state of the relaxed game, given its table, that proves a state lost if it is."""
    dealt, waste, f = unpack(key)
    rest = waste and waste ^ 1 << waste.bit_length() - 1
    return _settled(table, dealt, rest, f, _hand(table, dealt, rest, f))


def _hand(table: Table, dealt: int, waste: int, f: int) -> int:
    return table.known[dealt] - played(table.lanes_of(f)) - table.waste_cards(waste)


def _credit_moves(table: Table, dealt: int, waste: int, f: int, hand: int) -> Iterator[int]:
    """Deal; pop for one credit; or, where there is none, commit one card and pop."""
    if dealt < table.size:
        yield _settled(table, dealt + 1, table.pushed(dealt, waste), f, hand)
    if not waste:
        return
    place = waste.bit_length() - 1
    top = 1 << 2 * table.stock[place]
    rest = waste ^ 1 << place
    if table.credit(dealt, waste, f) > 0:
        yield _settled(table, dealt, rest, f, hand + top)
    else:
        yield from _committed(table, dealt, rest, f, hand + top)


def _relaxed_moves(table: Table, dealt: int, waste: int, f: int, hand: int) -> Iterator[int]:
    """Deal into the hand; or take the top, after plays that are made for it, in any order."""
    if dealt < table.size:
        yield _settled(table, dealt + 1, waste, f, hand + (1 << 2 * table.stock[dealt]))
    met = {f}
    waiting = [f]
    while waiting:
        for after in _relaxed_plays(table, dealt, waste, waiting.pop()):
            _, left, f = unpack(after)
            if left != waste:
                yield after
            elif f not in met:
                met.add(f)
                waiting.append(f)
        check_memory(len(met) * BYTES_PER_STATE, table.memory)


def _relaxed_plays(table: Table, dealt: int, waste: int, f: int) -> Iterator[int]:
    """Gets what follows one more play; the last one before a take may be that of the top itself."""
    place = waste.bit_length() - 1
    top = 1 << 2 * table.stock[place]
    hand = _hand(table, dealt, waste, f)
    credit = table.credit(dealt, waste, f)
    if credit + _most_plays(table, f, hand + top) <= 0:
        return  # the take is out of reach
    if credit == 0:
        waste ^= 1 << place
        hand += top
    yield from _committed(table, dealt, waste, f, hand)


def _most_plays(table: Table, f: int, cards: int) -> int:
    return sum(
        table.most_plays(f >> 16 * suit & 0xFFFF, cards >> 32 * suit & 0xFFFFFFFF)
        for suit in range(4)
    )


def _committed(table: Table, dealt: int, waste: int, f: int, hand: int) -> Iterator[int]:
    """Gets what follows if one card in hand is played."""
    for suit, lane in enumerate(table.lanes_of(f)):
        for rank, after in lane.commits.items():
            card = 1 << 2 * (16 * suit + rank)
            if hand & 3 * card:
                for code in after:
                    yield _settled(table, dealt, waste, _with_lane(f, suit, code), hand - card)


def _settled(table: Table, dealt: int, waste: int, f: int, hand: int) -> int:
    """Gets the key of the state after all settled cards are counted and all free pops made.

    The first settled card goes first, by suit and rank; a free pop waits until no card is settled.
    """
    while True:
        settled = _one_settled(table, f, hand)
        if settled:
            hand -= settled[0]
            f = settled[1]
            continue
        if not waste or not _leaves(table, dealt, waste, f, hand):
            return pack(dealt, waste, f)
        place = waste.bit_length() - 1
        waste ^= 1 << place
        hand += 1 << 2 * table.stock[place]


def _leaves(table: Table, dealt: int, waste: int, f: int, hand: int) -> bool:
    """Whether the top leaves at once: in a free pop, or in the relaxed game for a credit."""
    if table.form is Form.RELAXED:
        return table.credit(dealt, waste, f) > 0
    card = table.stock[waste.bit_length() - 1]
    copies = table.lanes[f >> card // 16 * 16 & 0xFFFF].free_pops.get(card % 16)
    return table.makes_free_pops and copies is not None and hand >> 2 * card & 3 >= copies


def _one_settled(table: Table, f: int, hand: int) -> tuple[int, int] | None:
    """Gets the first settled card, as a multiset, and the foundations with it."""
    for suit in range(4):
        cards = hand >> 32 * suit
        for shift, copies, code in table.lanes[f >> 16 * suit & 0xFFFF].settling:
            if cards >> shift & 3 >= copies:
                return 1 << 32 * suit + shift, _with_lane(f, suit, code)
    return None


def _with_lane(f: int, suit: int, code: int) -> int:
    """Gets the foundations with those of one suit changed."""
    return f & ~(0xFFFF << 16 * suit) | code << 16 * suit


def _real_moves(table: Table, dealt: int, waste: int, f: int, hand: int) -> Iterator[int]:
    """Every legal move; where a reserve card is certain, to play it or to deal."""
    lanes = table.lanes_of(f)
    place = waste.bit_length() - 1
    top = 1 << 2 * table.stock[place] if waste else 0
    plays = [
        (card, _with_lane(f, suit, code))
        for suit, lane in enumerate(lanes)
        for shift, after in lane.places
        for card in (1 << 32 * suit + shift,)
        if hand & 3 * card or card == top
        for code in after
    ]
    playable = any(hand & 3 * card for card, _ in plays)
    if dealt < table.size and not (table.stuck and playable):
        yield pack(dealt + 1, table.pushed(dealt, waste), f)
    for suit, lane in enumerate(lanes):
        for shift, code in lane.certain:
            if hand >> 32 * suit + shift & 3:
                yield _filled(table, dealt, waste, _with_lane(f, suit, code))
                return
    for card, changed in plays:
        if hand & 3 * card:
            yield _filled(table, dealt, waste, changed)
        elif card == top:
            yield _turned(table, dealt, waste ^ 1 << place, changed)
    for suit, lane in enumerate(lanes):
        for code in lane.transfers:
            yield pack(dealt, waste, _with_lane(f, suit, code))


def _filled(table: Table, dealt: int, waste: int, f: int) -> int:
    """Gets the state after a reserve card has been played: the gap is filled at once.

    A waste top equal to a reserve card need not be played itself: the reserve card's play brings
    it into the reserve, which leaves the same cards everywhere.
    """
    if waste:
        waste ^= 1 << waste.bit_length() - 1
    elif dealt < table.size:
        dealt += 1
    return _turned(table, dealt, waste, f)


def _turned(table: Table, dealt: int, waste: int, f: int) -> int:
    """Gets the state after the card is turned that may turn by itself."""
    if table.rules.auto_deal and not waste and dealt < table.size:
        return pack(dealt + 1, table.pushed(dealt, waste), f)
    return pack(dealt, waste, f)
