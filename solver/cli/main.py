"""The command line: reads options, asks the library, prints. It knows no rules and no search.

``rr-solve`` without a command solves. Nothing heavy is imported until a deal has been read, so that
help and errors come at once.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ..base.version import __version__
from ..game.deal import Deal
from ..game.difficulty import Difficulty
from ..game.position import Position
from ..game.verdict import DEFAULT_STATES, Limits, Reason, Result, Verdict
from ..show.console import in_colour, one_line
from .batch import batch, merge
from .cache import cache
from .deals import deal_options, name_of, position_of, read_deal, solve_position
from .options import (
    FAILED,
    INTERRUPTED,
    budget_options,
    new_file_option,
    read_rules,
    rules_options,
)
from .player import hint, review, show
from .progress import state_progress
from .replay import html_option, replay, title_of, write_solution
from .stats import export_command, stats_command
from .verify import verify

EXIT_CODES = {Verdict.WINNABLE: 10, Verdict.UNWINNABLE: 20, Verdict.UNKNOWN: 30}


class SolveByDefault(click.Group):
    """A group that takes ``rr-solve --seed N`` as ``rr-solve solve --seed N``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts the command's name in front, unless there is one or the group's own option.

        :raises UsageError: if the first word looks like a command's name, misspelt.
        """
        if args and args[0] not in (*self.commands, "--help", "--version"):
            meant = get_close_matches(args[0], self.commands, 1, 0.7)
            if meant and not os.path.lexists(args[0]):
                raise click.UsageError(
                    f"there is no command or file {one_line(args[0])!r}; did you mean {meant[0]!r}?"
                )
            args.insert(0, "solve")
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options of ``solve`` too: they are what most people look for."""
        solve_command = self.commands["solve"]
        with click.Context(solve_command, info_name="solve", parent=ctx) as solve_ctx:
            click.Command.format_options(solve_command, solve_ctx, formatter)
        super().format_options(ctx, formatter)


def main(args: Sequence[str] | None = None) -> None:
    """Runs the command line and exits; whatever goes wrong is one line on stderr."""
    try:
        code = cli.main(args=None if args is None else list(args), standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted", err=True)
        code = INTERRUPTED
    except OSError as error:
        click.echo(f"Error: {error.strerror or error}", err=True)
        code = FAILED
    except Exception as error:
        if os.environ.get("RR_DEBUG"):
            raise
        name = type(error).__name__
        click.echo(f"Error: {name}: {error} (RR_DEBUG=1 shows where)", err=True)
        code = FAILED
    _drop_what_cannot_be_written()
    sys.exit(code if isinstance(code, int) else 0)


def _drop_what_cannot_be_written() -> None:
    """Keeps the interpreter from trying again, at its end, to write to a full disk."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    cls=SolveByDefault,
    subcommand_metavar="[DEAL_FILE] | COMMAND [ARGS]...",
    epilog="""\b
Exit codes:
  0    it ran, whatever the verdict
  1    it could not run: the deal can't be read, or the program is at fault
  2    the command line is wrong
  130  interrupted by Ctrl-C; a verdict that was not reached is 'unknown'
With --exit-code: 10 winnable, 20 unwinnable, 30 unknown.

\b
Examples:
  rr-solve --seed 100000
  rr-solve --seed ms1234 --rules all
  rr-solve show --seed 100000 > deal.txt; rr-solve deal.txt --json""",
)
@click.version_option(__version__, prog_name="rr-solve")
def cli() -> None:
    """Decide deals of the solitaire Royal Rendezvous.

    Says of a deal whether it can be won, with the moves, or that it provably can't. The deal is a
    number of PySolFC's (--seed) or a text file ('-' for standard input).
    """


@cli.command(short_help="Decide a deal (the default command).")
@deal_options
@rules_options
@budget_options(DEFAULT_STATES)
@html_option
@new_file_option("--certificate", "Write a proof of the verdict, for 'rr-solve verify'.")
@click.option(
    "--reductions",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="What a certificate of a loss may leave out; 'none' proves it with the real moves and the"
    " loss bound alone.",
)
@click.option("--difficulty", is_flag=True, help="Say how hard the deal is for a player too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per rule set.")
@click.option("--quiet", is_flag=True, help="Only the verdict.")
@click.option("--exit-code", is_flag=True, help="Exit with 10, 20 or 30 by the verdict.")
def solve(
    deal_file: Path | None,
    seed: str | None,
    reserve: int | None,
    limits: Limits,
    html: Path | None,
    certificate: Path | None,
    reductions: str,
    difficulty: bool,
    as_json: bool,
    quiet: bool,
    exit_code: bool,
    **switches: Any,
) -> int:
    """Decide a deal: winnable, with the moves; unwinnable; or unknown."""
    if as_json and quiet:
        raise click.UsageError("--json and --quiet contradict each other")
    if difficulty and quiet:
        raise click.UsageError("--difficulty and --quiet contradict each other")
    every_rules = read_rules(**switches)
    for name, given in (("exit-code", exit_code), ("html", html), ("certificate", certificate)):
        if given and len(every_rules) > 1:
            raise click.UsageError(f"--{name} needs one rule set, not --rules all")
    if reductions == "none" and not certificate:
        raise click.UsageError("--reductions is for --certificate FILE")
    deal = read_deal(deal_file, seed, reserve)
    code = 0
    for position in [position_of(deal, rules, deal_file) for rules in every_rules]:
        result = solve_position(position, limits)
        measured = _measure(position, result, limits.memory) if difficulty else None
        _print(deal, position, result, measured, as_json, quiet, len(every_rules) > 1)
        if html:
            write_solution(html, position, result.moves, title_of(deal, deal_file))
        if certificate:
            _certify(certificate, deal, result, reductions, limits)
        if exit_code:
            code = EXIT_CODES[result.verdict]
        if result.reason is Reason.INTERRUPTED:
            return INTERRUPTED
    return code


def _certify(path: Path, deal: Deal, result: Result, reductions: str, limits: Limits) -> None:
    """Writes the certificate of a verdict, or says why there is none."""
    from ..base.files import write
    from ..player.certify import certificate
    from ..proof.claim import LimitError, method_for

    progress = state_progress()
    try:
        method = method_for(result.rules, reduce=reductions == "all")
        content = certificate(deal, result, method, limits, progress)
        if content is None:
            click.echo("No certificate: the verdict is unknown", err=True)
        else:
            write({path: content})
    except LimitError as error:
        raise click.ClickException(f"no certificate: {error}") from None
    except OSError as error:
        raise click.ClickException(f"{name_of(path)}: {error.strerror}") from None
    finally:
        progress.close()


def _measure(position: Position, result: Result, memory: int) -> Difficulty:
    from ..player.difficulty import difficulty_of_result

    return difficulty_of_result(position, result, memory)


def _print(
    deal: Deal,
    position: Position,
    result: Result,
    difficulty: Difficulty | None,
    as_json: bool,
    quiet: bool,
    several: bool,
) -> None:
    from ..show import result_text

    if as_json:
        click.echo(result_text.as_json(result, deal, difficulty))
    elif several:
        line = str(result.verdict) if quiet else result_text.verdict_line(result)
        if difficulty and difficulty.level:
            line += f", {difficulty.level}"
        click.echo(f"{result.rules.name:<17} {line}")
    elif quiet:
        click.echo(result.verdict)
    else:
        click.echo(result_text.as_text(result, deal, position, in_colour(), difficulty))


for command in (
    *(batch, merge, stats_command, export_command),
    *(replay, verify, show, hint, review, cache),
):
    cli.add_command(command)


if __name__ == "__main__":
    main()
