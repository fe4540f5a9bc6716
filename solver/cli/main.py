"""The command line: reads options, asks the library, prints. It knows no rules and no search.

``rr-solve`` without a command solves. Nothing heavy is imported until a deal has been read, so that
help and errors come at once.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches

import click

from ..base.version import __version__
from ..show.console import one_line
from .batch import batch
from .cache import cache
from .errors import reason_of
from .export import export_command
from .hint import hint
from .merge import merge
from .options import FAILED, INTERRUPTED
from .replay import replay
from .review import review
from .show import show
from .solve import solve
from .stats import stats_command
from .verify import verify


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
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error.__cause__, EOFError):  # which click takes for Ctrl-C
            code = _failed(error.__cause__)
        else:
            click.echo("Interrupted", err=True)
            code = INTERRUPTED
    except OSError as error:
        click.echo(f"Error: {reason_of(error)}", err=True)
        code = FAILED
    except Exception as error:
        code = _failed(error)
    _drop_what_cannot_be_written()
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: Exception) -> int:
    """Tells of a fault of the program, and gets the exit code."""
    if os.environ.get("RR_DEBUG"):
        raise error
    click.echo(f"Error: {type(error).__name__}: {error} (RR_DEBUG=1 shows where)", err=True)
    return FAILED


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


for command in (
    *(solve, batch, merge, stats_command, export_command),
    *(replay, verify, show, hint, review, cache),
):
    cli.add_command(command)


if __name__ == "__main__":
    main()
