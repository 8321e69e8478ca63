"""How figures are drawn: one style, and SVG texts to stand inside a page."""

from __future__ import annotations

import io
from collections.abc import Callable
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from devs_robotics.core.tables import GrowingColumn
from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PUBLISHED

STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "boxplot.boxprops.color": INK,
    "boxplot.whiskerprops.color": INK,
    "boxplot.capprops.color": INK,
    "boxplot.flierprops.color": INK,
    "boxplot.flierprops.markeredgecolor": INK,
    "boxplot.medianprops.color": ACCENT,
    "svg.hashsalt": "devs-robotics",
}
MOST_POINTS = 1500
ROOM = 1.5
"""So many times as high as what was measured a picture may become for a published value to be in it."""

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def thinned(
    times: GrowingColumn | Floats,
    values: GrowingColumn | Floats,
    most: int = MOST_POINTS,
    shown: Callable[[Floats], Floats] = lambda values: values,
) -> tuple[Floats, Floats]:
    """A long series with fewer points that looks the same: the lowest and the highest of each stretch.

    Args:
        times: of the values
        values: as measured
        most: so many points are left
        shown: makes of values what is drawn
    """
    count, stretches = len(values), most // 2
    if count <= most:
        return np.asarray(times), shown(np.asarray(values))
    places: list[int] = []
    heights: list[float] = []
    ends = [number * (count // stretches) + min(number, count % stretches) for number in range(stretches + 1)]
    for first, last in pairwise(ends):  # as equal as can be, the longer ones first
        stretch = shown(np.asarray(values[first:last]))
        for place in sorted({int(np.argmin(stretch)), int(np.argmax(stretch))}):
            places.append(first + place)
            heights.append(stretch[place])
    return np.array([times[place] for place in places]), np.array(heights)


def published_line(axes: Axes, value: float, label: str) -> None:
    """A published value across a figure whose axis is set: a dashed line, or at the edge an arrow towards it.

    The axis stays as what was measured needs it, so that a value far away does not squeeze that.

    Args:
        axes: with its limits
        value: in the units of the axis
        label: in the legend
    """
    low, high = axes.get_ylim()
    style: dict[str, Any] = {"color": PUBLISHED, "linewidth": 1.2, "linestyle": "--"}
    if low <= value <= low + ROOM * (high - low):
        axes.set_ylim(low, max(high, value + 0.05 * (high - low)))
        axes.axhline(value, label=label, **style)
        return
    up = value > high
    axes.plot([], [], marker="^" if up else "v", label=f"{label}, {'above' if up else 'below'} this picture", **style)
    edge: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "axes fraction", "annotation_clip": False}
    tip, tail = ((0.985, 1.0), (0.985, 0.86)) if up else ((0.985, 0.0), (0.985, 0.14))
    axes.annotate("", tip, tail, arrowprops={"arrowstyle": "->", "color": PUBLISHED, "linewidth": 1.5}, **edge)


def svg(figure: Figure, label: str, ground: str | None = None) -> str:
    """A figure as an SVG text, the same for the same figure.

    Args:
        figure: to be drawn
        label: says what it is to those who cannot see it
        ground: its colour; None: none, for a page that has one
    """
    buffer = io.StringIO()
    colour: Any = {"transparent": True} if ground is None else {"facecolor": ground}
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None}, **colour)
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
