"""Draws the pictures of the published tables: ``make results-tables``.

``players.svg`` has the share of deals that perfect play and players without a plan win,
``losses.svg`` the share that nobody can win, on a logarithmic axis: most presets lose a few deals
in a thousand, one of them three in ten.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bench.players import Player
from bench.published import Record, preset_lines, table
from solver.base.files import write
from solver.show import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PERFECT = "perfect play"
LOOKS = {
    PERFECT: (plots.BLUE, "o", 0.0),
    Player.FIRST_FIT: (plots.VERMILLION, "s", -0.15),
    Player.ANY_FIT: ("#009E73", "^", 0.15),
    Player.ANY_MOVE: (plots.GREY, "D", 0.0),
}
"""Colour, shape, and how far below the line: the middle two are often equally good."""

HEIGHT, ROW = 1.25, 0.4  # inches
LEAST, MOST = 0.001, 100.0  # %, of the logarithmic axis


def draw_players(axes: "Axes", presets: Sequence[Record], naive: Sequence[Record]) -> None:
    """Draws a line for each preset, with a mark for each player."""
    shares = {(line["rules"], line["player"]): 100 * float(line["share"]) for line in naive}
    shares |= {(line["rules"], PERFECT): 100 * float(line["share"]) for line in presets}
    for y, line in enumerate(presets):
        axes.hlines(y, 0, 100, "#DDDDDD", lw=0.9, zorder=0)
        axes.annotate(_percent(shares[line["rules"], PERFECT]), (103, y), va="center")
    for player, (colour, marker, below) in LOOKS.items():
        xs = [shares[line["rules"], player] for line in presets]
        ys = [y + below for y in range(len(presets))]
        axes.plot(xs, ys, marker, color=colour, mec="white", ms=7, label=player)
    axes.set_xlim(-2, 116)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("deals won in %; the figures are those of perfect play")
    axes.set_title("Who wins how many deals", pad=22)
    axes.legend(
        loc="lower left", bbox_to_anchor=(-0.02, 0.98), ncols=len(LOOKS), columnspacing=1.2,
        handletextpad=0.2,
    )  # fmt: skip


def draw_losses(axes: "Axes", presets: Sequence[Record]) -> None:
    """Draws the share that can't be won, with its interval, an arrow if that goes down to 0."""
    for y, line in enumerate(presets):
        low, share, high = (100 - 100 * float(line[end]) for end in ("high", "share", "low"))
        axes.hlines(y, max(low, LEAST), high, plots.VERMILLION, lw=1.8)
        ends = [(high, "|"), (low, "|") if low > LEAST else (LEAST, "<")]
        for x, marker in ends:
            axes.plot(x, y, marker, color=plots.VERMILLION, ms=8, clip_on=False)
        if share > LEAST:
            axes.plot(share, y, "o", color=plots.VERMILLION, mec="white", ms=7)
        axes.annotate(_percent(share), (1.6 * MOST, y), va="center", annotation_clip=False)
    axes.set_xscale("log")
    axes.set_xlim(LEAST, MOST)
    ticks = (0.001, 0.01, 0.1, 1, 10, 100)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xlabel("deals that can't be won in % of those decided (log), with 95% interval")
    axes.set_title("How many deals nobody can win")
    axes.grid(axis="x")


def _percent(share: float) -> str:
    return f"{share:.3f} %" if share < 1 or share > 99 else f"{share:.2f} %"


def figure_of(presets: Sequence[Record]) -> tuple["Figure", "Axes"]:
    """Gets an empty picture with a row for each preset."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    size = plots.WIDTH, HEIGHT + ROW * len(presets)
    figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    axes = figure.add_subplot()
    labels = [f"{line['rules']}\n{int(line['deals']):,} deals" for line in presets]
    axes.set_yticks(range(len(presets)), labels)
    axes.set_ylim(len(presets) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0, pad=8)
    return figure, axes


def figures(folder: Path) -> Iterator[tuple[str, "Figure"]]:
    """Draws both pictures in whatever style is set.

    :raises OSError: if a table is not there.
    :raises ValueError: if one lacks presets.
    """
    presets, naive = preset_lines(folder), table(folder, "naive")
    if not presets or {line["rules"] for line in presets} - {line["rules"] for line in naive}:
        raise ValueError(f"{folder}: no presets in winnability.csv, or not all in naive.csv")
    figure, axes = figure_of(presets)
    draw_players(axes, presets, naive)
    yield "players", figure
    figure, axes = figure_of(presets)
    draw_losses(axes, presets)
    yield "losses", figure


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    """Draw the pictures of the tables in FOLDER into it."""
    try:
        plots.require_matplotlib()
        from matplotlib import style

        with style.context(["default", plots.STYLE]):
            drawn = {name: plots.saved(figure, "svg") for name, figure in figures(folder)}
        write({folder / f"{name}.svg": content for name, content in drawn.items()})
    except (OSError, ValueError, plots.PlotError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
