"""How these figures look: the colours, dashes and marks of all reports, and how panels are put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.report import colours
from devs_robotics.experimental_frames.report.colours import ACCENT, DASHES, INK, SERIES

BLACK, BLUE, GREEN, ORANGE, VERMILION = INK, ACCENT, SERIES[2], SERIES[3], colours.PUBLISHED
SKY = "#56b4e9"
"""Of a wide line behind others."""
GREY = "#6b7280"
LINES: tuple[tuple[str, Any], ...] = tuple(zip((BLUE, GREEN, ORANGE, BLACK, *SERIES[4:]), DASHES, strict=True))
"""Colours and dashes of lines in one picture."""

PUBLISHED: dict[str, Any] = {
    "marker": "D",
    "linestyle": "none",
    "markersize": 5.5,
    "color": VERMILION,
    "markeredgecolor": BLACK,
    "markeredgewidth": 0.6,
    "zorder": 5,
}
"""Of what is published."""


def panels(rows: int, columns: int, height: float, widths: Sequence[float] | None = None) -> tuple[Figure, list[Axes]]:
    """A figure as wide as a page, and its panels from left to right and from top to bottom.

    Args:
        rows, columns: of panels
        height: of the figure (inches)
        widths: of the columns, in proportion
    """
    figure = Figure(figsize=(9.0, height), layout="constrained")
    made = figure.subplots(rows, columns, squeeze=False, width_ratios=widths)
    return figure, [axes for row in made for axes in row]


def titled(axes: Axes, title: str, x: str, y: str) -> None:
    """What a panel shows, and what its axes are."""
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def legend(axes: Axes, where: Any = "best", columns: int = 1) -> None:
    """What lines and marks mean."""
    axes.legend(frameon=False, fontsize=8.5, loc=where, ncols=columns)
