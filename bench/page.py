"""Puts the published tables into pages: ``make results-tables``.

What stands in a page between ``<!-- NAME -->`` and ``<!-- end -->`` is replaced by the block of
that name, made from the tables in the folder. The rest of the page is written by hand.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from bench.players import Player
from bench.published import Record, preset_lines, table
from solver.base.files import write
from solver.batch.stats import UNWINNABLE, WINNABLE
from solver.batch.store import VERDICTS
from solver.game.rules import PRESETS, Rules

BLOCK = re.compile(r"(<!-- ([a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)
WIDTH = 106  # of a line of text
SHORT = {WINNABLE: "won", UNWINNABLE: "lost"}


def percent(share: str, form: str = ".3f") -> str:
    """Gets a share as text, in percent."""
    return f"{100 * float(share):{form}}"


def interval(line: Record, form: str = ".3f") -> str:
    """Gets the 95% interval of a line as text, in percent."""
    return f"{percent(line['low'], form)} to {percent(line['high'], form)}"


def count(number: str) -> str:
    """Gets a number with commas."""
    return f"{round(float(number)):,}"


def markdown(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Gets a table, the first column to the left and the others to the right."""
    if not lines:
        return "Not decided yet.\n"
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (header, rule, *lines))


COUNTS = ["deals", "won", "lost", "undecided", "winnable, %", "95% interval, %"]


def _counts(line: Record) -> list[str]:
    counts = [count(line[name]) for name in ("deals", "won", "lost", "unknown")]
    return [*counts, percent(line["share"]) if line["share"] else "-", interval(line)]


def winnability(folder: Path) -> str:
    """Gets how often deals can be won under each preset."""
    lines = [[f"`{line['rules']}`", *_counts(line)] for line in preset_lines(folder)]
    return markdown(["rules", *COUNTS], lines)


def others(folder: Path) -> str:
    """Gets the same of the rule sets that are no presets, with a reserve of the usual size."""
    lines = [
        [f"`{line['rules']}`", *_counts(line)]
        for line in table(folder, "winnability")
        if line["rules"] not in PRESETS and line["reserve"] == str(Rules().reserve)
    ]
    return markdown(["rules", *COUNTS], lines)


def reserve(folder: Path) -> str:
    """Gets the same by the size of the reserve, of presets with more than the usual size."""
    sizes: dict[str, list[Record]] = {}
    for line in table(folder, "winnability"):
        name = line["rules"].removesuffix(f" reserve={line['reserve']}")
        if name in PRESETS:
            sizes.setdefault(name, []).append(line)
    lines = [
        [line["reserve"], f"`{name}`", *_counts(line)]
        for name, several in sizes.items()
        if len(several) > 1
        for line in sorted(several, key=lambda line: int(line["reserve"]))
    ]
    text = markdown(["slots", "rules", *COUNTS], lines)
    if (folder / "reserve.svg").exists():
        text += "\n![Winnable deals by the size of the reserve](reserve.svg)\n"
    return text


def switches(folder: Path) -> str:
    """Gets what each switch changes."""
    lines = [
        [
            *(line["switch"], f"`{line['without']}`", f"`{line['with']}`"),
            *(count(line[name]) for name in ("deals", "only_without", "only_with", "undecided")),
            *(percent(line["difference"], "+.3f"), interval(line, "+.3f")),
        ]
        for line in table(folder, "switches")
    ]
    header = ["switch", "without", "with", "deals", "won only without", "only with"]
    return markdown([*header, "undecided", "difference, points", "95% interval"], lines)


def states(folder: Path) -> str:
    """Gets the states a deal by verdict, of the presets."""
    lines = [
        [
            *(f"`{line['rules']}`", line["verdict"], count(line["deals"])),
            *(count(line[name]) for name in ("mean", "median", "p90", "p99", "max")),
        ]
        for line in table(folder, "states")
        if line["rules"] in PRESETS
    ]
    return markdown(["rules", "verdict", "deals", "mean", "median", "90%", "99%", "most"], lines)


