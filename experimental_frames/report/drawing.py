"""How figures are drawn: one style, and SVG texts to stand inside a page."""

from __future__ import annotations

import io
from collections.abc import Callable
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from devs_robotics.core.tables import Column
from devs_robotics.experimental_frames.report.colours import FAINT, INK

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
    "svg.hashsalt": "devs-robotics",
}
MOST_POINTS = 1500

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def thinned(
    times: Column | Floats,
    values: Column | Floats,
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


def svg(figure: Figure, label: str) -> str:
    """A figure as an SVG text, the same for the same figure; the label says what it is to those who cannot see it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
