"""Pictures of summaries with the numbers in them, and the style of all pictures.

matplotlib is loaded when one is drawn. A picture of summaries has up to three panels, one above
the other: states per deal by verdict, the share that can be won by rule set, and that share against
the size of the reserve for rules that differ in nothing else.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from ..base.files import csv_text
from ..batch.stats import UNKNOWN, UNWINNABLE, WINNABLE, Summary
from ..game.errors import Error
from ..game.rules import Rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
COLUMNS = ("panel", "rules", "reserve", "verdict", "quantity", "value")
# Colours of Okabe and Ito, which colour-blind readers can tell apart; shapes differ as well.
BLUE, VERMILLION, GREY, BLACK = "#0072B2", "#D55E00", "#666666", "#000000"
FAMILY_COLOURS = (BLUE, VERMILLION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", BLACK)
FAMILY_MARKERS = "osD^vP*"
LOOKS = {
    WINNABLE: ("won", BLUE, "o"),
    UNWINNABLE: ("lost", VERMILLION, "s"),
    UNKNOWN: ("unknown", GREY, "D"),
}
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "rr-solve",  # the same numbers give the same file
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "hatch.color": "white",
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
}
WIDTH, DPI = 7.5, 150
HEIGHTS = {"states": (1.3, 0.6), "share": (1.0, 0.33), "reserve": (3.2, 0.0)}  # inches: base, row
LANE = 0.24  # between the verdicts of one rule set


class PlotError(Error):
    """No picture can be drawn here."""


def require_matplotlib() -> None:
    """Makes sure that pictures can be drawn.

    :raises PlotError: if matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PlotError(
            "plots need matplotlib: pip install 'royal-rendezvous-solver[plot]'"
        ) from None


def families(summaries: Sequence[Summary]) -> dict[str, list[Summary]]:
    """Gets the summaries whose rules differ only in the reserve, by the name of what they share.

    Rules of which there is but one size are left out.
    """
    found: dict[Rules, list[Summary]] = {}
    for summary in summaries:
        found.setdefault(replace(summary.rules, reserve=Rules().reserve), []).append(summary)
    return {
        rules.name: sorted(members, key=lambda summary: summary.rules.reserve)
        for rules, members in found.items()
        if len(members) > 1
    }


def numbers(summaries: Sequence[Summary]) -> str:
    """Gets the plotted numbers as CSV, a line for each."""
    lines = [line for summary in summaries for line in _states_numbers(summary)]
    lines += [line for summary in summaries for line in _share_numbers("share", summary)]
    for members in families(summaries).values():
        lines += [line for summary in members for line in _share_numbers("reserve", summary)]
    return csv_text(COLUMNS, lines)


def _states_numbers(summary: Summary) -> Iterator[tuple[object, ...]]:
    rules = summary.rules
    for verdict, spread in summary.states_by_verdict.items():
        for quantity, value in asdict(spread).items():
            if quantity != "p99":  # not drawn
                yield "states", rules.name, rules.reserve, verdict, quantity, value


def _share_numbers(panel: str, summary: Summary) -> Iterator[tuple[object, ...]]:
    rules, (low, high) = summary.rules, summary.interval
    for quantity, value in (("share", summary.share), ("low", low), ("high", high)):
        yield panel, rules.name, rules.reserve, "", quantity, value


def picture(
    summaries: Sequence[Summary], file_format: str, panels: Sequence[str] = tuple(HEIGHTS)
) -> bytes:
    """Draws the panels, or those named, as a file of one of the formats.

    :raises PlotError: if matplotlib is not installed.
    """
    return rendered(lambda: draw(summaries, panels), file_format)


def rendered(draw: Callable[[], "Figure"], file_format: str) -> bytes:
    """Draws a figure in the style of all pictures, as a file of one of the formats.

    :raises PlotError: if matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib import style

    with style.context(["default", STYLE]):
        return saved(draw(), file_format)


def saved(figure: "Figure", file_format: str) -> bytes:
    """Gets a figure as a file that is the same for the same figure."""
    content = io.BytesIO()
    # A date or a version would make equal pictures differ.
    metadata = {"Date": None} if file_format == "svg" else {"Software": None}
    figure.savefig(content, format=file_format, dpi=DPI, metadata=metadata)
    return content.getvalue()


def draw(summaries: Sequence[Summary], panels: Sequence[str] = tuple(HEIGHTS)) -> "Figure":
    """Draws the panels, or those named, in whatever style is set.

    There is none of the reserve if its size is always the same.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    by_reserve = families(summaries)
    shown = [panel for panel in panels if panel != "reserve" or by_reserve]
    heights = [HEIGHTS[panel][0] + HEIGHTS[panel][1] * len(summaries) for panel in shown]
    figure = Figure(figsize=(WIDTH, sum(heights)), layout=ConstrainedLayoutEngine(h_pad=0.1))
    grid = figure.add_gridspec(len(shown), height_ratios=heights)
    for i, panel in enumerate(shown):
        axes = figure.add_subplot(grid[i])
        if panel == "states":
            _draw_states(axes, summaries)
        elif panel == "share":
            _draw_shares(axes, summaries)
        else:
            _draw_reserves(axes, by_reserve)
    return figure