def naive(folder: Path) -> str:
    """Gets what players without a plan win, beside perfect play."""
    wins = {(line["rules"], line["player"]): line for line in table(folder, "naive")}
    lines = [
        [
            f"`{line['rules']}`",
            *(f"{percent(each['share'], '.2f')} ({interval(each, '.2f')})" for each in row),
        ]
        for line in preset_lines(folder)
        for row in [[line, *(wins[line["rules"], player] for player in Player)]]
    ]
    return markdown(["rules", "perfect play", *Player], lines)


def hardest(folder: Path) -> str:
    """Gets the deals that took most states, a column for each preset."""
    columns: dict[str, list[str]] = {}
    for line in table(folder, "hardest"):
        verdict = SHORT.get(VERDICTS[line["verdict"]], "undecided")
        cell = f"{line['deal']} {verdict}, {count(line['states'])}"
        columns.setdefault(f"`{line['rules']}`", []).append(cell)
    longest = max(map(len, columns.values()))
    rows = [
        [cells[i] if i < len(cells) else "" for cells in columns.values()] for i in range(longest)
    ]
    return markdown(["", *columns], [[str(i), *row] for i, row in enumerate(rows, 1)])


def losses(folder: Path) -> str:
    """Gets the counts and sizes of the proofs of losses."""
    path = folder / "losses.txt"
    return f"```\n{path.read_text()}```\n" if path.exists() else "Not made yet.\n"


def headline(folder: Path) -> str:
    """Gets the sentences that may be quoted.

    :raises ValueError: if one of the rule sets that they are about is missing.
    """
    by_name = {line["rules"]: line for line in preset_lines(folder)}
    if not {"wikipedia", "wikipedia-strict"} <= set(by_name):
        raise ValueError(f"{folder}: winnability.csv lacks wikipedia or wikipedia-strict")
    line, strict = by_name["wikipedia"], by_name["wikipedia-strict"]
    text = (
        f"By Wikipedia's rules, if a card may be dealt at any time, a player who sees all cards can"
        f" win {count(line['won'])} of {count(line['deals'])} random deals of Royal Rendezvous"
        f" (PySolFC's numbers {line['first']} to {line['last']}) and can't win {_rest(line)}. If a"
        f" card may be dealt only when no reserve card can be played, the same player can win"
        f" {count(strict['won'])} of {_these(strict, line)} and can't win {_rest(strict)}."
    )
    return textwrap.indent(textwrap.fill(text, WIDTH, break_on_hyphens=False), "> ") + "\n"


def _rest(line: Record) -> str:
    unknown = int(line["unknown"])
    undecided = f"; {unknown:,} {'is' if unknown == 1 else 'are'} undecided" if unknown else ""
    return (
        f"{count(line['lost'])}{undecided}: {percent(line['share'])} %"
        f" (95 % interval for all deals: {interval(line)} %)"
    )


def _these(line: Record, other: Record) -> str:
    """Says of how many of the other line's deals a line is."""
    if line["deals"] == other["deals"]:
        return "these deals"
    return f"the first {count(line['deals'])} of these deals"


BLOCKS: dict[str, Callable[[Path], str]] = {
    block.__name__: block
    for block in (
        *(headline, winnability, switches, others, reserve),
        *(states, naive, hardest, losses),
    )
}


def filled(text: str, folder: Path) -> str:
    """Gets a page with all its blocks made anew.

    :raises ValueError: if there is no block of a name.
    """

    def block(match: re.Match[str]) -> str:
        if match[2] not in BLOCKS:
            raise ValueError(f"there is no block {match[2]!r}, only: {', '.join(BLOCKS)}")
        return f"{match[1]}\n{BLOCKS[match[2]](folder)}\n{match[3]}"

    return BLOCK.sub(block, text)


def pages(folder: Path, paths: Sequence[Path]) -> Iterator[tuple[Path, bytes]]:
    """Gets the pages with their blocks made anew."""
    for path in paths:
        yield path, filled(path.read_text(encoding="utf-8"), folder).encode()


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("paths", metavar="PAGE...", nargs=-1, type=click.Path(path_type=Path))
def main(folder: Path, paths: tuple[Path, ...]) -> None:
    """Put the tables in FOLDER into pages."""
    try:
        write(dict(pages(folder, paths)))
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
