"""Hints and reviews as people and programs read them. Nothing here prints."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..base.version import __version__
from ..game.deal import Deal
from ..game.moves import Move, Source
from ..game.position import Position
from ..game.rules import describe
from ..game.verdict import Verdict
from ..player.hints import Hint, Option
from ..player.reviews import Review, Step
from .result_text import SCHEMA, move_in_words

KEEPS = {
    Verdict.WINNABLE: "keeps the win",
    Verdict.UNKNOWN: "unknown",
    Verdict.UNWINNABLE: "loses",
}
MORE = "More states may decide it: --states N."


def hint_text(found: Hint, position: Position, title: str, colour: bool) -> str:
    """Gets a hint as text: the verdict, a line for each move, and what follows from them."""
    lines = [f"{title}: {found.verdict}, {found.states:,} states"]
    lines += [f"Rules: {describe(position.rules)}", ""]
    width = max((len(str(option.move)) for option in found.options), default=0)
    for option in found.options:
        words = move_in_words(position, option.move, colour)
        lines.append(
            f"  {KEEPS[option.verdict]:<13}  {option.states:>9,} states"
            f"  {option.move!s:<{width}}  {words}"
        )
    if found.options:
        lines.append("")
    return "\n".join([*lines, *conclusions(found, position)])


def conclusions(found: Hint, position: Position) -> Iterator[str]:
    """Gets what to say about all moves together, in sentences."""
    if position.is_won:
        yield "The game is won."
    elif found.verdict is Verdict.UNWINNABLE:
        why = "whatever is played" if found.options else "no move is left"
        yield f"This position can't be won: {why}."
    elif found.verdict is Verdict.UNKNOWN:
        yield f"Nothing can be said within the budget. {MORE}"
    else:
        yield from _only_move(found)


def only_move(found: Hint) -> Move | None:
    """Gets the one deal or play that keeps the win, if all others are known to lose it.

    Transfers are left out of account: each can be taken back.
    """
    keep = [option for option in _no_transfers(found) if option.verdict is Verdict.WINNABLE]
    unknown = any(option.verdict is Verdict.UNKNOWN for option in found.options)
    return keep[0].move if len(keep) == 1 and not unknown else None


def _only_move(found: Hint) -> Iterator[str]:
    moves = _no_transfers(found)
    keep = [str(option.move) for option in moves if option.verdict is Verdict.WINNABLE]
    aside = ", transfers aside" if len(moves) < len(found.options) else ""
    if not keep:
        yield "Only transfers keep the win."
    elif len(moves) == 1:
        yield f"{keep[0]} is the only move{aside}."
    elif only_move(found):
        yield f"Only {keep[0]} keeps the win{aside}."
    elif len(keep) == 1:
        yield f"{keep[0]} is the only move known to keep the win{aside}. {MORE}"
    else:
        yield f"{len(keep)} of {len(moves)} moves keep the win{aside}."


def _no_transfers(found: Hint) -> list[Option]:
    return [option for option in found.options if option.move.source is not Source.FOUNDATION]


def hint_json(found: Hint, position: Position, deal: Deal, made: int) -> str:
    """Gets a hint as one line of JSON, with ``schema`` 1; ``made`` is the number of moves made."""
    only = only_move(found) if found.verdict is Verdict.WINNABLE else None
    return json.dumps(
        {
            **_head(deal, position, made),
            "verdict": str(found.verdict),
            "states": found.states,
            "only": str(only) if only else None,
            "moves": [
                {
                    "move": str(option.move),
                    "verdict": str(option.verdict),
                    "states": option.states,
                }
                for option in found.options
            ],
        }
    )


def review_text(found: Review, position: Position, title: str, colour: bool) -> str:
    """Gets a review as text: a line for each move up to the loss, and which move lost the win."""
    lines = [f"{title}: {count(found.steps)}, {found.start} at the start"]
    lines += [f"Rules: {describe(position.rules)}", ""]
    width = len(str(len(found.steps)))
    shown = [step for step in found.steps if step.before is not Verdict.UNWINNABLE]
    for number, step in enumerate(shown, 1):
        words = move_in_words(position, step.move, colour)
        lines.append(f"  {number:{width}}. {_kept(step):<22} {KEEPS[step.after]:<13}  {words}")
        position = position.play(step.move)
    if shown:
        lines.append("")
    return "\n".join([*lines, *_summary(found)])


def _kept(step: Step) -> str:
    unknown = step.count(Verdict.UNKNOWN)
    text = f"{step.count(Verdict.WINNABLE)} of {len(step.options)}"
    return f"{text}, {unknown} unknown" if unknown else text


def _summary(found: Review) -> Iterator[str]:
    losing = found.losing_steps
    if found.start is Verdict.UNWINNABLE:
        yield "No move lost the win: the game could not be won from the start."
    elif len(losing) == 1:
        number = losing[0]
        step = found.steps[number - 1]
        kept = [str(option.move) for option in step.options if option.verdict is Verdict.WINNABLE]
        yield f"Move {number} lost the win: {step.move}. Kept by: {', '.join(kept)}."
    elif losing:
        yield f"One of the moves {losing[0]} to {losing[-1]} lost the win. {MORE}"
    elif Verdict.UNKNOWN in (found.start, *(step.after for step in found.steps)):
        yield f"No move is known to have lost the win. {MORE}"
    else:
        yield "No move lost the win."


def review_json(found: Review, position: Position, deal: Deal) -> str:
    """Gets a review as one line of JSON, with ``schema`` 1."""
    losing = found.losing_steps
    return json.dumps(
        {
            **_head(deal, position, len(found.steps)),
            "verdict": str(found.start),
            "states": found.states,
            "losing": [losing[0], losing[-1]] if losing else None,
            "steps": [_step_dict(step) for step in found.steps],
        }
    )


def _step_dict(step: Step) -> dict[str, Any]:
    return {
        "move": str(step.move),
        "before": str(step.before),
        "after": str(step.after),
        "legal": len(step.options),
        "keep": step.count(Verdict.WINNABLE),
        "unknown": step.count(Verdict.UNKNOWN),
    }


def _head(deal: Deal, position: Position, made: int) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": __version__,
        "seed": deal.seed,
        "rules": {"name": position.rules.name, **position.rules.switches()},
        "moves_made": made,
    }


def title_of(deal: Deal, made: Sequence[Move]) -> str:
    """Gets what to call a position: the deal, and how many moves later."""
    title = f"Deal {deal.seed}" if deal.seed else "Position"
    return f"{title} after {count(made)}" if made else title


def count(moves: Sequence[object]) -> str:
    """Gets the number of moves in words: ``1 move`` or ``12 moves``."""
    return f"{len(moves)} move{'' if len(moves) == 1 else 's'}"
