"""What commands share that work on one deal: naming it, its position, moves, deciding it."""

import gc
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ..game.deal import Deal, deal_from_seed, parse_seed, parse_table
from ..game.moves import Move
from ..game.notation import with_some_stock
from ..game.pasted import parse_moves
from ..game.position import Position, check, replay, start
from ..game.rules import MAX_RESERVE, MIN_RESERVE, Rules
from ..game.verdict import Limits, Result
from .inputs import name_of, text_of
from .options import gathered, reserve_option, say_if_compiling
from .paths import InputFile
from .progress import state_progress

NO_DEAL = "expected a deal as 'rr-solve show' prints it; a deal's number is given by --seed N"
NO_MOVES = "expected moves such as deal and R:2C>upper, or the solution of a report"


@dataclass(frozen=True, slots=True)
class DealOptions:
    """What names a deal: a file or a number."""

    deal_file: Path | None
    reserve: int | None
    seed: str | None


@dataclass(frozen=True, slots=True)
class MovesOptions:
    """What names the moves made since: those of a file come first."""

    moves_file: Path | None
    after: str

    @property
    def is_given(self) -> bool:
        """Whether there may be any."""
        return self.moves_file is not None or self.after != ""


def _seed_option(context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    try:
        return None if text is None else parse_seed(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


deal_options = gathered(
    "named",
    DealOptions,
    click.argument("deal_file", required=False, type=InputFile()),
    reserve_option,
    click.option(
        "--seed", metavar="N", callback=_seed_option, help="PySolFC's game number: N, or msN."
    ),
)
"""Adds the options that name a deal; the command gets ``named``."""

moves_options = gathered(
    "made",
    MovesOptions,
    click.option(
        "--moves",
        "moves_file",
        type=InputFile(),
        metavar="FILE",
        help="A file of moves made since ('-': standard input).",
    ),
    click.option(
        "--after",
        metavar="MOVES",
        default="",
        help="Moves made since, such as 'deal R:2C>upper'.",
    ),
)
"""Adds the options that name moves made since the deal; the command gets ``made``."""


def read_deal(named: DealOptions, moves_file: Path | None = None) -> Deal:
    """Gets the deal that the options name.

    :param moves_file: what moves will be read from, which can't be the same standard input.
    :raises UsageError: if they name none, or two.
    :raises ClickException: if it can't be read.
    """
    deal_file, reserve, seed = named.deal_file, named.reserve, named.seed
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


def read_moves(made: MovesOptions, position: Position) -> list[Move]:
    """Gets the moves that the options name.

    :param position: where they begin.
    :raises ClickException: if they can't be read, or name cards that are not there.
    """
    moves = []
    if made.moves_file is not None:
        with text_of(made.moves_file, NO_MOVES) as text:
            moves = parse_moves(text, name_of(made.moves_file), position)
        position = played(position, moves)
    try:
        return moves + parse_moves(made.after, position=position)
    except ValueError as error:
        raise click.BadParameter(str(error).partition(": ")[2], param_hint="--after") from None


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