def _draw_states(axes: "Axes", summaries: Sequence[Summary]) -> None:
    """Draws a lane for each verdict: median, from 10% to 90%, from the least to the most."""
    met = [verdict for verdict in LOOKS if any(verdict in s.states_by_verdict for s in summaries)]
    for lane, verdict in enumerate(met):
        label, colour, marker = LOOKS[verdict]
        drawn = [
            (y + (lane - (len(met) - 1) / 2) * LANE, summary.states_by_verdict[verdict])
            for y, summary in enumerate(summaries)
            if verdict in summary.states_by_verdict
        ]
        ys = [y for y, _ in drawn]
        axes.hlines(ys, [s.least for _, s in drawn], [s.most for _, s in drawn], colour, lw=0.9)
        axes.hlines(ys, [s.p10 for _, s in drawn], [s.p90 for _, s in drawn], colour, lw=3.5)
        medians = [spread.median for _, spread in drawn]
        axes.plot(medians, ys, marker, color=colour, mec="white", ms=6.5, label=label)
    if not any(summary.states.most for summary in summaries):
        axes.set_xlim(1, 10)  # a logarithmic axis with nothing on it
    axes.set_xscale("log", nonpositive="clip")
    axes.set_xlabel("states per deal (log): median, 10% to 90% (thick), least to most (thin)")
    axes.set_title("States searched per deal, by verdict")
    _name_rows(axes, summaries)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), ncols=3, borderaxespad=0.2, columnspacing=1
    )


def _draw_shares(axes: "Axes", summaries: Sequence[Summary]) -> None:
    for y, summary in enumerate(summaries):
        low, high = _percent(summary.interval)
        axes.hlines(y, low, high, BLUE, lw=1.5)
        axes.plot([low, high], [y, y], "|", color=BLUE, ms=8)
        if summary.share is not None:
            axes.plot(100 * summary.share, y, "o", color=BLUE, ms=4.5)
    axes.set_xlabel("winnable deals in % of those decided, with 95% interval")
    axes.set_title("Share of deals that can be won")
    _name_rows(axes, summaries)


def _draw_reserves(axes: "Axes", by_reserve: dict[str, list[Summary]]) -> None:
    from matplotlib.ticker import MaxNLocator

    for i, (name, members) in enumerate(by_reserve.items()):
        colour = FAMILY_COLOURS[i % len(FAMILY_COLOURS)]
        # Families are set apart a little, or their intervals would hide each other.
        xs = [summary.rules.reserve + (i - (len(by_reserve) - 1) / 2) * 0.08 for summary in members]
        lows, highs = zip(*(_percent(summary.interval) for summary in members), strict=True)
        axes.vlines(xs, lows, highs, colour, lw=1.5)
        shares = [
            float("nan") if summary.share is None else 100 * summary.share for summary in members
        ]
        marker = FAMILY_MARKERS[i % len(FAMILY_MARKERS)]
        axes.plot(xs, shares, marker + "-", color=colour, ms=4, lw=0.8, label=name)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("slots in the reserve")
    axes.set_ylabel("winnable deals in % of those decided")
    axes.set_title("Share of deals that can be won, by size of the reserve (95% intervals)")
    axes.grid(axis="y")
    axes.legend(loc="best")


def _name_rows(axes: "Axes", summaries: Sequence[Summary]) -> None:
    """Names the rule sets at the left, the first on top, with the number of their deals."""
    labels = [f"{summary.rules.name}\n{summary.deals:,} deals" for summary in summaries]
    axes.set_yticks(range(len(summaries)), labels)
    axes.set_ylim(len(summaries) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _percent(interval: tuple[float, float]) -> tuple[float, float]:
    return 100 * interval[0], 100 * interval[1]
