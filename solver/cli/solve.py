"""The command ``solve``: the verdict on one deal, with all that can be made of it."""

from dataclasses import dataclass
from pathlib import Path

import click

from ..game.deal import Deal
from ..game.difficulty import Difficulty
from ..game.position import Position
from ..game.rules import Rules
from ..game.steps import steps_of
from ..game.verdict import DEFAULT_STATES, Limits, Reason, Result, Verdict
from ..show.console import in_colour, one_line
from .deals import DealOptions, deal_options, position_of, read_deal, solve_position
from .options import INTERRUPTED, budget_options, gathered, rules_options
from .outputs import new_file_option, write_output
from .pages import html_option, title_of, write_page
from .progress import state_progress

EXIT_CODES = {Verdict.WINNABLE: 10, Verdict.UNWINNABLE: 20, Verdict.UNKNOWN: 30}


@dataclass(frozen=True, slots=True)
class Files:
    """The files that are written of a verdict."""

    html: Path | None
    certificate: Path | None
    reductions: str

    def __post_init__(self) -> None:
        if self.reductions == "none" and not self.certificate:
            raise click.UsageError("--reductions is for --certificate FILE")


@dataclass(frozen=True, slots=True)
class Saying:
    """What is said of a verdict, and how."""

    difficulty: bool
    as_json: bool
    quiet: bool
    exit_code: bool

    def __post_init__(self) -> None:
        for name, given in (("json", self.as_json), ("difficulty", self.difficulty)):
            if given and self.quiet:
                raise click.UsageError(f"--{name} and --quiet contradict each other")


files_options = gathered(
    "files",
    Files,
    html_option,
    new_file_option("--certificate", "Write a proof of the verdict, for 'rr-solve verify'."),
    click.option(
        "--reductions",
        type=click.Choice(["all", "none"]),
        default="all",
        show_default=True,
        help="What a certificate of a loss may leave out; 'none' proves it with the real moves and"
        " the loss bound alone.",
    ),
)

saying_options = gathered(
    "saying",
    Saying,
    click.option("--difficulty", is_flag=True, help="Say how hard the deal is for a player too."),
    click.option("--json", "as_json", is_flag=True, help="One JSON object per rule set."),
    click.option("--quiet", is_flag=True, help="Only the verdict."),
    click.option("--exit-code", is_flag=True, help="Exit with 10, 20 or 30 by the verdict."),
)


@click.command(short_help="Decide a deal (the default command).")
@deal_options
@rules_options
@budget_options(DEFAULT_STATES)
@files_options
@saying_options
def solve(
    named: DealOptions, every_rules: list[Rules], limits: Limits, files: Files, saying: Saying
) -> int:
    """Decide a deal: winnable, with the moves; unwinnable; or unknown."""
    for name, given in (
        ("exit-code", saying.exit_code),
        ("html", files.html),
        ("certificate", files.certificate),
    ):
        if given and len(every_rules) > 1:
            raise click.UsageError(f"--{name} needs one rule set, not --rules all")
    deal = read_deal(named)
    code = 0
    for position in _positions(deal, every_rules, named.deal_file):
        result = solve_position(position, limits)
        measured = _measure(position, result, limits.memory) if saying.difficulty else None
        click.echo(_text(deal, position, result, measured, saying, len(every_rules) > 1))
        if files.html:
            _write_solution(files.html, position, result, title_of(deal, named.deal_file))
        if files.certificate:
            _certify(files.certificate, deal, result, files.reductions, limits)
        if saying.exit_code:
            code = EXIT_CODES[result.verdict]
        if result.reason is Reason.INTERRUPTED:
            return INTERRUPTED
    return code


def _positions(deal: Deal, every_rules: list[Rules], deal_file: Path | None) -> list[Position]:
    """Gets the position of a deal under each set of rules, and says which of several it breaks.

    :raises ClickException: if it breaks all.
    """
    positions, errors = [], list[click.ClickException]()
    for rules in every_rules:
        try:
            positions.append(position_of(deal, rules, deal_file))
        except click.ClickException as error:
            errors.append(error)
    if not positions:
        raise errors[0]
    for each in errors:
        click.echo(f"Left out: {each.message}", err=True)
    return positions


def _text(
    deal: Deal,
    position: Position,
    result: Result,
    difficulty: Difficulty | None,
    saying: Saying,
    several: bool,
) -> str:
    """Gets what to print of a verdict; of one of several it is a line that names the rules."""
    from ..show import result_text

    if saying.as_json:
        return result_text.as_json(result, deal, difficulty)
    if several:
        line = str(result.verdict) if saying.quiet else result_text.verdict_line(result)
        if difficulty and difficulty.level:
            line += f", {difficulty.level}"
        return f"{result.rules.name:<17} {line}"
    if saying.quiet:
        return str(result.verdict)
    return result_text.as_text(result, deal, position, in_colour(), difficulty)


def _write_solution(path: Path, position: Position, result: Result, title: str) -> None:
    """Writes the page of a position's solution, or says that there is none.

    :raises ClickException: if it can't be written.
    """
    if result.moves or position.is_won:
        write_page(path, steps_of(position, result.moves), title)
    else:
        click.echo(f"{one_line(path)}: not written, there is no solution", err=True)


def _certify(path: Path, deal: Deal, result: Result, reductions: str, limits: Limits) -> None:
    """Writes the certificate of a verdict, or says why there is none."""
    from ..player.certify import certificate
    from ..proof.claim import LimitError, method_for

    progress = state_progress()
    try:
        method = method_for(result.rules, reduce=reductions == "all")
        content = certificate(deal, result, method, limits, progress)
    except LimitError as error:
        raise click.ClickException(f"no certificate: {error}") from None
    finally:
        progress.close()
    if content is None:
        click.echo("No certificate: the verdict is unknown", err=True)
    else:
        write_output((path, content))


def _measure(position: Position, result: Result, memory: int) -> Difficulty:
    from ..player.difficulty import difficulty_of_result

    return difficulty_of_result(position, result, memory)
