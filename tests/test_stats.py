"""Figures of many deals: against published and brute-force values, and through both commands."""

import csv
import io
import json
import math
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.batch.stats import (
    Z,
    binomial_cdf,
    clopper_pearson,
    compare,
    mcnemar,
    paired_difference,
    percentile,
    pooled,
    rule_sets,
    summarise,
    wilson,
    winnable_numbers,
)
from solver.batch.store import Row, Store, StoreError
from solver.cli.export import export_command
from solver.cli.stats import stats_command
from solver.game.rules import PRESETS, Rules
from solver.game.verdict import Limits, Reason, Verdict
from solver.show.stats_text import CSV_COLUMNS, EXPORT_COLUMNS

WIKIPEDIA, STRICT, PYSOL = (PRESETS[name] for name in ("wikipedia", "wikipedia-strict", "pysol"))
WORDS = dict(zip("wl?", Verdict, strict=True))
COUNTS = st.tuples(st.integers(0, 300), st.integers(0, 300)).map(lambda two: (min(two), max(two)))
VERDICTS = st.text("wl?", min_size=1, max_size=30)


def row(seed: object, letter: str, states: int = 100) -> Row:
    won, unknown = letter == "w", letter == "?"
    reason, moves = Reason.BUDGET if unknown else None, b"moves" if won else None
    return Row(str(seed), WORDS[letter], reason, states, "beam", 10 * states, moves)


def rows(letters: str, first: int = 100000) -> dict[str, Row]:
    """Gets a row for each letter, the deals being numbered on; the k-th has k states."""
    found = [row(first + i, letter, i + 1) for i, letter in enumerate(letters)]
    return {each.seed: each for each in found}


def make_store(path: Path, content: Mapping[Rules, Sequence[Row]]) -> Path:
    with Store(path, writable=True) as store:
        run = store.begin_run(Limits(1000, memory=1))
        for rules, some_rows in content.items():
            store.add_rules(rules)
            store.add(rules, run, some_rows)
    return path


def pool(paths: Sequence[Path], rules: Rules = WIKIPEDIA) -> dict[str, Row]:
    stores = [Store(path) for path in paths]
    try:
        return pooled(stores, rules)
    finally:
        for store in stores:
            store.__exit__()


