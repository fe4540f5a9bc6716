"""Compiles everything, so that no later call has to wait."""

from collections.abc import Callable

from ..engine import search
from ..engine.decide import solve
from ..engine.playouts import games_won
from ..game.deal import deal_from_seed
from ..game.position import start
from ..game.rules import Rules
from ..game.verdict import DEFAULT_MEMORY, Limits
from ..proof.claim import method_for
from ..proof.verify import loss
from .certify import dead_states

LOST, HARD = "100016", "167521"
STATES = 10_000


def prepare(on_progress: Callable[[int, int], None] = lambda done, parts: None) -> None:
    """Compiles what is not compiled yet; takes a minute the first time, then half a second.

    :param on_progress: told the number of parts that are done, and of all parts; the search, of
        which all else makes use, is the first.
    """
    parts: tuple[Callable[[], None], ...] = (search.prepare, _growth, _playouts, _proofs)
    on_progress(0, len(parts))
    for number, part in enumerate(parts, 1):
        part()
        on_progress(number, len(parts))


def _growth() -> None:
    """Compiles what makes the tables of a long search larger."""
    solve(start(deal_from_seed(HARD), Rules()), Limits(STATES))


def _playouts() -> None:
    games_won(start(deal_from_seed(LOST), Rules()), games=1, idle=0)


def _proofs() -> None:
    """Compiles the fast checker, and what says where it may try the relaxed game."""
    deal, rules = deal_from_seed(LOST), Rules()
    method = method_for(rules).relaxed(rules)
    assert method is not None
    dead = dead_states(start(deal, rules), DEFAULT_MEMORY)
    loss(deal, rules, method, STATES, DEFAULT_MEMORY, fast=True, are_dead=dead)
