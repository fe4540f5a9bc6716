"""Lines of progress: drawn over and over on a terminal, seldom elsewhere, and wiped away."""

import sys
import time
from pathlib import Path

import pytest

from solver.cli.progress import Progress, bar, state_progress

from .pseudo_terminal import PseudoTerminal
from .test_cli import COMMAND, Capture, process

WIPE = "\r\x1b[K"


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


def shown(capsys: Capture, clock: Clock, progress: Progress, seconds: float) -> list[str]:
    """Gets what each of four calls, so many seconds apart, prints."""
    texts = []
    for number in (1000, 2000, 3000, 4000):
        progress(number)
        texts.append(capsys.readouterr().err)
        clock.now += seconds
    progress.close()
    return [*texts, capsys.readouterr().err]


def test_a_terminal_has_one_line_that_is_wiped_away(
    capsys: Capture, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert shown(capsys, clock, state_progress(), 0.25) == [
        *("", "", f"{WIPE}3,000 states, 0 s ", "", WIPE)
    ]
    assert shown(capsys, clock, state_progress(5000), 1) == [
        "",
        f"{WIPE}[#########...............] 2,000 of 5,000 states, 3 s left ",
        f"{WIPE}[##############..........] 3,000 of 5,000 states, 2 s left ",
        f"{WIPE}[###################.....] 4,000 of 5,000 states, 1 s left ",
        WIPE,
    ]


def test_elsewhere_states_are_told_seldom_and_the_rest_never(capsys: Capture, clock: Clock) -> None:
    assert shown(capsys, clock, state_progress(), 3) == ["", "", "3,000 states, 6 s\n", "", ""]
    assert shown(capsys, clock, Progress(lambda *_: "never"), 1000) == [""] * 5


def test_what_was_never_shown_is_not_wiped(
    capsys: Capture, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert shown(capsys, clock, state_progress(), 0.01) == [""] * 5


def test_a_bar_is_never_longer_than_full() -> None:
    assert [bar(number, 3).count("#") for number in (0, 1, 3, 4)] == [0, 8, 24, 24]


def test_a_review_counts_its_moves_on_a_terminal(tmp_path: Path) -> None:
    args = ["review", "--seed", "100000", "--after", "deal deal", "--states", "5"]
    with PseudoTerminal([*COMMAND, *args]) as terminal:
        assert terminal.wait_for_end() == 0
        assert b"\r\x1b[Kmove 1 of 2 " in terminal.output
        assert not any(line.startswith("move 1 of") for line in terminal.screen())
    assert process(*args).stderr == ""


def test_a_batch_ends_its_bar_with_the_totals(tmp_path: Path) -> None:
    args = ["batch", "--seeds", "1-40", "--store", str(tmp_path / "s.db"), "--jobs", "1"]
    with PseudoTerminal([*COMMAND, *args]) as terminal:
        assert terminal.wait_for_end() == 0
        lines = [line for line in terminal.screen() if line]
        assert lines[-1].startswith("40 of 40 deals in ")
        assert not any("[" in line for line in lines)
