"""What a proof of a loss claims, and the words in which its states are named.

A *state* is what matters of a position to what can follow: the number of stock cards dealt, the
waste as a sequence of card types, and the foundations. The *stock* is here all cards that are not
in the reserve at the root, in deal order: the root's waste, bottom to top, and what is still to be
dealt. A state's **key** is one integer::

    dealt << 192  |  waste << 64  |  foundations

``waste`` has a bit per stock card: bit i is set where the i-th stock card stands for a waste card,
and of all places in the stock that read as the same sequence of types the leftmost one is taken, so
that equal sequences have equal keys. ``foundations`` has 16 bits a suit, clubs lowest: the top
ranks ``upper | lower << 4 | deuce << 8 | king << 12``. Keys as integers give states their order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..base.names import Name
from ..game.cards import RANK_NAMES, SUIT_NAMES, card_names
from ..game.errors import Error
from ..game.foundations import Foundations, Pile
from ..game.position import Position
from ..game.rules import Rules

Read: TypeAlias = Callable[[int], bytes]
"""Gets the next n reasons of a proof, fewer only where it ends. A reason is one byte: 0 for
*expanded*, j for *refuted* at depth j of the waste, ``DEAD`` for *dead by the relaxed game*."""

DEAD = 255

Write: TypeAlias = Callable[[bytes], None]
"""Takes the next reasons of a proof."""

AreDead: TypeAlias = Callable[[Sequence[int]], Sequence[bool]]
"""On which states, by their keys, the relaxed game is worth trying: to prove them lost."""

Watch: TypeAlias = Callable[[int], None]
"""Is told the number of states so far, now and then."""

ENDS_EARLY = "the proof ends before its states do"
WON = "not refuted, and a won state follows"

ALIVE = "not dead, as the relaxed game is won at once"
"""Faults that both checkers find."""


def not_refuted(depth: int) -> str:
    """Gets the fault of a refutation that does not hold."""
    return f"not refuted at depth {depth} of the waste"


class Form(Name):
    """The form of the game that a proof goes through."""

    CREDIT = "credit"
    """Deals, pops and commitments; for ``deal = any`` without transfers."""
    PLAIN = "plain"
    """The real moves, under every rule."""
    RELAXED = "relaxed"
    """The relaxed game, for a part of a proof; without transfers."""


class Reduction(Name):
    """What a proof may leave out, each with a proof of its own in ``docs/proofs.md``."""

    ENDS = "ends"
    """Credit form: a card in hand is settled if its other place ends with it."""
    FREE_POP = "free-pop"
    """Credit form: a waste top is released at once if that costs nothing."""
    CERTAIN = "certain"
    """Real moves: a reserve card with a certain place is played at once."""
    RELAXED = "relaxed"
    """Both forms: a state is lost if the relaxed game is."""


@dataclass(frozen=True, slots=True)
class Method:
    """How a loss is proved: the form of the game, and the reductions used.

    :raises Error: from :meth:`fit`, if rules and method do not go together.
    """

    form: Form
    reductions: frozenset[Reduction] = frozenset()

    def fit(self, rules: Rules) -> None:
        """Makes sure that the method is proved to be right under some rules."""
        if self.form is Form.CREDIT and not rules.has_credit_form:
            raise Error("the credit form needs the rules deal = any, transfers = no")
        wrong = self.reductions - _known(self.form, rules)
        if wrong:
            names = ", ".join(sorted(wrong))
            raise Error(f"these rules in {self.form} form have no reduction {names}")

    def relaxed(self, rules: Rules) -> "Method | None":
        """Gets the method with the relaxed game, if it has reductions and the rules allow that."""
        if not self.reductions or rules.transfers:
            return None
        return Method(self.form, self.reductions | {Reduction.RELAXED})


def method_for(
    rules: Rules, form: str | None = None, reduce: bool = True, relax: bool = False
) -> Method:
    """Gets a method that fits some rules, with every reduction or with none.

    :param relax: whether the relaxed game is among them.
    :param form: by default the credit form where the rules have it; without reductions the real
        moves.
    """
    if form is None:
        form = Form.CREDIT if reduce and rules.has_credit_form else Form.PLAIN
    known = _known(Form(form), rules) if reduce else frozenset()
    return Method(Form(form), known if relax else known - {Reduction.RELAXED})


def _known(form: Form, rules: Rules) -> frozenset[Reduction]:
    if rules.transfers:
        return frozenset()
    if form is Form.PLAIN:
        return frozenset({Reduction.CERTAIN, Reduction.RELAXED})
    if form is Form.RELAXED:
        return frozenset({Reduction.ENDS})
    return frozenset({Reduction.ENDS, Reduction.FREE_POP, Reduction.RELAXED})


RELAXED = Method(Form.RELAXED, frozenset({Reduction.ENDS}))
"""How the relaxed game is played."""


class InvalidError(Error):
    """A certificate that proves nothing; the text is the first fault."""


class LimitError(Error):
    """A proof that takes more states or more memory than is allowed: neither right nor wrong."""


BYTES_PER_STATE = 150  # of a set of large integers, or of arrays while they are sorted


def check_memory(used: int, allowed: int) -> None:
    """Makes sure that the states that wait do not take more bytes than they may.

    :raises LimitError: if they do.
    """
    if used > allowed:
        raise LimitError(f"the proof needs more than {allowed >> 20:,} MB of memory")


@dataclass(slots=True)
class Tally:
    """The states of a proof so far, and how many of them were refuted or dead; the others were
    expanded. ``dead`` is how many the relaxed game has refuted, ``relaxed`` how many of all are
    states of the relaxed game."""

    states: int = 0
    refuted: int = 0
    dead: int = field(default=0, compare=False)
    relaxed: int = field(default=0, compare=False)


def none(keys: Sequence[int]) -> Sequence[bool]:
    """Tries the relaxed game nowhere."""
    return [False] * len(keys)


def ignore(states: int) -> None:
    """Watches nothing."""


def pack(dealt: int, waste: int, foundations: int) -> int:
    """Gets the key of a state."""
    return dealt << 192 | waste << 64 | foundations


def unpack(key: int) -> tuple[int, int, int]:
    """Gets the number of cards dealt, the waste and the foundations of a key."""
    return key >> 192, key >> 64 & (1 << 128) - 1, key & (1 << 64) - 1


def root_key(position: Position) -> int:
    """Gets the key of the position that a proof starts from."""
    dealt = len(position.waste)
    lanes = (lane_code(piles) << 16 * suit for suit, piles in enumerate(position.foundations))
    return pack(dealt, (1 << dealt) - 1, sum(lanes))


def lane_code(piles: Foundations) -> int:
    """Gets the 16 bits that stand for one suit's foundations."""
    return piles.upper | piles.lower << 4 | piles.deuce << 8 | piles.king << 12


def lane_piles(code: int) -> Foundations:
    """Gets the foundations that 16 bits stand for."""
    return Foundations(code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12)


def set_bits(word: int) -> Iterable[int]:
    """Gets the places of the bits that are set, the lowest first."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


def describe(position: Position, key: int) -> str:
    """Gets a state in words, given the root."""
    dealt, waste, foundations = unpack(key)
    stock = position.waste + position.stock
    cards = card_names(stock[i] for i in set_bits(waste)) or "empty"
    tops = " ".join(
        SUIT_NAMES[suit] + "".join(_top_names(lane_piles(foundations >> 16 * suit & 0xFFFF)))
        for suit in range(4)
    )
    return f"{dealt} dealt, foundations {tops}, waste {cards}"


def _top_names(piles: Foundations) -> Iterable[str]:
    for pile in Pile:
        rank = piles.top(pile)
        yield RANK_NAMES[rank - 1] if rank else "-"


def fault(
    position: Position, number: int, key: int, reason: str, form: Form = Form.PLAIN
) -> InvalidError:
    """Gets the error for what is wrong with one state."""
    name = "relaxed state" if form is Form.RELAXED else "state"
    return InvalidError(f"{name} {number:,} ({describe(position, key)}): {reason}")
