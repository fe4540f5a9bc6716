"""The relaxed game: a bound that plays. Stock cards go straight to the hand; only the waste that is
there now has to be dug out.

**The game.** A state is a waste w_1 ... w_m, e cards dealt and foundations f; all other dealt cards
are in hand. Its credit is the number of cards played since the root less ``e - m``, and may be
negative. The moves: *deal*, which takes the next stock card in hand; *play* a card in hand; *take*
w_m in hand, if the credit is positive; or play w_m from the waste, if it is 0. Won is an empty
waste.

**The bound.** Let a state of a search have the waste w_1 ... w_m, m > 0, and e cards dealt. If the
relaxed state with the waste w_1 ... w_{m-1}, the same e and the same foundations cannot be won, the
state is lost. For take a win of it, and let e_j be the number of cards dealt when the waste is
w_1 ... w_j for the first time. Then e <= e_{m-1} <= ... <= e_0, and by that time ``e_j - j`` cards
have been played, all of them dealt by then and none of them one of w_1 ... w_j. So the relaxed game
can go along: for each j it deals up to e_j and makes the plays that the win has made
by then. If the last of these is a play of w_{j+1} itself, there is a credit of 0 before it;
otherwise there is a credit of 1 after it, and w_{j+1} is taken. (In credit form "played" is what
pops have been paid with, and what is counted as played is as much or more.) What the rules say on
when a card may be dealt is not needed for this; transfers are ruled out.

**What need not be tried.**

- A card is taken as soon as it may be. What a win does later it can do as well with the card in
  hand, since credit counts plays, cards dealt and waste, whenever the card was taken.
- Settled cards are played at once, and at a credit of 0 a free pop is made, as in the credit form:
  at every later moment as many cards or more will have been played, and every pile will be as far.
  (At a credit of 0 it is a play of the top. In debt it would be no move of the game, and lead from
  lost states to won ones.)
- A *free deal* is made at once: the next stock card has its other copy on a foundation and its
  place open, or its twin in hand and both places open; or its copy comes later in the stock, its
  place is open, and once in hand it is settled by its ends or because its other pile waits. Until
  the win deals it, there is here one card more that is dealt and at least one more that is played.
- Plays are put off to the take that needs them. So between two takes all deals come first. Then
  come the plays, as one plan for each suit (see ``plans``), and the take. A combination of plans
  that suffices without the last commitment of one of them need not be tried: take the card, and
  make that commitment when it is needed.
- After a deal that made no play certain (the state is STALE) the next take may come before another
  deal only if it plays the dealt card c and another card on it, or if c's twin is in hand. For take
  a win in which no take can be made at an earlier number of cards dealt with a part of the plays
  that come before it. (There is one: else make the take earlier with those plays, and the others
  later.) Let it make k plays between c and the take, as many as are needed. One deal
  earlier k - 1 were needed; so of the k at most k - 2 can do without c. Those that cannot are c's
  own play and what lies above it on its pile. (If the take is a play of the top, that is its last
  play, and the same holds. A stale state has but one possible parent, so its key says what was
  promised of it. Under ``lower-first`` the lower king makes way for the upper one; kings
  are let pass there.)

**The memo.** Many states lie above the same relaxed ones, so what is known of these is kept for the
whole search: DEAD, if all that follows them has been tried; ALIVE, if they are on a way to an empty
waste; else OPEN. Each state dies or lives once, however often it is asked for. The loss bound kills
relaxed states too, and here the top card counts like the others: it still has to be reached.
"""

from ..bound import BURIED, LOST, score
from ..frontier import Room
from ..jit import Word, inlined, jit, lowest, merged, signed, unsigned
from ..moves.credit import credit_of, is_free, settle_hand
from ..root import BOUND, LOWER_FIRST, LOWER_KING, TYPE, UPPER_KING, Ints, Problem, Words
from ..state import (
    EVEN,
    FOUR,
    LANE,
    NIBBLE,
    ODD,
    TWO,
    View,
    look,
    pop,
    put,
    top_index,
    with_foundations,
    write_places,
)
from ..table import append, find, pack, unpack
from .memo import ALIVE, DEAD, LONGEST, MOST_CHILDREN, OPEN, Memo, has_room
from .plans import BEFORE, PILES, PLAYS, Plans, write_all_plans

ALIVE_CHILD, TOO_MANY = -1, -2

FRESH, STALE = unsigned(0), unsigned(1 << 63)
"""Kinds of relaxed states, and their bit in a key's last word."""

