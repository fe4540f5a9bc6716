"""The real moves, one by one: the game as it is played, under every rule.

Used where plays do have deadlines (``deal = stuck``), where cards may be transferred between
foundations, and as an independent second method everywhere else.

**Certain** (CERTAIN), without transfers: if a reserve card c can be played to a pile P, and it is a
king or its other copy is on a foundation, then the only successors needed are to play it there and,
where allowed, to deal. Let a win start with another play, and let its k-th play be the first that
puts c, or an equal king, on P. Move that play to the front: the first k plays are then c and the
win's first k - 1, each at the moment at which the win made its next one. Every play takes one card
off the waste, so the waste at each moment is the same; each card is in hand by then, since the play
before took the card on top; and its place is open, since no other card can go to P before c. After
the k-th play the states are equal. The same deals are made at the same moments; under ``stuck``
there are none among them, since c itself forbids them until it, or an equal king, is on P.

One case is left: a king c that the win plays to another pile Q as its i-th play, and the equal king
y to P as its k-th, later. Then play c to P first, shift the win's first i - 1 plays as above, leave
out its i-th, go on unchanged, and play y to Q where the win plays it to P. In between the two lines
have equal hands, and the one other difference is that P, not Q, has its king; kings make way for
nothing (under ``lower-first`` this case does not arise: P and Q are never open at once). Where the
win deals in between under ``stuck``, y is not in the reserve, since P would take it; so the new
line may deal too.
"""

from ..jit import Word, inlined, jit, lowest, merged, signed, unsigned
from ..root import CERTAIN, TYPE, Ints, Problem
from ..state import (
    KING,
    KINGS,
    LANE,
    NIBBLE,
    ONE,
    UPPER,
    View,
    bytwo_pile,
    foundation_step,
    look,
    next_in_suit,
    pop,
    push,
    put,
    top_index,
    write_places,
)

DEAL, RESERVE, WASTE, TRANSFER = 0, 1, 2, 3
"""Kinds of move; the code is ``kind << 8 | pile << 6 | card``, a transfer's card ``16 * suit +
pile it leaves``."""


@inlined
def open_cards(view: View) -> Word:
    """Gets the cards that some pile takes next."""
    return view.upper | view.bytwo | view.king


@inlined
def may_deal(problem: Problem, view: View) -> bool:
    """Whether the next stock card may be dealt."""
    if view.dealt == problem.size:
        return False
    return not (problem.stuck and view.hand1 & open_cards(view))


@jit
def moves(problem: Problem, view: View, codes: Ints) -> int:
    """Writes the codes of a state's moves but the deal, and gets their number."""
    playable = view.hand1 & open_cards(view)
    if problem.switches & CERTAIN and not problem.transfers:
        sure = playable & (view.played | KINGS)
        if sure:
            card = lowest(sure)
            codes[0] = RESERVE << 8 | any_place(view, card) << 6 | card
            return 1
    number = 0
    while playable:
        card = lowest(playable)
        playable &= playable - ONE
        number = write_places(view, card, RESERVE << 8 | card, codes, number)
    top = top_index(view.w0, view.w1)
    if top >= 0 and not problem.stock[top, TYPE] & view.hand1:
        card = lowest(problem.stock[top, TYPE])
        number = write_places(view, card, WASTE << 8 | card, codes, number)
    if problem.transfers:
        number = write_transfers(problem, view, codes, number)
    return number


@merged
def any_place(view: View, card: int) -> int:
    """Gets a pile that takes a card."""
    bit = ONE << unsigned(card)
    if view.bytwo & bit:
        return bytwo_pile(card)
    return KING if view.king & bit else UPPER


@jit
def write_transfers(problem: Problem, view: View, codes: Ints, number: int) -> int:
    """Appends every transfer."""
    for suit in range(4):
        lane = view.f >> unsigned(16 * suit) & LANE
        for source in range(4):
            rank = top_rank(lane, source)
            if rank < 2:
                continue
            bit = ONE << unsigned(rank)
            upper, bytwo, king = next_in_suit(problem.kings, lane - foundation_step(rank, source))
            code = TRANSFER << 8 | 16 * suit + source
            if source != UPPER and upper & bit:
                codes[number] = code | UPPER << 6
                number += 1
            if source != bytwo_pile(rank) and bytwo & bit:
                codes[number] = code | bytwo_pile(rank) << 6
                number += 1
            if source != KING and king & bit:
                codes[number] = code | KING << 6
                number += 1
    return number


@inlined
def top_rank(lane: Word, pile: int) -> int:
    """Gets the rank on top of one of a suit's foundations, 0 if it is empty."""
    height = signed(lane >> unsigned(4 * pile) & NIBBLE)
    return 13 * height if pile == KING else height


@jit
def step(problem: Problem, view: View, code: int) -> View:
    """Makes the move with a code, and all that happens by itself."""
    kind, pile, card = code >> 8, code >> 6 & 3, code & 63
    if kind == TRANSFER:
        source = card & 3
        card = (card & 48) + top_rank(view.f >> unsigned(card & 48) & LANE, source)
        f = view.f - foundation_step(card, source) + foundation_step(card, pile)
        return look(problem, view.w0, view.w1, view.dealt, f)
    if kind == WASTE:
        view = pop(problem, view)
    if kind != DEAL:
        view = put(problem, view, card, pile)
    gap = kind == RESERVE
    while True:
        empty = top_index(view.w0, view.w1) < 0
        if gap and not empty:
            view = pop(problem, view)
            gap = False
        elif view.dealt < problem.size and (kind == DEAL or (empty and (gap or problem.auto_deal))):
            view = push(problem, view)
            kind = WASTE  # a deal is made once
        else:
            return view
