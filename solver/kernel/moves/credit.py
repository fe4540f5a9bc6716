"""The game in credit form, for ``deal = any`` without transfers: plays have no deadlines.

Every foundation play takes exactly one card off the waste: a reserve play pulls the top in, a play
of the top removes it. So a line of play is a string of deals (push) and plays (pop), and the cards
that leave the waste, *released* with the first reserve, depend on that string alone. A play that
can be made can also be put off. So a string can be played out if and only if, with one choice of
piles for the copies, after every k-th pop at least k of the released cards can be on foundations.

A state's foundations therefore count every *settled* released card as played, whether or not its
play has been made, and its **credit** is the number of cards so played less the number of pops.
The moves are *deal*, *pop* (for one credit), and where there is no credit *commit and pop*: play
one card that is not settled, then pop. ``settle`` closes a state after each.

**Settled** is a card in hand whose pile takes it next, and

- whose other copy is on a foundation (there is just one place left for it), or is in hand too
  (each takes one of the two places, in either order);
- whose other place ends with it (ENDS): the copy that goes there makes way for nothing. Let a win
  play this copy elsewhere or later. Play it here now, and the other copy, at the later of the
  times at which the win plays the two, in the other place. At every moment at least as many cards
  are played, and every pile that leads on is at least as far. A queen ends the deuce pile, so she
  is settled where the upper pile takes her; where the upper pile ends with the queen, either place
  will do; where the lower pile ends with the jack, so is he. A king ends every pile he goes to.
  (Under ``lower-first`` the lower king does lead on, to the upper one; but what must not lead on is
  the *other* place, and the upper pile takes no king before the lower one has its own.) Or
- whose other pile waits (WAITS): see ``waits``.

**Free pop** (FREE_POP): the waste top T is released at once if that pays for itself: if T's other
copy is on a foundation and T's place is open, or T's twin is in hand and both places are open. Let
a win pop T later. Pop it now and do the rest as before: until T's old turn there is one pop more,
and one card more is played (in the second case: the win has at most one copy on a foundation by
then, here both are).

So is T if its other copy T' lies below it on the waste, T's place is open, and T once in hand is
settled by its ends or because its other pile waits (FIRST). Until T's old turn the win has neither
T nor T' on a foundation, since neither is released, here T is: there is one pop more, and one card
more is played. T's place is still open to the win at that turn, and the waste below T as it was: so
T is settled then too, and the win may as well play it as it was played here.

**One commitment at a time, and only when there is no credit.** Take any win, and put off every
play to the first pop that needs it. Where there is credit, the next thing that happens is a deal,
or a pop with no play. Where there is none, a pop needs exactly one play: the first of the win,
whose place is open now and whose card is in hand or is the top itself. None of this uses that the
state is settled, so the root need not be.

The loss bound holds here as it does for real plays: after each pop as many cards are counted as
played as there were pops, or more, and all of them have been released.
"""

from ..jit import Word, inlined, jit, lowest, unsigned
from ..root import ENDS, FIRST, FREE_POP, TYPE, WAITS, Ints, Problem
from ..state import (
    KING,
    KINGS,
    ONE,
    UPPER,
    ZERO,
    View,
    bytwo_pile,
    foundation_count,
    pop,
    push,
    put,
    top_index,
    waste_size,
    write_places,
)
from ..waits import NO_PILE, first_that_need_not_wait, pile_if_other_waits

DEAL, POP = 0, 1
"""Move codes; every other code is a commitment, ``pile << 6 | card`` (no card is 0 or 1)."""


@inlined
def note(events: Ints, event: int) -> None:
    """Appends to a list that has its length in front."""
    events[0] += 1
    events[events[0]] = event


@inlined
def ending(problem: Problem, view: View) -> Word:
    """Gets the cards that some pile takes next, and whose other place ends with them."""
    if not problem.switches & ENDS:
        return unsigned(0)
    return (
        view.upper & (problem.ends_bytwo | KINGS)
        | view.bytwo & (problem.ends_upper | KINGS)
        | view.king
    )