EIGHT = unsigned(8)


@inlined
def release(problem: Problem, view: View) -> View:
    """Deals the next stock card into the hand."""
    bit = problem.stock[view.dealt, TYPE]
    return View(
        view.w0,
        view.w1,
        view.dealt + 1,
        view.f,
        view.hand1 | bit,
        view.hand2 | view.hand1 & bit,
        view.played,
        view.upper,
        view.bytwo,
        view.king,
    )


@jit
def loosen(problem: Problem, view: View, events: Ints) -> View:
    """Makes all plays, takes and deals that cost nothing."""
    while True:
        events[0] = 0
        view = settle_hand(problem, view, events, True)
        top = top_index(view.w0, view.w1)
        if top < 0:
            return view
        credit = credit_of(problem, view)
        if credit > 0 or (credit == 0 and is_free(problem, view, top, True)):
            view = pop(problem, view)
        elif view.dealt < problem.size and is_free(problem, view, view.dealt, True):
            view = release(problem, view)
        else:
            return view


@merged
def has_use(problem: Problem, view: View) -> bool:
    """Whether the card dealt last could be played now and another one on it, or has a twin."""
    bit = problem.stock[view.dealt - 1, TYPE]
    if view.hand2 & bit:
        return True
    lane = unsigned(lowest(bit) & 48)
    rank = lowest(bit) & 15
    if rank == 13:
        return bool(problem.kings & LOWER_FIRST)
    free = view.hand1 | problem.stock[top_index(view.w0, view.w1), TYPE]
    free = free >> lane & LANE
    piles = view.f >> lane & LANE
    kings = problem.kings
    upper = signed(piles & NIBBLE)
    if rank > upper and (rank < 12 or kings & UPPER_KING):
        run = (FOUR << unsigned(rank)) - (TWO << unsigned(upper))
        if free & run == run:
            return True
    top = signed(piles >> unsigned(4 if rank & 1 else 8) & NIBBLE)
    if rank > top and rank < 12 and (rank < 11 or kings & LOWER_KING):
        run = (EIGHT << unsigned(rank)) - (TWO << unsigned(top)) & (ODD if rank & 1 else EVEN)
        return bool(free & run == run)
    return False


@jit
def enter(problem: Problem, memo: Memo, view: View, kind: Word, key: Words) -> int:
    """Gets the number of a relaxed state, which is added if it is new."""
    pack(problem.size, view, key)
    key[key.size - 1] |= kind
    slot = find(memo, key)
    if memo.slots[slot]:
        known: int = memo.slots[slot] - 1
        return known
    number = append(memo, slot, key)
    value, _ = score(problem, view.w0, view.w1, view.dealt, view.f)
    refuted = problem.switches & BOUND and (value == LOST or value >= BURIED)
    memo.scores[number], memo.status[number] = value, DEAD if refuted else OPEN
    return number


@jit
def take_in_child(
    problem: Problem, memo: Memo, room: Room, child: View, kind: Word, size: int
) -> int:
    """Puts a successor on the stack, if it is open: the best on top.

    :returns: the new size of the stack, or ALIVE_CHILD.
    """
    if top_index(child.w0, child.w1) < 0:
        return ALIVE_CHILD
    number = enter(problem, memo, child, kind, room.key)
    if memo.status[number] == ALIVE:
        return ALIVE_CHILD
    if memo.status[number] == OPEN:
        at = size
        # Its siblings lie on top of their parent, which is marked by a negative number.
        while memo.stack[at - 1] >= 0 and memo.scores[memo.stack[at - 1]] < memo.scores[number]:
            memo.stack[at] = memo.stack[at - 1]
            at -= 1
        memo.stack[at] = number
        size += 1
    return size


@inlined
def is_needed(plans: Plans, suit: int, plan: int, spare: int) -> bool:
    """Whether a plan's last commitment is needed, if that many plays are more than needed."""
    before = plans[suit, plan, BEFORE]
    return bool(before < 0 or plans[suit, plan, PLAYS] - before > spare)


