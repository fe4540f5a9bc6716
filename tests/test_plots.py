"""Pictures: what is in them, that they are the same each time, and the numbers beside them."""

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from solver.batch.stats import Summary, summarise
from solver.cli.stats import stats_command
from solver.game.rules import PRESETS, Rules
from solver.show import plots

from .test_stats import make_store, rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

try:
    import matplotlib
    import matplotlib.style
except ImportError:
    matplotlib = None  # type: ignore[assignment]

drawn = pytest.mark.skipif(
    matplotlib is None, reason="matplotlib, of the extra 'plot', is not installed"
)

WIKIPEDIA, PYSOL = PRESETS["wikipedia"], PRESETS["pysol"]
CONTENT = {
    replace(WIKIPEDIA, reserve=18): "wwwwl",
    WIKIPEDIA: "wwlll?",
    PYSOL: "www??",
    replace(WIKIPEDIA, reserve=12): "lllll",
    PRESETS["till-dawn"]: "???",
}
PNG_START = b"\x89PNG\r\n\x1a\n"


def summaries(several: Sequence[Rules] = tuple(CONTENT)) -> list[Summary]:
    return [summarise(rules, rows(CONTENT[rules])) for rules in several]


def texts(svg: bytes) -> str:
    """Gets all that is written in a picture."""
    return "\n".join("".join(node.itertext()) for node in ElementTree.fromstring(svg).iter())


def draw(path: Path, name: str) -> Result:
    store = path / "some.db"
    if not store.exists():
        make_store(store, {rules: list(rows(text).values()) for rules, text in CONTENT.items()})
    return CliRunner().invoke(stats_command, [str(store), "--plot", str(path / name)])


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def written_boxes(figure: "Figure") -> list[tuple[str, "Bbox"]]:
    """Gets the labels that are seen, with the places they take up."""
    from matplotlib.text import Text

    figure.draw_without_rendering()
    return [
        (text.get_text(), text.get_window_extent())
        for text in figure.findobj(Text)
        if isinstance(text, Text) and text.get_visible() and text.get_text()
    ]


def test_families_differ_only_in_the_reserve() -> None:
    found = plots.families(summaries())
    assert list(found) == ["wikipedia"]
    assert [summary.rules.reserve for summary in found["wikipedia"]] == [12, 16, 18]


def test_the_numbers_are_those_of_the_summaries() -> None:
    lines = table(plots.numbers(summaries()))
    assert list(lines[0]) == list(plots.COLUMNS)
    assert {line["panel"] for line in lines} == {"states", "share", "reserve"}
    summary = summaries([WIKIPEDIA])[0]
    values = {
        (line["panel"], line["verdict"], line["quantity"]): line["value"]
        for line in lines
        if line["rules"] == "wikipedia"
    }
    for panel in ("share", "reserve"):
        assert float(values[panel, "", "share"]) == summary.share
        ends = tuple(float(values[panel, "", end]) for end in ("low", "high"))
        assert ends == summary.interval
    assert float(values["states", "unwinnable", "median"]) == 4
    assert float(values["states", "unknown", "most"]) == 6


def test_the_numbers_tell_that_nothing_is_decided() -> None:
    lines = table(plots.numbers(summaries([PRESETS["till-dawn"]])))
    assert {line["verdict"] for line in lines if line["panel"] == "states"} == {"unknown"}
    assert [line["value"] for line in lines if line["panel"] == "share"] == ["", "0.0", "1.0"]


def test_without_matplotlib_an_error_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = draw(tmp_path, "plot.svg")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert "pip install 'royal-rendezvous-solver[plot]'" in result.stderr
    assert not list(tmp_path.glob("plot*"))


@drawn
def test_labels_are_text_with_units() -> None:
    written = texts(plots.picture(summaries(), "svg"))
    for label in (
        *("States searched per deal", "states per deal (log)", "winnable deals in %"),
        *("95% interval", "slots in the reserve", "won", "lost", "unknown"),
        *(rules.name for rules in CONTENT),
    ):
        assert label in written, label


@drawn
def test_the_reserve_is_drawn_only_where_it_differs() -> None:
    assert "slots" not in texts(plots.picture(summaries([WIKIPEDIA, PYSOL]), "svg"))


@drawn
@pytest.mark.parametrize("file_format", plots.FORMATS)
def test_the_same_numbers_give_the_same_file(file_format: str) -> None:
    first, second = (plots.picture(summaries(), file_format) for _ in range(2))
    assert first == second
    assert b"date>" not in first


@drawn
def test_the_settings_of_the_user_change_nothing() -> None:
    expected = plots.picture(summaries(), "svg")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black"}):
        assert plots.picture(summaries(), "svg") == expected


@drawn
@pytest.mark.parametrize("copies", [1, 3])
def test_no_texts_overlap(copies: int) -> None:
    sizes = range(16, 16 + copies)
    several = [
        replace(summary, rules=replace(summary.rules, reserve=summary.rules.reserve % 8 + size))
        for size in sizes
        for summary in summaries([WIKIPEDIA, PYSOL])
    ]
    with matplotlib.style.context(["default", plots.STYLE]):
        boxes = written_boxes(plots.draw(several))
    assert len(boxes) > 20
    overlapping = [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)]
    assert overlapping == []


@drawn
@pytest.mark.parametrize("name", ["plot.svg", "plot.PNG"])
def test_a_picture_has_its_numbers_beside_it(tmp_path: Path, name: str) -> None:
    result = draw(tmp_path, name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("rules ")
    content = (tmp_path / name).read_bytes()
    if name.endswith("svg"):
        assert "wikipedia reserve=12" in texts(content)
    else:
        assert content.startswith(PNG_START)
    assert {line["rules"] for line in table((tmp_path / "plot.csv").read_text())} == {
        rules.name for rules in CONTENT
    }
    assert not list(tmp_path.glob("*.tmp"))


@drawn
def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "plot.csv").mkdir()  # so that the numbers can't be written
    result = draw(tmp_path, "plot.svg")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"'{tmp_path / 'plot.csv'}' is not the name of a file" in result.stderr
    assert not (tmp_path / "plot.svg").exists()
    assert not list(tmp_path.glob(".plot*"))


@drawn
def test_deals_that_cost_nothing_are_drawn_without_a_warning() -> None:
    died = {seed: replace(row, states=0) for seed, row in rows("??").items()}
    assert "2 deals" in texts(plots.picture([summarise(PYSOL, died)], "svg"))
