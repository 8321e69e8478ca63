"""How figures are drawn: one style, and SVG texts to stand inside a page."""

from __future__ import annotations

import io
from html import escape
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from experimental_frames.report.colours import FAINT, INK

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


def thinned(times: Floats, values: Floats, most: int = MOST_POINTS) -> tuple[Floats, Floats]:
    """A long series with fewer points that looks the same: the lowest and the highest of each stretch."""
    stretches = most // 2
    if len(values) <= most:
        return times, values
    kept: list[int] = []
    for indices in np.array_split(np.arange(len(values)), stretches):
        lowest, highest = indices[np.argmin(values[indices])], indices[np.argmax(values[indices])]
        kept += sorted({int(lowest), int(highest)})
    return times[kept], values[kept]


def svg(figure: Figure, label: str) -> str:
    """A figure as an SVG text, the same for the same figure; the label says what it is to those who cannot see it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
