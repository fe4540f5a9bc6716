"""A picture of a review: at each step the moves that kept the win, out of all that were legal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..game.verdict import Verdict
from ..player.reviews import Review
from .plots import BLACK, LOOKS, rendered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = 7.5, 3.4  # inches
LABELS = {
    Verdict.WINNABLE: ("keep the win", ""),
    Verdict.UNKNOWN: ("unknown", "...."),
    Verdict.UNWINNABLE: ("lose", "////"),
}
"""What moves do, and the hatch that tells them apart without colours; the first is lowest."""


def picture(found: Review, title: str, file_format: str) -> bytes:
    """Draws a review, as a file of one of ``plots.FORMATS``.

    :param title: what was reviewed.
    :raises PlotError: if matplotlib is not installed.
    """
    return rendered(lambda: draw(found, title), file_format)


def draw(found: Review, title: str) -> "Figure":
    """Draws a bar for each step, in whatever style is set: the moves that were legal there."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    highest = max(len(step.options) for step in found.steps)
    _draw_bars(axes, found)
    _mark_loss(axes, found)
    axes.set_xlim(0.4, len(found.steps) + 0.6)
    axes.set_ylim(0, highest + 1)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.set_xlabel("move of the game, by number")
    axes.set_ylabel("number of legal moves")
    axes.set_title(title)
    axes.grid(axis="y")
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), ncols=4, borderaxespad=0)
    return figure


def _draw_bars(axes: "Axes", found: Review) -> None:
    bottoms = [0] * len(found.steps)
    for verdict, (label, hatch) in LABELS.items():
        counts = [step.count(verdict) for step in found.steps]
        if any(counts):
            numbers = range(1, len(counts) + 1)
            axes.bar(
                numbers, counts, 0.8, bottoms, color=LOOKS[verdict][1], hatch=hatch, label=label
            )
        bottoms = [bottom + count for bottom, count in zip(bottoms, counts, strict=True)]


def _mark_loss(axes: "Axes", found: Review) -> None:
    """Marks the move that lost the win, or from the first to the last of which one did."""
    losing = found.losing_steps
    if losing:
        first, last = losing[0], losing[-1]
        top = max(len(found.steps[number - 1].options) for number in losing) + 0.4
        (mark,) = axes.plot([first, last], [top, top], "v-", color=BLACK, ms=7, lw=1)
        mark.set(label=_loss(losing), clip_on=False)


def _loss(losing: Sequence[int]) -> str:
    if len(losing) == 1:
        return f"move {losing[0]} lost the win"
    return f"one of the moves {losing[0]} to {losing[-1]} lost the win"
