"""The published tables: what is in them, against made-up rows and games of ``game.position``."""

import lzma
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from shutil import copytree

import click
import pytest
from click.testing import CliRunner, Result

from bench import naive, page, pictures, results, tables
from bench.players import Player, left_over
from bench.published import Record, Verdicts, table, verdicts
from solver.base.files import csv_text
from solver.base.signature import verdict_signature
from solver.batch.stats import wilson
from solver.engine.decide import solve
from solver.game.cards import Card
from solver.game.deal import deal_from_seed
from solver.game.foundations import Pile
from solver.game.moves import DEAL, Move, Source
from solver.game.position import Position, start
from solver.game.rules import PRESETS, Kings, Rules
from solver.game.verdict import Limits

from .test_plots import drawn, texts, written_boxes
from .test_stats import make_store, row, rows

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT / "results"
WIKIPEDIA, STRICT, PYSOL = (PRESETS[name] for name in ("wikipedia", "wikipedia-strict", "pysol"))
SPOT = Rules(kings=Kings.UPPER_OR_SPOT)
CONTENT = {
    WIKIPEDIA: "wlw?wwwl",
    STRICT: "llw?wlll",
    PYSOL: "wwwwwwww",
    SPOT: "wwww",
    Rules(kings=Kings.UPPER_OR_SPOT, auto_deal=True): "wwww",
    Rules(reserve=12): "llww",
}
FIRST = 100000
MASK = (1 << 64) - 1
ORDER = [Pile.UPPER, Pile.LOWER, Pile.DEUCE, Pile.KING]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gets a folder of tables, the wins of the naive players made up as well."""
    path = tmp_path_factory.mktemp("results")
    several = {rules: list(rows(text).values()) for rules, text in CONTENT.items()}
    run(tables.main, make_store(path / "some.db", several), "--into", path)
    wins = [
        (rules.name, player, 8, won, won / 8, *wilson(won, 8))
        for rules in CONTENT
        for won, player in enumerate(Player)
    ]
    (path / "naive.csv").write_text(csv_text(naive.COLUMNS, wins))
    return path


def run(command: click.Command, *args: object, code: int = 0) -> Result:
    result = CliRunner().invoke(command, [str(arg) for arg in args])
    assert result.exit_code == code, result.output
    return result


def line_of(lines: list[Record], **wanted: str) -> Record:
    [found] = [line for line in lines if wanted.items() <= line.items()]
    return found


# Players


class SplitMix:
    """The generator, in plain integers: 31 bits a draw."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, number: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
        word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
        return ((word ^ word >> 31) >> 33) % number


def moves_in_order(position: Position, in_reserve: set[Card]) -> list[Move]:
    """Gets the plays, from the reserve where a card fits from there too, and then the deal."""
    plays = [
        move
        for move in position.legal_moves()
        if move.source is Source.RESERVE
        or (move.source is Source.WASTE and move.card not in in_reserve)
    ]
    plays.sort(key=lambda move: (move.source is Source.WASTE, move.card, ORDER.index(place(move))))
    return plays + [DEAL] * (DEAL in position.legal_moves())


def place(move: Move) -> Pile:
    assert move.pile is not None
    return move.pile


def game_of(position: Position, player: Player, seed: int) -> int:
    """Gets the number of cards left in the waste and the stock, as ``game.position`` plays it."""
    generator = SplitMix(seed)
    while moves := moves_in_order(position, {card for card in position.reserve if card}):
        if player is not Player.ANY_MOVE and len(moves) > 1 and moves[-1] == DEAL:
            moves.pop()
        chosen = 0
        if player is not Player.FIRST_FIT and len(moves) > 1:
            chosen = generator.below(len(moves))
        position = position.play(moves[chosen])
    left = len(position.waste) + len(position.stock)
    assert position.is_won == (left == 0)
    return left


