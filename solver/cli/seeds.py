"""The numbers of many deals, as the command line and files name them."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import click

from ..game.deal import parse_seed
from .inputs import name_of, text_of

MOST_DEALS = 10_000_000
MOST_BYTES = 1 << 28  # of a file of numbers
NO_SEEDS = "expected deal numbers or ranges, separated by blanks or lines"
WHOLE = 1, 1
"""The shard of all deals."""


def seeds_option(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> list[str]:
    """Reads what ``--seeds`` names.

    :raises BadParameter: if a text is no range of deal numbers, or there are too many deals.
    """
    try:
        return _all_seeds(part for text in texts for part in text.split(","))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def shard_option(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[int, int]:
    """Reads what ``--shard`` names: which part of how many.

    :raises BadParameter: if the text is no shard.
    """
    if text is None:
        return WHOLE
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{text!r} is not K/N with K from 1 to N")
    return int(match[1]), int(match[2])


def seeds_in(path: Path | None) -> list[str]:
    """Gets the deal numbers in a file, if there is one.

    :raises ClickException: naming the line, if it can't be read.
    """
    if path is None:
        return []
    number = 0

    def ranges(text: str) -> Iterator[str]:
        nonlocal number
        for number, line in enumerate(text.splitlines(), 1):  # noqa: B007
            yield from line.split()

    with text_of(path, NO_SEEDS, MOST_BYTES) as text:
        try:
            return _all_seeds(ranges(text))
        except ValueError as error:
            raise ValueError(f"{name_of(path)}:{number}: {error}") from None


def _all_seeds(ranges: Iterable[str]) -> list[str]:
    """Gets the deal numbers of ranges.

    :raises ValueError: if one is none, or there are too many deals.
    """
    seeds = [*islice((seed for text in ranges for seed in _seed_range(text)), MOST_DEALS + 1)]
    if len(seeds) > MOST_DEALS:
        raise ValueError(f"more than {MOST_DEALS:,} deals")
    return seeds


def _seed_range(text: str) -> Iterator[str]:
    """Gets the deal numbers of ``N``, ``msN``, ``A-B`` or ``msA-msB``.

    :raises ValueError: if the text is none of them.
    """
    first, dash, last = text.strip().partition("-")
    first = parse_seed(first)
    last = parse_seed(last) if dash else first
    kind = "ms" if first.startswith("ms") else ""
    low, high = int(first.removeprefix(kind)), int(last.removeprefix("ms"))
    if last.startswith("ms") != bool(kind) or high < low:
        raise ValueError(f"{text!r} is not a range of deal numbers")
    yield from (f"{kind}{number}" for number in range(low, high + 1))
