"""Cards in hand that are settled because their other pile has to wait.

Let c, no king, be in hand, and its other copy c' on the waste or in the stock. Let one pile of c
take it next, and let P be its other pile. P *waits* if it can't get beyond c's rank before c' is in
hand: before it, or right after it, P takes a rank of which every copy that is not on a foundation
comes later than c'. That is so if c' is on the waste and those copies lie below it. In the relaxed
game it is also so if c' is in the stock and they are in the stock behind it.

Then c is played to the first pile at once. Let a win play c to P at some time t, or never, and c'
to the first pile or nowhere. Play c to the first pile now, and c' to P at t, or once it is in hand
if that is later. (If the win plays c to the first pile, that may as well be now.) As long as c' is
not in hand the win has at most one of the two on a foundation, here one is; what P is behind by is
c's rank at most, and nothing goes on top of it yet. From then on as many of the two are played as
in the win or more, and both piles are as far. (Where a win of the relaxed game plays c' from the
waste at a credit of 0, there is here either the same credit, and c' goes to P, or more, and it is
taken.)
"""

from .jit import Word, count, highest, inlined, jit, lowest, merged, signed, unsigned
from .root import WAITS, Problem, Words
from .state import DEUCE, KINGS, LOWER, NIBBLE, ONE, UPPER, ZERO, View

NO_PILE = -1


@merged
def first_that_need_not_wait(problem: Problem, view: View, relaxed: bool) -> tuple[int, int]:
    """Gets a single card in hand whose other pile waits, and its pile; the pile is -1 if there is
    none."""
    card, pile = 0, NO_PILE
    single = (view.upper | view.bytwo) & view.hand1 & ~(view.hand2 | view.played | KINGS)
    while problem.switches & WAITS and single and pile == NO_PILE:
        card = lowest(single)
        single &= single - ONE
        lane, one = view.f >> unsigned(card & 48), view.played >> unsigned(card & 48)
        pile = pile_if_other_waits(problem, view.w0, view.w1, relaxed, card, lane, one)
    return card, pile


@jit
def pile_if_other_waits(
    problem: Problem, w0: Word, w1: Word, relaxed: bool, card: int, lane: Word, one: Word
) -> int:
    """Gets the pile that a single card in hand can be played to at once, -1 if there is none.

    :param lane: the foundations of the card's suit.
    :param one: the ranks of the suit of which a copy is on them; the card's rank is not one.
    """
    rank, suit = card & 15, card & 48
    late0, late1 = later_than_copy(problem, w0, w1, relaxed, card)
    upper, bytwo = signed(lane & NIBBLE), signed(lane >> unsigned(4 if rank & 1 else 8) & NIBBLE)
    if upper == rank - 1:
        for other in range(bytwo + 2, rank + 3, 2):
            if other != rank and is_late(problem.copies, late0, late1, suit, other, one):
                return UPPER
    if bytwo == rank - 2:
        for other in range(upper + 1, rank + 2):
            if other != rank and is_late(problem.copies, late0, late1, suit, other, one):
                return LOWER if rank & 1 else DEUCE
    return NO_PILE


@merged
def later_than_copy(
    problem: Problem, w0: Word, w1: Word, relaxed: bool, card: int
) -> tuple[Word, Word]:
    """Gets the stock indices of cards that come in hand later than a card's copy out of hand."""
    copies0, copies1 = problem.copies[card, 0], problem.copies[card, 1]
    if w1 & copies1:
        return w0, w1 & (ONE << unsigned(lowest(w1 & copies1))) - ONE
    if w0 & copies0:
        return w0 & (ONE << unsigned(lowest(w0 & copies0))) - ONE, ZERO
    if not relaxed:
        return ZERO, ZERO
    # It is in the stock: of its copies there it is the last one.
    if copies1:
        return ZERO, ~((ONE << unsigned(highest(copies1))) - ONE)
    return ~((ONE << unsigned(highest(copies0))) - ONE), ~ZERO


@inlined
def is_late(copies: Words, late0: Word, late1: Word, suit: int, rank: int, one: Word) -> bool:
    """Whether all copies of a card that are not on a foundation are among the late ones."""
    late = count(late0 & copies[suit + rank, 0]) + count(late1 & copies[suit + rank, 1])
    return late + signed(one >> unsigned(rank) & ONE) == 2