@pytest.mark.parametrize("name", PRESETS)
def test_players_play_as_the_rules_say(name: str) -> None:
    rules = PRESETS[name]
    for deal in range(FIRST, FIRST + 2):
        position = start(deal_from_seed(str(deal)), rules)
        played = {player: game_of(position, player, deal) for player in Player}
        assert left_over(position, deal) == played, deal


def test_of_a_few_deals_each_player_wins_some_and_loses_some() -> None:
    left = [
        left_over(start(deal_from_seed(str(deal)), PRESETS["till-dawn"]), deal)
        for deal in range(FIRST, FIRST + 100)
    ]
    won = {player: sum(not each[player] for each in left) for player in Player}
    assert 0 < won[Player.ANY_MOVE] < won[Player.ANY_FIT] < 100
    assert 0 < won[Player.FIRST_FIT] < 100


def test_a_win_without_a_plan_contradicts_a_loss(tmp_path: Path) -> None:
    deal = next(
        deal
        for deal in range(FIRST, FIRST + 100)
        if not left_over(start(deal_from_seed(str(deal)), WIKIPEDIA), deal)[Player.FIRST_FIT]
    )
    path = make_store(tmp_path / "wrong.db", {WIKIPEDIA: [row(deal, "l")]})
    result = run(naive.main, path, "--into", tmp_path, code=1)
    assert f"{deal}: 'unwinnable', but first fit wins it" in result.stderr
    assert not (tmp_path / "naive.csv").exists()


def test_the_wins_of_players_are_counted_by_rule_set(tmp_path: Path) -> None:
    deals = range(FIRST, FIRST + 30)
    store = make_store(tmp_path / "some.db", {WIKIPEDIA: [row(deal, "w") for deal in deals]})
    run(naive.main, store, "--into", tmp_path)
    left = [left_over(start(deal_from_seed(str(deal)), WIKIPEDIA), deal) for deal in deals]
    for line in table(tmp_path, "naive"):
        won = sum(each[Player(line["player"])] == 0 for each in left)
        assert (line["rules"], line["deals"], line["won"]) == ("wikipedia", "30", str(won))
        assert float(line["low"]) <= won / 30 == float(line["share"]) <= float(line["high"])


# Tables


def test_winnability_tells_the_deals_and_their_counts(folder: Path) -> None:
    line = line_of(table(folder, "winnability"), rules="wikipedia")
    assert (line["first"], line["last"]) == ("100000", "100007")
    assert [line[name] for name in ("deals", "won", "lost", "unknown")] == ["8", "5", "2", "1"]
    assert float(line["share"]) == 5 / 7
    assert float(line["low"]) < 5 / 8 < 6 / 8 < float(line["high"])


def test_every_published_verdict_is_that_of_its_row(folder: Path) -> None:
    published = verdicts(folder)
    assert set(published) == {"wikipedia", "wikipedia-strict", "pysol"}
    for name, those in published.items():
        found = {str(deal): those.of(deal) for deal in range(those.first, those.last + 1)}
        assert found == {seed: row.verdict for seed, row in rows(CONTENT[PRESETS[name]]).items()}


def test_pairs_differ_in_one_switch_that_the_first_has_at_its_default() -> None:
    others = [
        Rules(transfers=True),
        SPOT,
        Rules(kings=Kings.UPPER_OR_SPOT, auto_deal=True),
    ]
    every = [*PRESETS.values(), *others]
    pairs = {(a.name, b.name): tables.switched(a, b) for a in every for b in every}
    assert {pair: name for pair, name in pairs.items() if name} == {
        ("wikipedia", "wikipedia-strict"): "deal",
        ("wikipedia", "solsuite"): "kings",
        ("wikipedia", "till-dawn"): "kings",
        ("wikipedia", "wikipedia kings=upper-or-spot"): "kings",
        ("wikipedia", "wikipedia transfers=yes"): "transfers",
        ("wikipedia kings=upper-or-spot", "pysol transfers=no"): "auto_deal",
        ("pysol transfers=no", "pysol"): "transfers",
    }


