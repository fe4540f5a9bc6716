"""Results as people and programs read them. Nothing here prints."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from ..base.version import __version__
from ..game.cards import HEARTS, Card, suit_of, symbol_name
from ..game.deal import Deal, place_name
from ..game.difficulty import Difficulty
from ..game.moves import Move
from ..game.position import Position
from ..game.rules import describe
from ..game.steps import in_words, steps_of
from ..game.verdict import Reason, Result, Verdict

SCHEMA = 1
RED, BLACK, BOLD, PLAIN = "\x1b[31m", "\x1b[36m", "\x1b[1m", "\x1b[0m"
UNKNOWN_HINT = {
    Reason.BUDGET: "more states may decide it: --states N",
    Reason.TABLE: "more memory may decide it: --memory MB",
    Reason.INTERRUPTED: "stopped before it was decided",
}


def as_json(result: Result, deal: Deal, difficulty: Difficulty | None = None) -> str:
    """Writes one result as one line of JSON, with the difficulty if that was measured."""
    content = as_dict(result, deal)
    if difficulty:
        content["difficulty"] = {"level": difficulty.level, **asdict(difficulty)}
    return json.dumps(content)


def as_dict(result: Result, deal: Deal) -> dict[str, Any]:
    """Gets one result as plain values, with ``schema`` 1."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "seed": deal.seed,
        "rules": {"name": result.rules.name, **result.rules.switches()},
        "verdict": str(result.verdict),
        "reason": str(result.reason) if result.reason else None,
        "method": result.method,
        "states": result.states,
        "seconds": round(result.seconds, 6),
        "moves": [str(move) for move in result.moves],
    }


def verdict_line(result: Result) -> str:
    """Gets the verdict in a few words, with what it took."""
    verdict = str(result.verdict)
    if result.reason:
        verdict += f" ({result.reason})"
    if result.verdict is Verdict.WINNABLE:
        verdict += f" in {len(result.moves)} moves"
    seconds = result.seconds
    time = f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
    return f"{verdict}, {result.states:,} states, {time}"


def as_text(
    result: Result,
    deal: Deal,
    position: Position,
    colour: bool,
    difficulty: Difficulty | None = None,
) -> str:
    """Gets the whole report: verdict, rules, difficulty, the deal drawn, and the solution."""
    title = f"Deal {deal.seed}" if deal.seed else "Deal"
    lines = [f"{_bold(title, colour)}: {_bold(verdict_line(result), colour)}"]
    lines.append(f"Rules: {describe(result.rules)}")
    if difficulty:
        lines += difficulty_lines(difficulty)
    if result.verdict is Verdict.UNWINNABLE:
        lines.append("Every line of play was searched or refuted; none wins.")
    if result.reason:
        lines.append(UNKNOWN_HINT[result.reason][0].upper() + UNKNOWN_HINT[result.reason][1:] + ".")
    lines += ["", *drawn(deal, colour)]
    if result.moves:
        lines += ["", "Solution", *solution(position, result.moves, colour)]
    return "\n".join(lines)


def difficulty_lines(difficulty: Difficulty) -> Iterator[str]:
    """Gets how hard a deal is, in sentences."""
    if difficulty.level:
        yield f"Difficulty: {difficulty.level}"
    yield (
        f"Of {difficulty.playouts:,} games without a plan a careless player wins"
        f" {difficulty.careless:,}, a greedy one {difficulty.greedy:,}."
    )
    if difficulty.choices is not None:
        unclear = f", {difficulty.unclear} undecided" if difficulty.unclear else ""
        yield (
            f"At {difficulty.single} of the solution's {difficulty.choices} choices"
            f" only one move keeps the win{unclear}."
        )


def drawn(deal: Deal, colour: bool) -> Iterator[str]:
    """Draws a deal, or a table: the piles that there are, a label and rows each."""
    for pile, rows in deal.piles():
        yield pile.capitalize()
        for row in rows:
            yield "  " + " ".join(pretty(card, colour) for card in row)


def solution(position: Position, moves: Sequence[Move], colour: bool) -> Iterator[str]:
    """Gets the moves numbered and in words, with the card that fills each gap."""
    width = len(str(len(moves)))
    for number, step in enumerate(steps_of(position, moves)[1:], 1):
        yield f"  {number:{width}}. {in_words(step, partial(pretty, colour=colour))}"


def move_in_words(position: Position, move: Move, colour: bool) -> str:
    """Gets a move in words, with the card that fills the gap."""
    return in_words(steps_of(position, [move])[1], partial(pretty, colour=colour))


def pretty(card: Card | None, colour: bool) -> str:
    """Gets a card's name; on a terminal with a suit symbol, red for hearts and diamonds."""
    if card is None or not colour:
        return place_name(card)
    return f"{RED if suit_of(card) >= HEARTS else BLACK}{symbol_name(card)}{PLAIN}"


def _bold(text: str, colour: bool) -> str:
    return f"{BOLD}{text}{PLAIN}" if colour else text
