"""Decides a random sample of the published deals again, from nothing: ``make results-check``.

Published of each deal is its verdict: ``results/exceptions.csv`` lists the deals that are not
winnable, all others in the range are.
"""

import csv
import random
from pathlib import Path

import click

from solver.deal import deal_from_seed
from solver.game import start
from solver.rules import PRESETS
from solver.solve import Verdict, solve

EXCEPTIONS = Path(__file__).parents[1] / "results" / "exceptions.csv"


def published(first: int, last: int) -> dict[tuple[str, str], str]:
    """Gets the published verdict of each rule set and deal."""
    with EXCEPTIONS.open(newline="") as file:
        exceptions = {(row["rules"], row["seed"]): row["verdict"] for row in csv.DictReader(file)}
    return {
        (name, str(deal)): exceptions.get((name, str(deal)), str(Verdict.WINNABLE))
        for name in PRESETS
        for deal in range(first, last + 1)
    }


@click.command()
@click.argument("first", type=int)
@click.argument("last", type=int)
@click.option("--states", default=1_000_000, show_default=True, help="The budget of a deal.")
@click.option("--sample", default=1000, show_default=True, help="How many deals.")
@click.option("--seed", default=1, show_default=True, help="Of the random sample.")
def main(first: int, last: int, states: int, sample: int, seed: int) -> None:
    """Decide a random sample of the published deals FIRST to LAST again, and compare."""
    verdicts = published(first, last)
    chosen = random.Random(seed).sample(sorted(verdicts), sample)
    wrong = undecided = 0
    for name, deal in chosen:
        rules = PRESETS[name]
        now = solve(start(deal_from_seed(deal), rules), states=states).verdict
        pair = {verdicts[name, deal], str(now)}
        if Verdict.UNKNOWN in pair:
            undecided += 1
        elif len(pair) == 2:
            wrong += 1
            click.echo(f"{name} {deal}: published {verdicts[name, deal]}, now {now}", err=True)
    click.echo(f"{sample} deals decided again: {wrong} wrong, {undecided} undecided")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