def test_a_switch_that_costs_deals_has_a_negative_difference(folder: Path) -> None:
    line = line_of(table(folder, "switches"), switch="deal stuck")
    assert (line["without"], line["with"]) == ("wikipedia", "wikipedia-strict")
    counts = [line[name] for name in ("deals", "both", "only_without", "only_with", "neither")]
    assert counts == ["7", "2", "3", "0", "2"]
    assert line["undecided"] == "1"
    assert float(line["difference"]) == -3 / 7
    assert float(line["low"]) < -3 / 7 < float(line["high"])
    assert "reserve=12" not in str(table(folder, "switches"))


def test_states_and_the_hardest_deals(folder: Path) -> None:
    line = line_of(table(folder, "states"), rules="wikipedia", verdict="unwinnable")
    assert [line[name] for name in ("deals", "mean", "median", "max")] == ["2", "5.0", "5.0", "8"]
    hardest = [line for line in table(folder, "hardest") if line["rules"] == "wikipedia"]
    assert [line["place"] for line in hardest] == [str(place) for place in range(1, 9)]
    assert all(int(a["states"]) >= int(b["states"]) for a, b in pairwise(hardest))
    assert hardest[0]["deal"] == "100007"


def test_undecided_deals_are_listed_with_the_states_spent(folder: Path) -> None:
    listed = table(folder, "undecided")
    assert [line["rules"] for line in listed] == ["wikipedia", "wikipedia-strict"]
    assert listed[0] == {
        "rules": "wikipedia", "deal": "100003", "reason": "state budget", "states": "4",
    }  # fmt: skip


def test_a_range_with_gaps_is_not_published(tmp_path: Path) -> None:
    store = make_store(tmp_path / "gap.db", {WIKIPEDIA: [row(100000, "w"), row(100003, "w")]})
    result = run(tables.main, store, "--into", tmp_path / "out", code=1)
    assert result.stderr == "Error: wikipedia: 2 of the deals 100000 to 100003 are missing\n"
    assert not (tmp_path / "out").exists()
    ms = make_store(tmp_path / "ms.db", {WIKIPEDIA: [row("ms5", "w")]})
    result = run(tables.main, ms, "--into", tmp_path / "out", code=1)
    assert result.stderr == "Error: wikipedia: deal ms5 has no plain number\n"


def test_the_runs_that_decided_the_deals_are_written(folder: Path) -> None:
    lines = table(folder, "runs")
    assert {(line["store"], line["signature"]) for line in lines} == {
        ("some.db", verdict_signature())
    }
    assert sum(int(line["deals"]) for line in lines) == sum(map(len, CONTENT.values()))


# The check


def test_the_sample_is_of_all_rows_alike() -> None:
    none = frozenset[int]()
    published = {"a": Verdicts(10, 19, none, none), "b": Verdicts(5, 34, none, none)}
    everything = results.chosen(published, 1000, 1)
    assert everything == [("a", deal) for deal in range(10, 20)] + [
        ("b", deal) for deal in range(5, 35)
    ]
    several = [results.chosen(published, 10, seed) for seed in range(200)]
    assert all(len(set(sample)) == 10 for sample in several)
    assert 400 < sum(name == "a" for sample in several for name, _ in sample) < 600


def test_losses_are_taken_of_every_preset() -> None:
    none = frozenset[int]()
    published = {
        "a": Verdicts(10, 19, frozenset({12, 14, 17}), none),
        "b": Verdicts(5, 99, frozenset(range(5, 99)), none),
        "c": Verdicts(1, 9, none, none),
    }
    found = results.chosen_losses(published, 10, 1)
    assert found[:3] == [("a", 12), ("a", 14), ("a", 17)]
    assert len({deal for name, deal in found[3:] if name == "b" and 5 <= deal < 99}) == 10
    assert len(found) == 13


