"""What stores say of many deals: counts, shares with their intervals, paired comparisons.

Rules are never mixed: every figure is about one set of rules, or about a pair of sets over the same
deals. Unknown deals are never dropped from the interval of a share of all deals, or of a difference
of two: see :attr:`Summary.interval` and :attr:`Comparison.difference_interval`. What is said of the
discordant deals alone is of those that both sets have decided.
"""

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

from ..game.difficulty import Level
from ..game.errors import Error
from ..game.rules import Rules
from ..game.verdict import Verdict
from .store import Row, Store, StoreError, contradict, gives_way

WINNABLE, UNWINNABLE, UNKNOWN = Verdict
CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
HARDEST = 5
FIRST_OWN_NUMBER = 32000  # PySolFC takes smaller numbers for Microsoft's deals
HALVINGS = 60  # of an interval of length 1: past what a float can tell apart

Interval = tuple[float, float]
Rows = Mapping[str, Row]


@dataclass(frozen=True, slots=True)
class Spread:
    """How values are spread: the percentiles are numpy's default, linear between neighbours."""

    least: float
    p10: float
    median: float
    p90: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of the deals under one set of rules."""

    rules: Rules
    won: int
    lost: int
    unknown: int
    states: Spread
    milliseconds: Spread
    states_by_verdict: Mapping[Verdict, Spread]
    """Without the verdicts that no deal has."""
    hardest: tuple[Row, ...]
    """Those with most states, the hardest first."""
    levels: Mapping[Level, int]
    """How many deals there are of each level of difficulty, among those measured."""

    @property
    def deals(self) -> int:
        """The number of deals, whatever their verdict."""
        return self.won + self.lost + self.unknown

    @property
    def share(self) -> float | None:
        """The share of the decided deals that can be won; none if no deal is decided."""
        decided = self.won + self.lost
        return self.won / decided if decided else None

    @property
    def interval(self) -> Interval:
        """The 95% interval of the share: Wilson's, unknowns lost below and won above."""
        return wilson(self.won, self.deals)[0], wilson(self.won + self.unknown, self.deals)[1]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sets of rules, A and B, over the deals with a row under each.

    Counts and shares are of the deals that both have decided.
    """

    rules_a: Rules
    rules_b: Rules
    both: int
    only_a: int
    only_b: int
    neither: int
    undecided: int
    """Deals left out because a verdict is unknown."""
    worst: tuple[int, int]
    """The deals that only A and that only B wins, undecided ones lost under A and won under B."""
    best: tuple[int, int]
    """The same with undecided ones won under A and lost under B."""

    @property
    def deals(self) -> int:
        """The number of deals compared."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def difference(self) -> float:
        """The share won under A less the share won under B."""
        return (self.only_a - self.only_b) / self.deals

    @property
    def difference_interval(self) -> Interval:
        """The 95% interval of the difference, unknowns against A below and for A above."""
        deals = self.deals + self.undecided
        return paired_difference(*self.worst, deals)[0], paired_difference(*self.best, deals)[1]

    @property
    def p_value(self) -> float:
        """McNemar's exact two-sided p: how likely so uneven a split is if neither is easier."""
        return mcnemar(self.only_a, self.only_b)

    @property
    def favour_a(self) -> float | None:
        """The share of the discordant deals that only A wins; none if there are no such deals."""
        discordant = self.only_a + self.only_b
        return self.only_a / discordant if discordant else None

    @property
    def favour_a_interval(self) -> Interval:
        """The exact 95% interval of that share."""
        return clopper_pearson(self.only_a, self.only_a + self.only_b)


# Rows of several stores


def rule_sets(stores: Sequence[Store]) -> list[Rules]:
    """Gets the rule sets of all stores, in the order in which they first appear.

    :raises StoreError: if a name stands for other switches in one store than elsewhere.
    """
    found: dict[str, Rules] = {}
    for store in stores:
        for name, rules in store.rules().items():
            # A name tells all switches, so that in two stores that differ one has the wrong name.
            if rules.name != name:
                raise StoreError(
                    f"{store.path}: {name!r} has other switches in this store than elsewhere"
                )
            found.setdefault(name, rules)
    return list(found.values())