def invoke(command: click.Command, *args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(command, [str(arg) for arg in args])
    assert result.exit_code == code, result.output
    return result


def error_of(command: click.Command, *args: object, code: int = 1) -> str:
    """Gets the error, which is one line; click's lines on usage may stand before it."""
    result = invoke(command, *args, code=code)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[-1].startswith("Error: ")
    assert len(lines) == 1 or code == 2
    return lines[-1]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store in which some deals are won under one rule set only."""
    content = {WIKIPEDIA: "wwwwlll?w", STRICT: "wwllwll?l"}
    return make_store(
        tmp_path / "some.db",
        {rules: list(rows(letters).values()) for rules, letters in content.items()},
    )


# Intervals


@pytest.mark.parametrize(
    ("won", "deals", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table 1, as all that follow
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(
    won: int, deals: int, low: float, high: float
) -> None:
    assert wilson(won, deals) == pytest.approx((low, high), abs=0.00005)


@pytest.mark.parametrize(
    ("won", "deals", "low", "high"),
    [
        (4, 20, 0.0573, 0.4366),
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0000, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_clopper_pearson_gives_the_published_intervals(
    won: int, deals: int, low: float, high: float
) -> None:
    assert clopper_pearson(won, deals) == pytest.approx((low, high), abs=0.00005)


@given(COUNTS)
def test_the_limits_of_wilson_are_z_deviations_off(counts: tuple[int, int]) -> None:
    won, deals = counts
    for limit in wilson(won, deals):
        if deals and 0 < limit < 1:
            deviation = math.sqrt(limit * (1 - limit) / deals)
            assert abs(won / deals - limit) == pytest.approx(Z * deviation)


@pytest.mark.parametrize(("trials", "share"), [(1, 0.5), (12, 0.1), (60, 0.37), (60, 0.95)])
def test_binomial_tails_are_those_of_exact_fractions(trials: int, share: float) -> None:
    p, total = Fraction(share), Fraction(0)
    for k in range(trials + 1):
        total += math.comb(trials, k) * p**k * (1 - p) ** (trials - k)
        assert binomial_cdf(k, trials, share) == pytest.approx(float(total), rel=1e-11)
    assert binomial_cdf(-1, trials, share) == 0
    assert binomial_cdf(0, trials, 0.0) == binomial_cdf(trials, trials, 1.0) == 1
    assert binomial_cdf(trials - 1, trials, 1.0) == 0


@given(COUNTS)
def test_the_limits_of_clopper_pearson_leave_a_tail_each(counts: tuple[int, int]) -> None:
    won, deals = counts
    low, high = clopper_pearson(won, deals)
    terms = [math.comb(deals, k) for k in range(deals + 1)]
    if won > 0:
        tail = sum(terms[k] * low**k * (1 - low) ** (deals - k) for k in range(won, deals + 1))
        assert tail == pytest.approx(0.025, rel=1e-8)
    if won < deals:
        tail = sum(terms[k] * high**k * (1 - high) ** (deals - k) for k in range(won + 1))
        assert tail == pytest.approx(0.025, rel=1e-8)


def test_a_million_pairs_are_as_the_normal_law_has_them() -> None:
    low, high = clopper_pearson(500_500, 1_000_000)
    assert (low, high) == pytest.approx((0.5005 - Z * 0.0005, 0.5005 + Z * 0.0005), abs=1e-6)
    corrected = (1000 - 1) / math.sqrt(1_000_000)  # with the correction for continuity
    assert mcnemar(499_500, 500_500) == pytest.approx(
        math.erfc(corrected / math.sqrt(2)), rel=0.001
    )


@given(COUNTS)
def test_intervals_hold_the_share_mirror_and_the_exact_one_is_wider(
    counts: tuple[int, int],
) -> None:
    won, deals = counts
    for interval in (wilson, clopper_pearson):
        low, high = interval(won, deals)
        assert 0 <= low <= (won / deals if deals else 0.5) <= high <= 1
        assert interval(deals - won, deals) == pytest.approx((1 - high, 1 - low), abs=1e-12)
        if won < deals:
            more_low, more_high = interval(won + 1, deals)
            assert more_low > low
            assert more_high > high or high == 1
        if deals:
            wide = interval(won, deals)
            narrow = interval(2 * won, 2 * deals)
            assert narrow[1] - narrow[0] < wide[1] - wide[0]


def test_no_trials_say_nothing() -> None:
    assert wilson(0, 0) == clopper_pearson(0, 0) == (0, 1)


# Pairs


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [(1, 9, 22 / 1024), (9, 1, 22 / 1024), (0, 5, 2 / 32), (3, 3, 1), (0, 0, 1), (0, 1, 1)],
)
def test_mcnemar_is_the_binomial_test(only_a: int, only_b: int, p: float) -> None:
    assert mcnemar(only_a, only_b) == pytest.approx(p)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_rejects_when_clopper_pearson_leaves_out_a_half(only_a: int, only_b: int) -> None:
    low, high = clopper_pearson(only_a, only_a + only_b)
    assert (mcnemar(only_a, only_b) < 0.05) == (not low <= 0.5 <= high)


def test_a_paired_difference_is_that_of_the_formula() -> None:
    # 40 deals only under A and 20 only under B of 998: 20.0/1000 +- z * sqrt(61 - 0.4) / 1000
    half = 1.959964 * math.sqrt(61 - 0.4) / 1000
    assert paired_difference(40, 20, 998) == pytest.approx((0.02 - half, 0.02 + half))


@pytest.mark.parametrize("shares", [(0.1, 0.1), (0.2, 0.05), (0.02, 0.0), (0.4, 0.3)])
def test_the_paired_difference_is_covered_as_often_as_promised(shares: tuple[float, float]) -> None:
    a, b = shares
    deals, covered = 40, 0.0
    for only_a in range(deals + 1):
        for only_b in range(deals + 1 - only_a):
            low, high = paired_difference(only_a, only_b, deals)
            if low <= a - b <= high:
                rest = deals - only_a - only_b
                ways = math.comb(deals, only_a) * math.comb(deals - only_a, only_b)
                covered += ways * a**only_a * b**only_b * (1 - a - b) ** rest
    assert 0.935 < covered <= 1


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_paired_differences_mirror(only_a: int, only_b: int, others: int) -> None:
    deals = max(1, only_a + only_b + others)
    low, high = paired_difference(only_a, only_b, deals)
    assert -1 <= low <= (only_a - only_b) / deals <= high <= 1
    assert paired_difference(only_b, only_a, deals) == pytest.approx((-high, -low))


def test_a_comparison_counts_the_deals_that_both_decided() -> None:
    a, b = rows("wwwwlll?w?"), rows("wwllwll?l")
    found = compare(WIKIPEDIA, a, STRICT, b)
    assert (found.both, found.only_a, found.only_b, found.neither) == (2, 3, 1, 2)
    assert (found.deals, found.undecided) == (8, 1)
    assert found.difference == 2 / 8
    assert (found.worst, found.best) == ((3, 2), (4, 1))
    low, high = paired_difference(3, 2, 9)[0], paired_difference(4, 1, 9)[1]
    assert found.difference_interval == (low, high)
    assert found.favour_a == 3 / 4
    assert found.p_value == pytest.approx(10 / 16)


@given(VERDICTS, VERDICTS)
def test_a_comparison_is_the_mirror_of_the_other_way_round(a: str, b: str) -> None:
    if not any("?" not in pair for pair in zip(a, b, strict=False)):
        with pytest.raises(ValueError, match="no deal is decided both"):
            compare(WIKIPEDIA, rows(a), STRICT, rows(b))
        return
    one, other = (
        compare(WIKIPEDIA, rows(a), STRICT, rows(b)),
        compare(STRICT, rows(b), WIKIPEDIA, rows(a)),
    )
    assert (one.both, one.only_a, one.only_b) == (other.both, other.only_b, other.only_a)
    assert one.difference == -other.difference
    assert one.difference_interval == pytest.approx([-x for x in other.difference_interval[::-1]])
    assert one.p_value == other.p_value
    assert one.deals + one.undecided == min(len(a), len(b))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("wl?"), st.sampled_from("wl?")), max_size=5))
def test_the_difference_has_the_interval_of_every_way_to_decide_the_rest(
    verdicts: list[tuple[str, str]],
) -> None:
    verdicts = [("w", "w"), ("w", "l"), *verdicts]
    a, b = ("".join(each) for each in zip(*verdicts, strict=True))
    intervals = [
        compare(WIKIPEDIA, rows(decided_a), STRICT, rows(decided_b)).difference_interval
        for decided_a in ways_to_decide(a)
        for decided_b in ways_to_decide(b)
    ]
    lows, highs = zip(*intervals, strict=True)
    found = compare(WIKIPEDIA, rows(a), STRICT, rows(b)).difference_interval
    assert found == (min(lows), max(highs))


def ways_to_decide(verdicts: str) -> list[str]:
    return ["".join(way) for way in product(*("wl" if v == "?" else v for v in verdicts))]


# Summaries


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([7], 99, 7),
        ([1, 2, 3, 4], 50, 2.5),
        ([1, 2, 3], 50, 2),
        (list(range(101)), 90, 90),
        ([0, 10], 99, 9.9),
        ([3, 5, 8], 100, 8),
    ],
)
def test_percentiles_of_known_lists(values: list[int], percent: float, expected: float) -> None:
    assert percentile(values, percent) == pytest.approx(expected)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=50), st.integers(0, 100))
def test_percentiles_are_numpys(values: list[int], percent: int) -> None:
    assert percentile(sorted(values), percent) == pytest.approx(np.percentile(values, percent))


def test_no_values_have_no_percentiles() -> None:
    with pytest.raises(ValueError, match="no values"):
        summarise(WIKIPEDIA, {})


def test_a_summary_counts_and_names_the_hardest() -> None:
    summary = summarise(WIKIPEDIA, rows("wwl?l"), hardest=2)
    assert (summary.won, summary.lost, summary.unknown, summary.deals) == (2, 2, 1, 5)
    assert summary.share == 0.5
    assert (summary.states.median, summary.states.most) == (3, 5)
    assert summary.milliseconds.median == 0.03
    assert [each.seed for each in summary.hardest] == ["100004", "100003"]
    assert summary.states_by_verdict[Verdict.UNWINNABLE].median == 4


def test_unknown_deals_are_lost_below_and_won_above() -> None:
    interval = summarise(WIKIPEDIA, rows("w" * 81 + "l" * 150 + "?" * 32)).interval
    assert interval == (wilson(81, 263)[0], wilson(113, 263)[1])


def test_nothing_decided_leaves_everything_open() -> None:
    summary = summarise(WIKIPEDIA, rows("???"))
    assert (summary.share, summary.interval) == (None, (0, 1))
    assert set(summary.states_by_verdict) == {"unknown"}


@given(VERDICTS, st.sampled_from("wl"))
def test_deciding_a_deal_never_widens_the_interval(letters: str, decided: str) -> None:
    low, high = summarise(WIKIPEDIA, rows(letters)).interval
    narrow_low, narrow_high = summarise(WIKIPEDIA, rows(letters.replace("?", decided, 1))).interval
    assert low <= narrow_low <= narrow_high <= high


# Several stores


def test_rows_of_several_stores_are_pooled_by_deal(tmp_path: Path) -> None:
    paths = [
        make_store(tmp_path / "a.db", {WIKIPEDIA: [row("ms5", "w"), row(7, "?"), row(1000, "l")]}),
        make_store(
            tmp_path / "b.db", {WIKIPEDIA: [row(7, "w", 5), row(1000, "l", 9), row(20, "?")]}
        ),
        make_store(tmp_path / "c.db", {WIKIPEDIA: [row(20, "?", 8), row("ms5", "?")], PYSOL: []}),
    ]
    found = pool(paths)
    assert list(found) == ["7", "20", "1000", "ms5"]
    assert [each.verdict[0] + each.verdict[-1] for each in found.values()] == [
        "we",
        "un",
        "ue",
        "we",
    ]
    assert [each.states for each in found.values()] == [5, 100, 100, 100]
    assert {seed: each.verdict for seed, each in pool(paths[::-1]).items()} == {
        seed: each.verdict for seed, each in found.items()
    }


def test_of_unknown_rows_the_one_that_cost_most_is_kept(tmp_path: Path) -> None:
    a = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(7, "?", 50), row(8, "?", 60)]})
    b = make_store(tmp_path / "b.db", {WIKIPEDIA: [row(7, "?", 90), row(8, "?", 9)]})
    for paths in ([a, b], [b, a]):
        assert [each.states for each in pool(paths).values()] == [90, 60]


def test_one_store_keeps_its_order(tmp_path: Path) -> None:
    seeds = ["ms12", "100000", "ms5", "99999", "1"]
    path = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(seed, "l") for seed in seeds]})
    assert list(pool([path])) == list(pool([path, path])) == ["1", "99999", "100000", "ms5", "ms12"]


def test_a_contradiction_names_the_deal(tmp_path: Path) -> None:
    a = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(7, "w"), row(8, "l")]})
    b = make_store(tmp_path / "b.db", {WIKIPEDIA: [row(7, "w"), row(8, "w")]})
    with pytest.raises(StoreError, match="deal 8 under wikipedia is winnable here"):
        pool([a, b])
    output = tmp_path / "rows.csv"
    assert "deal 8 " in error_of(export_command, a, b, "-o", output)
    assert "deal 8 " in error_of(stats_command, b, a)
    assert not output.exists()


def test_rules_with_other_switches_are_refused(tmp_path: Path, store: Path) -> None:
    other = make_store(tmp_path / "other.db", {WIKIPEDIA: [row(7, "w")]})
    database = sqlite3.connect(other)
    with database:
        database.execute("UPDATE rules SET reserve = 12")
    database.close()
    for paths in ([store, other], [other, store]):
        error = error_of(stats_command, *paths)
        assert f"{other}: 'wikipedia' has other switches" in error


def test_rules_with_different_switches_are_never_pooled(tmp_path: Path) -> None:
    smaller = replace(WIKIPEDIA, reserve=12)
    a = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(7, "w")]})
    b = make_store(tmp_path / "b.db", {smaller: [row(7, "l")]})
    with Store(a) as one, Store(b) as other:
        assert rule_sets([one, other]) == [WIKIPEDIA, smaller]
    lines = csv.DictReader(io.StringIO(invoke(stats_command, a, b, "--csv").stdout))
    assert [(line["rules"], line["deals"]) for line in lines] == [
        ("wikipedia", "1"),
        ("wikipedia reserve=12", "1"),
    ]


# stats


def test_text_is_aligned_and_rounded(store: Path) -> None:
    lines = invoke(stats_command, store).stdout.splitlines()
    assert lines[0].split()[:6] == ["rules", "deals", "won", "lost", "unknown", "winnable"]
    assert lines[1].split()[:6] == ["wikipedia", "9", "5", "3", "1", "62.50%"]
    assert len({len(line) for line in lines[:3]}) == 1
    assert max(map(len, lines)) <= 100


def test_json_is_one_object(store: Path) -> None:
    out = invoke(stats_command, store, "--json", "--hardest", 1).stdout
    assert out.count("\n") == 1
    found = json.loads(out)
    assert (found["schema"], found["comparison"]) == (1, None)
    first = found["rules"][0]
    assert (first["name"], first["switches"]) == ("wikipedia", WIKIPEDIA.switches())
    assert (first["deals"], first["won"], first["lost"], first["unknown"]) == (9, 5, 3, 1)
    assert first["interval"] == [wilson(5, 9)[0], wilson(6, 9)[1]]
    assert first["states"] == {"median": 5, "p90": 8.2, "p99": 8.92, "max": 9}
    assert [deal["seed"] for deal in first["hardest"]] == ["100008"]


def test_csv_has_a_line_per_rule_set(store: Path) -> None:
    lines = list(csv.reader(io.StringIO(invoke(stats_command, store, "--csv").stdout)))
    assert lines[0] == list(CSV_COLUMNS)
    assert [line[0] for line in lines[1:]] == ["wikipedia", "wikipedia-strict"]
    values = dict(zip(*lines[:2], strict=True))
    assert float(values["share"]) == 5 / 8
    assert float(values["ms_max"]) == 0.09
    assert (values["deal"], values["auto_deal"]) == ("any", "no")


def test_rules_and_hardest_limit_the_tables(store: Path) -> None:
    out = invoke(stats_command, store, "--rules", "wikipedia-strict", "--hardest", 3).stdout
    assert out.count("wikipedia-strict") == 1 + 1 + 1 + 3
    assert "hardest" not in invoke(stats_command, store, "--hardest", 0).stdout


def test_rules_without_a_row_are_left_out(tmp_path: Path) -> None:
    path = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(7, "?")], PYSOL: []})
    assert "pysol" not in invoke(stats_command, path).stdout
    assert "no deals under pysol" in error_of(stats_command, path, "--rules", "pysol")


def test_a_comparison_is_printed(store: Path) -> None:
    args = [store, "--compare", "wikipedia", "wikipedia-strict"]
    out = invoke(stats_command, *args).stdout
    assert "p = 0.625" in out
    assert "+25.000 percentage points" in out
    assert out.endswith(
        "The test and what is won under one only are of the deals decided under both.\n"
    )
    found = json.loads(invoke(stats_command, *args, "--json").stdout)["comparison"]
    assert (found["a"], found["b"]) == ("wikipedia", "wikipedia-strict")
    assert (found["both"], found["only_a"], found["only_b"], found["neither"]) == (2, 3, 1, 2)
    assert found["undecided"] == 1
    assert found["favour_a_interval"] == list(clopper_pearson(3, 4))


def test_a_p_too_small_for_a_number_is_not_0(tmp_path: Path) -> None:
    content = {PYSOL: "w" * 1200, WIKIPEDIA: "l" * 1200}
    path = make_store(
        tmp_path / "a.db", {rules: list(rows(text).values()) for rules, text in content.items()}
    )
    out = invoke(stats_command, path, "--compare", "pysol", "wikipedia").stdout
    assert "two-sided: p < 2e-308\n" in out
    assert "decided under both" not in out  # all deals are


def test_a_comparison_without_a_common_deal_is_refused(tmp_path: Path) -> None:
    path = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(7, "w")], PYSOL: [row(7, "?")]})
    error = error_of(stats_command, path, "--compare", "wikipedia", "pysol")
    assert "both under wikipedia and under pysol" in error


@pytest.mark.parametrize(
    "args",
    [
        ["--json", "--csv"],
        ["--csv", "--compare", "wikipedia", "wikipedia-strict"],
        ["--compare", "wikipedia", "wikipedia"],
        ["--rules", "wikipedia", "--compare", "wikipedia", "wikipedia-strict"],
        ["--plot", "plot.pdf"],
        ["--hardest", "-1"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_refused(store: Path, args: list[str]) -> None:
    assert args[0] in error_of(stats_command, store, *args, code=2)


def test_unknown_rules_are_refused_with_those_there_are(store: Path) -> None:
    for command in (stats_command, export_command):
        error = error_of(command, store, "--rules", "pysol", code=2)
        assert "wikipedia, wikipedia-strict" in error
    error = error_of(stats_command, store, "--compare", "wikipedia", "freecell", code=2)
    assert "--compare" in error
    assert "'freecell'" in error
    error_of(stats_command, code=2)


def test_an_empty_store_is_an_error(tmp_path: Path) -> None:
    path = make_store(tmp_path / "empty.db", {})
    for command in (stats_command, export_command):
        assert error_of(command, path) == f"Error: {path}: no deals yet"
        assert "no deals" in error_of(command, path, "--rules", "wikipedia")


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    prose = tmp_path / "prose.txt"
    prose.write_text("This is not a store. " * 100)
    for path in (prose, tmp_path / "missing.db", tmp_path):
        assert str(path) in error_of(stats_command, path)
        assert str(path) in error_of(export_command, path)


# export


def test_all_rows_are_exported_without_moves(store: Path) -> None:
    lines = list(csv.reader(io.StringIO(invoke(export_command, store).stdout)))
    assert lines[0] == list(EXPORT_COLUMNS)
    assert len(lines) == 1 + 9 + 9
    assert lines[1] == ["wikipedia", "100000", "winnable", "", "1", "beam", "10"]
    assert lines[8] == ["wikipedia", "100007", "unknown", "state budget", "8", "beam", "80"]
    only = invoke(export_command, store, "--rules", "wikipedia-strict").stdout
    assert only.count("\n") == 1 + 9
    assert only.count("wikipedia-strict") == 9


def test_winnable_numbers_are_those_of_the_program_itself(tmp_path: Path) -> None:
    seeds = [*("5", "31999", "32000", "ms40000", "100000"), "9" * 20]
    path = make_store(tmp_path / "a.db", {WIKIPEDIA: [row(seed, "w") for seed in seeds]})
    out = invoke(export_command, path, "--winnable").stdout
    assert out.splitlines() == ["32000", "100000", "9" * 20]
    assert list(winnable_numbers(rows("wl?w"))) == [100000, 100003]


def test_winnable_numbers_are_of_one_rule_set(store: Path) -> None:
    error = error_of(export_command, store, "--winnable", code=2)
    assert "--rules, one of: wikipedia, wikipedia-strict" in error
    out = invoke(export_command, store, "--winnable", "--rules", "wikipedia-strict").stdout
    assert out.splitlines() == ["100000", "100001", "100004"]


def test_a_file_is_written_whole_in_place_of_the_old(store: Path, tmp_path: Path) -> None:
    output = tmp_path / "out" / "rows.csv"
    output.parent.mkdir()
    output.write_text("old")
    assert invoke(export_command, store, "-o", output).output == ""
    assert output.read_text() == invoke(export_command, store, "-o", "-").stdout
    assert list(output.parent.iterdir()) == [output]


def test_a_store_is_not_written_over(store: Path, tmp_path: Path) -> None:
    link, picture = tmp_path / "link", tmp_path / "p.svg"
    link.symlink_to(store)
    (tmp_path / "p.csv").symlink_to(store)
    before = store.read_bytes()
    for command, option, output, named in (
        (export_command, "-o", store, store),
        (export_command, "-o", link, link),
        (stats_command, "--plot", picture, picture.with_suffix(".csv")),
    ):
        error = error_of(command, store, option, output, code=2)
        assert f"'{named}' is a store, and would be written over" in error
    assert store.read_bytes() == before
    assert not picture.exists()


def test_a_link_stays_a_link(store: Path, tmp_path: Path) -> None:
    link, target = tmp_path / "link.csv", tmp_path / "target.csv"
    link.symlink_to(target)
    invoke(export_command, store, "-o", link)
    assert link.is_symlink()
    assert target.read_text().startswith("rules,seed,")


def test_what_cannot_be_written_is_named(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "missing" / "rows.csv"
    error = error_of(export_command, store, "-o", output, code=2)
    assert f"there is no folder '{output.parent}'" in error
    error = error_of(export_command, store, "-o", tmp_path, code=2)
    assert f"'{tmp_path}' is not the name of a file" in error
    output.parent.mkdir()
    output.write_text("old")

    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "replace", full)
    assert f"{output}: No space left" in error_of(export_command, store, "-o", output)
    assert output.read_text() == "old"
    assert list(output.parent.iterdir()) == [output]
