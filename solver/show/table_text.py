"""The table as text, a line for each pile: ``[7H]`` is the card moved, ``(7H)`` came after it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ..game.cards import Card
from ..game.deal import GAP, RESERVE_ROW
from ..game.moves import Source
from ..game.steps import Step, piles_of, tops_of

LABEL = 8  # characters
CELL = 4  # a card's name of two characters, between blanks or brackets
PLAIN, MOVED, FOLLOWED = (" ", " "), ("[", "]"), ("(", ")")
LEGEND = "[ ] the card moved, ( ) the card that then filled its gap or turned by itself"


class Cell(NamedTuple):
    """A piece of a line, and the card that it shows if it shows one."""

    text: str
    card: Card | None = None


Line: TypeAlias = list[Cell]
Mark: TypeAlias = tuple[str, str]


def table(step: Step, name: Callable[[Card], str], width: int = 80) -> Iterator[Line]:
    """Draws the table after a step, in lines of at most ``width`` characters if that is 12 or more.

    :param name: gets the name of a card, two characters.
    """
    fits = max((width - LABEL) // CELL, 1)
    for pile in piles_of(step.position):
        cards = tops_of(step.position, pile)
        target = step.moved if step.move and step.move.pile is pile else None
        marks = [MOVED if held is not None and held == target else PLAIN for held in cards]
        yield from _pile(str(pile).capitalize(), cards, marks, name, fits)
    reserve = step.position.reserve
    filled = None if step.filler is None else step.slot
    marks = [FOLLOWED if slot == filled else PLAIN for slot in range(len(reserve))]
    yield from _pile("Reserve", reserve, marks, name, min(RESERVE_ROW, fits))
    yield [Cell(f"{'Stock':<{LABEL}} {len(step.position.stock)}")]
    yield from _pile("Waste", step.position.waste, _waste_marks(step), name, fits)


def _waste_marks(step: Step) -> list[Mark]:
    marks = [PLAIN] * len(step.position.waste)
    if step.move and step.move.source is Source.STOCK:
        marks[-1] = MOVED
    elif step.turned:
        marks[-1] = FOLLOWED
    return marks


def _pile(
    label: str,
    cards: Sequence[Card | None],
    marks: Sequence[Mark],
    name: Callable[[Card], str],
    fits: int,
) -> Iterator[Line]:
    """Draws cards after their label, in as many lines as they need and at least one."""
    cells = [
        Cell(f"{left}{GAP if held is None else name(held)}{right}", held)
        for held, (left, right) in zip(cards, marks, strict=True)
    ]
    for i in range(0, max(len(cells), 1), fits):
        yield [Cell(f"{'' if i else label:<{LABEL}}"), *cells[i : i + fits]]


def as_text(line: Line) -> str:
    """Gets a line without anything that only colours show."""
    return "".join(cell.text for cell in line).rstrip()
