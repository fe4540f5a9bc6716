"""Decides a random sample of the published deals again, from nothing: ``make results-check``.

Losses are few under most presets, so some of each are taken besides.
"""

import random
from collections.abc import Mapping
from pathlib import Path

import click

from bench.published import Verdicts, verdicts
from solver.engine.decide import solve
from solver.game.deal import deal_from_seed
from solver.game.position import start
from solver.game.rules import PRESETS
from solver.game.verdict import Limits, Verdict

AT_LEAST_1 = click.IntRange(1)


def chosen(published: Mapping[str, Verdicts], sample: int, seed: int) -> list[tuple[str, int]]:
    """Gets presets and deals at random, each published row with the same chance."""
    rows = range(sum(map(len, published.values())))
    numbers, below = sorted(random.Random(seed).sample(rows, min(sample, len(rows)))), 0
    found = []
    for name, those in published.items():
        found += [(name, those.first + n - below) for n in numbers if 0 <= n - below < len(those)]
        below += len(those)
    return found


def chosen_losses(
    published: Mapping[str, Verdicts], sample: int, seed: int
) -> list[tuple[str, int]]:
    """Gets at most so many unwinnable deals of each preset at random."""
    rng = random.Random(seed)
    return [
        (name, deal)
        for name, those in published.items()
        for deal in sorted(rng.sample(sorted(those.unwinnable), min(sample, len(those.unwinnable))))
    ]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--states", type=AT_LEAST_1, default=1_000_000, show_default=True, help="The budget of a deal."
)
@click.option("--sample", type=AT_LEAST_1, default=1000, show_default=True, help="How many deals.")
@click.option(
    "--losses",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="How many losses of each preset.",
)
@click.option("--seed", default=1, show_default=True, help="Of the random sample.")
def main(folder: Path, states: int, sample: int, losses: int, seed: int) -> None:
    """Decide a random sample of the deals published in FOLDER again, and compare."""
    try:
        published = verdicts(folder)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    rows = chosen(published, sample, seed)
    among = len(rows)
    rows += chosen_losses(published, losses, seed)
    wrong = undecided = 0
    for name, deal in rows:
        before = published[name].of(deal)
        now = str(solve(start(deal_from_seed(str(deal)), PRESETS[name]), Limits(states)).verdict)
        if Verdict.UNKNOWN in (before, now):
            undecided += 1
        elif before != now:
            wrong += 1
            click.echo(f"{name} {deal}: published {before}, now {now}", err=True)
    click.echo(
        f"{among:,} deals and {len(rows) - among:,} losses decided again:"
        f" {wrong} wrong, {undecided} undecided"
    )
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
