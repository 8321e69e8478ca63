"""How figures are drawn: one style, and SVG texts to stand inside a page."""

from __future__ import annotations

import io
import re
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PUBLISHED

STYLE: Any = {
    # of matplotlib, and not of a user's matplotlibrc: figures are the same for everybody, and none needs LaTeX
    **{name: value for name, value in dict.items(mpl.rcParamsDefault) if name != "backend"},
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
ROOM = 1.5
"""So many times as high as what was measured a picture may become for a published value to be in it."""


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
    text = _LONG.sub(_shorter, buffer.getvalue())
    return text[text.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


_LONG = re.compile(r'(?<=<path d=")[-MLz0-9.\s]{2000,}(?=")')
"""A path of many straight lines."""

_NUMBER = re.compile(r"-?\d+\.\d+")


def _shorter(path: re.Match[str]) -> str:
    """The same path, with places to a hundredth of a point, as it is seen, in half of the room: tracks are long."""
    rounded = _NUMBER.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), path[0])
    return " ".join(rounded.split()).replace(" L ", "L").replace("M ", "M")