def pooled(stores: Sequence[Store], rules: Rules) -> dict[str, Row]:
    """Gets the rows under rules of all stores by deal, without moves, in the order of a store.

    Which of two rows of a deal is kept says ``store.gives_way``.

    :raises StoreError: if two stores contradict each other.
    """
    rows: dict[str, Row] = {}
    for store in stores:
        for row in store.rows(rules, moves=False):
            earlier = rows.get(row.seed)
            if earlier is None:
                rows[row.seed] = row
                continue
            kept = row if _is_news(earlier, row, rules, store) else earlier
            if kept.difficulty is None and row.verdict is earlier.verdict:
                kept = replace(kept, difficulty=row.difficulty or earlier.difficulty)
            rows[row.seed] = kept
    if len(stores) == 1:
        return rows
    return {seed: rows[seed] for seed in sorted(rows, key=_order)}


def _is_news(earlier: Row, row: Row, rules: Rules, store: Store) -> bool:
    if contradict(earlier, row):
        raise StoreError(
            f"{store.path}: deal {row.seed} under {rules.name} is {row.verdict} here,"
            f" but {earlier.verdict} in an earlier store"
        )
    return gives_way(earlier, row)


def _order(seed: str) -> tuple[bool, int, str]:
    """Gets the key that sorts as :meth:`Store.rows` does."""
    return seed.startswith("ms"), len(seed), seed


def winnable_numbers(rows: Rows) -> Iterator[int]:
    """Gets the numbers of winnable deals that a game program can offer as its own."""
    for row in rows.values():
        # A number of Microsoft's has letters; those below 32000 mean other deals elsewhere.
        if row.verdict == WINNABLE and row.seed.isdecimal() and int(row.seed) >= FIRST_OWN_NUMBER:
            yield int(row.seed)


# Summaries


def summarise(rules: Rules, rows: Rows, hardest: int = HARDEST) -> Summary:
    """Gets the figures of the deals under one set of rules.

    :raises Error: if there are no rows.
    """
    every_row = rows.values()
    states = {
        verdict: [row.states for row in every_row if row.verdict == verdict] for verdict in Verdict
    }
    won, lost, unknown = (len(values) for values in states.values())
    levels = Counter(row.difficulty.level for row in every_row if row.difficulty)
    return Summary(
        rules,
        won,
        lost,
        unknown,
        spread([row.states for row in every_row]),
        spread([row.microseconds / 1000 for row in every_row]),
        {verdict: spread(values) for verdict, values in states.items() if values},
        tuple(hardest_of(every_row, hardest)),
        {level: levels[level] for level in Level},
    )


def hardest_of(rows: Iterable[Row], most: int) -> list[Row]:
    """Gets the deals with most states, the hardest first; among equals the first comes first."""
    return heapq.nlargest(most, rows, key=lambda row: row.states)


def compare(rules_a: Rules, rows_a: Rows, rules_b: Rules, rows_b: Rows) -> Comparison:
    """Compares two sets of rules over the deals with a row under each.

    :raises Error: if there is no deal that both have decided.
    """
    pairs = Counter(
        (row.verdict, rows_b[seed].verdict) for seed, row in rows_a.items() if seed in rows_b
    )
    both, only_a, only_b, neither = (
        pairs[a, b] for a in (WINNABLE, UNWINNABLE) for b in (WINNABLE, UNWINNABLE)
    )
    undecided = pairs.total() - both - only_a - only_b - neither
    if undecided == pairs.total():
        raise Error(f"no deal is decided both under {rules_a.name} and under {rules_b.name}")
    worst, best = (
        _discordant(pairs, if_unknown)
        for if_unknown in ((UNWINNABLE, WINNABLE), (WINNABLE, UNWINNABLE))
    )
    return Comparison(rules_a, rules_b, both, only_a, only_b, neither, undecided, worst, best)


