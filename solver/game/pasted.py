"""Reading the moves of a game from a text: notation, reports, single lines of them, and JSON."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from .cards import Card, card_name, parse_card, suit_of, with_letters
from .errors import Error
from .foundations import Pile
from .moves import DEAL, Move, parse_move, reserve_move, transfer, waste_move
from .position import IllegalMoveError, Position
from .steps import Step, steps_of

SOLUTION = "Solution"
"""The line of a report after which its moves stand."""

RULES = "Rules: "
"""How a line begins that every report has; its moves are numbered."""

NUMBER = re.compile(r"\s*[0-9]+\.")
START = "the start"
VERDICT = re.compile(
    r"^(?:[0-9]+ of [0-9]+(?:, [0-9]+ unknown)? +)?(?:keeps the win|loses|unknown) +"
)
STATES = re.compile(r"^[0-9,]+ states +\S+ +")
SENTENCE = re.compile(r"[A-Z][a-z]+ .*\.")
TABLE = re.compile(r"(?:Upper|Lower|Deuce|King|Reserve|Stock|Waste)(?:  | [\[(]|$)")
CARDS = re.compile(r"(?:\s*[\[(]?(?:10|\w|-)[\w-][\])]?)+\s*")

FILLS = r"(?:; *(?P<filler>\w+) fills the gap)?"
TURNS = r"(?:; *(?P<turned>\w+) turns by itself)?"
WORDS = [
    re.compile(pattern + FILLS + TURNS, re.IGNORECASE)
    for pattern in (
        r"(?P<source>deal) +(?P<card>(?:10|[2-9AJQKT])[CSHD])",
        r"(?P<source>reserve|waste) +(?P<card>\w+) to (?P<pile>\w+)",
        r"(?P<source>transfer) +(?P<card>\w+) from (?P<from_pile>\w+) to (?P<pile>\w+)",
    )
]


class Played(NamedTuple):
    """A move that a text tells of, with the cards that it names and a move does not."""

    move: Move
    moved: Card | None = None
    filler: Card | None = None
    turned: Card | None = None

    def fault(self, step: Step) -> str | None:
        """Gets what is not as the text has it."""
        pairs = [
            ("the card that moves", self.moved, step.moved),
            ("what fills the gap", self.filler, step.filler),
            ("what turns", self.turned, step.position.waste[-1] if step.turned else None),
        ]
        for what, told, true in pairs:
            if told is not None and told != true:
                known = "no card" if true is None else card_name(true)
                return f"{what} is {known}, not {card_name(told)}"
        return None


def parse_moves(text: str, source: str = "moves", position: Position | None = None) -> list[Move]:
    """Reads the moves of a game, in notation, in the words of a report, or as JSON.

    Moves in notation are separated by blanks, commas, semicolons or lines, in any case. What
    follows a hash on a line is a comment. Reports of ``solve``, ``review`` and ``replay`` are read
    whole or in part; of a hint the lines of moves are.

    :param source: what to call the text in errors, such as a file name.
    :param position: where the moves begin, if it is known: cards that the text names beside the
        moves (those dealt or turned, and those that fill gaps) are then compared with the game's.
    :raises Error: naming the source, the line and what is no move, or the two cards that differ.
    """
    moves = []
    text = with_letters(text).removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        text = _moves_of_json(text, source)
    for number, content in _lines_of(text):
        try:
            for played in _played_in(content):
                position = _after(position, played)
                moves.append(played.move)
        except ValueError as error:
            raise Error(f"{source}:{number}: {error}") from None
    return moves


def _after(position: Position | None, played: Played) -> Position | None:
    """Gets the position after a move, if that is known.

    :raises Error: if the text names another card than the one that is there.
    """
    if position is None:
        return None
    try:
        step = steps_of(position, [played.move])[1]
    except IllegalMoveError:
        return None  # whoever plays the moves will say so
    if fault := played.fault(step):
        raise Error(fault)
    return step.position


def _lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Gets the lines that tell of moves, with their numbers."""
    lines = text.splitlines()
    first = lines.index(SOLUTION) + 1 if SOLUTION in lines else 0
    is_report = any(line.startswith(RULES) for line in lines) and any(map(NUMBER.match, lines))
    begun, in_table = not is_report or first > 0, False
    for number, line in enumerate(lines[first:], first + 1):
        numbered = NUMBER.match(line)
        begun = begun or numbered is not None
        content = line[numbered.end() if numbered else 0 :].split("#", 1)[0].strip()
        in_table = bool(TABLE.match(content) or (in_table and CARDS.fullmatch(content)))
        is_talk = is_report and SENTENCE.fullmatch(content)
        if begun and content != START and not in_table and not is_talk:
            yield number, content


def _moves_of_json(text: str, source: str) -> str:
    """Gets the moves of what ``--json`` prints: those of a solution, or of a reviewed game."""
    try:
        content = json.loads(text)
        moves = [step["move"] for step in content["steps"]] if "steps" in content else None
        moves = content["moves"] if moves is None else moves
    except (ValueError, KeyError, TypeError):
        moves = None
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise Error(f"{source}: this is JSON, but not that of a solution or a review")
    return " ".join(moves)


def _played_in(line: str) -> Iterator[Played]:
    line = VERDICT.sub("", line, count=1)
    line = STATES.sub("", line)
    for pattern in WORDS:
        if words := pattern.fullmatch(line):
            yield _in_words(words.groupdict())
            return
    line = re.sub(r"\s*>\s*", ">", line)
    yield from (Played(parse_move(word)) for word in re.split(r'[\s,;"\[\]]+', line) if word)


def _in_words(words: dict[str, str | None]) -> Played:
    cards = {
        name: parse_card(text)
        for name in ("card", "filler", "turned")
        if (text := words[name]) is not None
    }
    moved, source = cards["card"], str(words["source"]).lower()
    move = DEAL
    if source != "deal":
        pile = _pile(str(words["pile"]))
        if source == "transfer":
            move = transfer(suit_of(moved), _pile(str(words["from_pile"])), pile)
        else:
            move = (reserve_move if source == "reserve" else waste_move)(moved, pile)
    return Played(move, moved, cards.get("filler"), cards.get("turned"))


def _pile(name: str) -> Pile:
    """Reads the name of a kind of foundation, in any case."""
    try:
        return Pile(name.lower())
    except ValueError:
        raise Error(f"{name!r} is not one of {', '.join(Pile)}") from None