@inlined
def place(view: View, bit: Word) -> int:
    """Gets a pile that takes a card next, the upper pile first, or -1."""
    if view.upper & bit:
        return UPPER
    if view.bytwo & bit:
        return bytwo_pile(lowest(bit))
    return KING if view.king & bit else -1


@jit
def is_free(problem: Problem, view: View, index: int, relaxed: bool) -> bool:
    """Whether the waste top or, in the relaxed game, the next stock card makes a play more certain
    once it is in hand."""
    bit = problem.stock[index, TYPE]
    if not bit & (view.upper | view.bytwo | view.king):
        return False
    if bit & (view.played | view.hand1 & view.upper & view.bytwo):
        return True
    if bit & view.hand1 or not problem.switches & FIRST:
        return False
    card = lowest(bit)
    copies0, copies1 = problem.copies[card, 0], problem.copies[card, 1]
    if index == view.dealt:
        below = view
        is_first = index < top_index(copies0, copies1)
    else:
        below = pop(problem, view)
        is_first = (below.w0 & copies0 | below.w1 & copies1) != ZERO
    if not is_first:
        return False
    if ending(problem, view) & bit:
        return True
    if not problem.switches & WAITS or bit & KINGS:
        return False
    lane, one = view.f >> unsigned(card & 48), view.played >> unsigned(card & 48)
    return pile_if_other_waits(problem, below.w0, below.w1, relaxed, card, lane, one) != NO_PILE


@inlined
def credit_of(problem: Problem, view: View) -> int:
    """Gets the number of cards played since the root less the number of pops."""
    return foundation_count(view.f) - problem.root_count - (view.dealt - waste_size(view))


@jit
def settle_hand(problem: Problem, view: View, events: Ints, relaxed: bool) -> View:
    """Counts every settled card as played."""
    while True:
        takes = view.upper | view.bytwo | view.king
        sure = takes & view.hand1 & (view.played | view.hand2 | ending(problem, view))
        if sure:
            card = lowest(sure)
            pile = place(view, ONE << unsigned(card))
        else:
            card, pile = first_that_need_not_wait(problem, view, relaxed)
            if pile == NO_PILE:
                return view
        note(events, pile << 6 | card)
        view = put(problem, view, card, pile)


@jit
def settle(problem: Problem, view: View, events: Ints) -> View:
    """Counts every settled card as played, makes every free pop, and notes both as events."""
    while True:
        view = settle_hand(problem, view, events, False)
        top = top_index(view.w0, view.w1)
        if top < 0 or not problem.switches & FREE_POP:
            return view
        if not is_free(problem, view, top, False):
            return view
        note(events, POP)
        view = pop(problem, view)


@jit
def moves(problem: Problem, view: View, codes: Ints) -> int:
    """Writes the codes of a settled state's moves but the deal, and gets their number."""
    top = top_index(view.w0, view.w1)
    if top < 0:
        return 0
    if credit_of(problem, view) > 0:
        codes[0] = POP
        return 1
    number = 0
    top_bit = problem.stock[top, TYPE]
    left = (view.hand1 | top_bit) & (view.upper | view.bytwo | view.king)
    ends = ending(problem, view)
    while left:
        card = lowest(left)
        bit = ONE << unsigned(card)
        left ^= bit
        if ends & bit:
            codes[number] = place(view, bit) << 6 | card
            number += 1
            continue
        number = write_places(view, card, card, codes, number)
    return number


@inlined
def step(problem: Problem, view: View, code: int, events: Ints) -> View:
    """Makes the move with a code and settles the state, noting all that happens as events.

    A commitment plays a card from hand or else the waste top itself.
    """
    commits = code > POP
    from_hand = commits and view.hand1 >> unsigned(code & 63) & ONE
    if from_hand:
        note(events, code)
        view = put(problem, view, code & 63, code >> 6)
    if code == DEAL:
        note(events, DEAL)
        view = push(problem, view)
    else:
        note(events, POP)
        view = pop(problem, view)
    if commits and not from_hand:
        note(events, code)
        view = put(problem, view, code & 63, code >> 6)
    return settle(problem, view, events)