def _discordant(
    pairs: Mapping[tuple[Verdict, Verdict], int], if_unknown: tuple[Verdict, Verdict]
) -> tuple[int, int]:
    """Gets the deals that only A and that only B wins, if unknown verdicts under each are these."""
    counts = Counter[tuple[Verdict, Verdict]]()
    for (a, b), deals in pairs.items():
        counts[if_unknown[0] if a == UNKNOWN else a, if_unknown[1] if b == UNKNOWN else b] += deals
    return counts[WINNABLE, UNWINNABLE], counts[UNWINNABLE, WINNABLE]


def spread(values: Collection[float]) -> Spread:
    """Gets how values are spread.

    :raises Error: if there are none.
    """
    ordered = sorted(values)
    return Spread(*(percentile(ordered, percent) for percent in (0, 10, 50, 90, 99, 100)))


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Gets a percentile of values in ascending order, linear between the two nearest of them.

    :raises Error: if there are no values.

    >>> percentile([1, 2, 3, 10], 50)
    2.5
    """
    if not ordered:
        raise Error("no values have no percentiles")
    position = (len(ordered) - 1) * percent / 100
    below = math.floor(position)
    if below == position:
        return ordered[below]
    return ordered[below] + (position - below) * (ordered[below + 1] - ordered[below])


# Intervals and tests


def wilson(successes: int, trials: int) -> Interval:
    """Gets Wilson's 95 % score interval of a share; all of 0 to 1 if there are no trials."""
    if not trials:
        return 0.0, 1.0
    share, weight = successes / trials, Z * Z / trials
    centre = (share + weight / 2) / (1 + weight)
    half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
    # At the ends the limits are 0 and 1 exactly, but for rounding.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return low, high


def clopper_pearson(successes: int, trials: int) -> Interval:
    """Gets the exact 95% interval of a share, from the tails of the binomial distribution."""
    return _exact_low(successes, trials), 1 - _exact_low(trials - successes, trials)


def _exact_low(successes: int, trials: int) -> float:
    """Gets the share under which so many successes, or more, are as unlikely as a tail."""
    if successes == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        share = (low + high) / 2
        at_least = binomial_cdf(trials - successes, trials, 1 - share)
        low, high = (share, high) if at_least < (1 - CONFIDENCE) / 2 else (low, share)
    return (low + high) / 2


def mcnemar(only_a: int, only_b: int) -> float:
    """Gets McNemar's exact two-sided p of two counts of discordant pairs."""
    discordant = only_a + only_b
    return min(1.0, 2 * binomial_cdf(min(only_a, only_b), discordant, 0.5))


def binomial_cdf(successes: int, trials: int, share: float) -> float:
    """Gets the probability of at most so many successes.

    Sums from the largest term down until the terms no longer matter: about as many as the square
    root of the trials.
    """
    if successes >= trials or share <= 0:
        return 1.0
    if successes < 0 or share >= 1:
        return 0.0
    if successes > trials * share:
        return 1 - binomial_cdf(trials - successes - 1, trials, 1 - share)
    term, total = _binomial_term(successes, trials, share), 0.0
    odds = (1 - share) / share
    while successes >= 0 and term > total * 1e-17:
        total += term
        term *= odds * successes / (trials - successes + 1)
        successes -= 1
    return total


def _binomial_term(successes: int, trials: int, share: float) -> float:
    failures = trials - successes
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(failures + 1)
    return math.exp(ways + successes * math.log(share) + failures * math.log1p(-share))


def paired_difference(only_a: int, only_b: int, deals: int) -> Interval:
    """Gets the 95% interval of the difference of two shares over the same deals.

    Agresti and Min's (2005): Wald's, with half a deal added to each of the four counts, so that
    counts of nothing have a width too.
    """
    total, gap = deals + 2, only_a - only_b
    half = Z * math.sqrt(only_a + only_b + 1 - gap * gap / total) / total
    return max(-1.0, gap / total - half), min(1.0, gap / total + half)
