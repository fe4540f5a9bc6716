"""The command ``verify``: checks a certificate without the search."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..game.deal import Deal
from ..game.rules import describe
from ..show.console import one_line
from .errors import reason_of
from .options import FAILED, memory_option, say_if_compiling_checker
from .paths import InputFile
from .progress import state_progress

if TYPE_CHECKING:
    from ..proof.certificate import Header
    from ..proof.claim import Tally

RESTS_ON = {
    "credit": "the credit form of the game",
    "plain": "the real moves, one by one",
    "ends": "ends: cards that nothing can follow are settled",
    "free-pop": "free pops: waste cards that cost nothing to release",
    "certain": "certain cards are played at once",
    "relaxed": "the relaxed game: what it loses is lost",
}


@click.command(short_help="Check a certificate.")
@click.argument("file", type=InputFile())
@memory_option("The most memory for states that wait.")
@click.option(
    "--fast", is_flag=True, help="Check thousands of states at a time: a second program, compiled."
)
def verify(file: Path, memory: int, fast: bool) -> int:
    """Check a certificate: the proof, written with --certificate, that a deal is won or lost.

    No part of the search is used. Exit code 0: the proof is valid. 1: it is not, and the first
    fault is printed; or it could not be checked.
    """
    from ..proof.claim import InvalidError, LimitError

    if fast:
        say_if_compiling_checker()
    try:
        header, tally = _verified(file, memory << 20, fast)
    except InvalidError as error:
        click.echo(f"invalid: {one_line(error)}")
        return FAILED
    except LimitError as error:
        raise click.ClickException(f"{error}: --memory MB allows more") from None
    except OSError as error:
        raise click.ClickException(f"{one_line(file)}: {reason_of(error)}") from None
    click.echo("\n".join(_lines(header, tally)))
    return 0


def _verified(file: Path, memory: int, fast: bool) -> "tuple[Header, Tally]":
    from ..proof.certificate import read_certificate
    from ..proof.verify import check

    with file.open("rb") as stream:
        header, body = read_certificate(stream)
        progress = state_progress(header.tally.states)
        try:
            return header, check(header, body, memory, progress, fast)
        finally:
            progress.close()


def _name(deal: Deal) -> str:
    if deal.seed:
        return f"deal {deal.seed}"
    return "the deal in the file" if deal.is_start else "the table in the file"


def _lines(header: "Header", tally: "Tally") -> list[str]:
    """Gets what was checked, and what the verdict rests on."""
    lines = [f"valid: {_name(header.deal)} is {header.verdict}", f"Rules: {describe(header.rules)}"]
    if header.method is None:
        return [*lines, f"Checked: {header.moves} moves, replayed by the rules"]
    lines.append(
        f"Checked: {tally.states:,} states, {tally.states - tally.refuted:,} expanded, "
        f"{tally.refuted:,} refuted"
    )
    if tally.dead:
        lines.append(f"  {tally.dead:,} of those refuted are dead by the relaxed game,")
        lines.append(f"  which takes {tally.relaxed:,} of the states")
    reasons = [header.method.form, *sorted(header.method.reductions)]
    return [
        *lines,
        "Rests on (docs/proofs.md):",
        "  the loss bound",
        *(f"  {RESTS_ON[reason]}" for reason in reasons),
    ]
