"""Exhaustive solver for the solitaire Royal Rendezvous: all that a program needs, in one import.

Each name is fetched from its room when it is first asked for: importing this package makes no
folder, sets no variable and loads no compiler. ``docs/python.md`` tells what each is for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base.version import __version__ as __version__
    from .engine.decide import ReplayError as ReplayError
    from .engine.decide import solve as solve
    from .game.cards import Card as Card
    from .game.cards import card_name as card_name
    from .game.cards import parse_card as parse_card
    from .game.deal import Deal as Deal
    from .game.deal import deal_from_seed as deal_from_seed
    from .game.deal import parse_table as parse_table
    from .game.difficulty import Difficulty as Difficulty
    from .game.difficulty import Level as Level
    from .game.errors import Error as Error
    from .game.foundations import Foundations as Foundations
    from .game.foundations import Pile as Pile
    from .game.moves import Move as Move
    from .game.moves import Source as Source
    from .game.moves import parse_move as parse_move
    from .game.notation import start as start
    from .game.pasted import parse_moves as parse_moves
    from .game.position import IllegalMoveError as IllegalMoveError
    from .game.position import Position as Position
    from .game.rules import PRESETS as PRESETS
    from .game.rules import Dealing as Dealing
    from .game.rules import Kings as Kings
    from .game.rules import Rules as Rules
    from .game.rules import parse_rules as parse_rules
    from .game.verdict import Limits as Limits
    from .game.verdict import Reason as Reason
    from .game.verdict import Result as Result
    from .game.verdict import Verdict as Verdict
    from .player.certify import ContradictionError as ContradictionError
    from .player.certify import certify as certify
    from .player.difficulty import difficulty_of as difficulty_of
    from .player.hints import Hint as Hint
    from .player.hints import Judge as Judge
    from .player.hints import Option as Option
    from .player.hints import hint as hint
    from .player.prepare import prepare as prepare
    from .player.reviews import Review as Review
    from .player.reviews import Step as Step
    from .player.reviews import review as review
    from .proof.certificate import Header as Header
    from .proof.claim import InvalidError as InvalidError
    from .proof.claim import LimitError as LimitError
    from .proof.verify import verify as verify
    from .show.page import html_page as html_page

# The place of each name, as above.
_PLACES = {
    name: module
    for module, names in {
        "base.version": "__version__",
        "engine.decide": "ReplayError solve",
        "game.cards": "Card card_name parse_card",
        "game.deal": "Deal deal_from_seed parse_table",
        "game.difficulty": "Difficulty Level",
        "game.errors": "Error",
        "game.foundations": "Foundations Pile",
        "game.moves": "Move Source parse_move",
        "game.notation": "start",
        "game.pasted": "parse_moves",
        "game.position": "IllegalMoveError Position",
        "game.rules": "PRESETS Dealing Kings Rules parse_rules",
        "game.verdict": "Limits Reason Result Verdict",
        "player.certify": "ContradictionError certify",
        "player.difficulty": "difficulty_of",
        "player.hints": "Hint Judge Option hint",
        "player.prepare": "prepare",
        "player.reviews": "Review Step review",
        "proof.certificate": "Header",
        "proof.claim": "InvalidError LimitError",
        "proof.verify": "verify",
        "show.page": "html_page",
    }.items()
    for name in names.split()
}
__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    """Fetches a name when it is first asked for (PEP 562)."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".{_PLACES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
