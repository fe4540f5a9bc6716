"""Pictures of reviews: what is in them, and through the command."""

import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from solver.game.moves import DEAL
from solver.game.verdict import Verdict
from solver.player.hints import Option
from solver.player.reviews import Review, Step
from solver.show import plots, review_plot

from .test_cli import Capture, failure, misuse, run
from .test_cli_player import LOSING_GAME, whole_deals
from .test_plots import PNG_START, drawn, texts, written_boxes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = {"w": Verdict.WINNABLE, "?": Verdict.UNKNOWN, "l": Verdict.UNWINNABLE}
LOST_AT_THREE = ["www", "w?", "wl?l", "l", "ll"]


def game(options: Sequence[str], verdicts: str) -> Review:
    """Gets a review of a game with these verdicts on its moves and on its positions."""
    every = [WORDS[letter] for letter in verdicts]
    steps = [
        Step(DEAL, before, after, tuple(Option(DEAL, WORDS[letter]) for letter in letters))
        for letters, before, after in zip(options, every, every[1:], strict=False)
    ]
    return Review(every[0], tuple(steps), 0)


def figure_of(found: Review) -> "Figure":
    from matplotlib import style

    with style.context(["default", plots.STYLE]):
        return review_plot.draw(found, "Deal 100000 under wikipedia-strict: moves")


def bars(figure: "Figure") -> dict[str, list[tuple[float, float]]]:
    """Gets from where to where each bar goes, by label."""
    return {
        str(container.get_label()): [
            (bar.get_y(), bar.get_y() + bar.get_height()) for bar in cast(Any, container)
        ]
        for container in figure.axes[0].containers
    }


@drawn
def test_bars_are_the_counts_on_top_of_each_other() -> None:
    assert bars(figure_of(game(LOST_AT_THREE, "wwwlll"))) == {
        "keep the win": [(0, 3), (0, 1), (0, 1), (0, 0), (0, 0)],
        "unknown": [(3, 3), (1, 2), (1, 2), (0, 0), (0, 0)],
        "lose": [(3, 3), (2, 2), (2, 4), (0, 1), (0, 2)],
    }
    assert list(bars(figure_of(game(["w", "w"], "www")))) == ["keep the win"]


@drawn
@pytest.mark.parametrize(
    ("verdicts", "ends", "label"),
    [
        ("wwwlll", [3, 3], "move 3 lost the win"),
        ("ww??ll", [2, 4], "one of the moves 2 to 4 lost the win"),
        ("wwwwww", [], ""),
        ("llllll", [], ""),
    ],
)
def test_the_move_that_lost_the_win_is_marked(verdicts: str, ends: list[int], label: str) -> None:
    lines = figure_of(game(LOST_AT_THREE, verdicts)).axes[0].lines
    assert [int(end) for line in lines for end in cast(Any, line.get_xdata())] == ends
    assert "".join(str(line.get_label()) for line in lines) == label


@drawn
def test_a_picture_has_labels_and_is_the_same_each_time() -> None:
    found = game(LOST_AT_THREE, "wwwlll")
    first, second = (review_plot.picture(found, "Deal 5", "svg") for _ in range(2))
    assert first == second
    for label in ("Deal 5", "number of legal moves", "move of the game", "move 3 lost the win"):
        assert label in texts(first), label


@drawn
@pytest.mark.parametrize("length", [1, 7, 170])
def test_no_texts_of_a_review_overlap_or_leave_the_picture(length: int) -> None:
    options = ["w?l" * (1 + number % 4) for number in range(length)]
    verdicts = "w" + "?" * (length - 1) + "l"
    figure = figure_of(game(options, verdicts))
    boxes = written_boxes(figure)
    assert len(boxes) > 8
    assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)] == []
    words = [(text, box) for text, box in boxes if not text.isdecimal()]  # ticks may be unseen
    for text, box in words:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1, text


# Through the command


REVIEW = ["review", "--seed", "100000", "--after", LOSING_GAME]


@drawn
@whole_deals
@pytest.mark.parametrize("name", ["game.svg", "game.PNG"])
def test_a_review_is_drawn_beside_its_text(capsys: Capture, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    out, _ = run(capsys, [*REVIEW, "--plot", str(path)])
    assert out.splitlines()[0] == "Deal 100000: 7 moves, winnable at the start"
    content = path.read_bytes()
    if name.endswith("svg"):
        assert "move 6 lost the win" in texts(content)
        assert "Deal 100000 under wikipedia: moves that kept the win" in texts(content)
    else:
        assert content.startswith(PNG_START)


def test_a_name_that_cannot_be_drawn_to_is_refused_before_the_search(
    capsys: Capture, tmp_path: Path
) -> None:
    (tmp_path / "folder.svg").mkdir()
    for name, error in (
        ("game.pdf", "ends neither in .svg nor in .png"),
        ("missing/game.svg", "there is no folder"),
        ("folder.svg", "is not the name of a file"),
    ):
        assert error in misuse(capsys, *REVIEW, "--plot", str(tmp_path / name))


def test_matplotlib_is_missed_before_the_search(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    error = failure(capsys, *REVIEW, "--plot", str(tmp_path / "game.svg"))
    assert error == "Error: plots need matplotlib: pip install 'royal-rendezvous-solver[plot]'"
    assert not list(tmp_path.iterdir())