def test_the_check_finds_a_wrong_verdict(tmp_path: Path) -> None:
    deals = range(100014, 100018)
    true = [solve(start(deal_from_seed(str(deal)), WIKIPEDIA), Limits(10_000)) for deal in deals]
    letters = {"winnable": "w", "unwinnable": "l"}
    right = [row(deal, letters[result.verdict]) for deal, result in zip(deals, true, strict=True)]
    assert {each.verdict for each in right} == set(letters)
    wrong = [row(each.seed, "w") for each in right]
    for name, listed, code in (("right", right, 0), ("wrong", wrong, 1)):
        store = make_store(tmp_path / f"{name}.db", {WIKIPEDIA: listed})
        run(tables.main, store, "--into", tmp_path / name)
        result = run(results.main, tmp_path / name, "--states", 10_000, code=code)
        losses = sum(each.verdict == "unwinnable" for each in listed)
        said = f"4 deals and {losses} losses decided again: {code} wrong, 0 undecided"
        assert said in result.stdout
    assert "wikipedia 100016: published winnable, now unwinnable" in result.stderr


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "winnability.csv",
            lambda text: text.split("\n")[0] + "\n",
            "has no pysol, wikipedia, wiki",
        ),
        ("winnability.csv", lambda text: text[: text.index("pysol,")], "has no pysol"),
        ("unwinnable/wikipedia.txt", lambda text: "", "the lists of wikipedia are not as long"),
        ("unwinnable/wikipedia.txt", lambda text: text + "x\n", "this is no list of deal numbers"),
        ("undecided.csv", lambda text: text + "wikipedia,100000,?,1\n", "the lists of wikipedia"),
    ],
)
def test_tables_that_contradict_each_other_are_not_checked(
    folder: Path, tmp_path: Path, name: str, change: Callable[[str], str], message: str
) -> None:
    copytree(folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / name
    path.write_text(change(path.read_text()))
    error = run(results.main, tmp_path, code=1).stderr
    assert message in error
    assert error.count("\n") == 1


def test_a_long_list_is_compressed_and_says_what_the_store_says(folder: Path) -> None:
    lists = {path.name: path.read_bytes() for path in (folder / "unwinnable").iterdir()}
    assert set(lists) == {"pysol.txt", "wikipedia.txt", "wikipedia-strict.txt.xz"}
    lost = [FIRST + at for at, verdict in enumerate(CONTENT[STRICT]) if verdict == "l"]
    text = "".join(f"{deal}\n" for deal in lost)
    assert lzma.decompress(lists["wikipedia-strict.txt.xz"]).decode() == text
    assert verdicts(folder)["wikipedia-strict"].unwinnable == set(lost)


@pytest.mark.parametrize("content", [b"100000\n", lzma.compress(b"100000\n")[:-9], b""])
def test_a_compressed_list_that_is_none_is_one_line(
    folder: Path, tmp_path: Path, content: bytes
) -> None:
    copytree(folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "unwinnable" / "wikipedia-strict.txt.xz"
    path.write_bytes(content)
    error = run(results.main, tmp_path, code=1).stderr
    assert error == f"Error: {path}: this is no list of deal numbers\n"


def test_a_check_of_nothing_is_refused(folder: Path) -> None:
    for option in (("--sample", 0), ("--sample", -1), ("--losses", -1), ("--states", 0)):
        assert "is not in the range" in run(results.main, folder, *option, code=2).stderr


# Pages and pictures


def test_a_table_without_the_presets_is_one_line(folder: Path, tmp_path: Path) -> None:
    page_file = tmp_path / "page.md"
    page_file.write_text("<!-- headline -->\n<!-- end -->\n")
    for name, command, arguments in (
        ("naive", pictures.main, ()),
        ("winnability", pictures.main, ()),
        ("winnability", page.main, (page_file,)),
    ):
        there = tmp_path / f"{name} {len(arguments)}"
        copytree(folder, there)
        head = (there / f"{name}.csv").read_text().split("\n")[0]
        (there / f"{name}.csv").write_text(f"{head}\n")
        error = run(command, there, *arguments, code=1).stderr
        assert f"{name}.csv" in error
        assert error.count("\n") == 1


def test_blocks_are_replaced_and_nothing_else(folder: Path) -> None:
    text = (
        "Before.\n<!-- winnability -->\nold\n<!-- end -->\nBetween.\n<!-- naive -->\n<!-- end -->\n"
    )
    new = page.filled(text, folder)
    assert new.startswith("Before.\n<!-- winnability -->\n\n| rules |")
    assert "old" not in new
    assert "\n<!-- end -->\nBetween.\n<!-- naive -->\n\n| rules |" in new
    assert page.filled(new, folder) == new
    assert "| `wikipedia` | 8 | 5 | 2 | 1 | 71.429 |" in new


def test_sizes_of_the_reserve_are_listed_where_there_are_several(folder: Path) -> None:
    lines = page.reserve(folder).splitlines()
    assert [line.split(" | ")[:3] for line in lines[2:4]] == [
        ["| 12", "`wikipedia`", "4"],
        ["| 16", "`wikipedia`", "8"],
    ]
    assert "strict" not in page.reserve(folder)


def test_every_block_can_be_made(folder: Path) -> None:
    for name, block in page.BLOCKS.items():
        text = block(folder)
        assert text.endswith("\n"), name
        assert len({line.count("|") for line in text.splitlines() if "|" in line}) <= 1, name


def test_the_headline_says_where_it_is_of_fewer_deals(tmp_path: Path) -> None:
    several = {WIKIPEDIA: list(rows("wlwwwwwl").values()), STRICT: list(rows("llwl").values())}
    run(tables.main, make_store(tmp_path / "some.db", several), "--into", tmp_path)
    text = " ".join(page.headline(tmp_path).replace("\n>", "").split())
    assert " can win 6 of 8 random deals" in text
    assert "numbers 100000 to 100007) and can't win 2: 75.000 % (95 % interval for all" in text
    assert " can win 1 of the first 4 of these deals and can't win 3: 25.000 % (" in text


def test_a_block_that_is_none_is_one_line(folder: Path) -> None:
    path = folder / "page.md"
    path.write_text("<!-- winability -->\n<!-- end -->\n")
    result = run(page.main, folder, path, code=1)
    assert result.stderr.startswith("Error: there is no block 'winability', only: headline, ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("path", [ROOT / "README.md", PUBLISHED / "README.md"])
def test_the_pages_show_the_tables_that_are_published(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert page.BLOCK.search(text)
    assert page.filled(text, PUBLISHED) == text


def test_the_published_lists_and_counts_agree() -> None:
    winnability = table(PUBLISHED, "winnability")
    for name, those in verdicts(PUBLISHED).items():
        line = line_of(winnability, rules=name)
        assert len(those) == int(line["deals"])
        assert len(those.unwinnable) == int(line["lost"])
        assert len(those.undecided) == int(line["unknown"])
        assert all(those.first <= deal <= those.last for deal in those.unwinnable | those.undecided)
    assert set(verdicts(PUBLISHED)) == set(PRESETS)


@drawn
def test_pictures_name_what_they_show_and_no_texts_overlap(folder: Path) -> None:
    from matplotlib import style

    from solver.show import plots

    with style.context(["default", plots.STYLE]):
        for name, figure in pictures.figures(folder):
            boxes = written_boxes(figure)
            overlapping = [
                (a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)
            ]
            assert overlapping == [], name
    run(pictures.main, folder)
    players, losses = (
        texts((folder / f"{name}.svg").read_bytes()) for name in ("players", "losses")
    )
    for label in ("perfect play", *Player, "deals won in %", "71.43 %", "wikipedia-strict"):
        assert label in players
    for label in ("deals that can't be won in %", "28.57 %", "0.000 %"):
        assert label in losses
    assert (folder / "reserve.svg").exists()
