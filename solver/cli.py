"""The command line: reads options, asks the library, prints. It knows no rules and no search.

``rr-solve`` without a command solves. Nothing heavy is imported until a deal has been read, so that
help and errors come at once.
"""

import errno
import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .cli_batch import batch, merge
from .cli_options import (
    FAILED,
    INTERRUPTED,
    F,
    StateProgress,
    budget_options,
    is_terminal,
    one_line,
    read_rules,
    reserve_option,
    rules_options,
    say_if_compiling,
)
from .cli_stats import export_command, stats_command
from .cli_verify import verify
from .deal import Deal, deal_from_seed, parse_deal, parse_seed
from .rules import MAX_RESERVE, MIN_RESERVE, Rules

if TYPE_CHECKING:
    from .solve import Result

EXIT_CODES = {"winnable": 10, "unwinnable": 20, "unknown": 30}
MOST_BYTES = 1 << 16  # of a deal's text


class SolveByDefault(click.Group):
    """A group that takes ``rr-solve --seed N`` as ``rr-solve solve --seed N``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts the command's name in front, unless there is one or the group's own option."""
        if args and args[0] not in (*self.commands, "--help", "--version"):
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


@cli.command(short_help="Decide a deal (the default command).")
@deal_options
@rules_options
@budget_options
@click.option(
    "--order",
    type=click.Choice(["layers", "depth"]),
    default="layers",
    show_default=True,
    help="The order of search: a beam that widens itself, or depth first.",
)
@click.option(
    "--form",
    type=click.Choice(["credit", "plain"]),
    help="The form of the game to search: a second way to the same verdict."
    "  [default: credit where it fits the rules]",
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a proof of the verdict, for 'rr-solve verify'.",
)
@click.option(
    "--reductions",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="What a certificate of a loss may leave out; 'none' proves it with the real moves and the"
    " loss bound alone.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per rule set.")
@click.option("--quiet", is_flag=True, help="Only the verdict.")
@click.option("--exit-code", is_flag=True, help="Exit with 10, 20 or 30 by the verdict.")
def solve(
    deal_file: Path | None,
    seed: str | None,
    reserve: int | None,
    states: int,
    memory: int,
    order: str,
    form: str | None,
    certificate: Path | None,
    reductions: str,
    as_json: bool,
    quiet: bool,
    exit_code: bool,
    **switches: Any,
) -> int:
    """Decide a deal: winnable, with the moves; unwinnable; or unknown."""
    if as_json and quiet:
        raise click.UsageError("--json and --quiet contradict each other")
    every_rules = read_rules(**switches)
    if form == "credit" and not all(rules.has_credit_form for rules in every_rules):
        raise click.UsageError("--form credit needs the rules --deal any --no-transfers")
    if exit_code and len(every_rules) > 1:
        raise click.UsageError("--exit-code needs one rule set, not --rules all")
    if certificate and len(every_rules) > 1:
        raise click.UsageError("--certificate needs one rule set, not --rules all")
    if reductions == "none" and not certificate:
        raise click.UsageError("--reductions is for --certificate FILE")
    deal = read_deal(deal_file, seed, reserve)
    code = 0
    for rules in every_rules:
        result = _solve(
            deal, replace(rules, reserve=len(deal.reserve)), states, memory, order, form
        )
        _print(deal, result, as_json, quiet, len(every_rules) > 1)
        if certificate:
            _certify(certificate, deal, result, form, reductions, states, memory << 20)
        if exit_code:
            code = EXIT_CODES[result.verdict]
        if result.reason == "interrupted":
            return INTERRUPTED
    return code


@cli.command()
@deal_options
def show(deal_file: Path | None, seed: str | None, reserve: int | None) -> None:
    """Print a deal as text that can be edited and read again."""
    click.echo(str(read_deal(deal_file, seed, reserve)), nl=False)


def read_deal(deal_file: Path | None, seed: str | None, reserve: int | None) -> Deal:
    """Gets the deal that the options name.

    :raises UsageError: if they name none, or two.
    :raises ClickException: if it can't be read.
    """
    if (deal_file is None) == (seed is None):
        raise click.UsageError(
            "a deal is needed: --seed N, or a file"
            if seed is None
            else "--seed and a file contradict each other"
        )
    if seed is not None:
        return deal_from_seed(seed, 16 if reserve is None else reserve)
    assert deal_file is not None
    name = "<stdin>" if str(deal_file) == "-" else one_line(deal_file)
    try:
        deal = parse_deal(_read_text(deal_file), name)
        if not MIN_RESERVE <= len(deal.reserve) <= MAX_RESERVE:
            raise ValueError(
                f"{name}: the reserve has {len(deal.reserve)} cards, "
                f"expected {MIN_RESERVE} to {MAX_RESERVE}"
            )
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise click.ClickException(f"{name}: this is not a text file") from None
    except ValueError as error:
        raise click.ClickException(str(error) or f"{name}: this is not a deal") from None
    if reserve not in (None, len(deal.reserve)):
        raise click.UsageError(
            f"--reserve {reserve} contradicts {name}, which has {len(deal.reserve)} reserve cards"
        )
    return deal


def _read_text(path: Path) -> str:
    if str(path) == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    text = content.decode()
    if len(content) > MOST_BYTES or "\0" in text:
        raise ValueError
    return text


def _solve(
    deal: Deal, rules: Rules, states: int, memory: int, order: str, form: str | None
) -> "Result":
    say_if_compiling()
    gc.disable()  # the compiler's import makes many objects and no garbage: a tenth of the start
    from .game import start
    from .search import Form, Order, prepare
    from .solve import solve as decide

    prepare()
    gc.enable()
    progress = StateProgress()
    try:
        return decide(
            start(deal, rules),
            states,
            memory << 20,
            Order[order.upper()],
            Form[form.upper()] if form else None,
            progress,
        )
    finally:
        progress.close()


def _certify(
    path: Path,
    deal: Deal,
    result: "Result",
    form: str | None,
    reductions: str,
    states: int,
    memory: int,
) -> None:
    """Writes the certificate of a verdict, or says why there is none."""
    from .certify import certificate
    from .files import write
    from .proof.claim import LimitError, method_for

    progress = StateProgress()
    try:
        method = method_for(result.rules, form, reductions == "all")
        content = certificate(deal, result, method, states, memory, progress)
        if content is None:
            click.echo("No certificate: the verdict is unknown", err=True)
        else:
            write({path: content})
    except LimitError as error:
        raise click.ClickException(f"no certificate: {error}") from None
    except OSError as error:
        raise click.ClickException(f"{one_line(path)}: {error.strerror}") from None
    finally:
        progress.close()


def _print(deal: Deal, result: "Result", as_json: bool, quiet: bool, several: bool) -> None:
    from . import report
    from .game import start

    if as_json:
        click.echo(report.as_json(result, deal))
    elif several:
        line = str(result.verdict) if quiet else report.verdict_line(result)
        click.echo(f"{result.rules.name:<17} {line}")
    elif quiet:
        click.echo(result.verdict)
    else:
        colour = is_terminal(sys.stdout) and "NO_COLOR" not in os.environ
        click.echo(report.as_text(result, deal, start(deal, result.rules), colour))


for command in (batch, merge, stats_command, export_command, verify):
    cli.add_command(command)


if __name__ == "__main__":
    main()
