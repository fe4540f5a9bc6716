"""A line of play as one web page, to look at offline.

The page carries every state, as ``game.position`` has it, and its script only shows them: it knows
no rules. The states are JSON::

    title, rules    the two lines at the top
    won             whether the last position is won
    columns         reserve cards in a row
    piles           the kinds of foundation that the rules have
    steps           for each position, the start first: text (of the move), reserve, waste (bottom
                    to top), stock (the number of cards), a list of top cards for each kind of
                    foundation, moved (the place where the moved card now lies), slot (the reserve
                    slot that was filled) and turned (whether the waste's top turned by itself)

Lists of cards are names with blanks between them; ``--`` is a gap or an empty pile.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from ..game.cards import SUIT_NAMES, Card, card_name, suit_of
from ..game.deal import RESERVE_ROW, place_name
from ..game.moves import Move, Source
from ..game.position import Position
from ..game.rules import describe
from ..game.steps import Step, in_words, piles_of, steps_of, tops_of


def html_page(
    position: Position, moves: Iterable[Move | str], title: str = "Royal Rendezvous"
) -> str:
    """Gets a web page on which moves from a position can be stepped through, offline.

    :param title: what to call the deal; any text.
    :raises IllegalMoveError: naming the first illegal move and its number.
    """
    return page_of(steps_of(position, moves), title)


def page_of(steps: Sequence[Step], title: str) -> str:
    """Gets the page of a line of play.

    :param title: what to call the deal; any text.
    """
    states = {
        "title": title,
        "rules": describe(steps[0].position.rules),
        "won": steps[-1].position.is_won,
        "columns": RESERVE_ROW,
        "piles": piles_of(steps[0].position),
        "steps": [_state(step) for step in steps],
    }
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    values = {
        "title": html.escape(title),
        "states": json.dumps(states, separators=(",", ":")).replace("<", "\\u003c"),
        "style-hash": _hash_of("style", template),
        "script-hash": _hash_of("script", template),
    }
    return re.sub(r"\{\{([a-z-]+)\}\}", lambda match: values[match[1]], template)


def _state(step: Step) -> dict[str, Any]:
    """Gets what the page shows of a position, as plain values."""
    position = step.position
    state: dict[str, Any] = {
        "text": "" if step.move is None else " ".join(in_words(step, card_name).split()),
        "reserve": _names(position.reserve),
        "waste": _names(position.waste),
        "stock": len(position.stock),
    }
    for pile in piles_of(position):
        state[pile] = _names(tops_of(position, pile))
    if step.move is not None and step.moved is not None:
        dealt = step.move.source is Source.STOCK
        suit = SUIT_NAMES[suit_of(step.moved)]
        state["moved"] = "waste" if dealt else f"{step.move.pile}-{suit}"
    if step.filler is not None:
        state["slot"] = step.slot
    if step.turned:
        state["turned"] = True
    return state


def _names(cards: Iterable[Card | None]) -> str:
    return " ".join(map(place_name, cards))


def _hash_of(element: str, template: str) -> str:
    """Gets the hash by which the page's policy knows its own style or script, and no other."""
    match = re.search(rf"<{element}>(.*?)</{element}>", template, re.DOTALL)
    assert match is not None
    digest = hashlib.sha256(match[1].encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