@jit
def try_takes(problem: Problem, memo: Memo, room: Room, view: View, size: int) -> int:
    """Puts all states on the stack in which the top card has just been taken or played.

    :returns: as ``try_state``.
    """
    plans, numbers = memo.plans, memo.numbers
    need = 1 - credit_of(problem, view)
    if write_all_plans(problem, view, need, plans, numbers) < need - 1:
        return size
    end = min(size + MOST_CHILDREN, memo.stack.size - 1)
    top_bit = problem.stock[top_index(view.w0, view.w1), TYPE]
    rest2, rest1 = numbers[7], numbers[7] + numbers[6]
    rest0 = rest1 + numbers[5]
    for a in range(numbers[0]):
        plays0 = plans[0, a, PLAYS]
        if plays0 + rest0 < need - 1:
            continue
        for b in range(numbers[1] if plays0 < need else 1):
            plays1 = plays0 + plans[1, b, PLAYS]
            if plays1 + rest1 < need - 1:
                continue
            for c in range(numbers[2] if plays1 < need else 1):
                plays2 = plays1 + plans[2, c, PLAYS]
                if plays2 + rest2 < need - 1:
                    continue
                for d in range(numbers[3] if plays2 < need else 1):
                    spare = plays2 + plans[3, d, PLAYS] - need
                    if spare < -1:
                        continue
                    if spare >= 0 and not (
                        is_needed(plans, 0, a, spare)
                        and is_needed(plans, 1, b, spare)
                        and is_needed(plans, 2, c, spare)
                        and is_needed(plans, 3, d, spare)
                    ):
                        continue
                    if size >= end or memo.used[0] + 4 >= memo.status.size:
                        return TOO_MANY
                    f = (
                        unsigned(plans[0, a, PILES])
                        | unsigned(plans[1, b, PILES]) << unsigned(16)
                        | unsigned(plans[2, c, PILES]) << unsigned(32)
                        | unsigned(plans[3, d, PILES]) << unsigned(48)
                    )
                    child = with_foundations(problem, view, f)
                    if spare >= 0:
                        child = loosen(problem, child, room.events)
                        size = take_in_child(problem, memo, room, child, FRESH, size)
                        if size < 0:
                            return size
                        continue
                    card = lowest(top_bit)
                    moves = write_places(child, card, card, room.codes, 0)
                    for move in range(moves):
                        played = put(problem, pop(problem, child), card, room.codes[move] >> 6)
                        played = loosen(problem, played, room.events)
                        size = take_in_child(problem, memo, room, played, FRESH, size)
                        if size < 0:
                            return size
    return size


@merged
def try_state(problem: Problem, memo: Memo, room: Room, state: int, size: int) -> int:
    """Puts a state's open successors on the stack, the best on top; gets its new size.

    :returns: ALIVE_CHILD if one of them is alive, or has no waste left; TOO_MANY if there is no
        room for them.
    """
    kind = memo.keys[state, room.key.size - 1] & STALE
    w0, w1, dealt, f = unpack(problem.size, memo.keys, state)
    view = look(problem, w0, w1, dealt, f)
    if dealt < problem.size:
        child = loosen(problem, release(problem, view), room.events)
        stale = child.w0 == w0 and child.w1 == w1 and child.f == f and child.dealt == dealt + 1
        size = take_in_child(problem, memo, room, child, STALE if stale else FRESH, size)
        if size < 0:
            return size
    if kind == STALE and not has_use(problem, view):
        return size
    return try_takes(problem, memo, room, view, size)


@merged
def ask(problem: Problem, memo: Memo, room: Room, view: View, limit: int) -> int:
    """Gets what is known of a state of the search, which has a waste, after trying.

    :param limit: the number of relaxed states, about, that may be added.
    """
    view = loosen(problem, pop(problem, view), room.events)
    if top_index(view.w0, view.w1) < 0:
        return ALIVE
    end = memo.used[0] + limit
    memo.stack[0] = enter(problem, memo, view, FRESH, room.key)
    size = signed(1)  # a bare 1 is a type of its own, for which callees are compiled once more
    while size:
        state = memo.stack[size - 1]
        if state < 0:  # all its successors are dead
            memo.status[~state] = DEAD
            size -= 1
            continue
        if memo.status[state] == DEAD:
            size -= 1
            continue
        alive = memo.status[state] == ALIVE
        if not alive:
            if memo.used[0] >= end or not has_room(memo) or size + MOST_CHILDREN > LONGEST:
                return OPEN
            memo.stack[size - 1] = ~state
            more = try_state(problem, memo, room, state, size)
            if more == TOO_MANY:
                return OPEN
            alive = more == ALIVE_CHILD
            size = size if alive else more
        if alive:
            for i in range(size):
                if memo.stack[i] < 0:
                    memo.status[~memo.stack[i]] = ALIVE
            return ALIVE
    return DEAD
