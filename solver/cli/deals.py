"""What commands share that work on one deal: naming it, its position, moves, deciding it."""

import errno
import gc
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..game.deal import Deal, deal_from_seed, parse_seed, parse_table
from ..game.moves import Move
from ..game.notation import parse_moves, with_some_stock
from ..game.position import Position, check, replay, start
from ..game.rules import MAX_RESERVE, MIN_RESERVE, Rules
from ..game.verdict import Limits, Result
from ..show.console import one_line
from .options import F, read_rules, reserve_option, say_if_compiling
from .progress import state_progress

MOST_BYTES = 1 << 16  # of a text

SAVED_GAME = re.compile(rb"\x80[\x02-\x05]|X\x07\0\0\0PySolFC|U\x07PySolFC|[SV]'?PySolFC")
"""How a pickle begins, and one of old protocols that PySolFC wrote. To load one is to run what it
says, so none is loaded."""

INSTEAD_OF_SAVED_GAME = (
    "this is a pickle, as PySolFC saves games, and is not read; give the number that PySolFC shows"
    " (--seed N) and the moves made since (--moves FILE), or type in the table as 'rr-solve show'"
    " prints it"
)
NO_DEAL = "expected a deal as 'rr-solve show' prints it; a deal's number is given by --seed N"
NO_MOVES = "expected moves such as deal and R:2C>upper, or the solution of a report"


def _seed_option(context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    try:
        return None if text is None else parse_seed(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def deal_options(command: F) -> F:
    """Adds the options that name a deal."""
    for option in (
        click.argument("deal_file", required=False, type=click.Path(path_type=Path)),
        click.option(
            "--seed", metavar="N", callback=_seed_option, help="PySolFC's game number: N, or msN."
        ),
        reserve_option,
    ):
        command = option(command)
    return command


def moves_options(command: F) -> F:
    """Adds the options that name moves made since the deal."""
    for option in (
        click.option(
            "--after",
            metavar="MOVES",
            default="",
            help="Moves made since, such as 'deal R:2C>upper'.",
        ),
        click.option(
            "--moves",
            "moves_file",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="A file of moves made since ('-': standard input).",
        ),
    ):
        command = option(command)
    return command


def read_deal(
    deal_file: Path | None,
    seed: str | None,
    reserve: int | None,
    moves_file: Path | None = None,
) -> Deal:
    """Gets the deal that the options name.

    :param moves_file: what moves will be read from, which can't be the same standard input.
    :raises UsageError: if they name none, or two.
    :raises ClickException: if it can't be read.
    """
    if deal_file == moves_file == Path("-"):
        raise click.UsageError("the deal and the moves can't both come from standard input")
    if (deal_file is None) == (seed is None):
        raise click.UsageError(
            "a deal is needed: --seed N, or a file"
            if seed is None
            else "--seed and a file contradict each other"
        )
    if seed is not None:
        return deal_from_seed(seed, 16 if reserve is None else reserve)
    assert deal_file is not None
    name = name_of(deal_file)
    with text_of(deal_file, NO_DEAL) as text:
        deal = parse_table(text, name)
        if not MIN_RESERVE <= len(deal.reserve) <= MAX_RESERVE:
            raise ValueError(
                f"{name}: the reserve has {len(deal.reserve)} cards, "
                f"expected {MIN_RESERVE} to {MAX_RESERVE}"
            )
    if reserve not in (None, len(deal.reserve)):
        raise click.UsageError(
            f"--reserve {reserve} contradicts {name}, which has {len(deal.reserve)} reserve cards"
        )
    return deal


def read_moves(after: str, moves_file: Path | None) -> list[Move]:
    """Gets the moves that the options name: those of the file first.

    :raises ClickException: if they can't be read.
    """
    moves = []
    if moves_file is not None:
        with text_of(moves_file, NO_MOVES) as text:
            moves = parse_moves(text, name_of(moves_file))
    try:
        return moves + parse_moves(after)
    except ValueError as error:
        raise click.BadParameter(str(error).partition(": ")[2], param_hint="--after") from None


def one_rule_set(switches: dict[str, Any], what: str = "this") -> Rules:
    """Gets the only rule set that the options name.

    :param what: what needs it, for an error.
    :raises UsageError: if they name several, or contradict each other.
    """
    every_rules = read_rules(**switches)
    if len(every_rules) > 1:
        raise click.UsageError(f"{what} needs one rule set, not --rules all")
    return every_rules[0]


def position_of(
    deal: Deal, rules: Rules, deal_file: Path | None, any_stock: bool = False
) -> Position:
    """Gets the position of a deal, with as many reserve slots as that has.

    :param any_stock: whether the cards of an unknown stock may be in any order.
    :raises ClickException: if there is no such position under the rules, or its stock is unknown.
    """
    rules = replace(rules, reserve=len(deal.reserve))
    name = name_of(deal_file) if deal_file else "deal"
    try:
        position = (with_some_stock if any_stock else start)(deal, rules)
    except ValueError as error:
        raise click.ClickException(f"{name}: {error}") from None
    try:
        check(position)
    except ValueError as error:
        raise click.ClickException(f"{name}: {error} (rules: {rules.name})") from None
    return position


def played(position: Position, moves: list[Move]) -> Position:
    """Gets the position after moves.

    :raises ClickException: if one is not legal.
    """
    try:
        return replay(position, moves)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def name_of(path: Path) -> str:
    """Gets what a file is called in errors."""
    return "<stdin>" if str(path) == "-" else one_line(path)


@contextmanager
def text_of(path: Path, instead: str) -> Iterator[str]:
    """Gives a file's text; what goes wrong with it, or with reading it, is one line.

    :param instead: what to say where the file is of no known kind.
    """
    name = name_of(path)
    try:
        yield _read_text(path)
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror}{_if_number(name)}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{name}: this is not a text file; {instead}") from None
    except ValueError as error:
        raise click.ClickException(str(error) or f"{name}: {instead}") from None


def _if_number(name: str) -> str:
    """Gets a way out for those who give the number of a deal as a file."""
    try:
        return f" (a deal's number is given by --seed {parse_seed(name)})"
    except ValueError:
        return ""


def _read_text(path: Path) -> str:
    if str(path) == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    if SAVED_GAME.match(content):
        raise ValueError(f"{name_of(path)}: {INSTEAD_OF_SAVED_GAME}")
    text = content.decode()
    if len(content) > MOST_BYTES or "\0" in text:
        raise ValueError
    return text


def solve_position(position: Position, limits: Limits) -> Result:
    """Decides a position, with talk and progress on stderr."""
    say_if_compiling()
    gc.disable()  # the compiler's import makes many objects and no garbage: a tenth of the start
    from ..engine.decide import solve as decide
    from ..engine.search import prepare

    prepare()
    gc.enable()
    progress = state_progress()
    try:
        return decide(position, limits, on_progress=progress)
    finally:
        progress.close()
