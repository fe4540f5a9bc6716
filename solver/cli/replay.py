"""The command ``replay``: a line of play step by step, as a web page, on a terminal or as text."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ..game.cards import card_name
from ..game.moves import Move
from ..game.pasted import parse_moves
from ..game.position import Position
from ..game.rules import Rules, describe
from ..game.steps import Step, in_words, steps_of
from ..game.verdict import DEFAULT_STATES, Limits, Reason
from ..show.table_text import LEGEND, as_text, table
from .deals import NO_MOVES, DealOptions, deal_options, position_of, read_deal, solve_position
from .inputs import name_of, text_of
from .options import budget_options, one_rule_set, rules_options
from .pages import heading, html_option, title_of, write_page
from .paths import InputFile


@click.command(short_help="Step a solution through: in the terminal, or as a web page.")
@deal_options
@rules_options
@budget_options(DEFAULT_STATES)
@click.option(
    "--moves",
    "moves_file",
    type=InputFile(),
    metavar="FILE",
    help="Replay these moves, one a line as in --json, instead of a solution.",
)
@html_option
def replay(
    named: DealOptions,
    every_rules: list[Rules],
    limits: Limits,
    moves_file: Path | None,
    html: Path | None,
) -> None:
    """Step a solution through, or any moves: see --moves.

    On a terminal the keys are: arrows, space, n and p, PgUp and PgDn, Home and End, and q to quit.
    Elsewhere every step is printed with the table after it. A deal without a solution ends the
    command with exit code 1.
    """
    rules = one_rule_set(every_rules, "replay")
    deal = read_deal(named, moves_file)
    title = title_of(deal, named.deal_file)
    position = position_of(deal, rules, named.deal_file)
    if moves_file is not None:
        steps = _steps_in(moves_file, position)
    else:
        steps = steps_of(position, _solution(position, title, limits))
    if html is not None:
        write_page(html, steps, title)
    elif not _viewed(steps, title):
        for text in as_texts(steps, title):
            click.echo(text)


def as_texts(steps: Sequence[Step], title: str) -> Iterator[str]:
    """Gets every step as text: its number, the move and the table after it."""
    rules = steps[0].position.rules
    yield f"{heading(steps, title)}\nRules: {describe(rules)}\n{LEGEND}"
    width = len(str(len(steps) - 1))
    for number, step in enumerate(steps):
        text = in_words(step, card_name) if step.move else "the start"
        yield "\n".join(["", f"{number:{width}}. {text}", *map(as_text, table(step, card_name))])


def _steps_in(path: Path, position: Position) -> list[Step]:
    """Reads moves and plays them.

    :raises ClickException: if a move can't be read or is not legal.
    """
    with text_of(path, NO_MOVES) as text:
        moves = parse_moves(text, name_of(path), position)
        try:
            return steps_of(position, moves)
        except ValueError as error:
            raise ValueError(f"{name_of(path)}: {error}") from None


def _solution(position: Position, title: str, limits: Limits) -> Sequence[Move]:
    """Solves a position.

    :raises ClickException: if it has no solution, or none was found.
    """
    result = solve_position(position, limits)
    if result.moves or position.is_won:
        return result.moves
    if result.reason is Reason.INTERRUPTED:
        raise click.Abort
    from ..show.result_text import UNKNOWN_HINT

    if result.reason is None:
        raise click.ClickException(
            f"{title} is {result.verdict} under {position.rules.name}:"
            " there is no solution to replay"
        )
    raise click.ClickException(
        f"{title} is {result.verdict} ({result.reason}): {UNKNOWN_HINT[result.reason]}"
    )


def _viewed(steps: Sequence[Step], title: str) -> bool:
    """Shows the steps on the terminal, if there is one that will do."""
    try:
        from ..show import terminal
    except ImportError:  # a Python without curses
        return False
    if not terminal.is_usable():
        return False
    terminal.view(steps, heading(steps, title))
    return True
