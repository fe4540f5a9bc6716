"""What is published in ``results/``: tables as CSV, and lists of deal numbers.

========================  =======================================================================
``winnability.csv``       how many deals can be won under each rule set, the share, its interval
``switches.csv``          pairs of rule sets that differ in one switch, on the same deals
``states.csv``            the states that deals took, by rule set and verdict
``hardest.csv``           the deals that took most states under each preset
``undecided.csv``         every deal without a verdict, with the states spent
``runs.csv``              what decided the deals: rules, budget, version of the program, time
``naive.csv``             how many of the deals players without a plan win (``bench.naive``)
``unwinnable/NAME.txt``   the numbers of the deals that can't be won under a preset, one a line;
                          compressed with xz, as ``NAME.txt.xz``, where there are many
========================  =======================================================================

All other deals from the first to the last of a preset can be won.
"""

import csv
import lzma
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from solver.batch.stats import UNKNOWN, UNWINNABLE, WINNABLE
from solver.game.rules import PRESETS

Record = dict[str, str]

# A preset that loses three deals in ten.
COMPRESSED = "wikipedia-strict"


def table(folder: Path, name: str) -> list[Record]:
    """Reads one of the tables.

    :raises OSError: if it is not there.
    """
    with (folder / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def preset_lines(folder: Path) -> list[Record]:
    """Reads how often deals can be won under each preset.

    :raises OSError: if the table is not there.
    """
    return [line for line in table(folder, "winnability") if line["rules"] in PRESETS]


def list_file(folder: Path, preset: str) -> Path:
    """Gets the file of a preset's unwinnable numbers."""
    return folder / "unwinnable" / f"{preset}.txt{'.xz' * (preset == COMPRESSED)}"


def list_content(path: Path, numbers: Iterable[object]) -> bytes:
    """Gets what a file of numbers holds."""
    text = "".join(f"{number}\n" for number in numbers).encode()
    return lzma.compress(text, preset=9) if path.suffix == ".xz" else text


def listed_in(path: Path) -> list[int]:
    """Reads a file of numbers.

    :raises OSError: if it is not there.
    :raises ValueError: if something else is in it.
    """
    content = path.read_bytes()
    try:
        text = lzma.decompress(content) if path.suffix == ".xz" else content
        return [*map(int, text.split())]
    except (ValueError, lzma.LZMAError):
        raise ValueError(f"{path}: this is no list of deal numbers") from None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The published verdicts under one preset."""

    first: int
    last: int
    unwinnable: frozenset[int]
    undecided: frozenset[int]

    def __len__(self) -> int:
        return self.last - self.first + 1

    def of(self, deal: int) -> str:
        """Gets the verdict of a deal from the first to the last."""
        if deal in self.undecided:
            return UNKNOWN
        return UNWINNABLE if deal in self.unwinnable else WINNABLE


def verdicts(folder: Path) -> dict[str, Verdicts]:
    """Reads the published verdicts by preset.

    :raises OSError: if a file is not there.
    :raises ValueError: if lists and counts differ, or a preset has only one of them.
    """
    undecided = table(folder, "undecided")
    found = {
        record["rules"]: _verdicts(folder, record, undecided) for record in preset_lines(folder)
    }
    listed = {name for name in PRESETS if list_file(folder, name).exists()}
    if not found or listed != set(found):
        missing = ", ".join(sorted(listed - set(found))) or "presets"
        raise ValueError(f"{folder}: winnability.csv has no {missing}")
    return found


def _verdicts(folder: Path, record: Record, undecided: Iterable[Record]) -> Verdicts:
    name = record["rules"]
    those = Verdicts(
        int(record["first"]),
        int(record["last"]),
        frozenset(listed_in(list_file(folder, name))),
        frozenset(int(line["deal"]) for line in undecided if line["rules"] == name),
    )
    counts = len(those), len(those.unwinnable), len(those.undecided)
    if counts != tuple(int(record[column]) for column in ("deals", "lost", "unknown")):
        raise ValueError(f"{folder}: the lists of {name} are not as long as winnability.csv says")
    return those
