"""The figures of what a frame's parts have measured over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from devs_robotics.experimental_frames.frame.frame import WHO
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.colours import ACCENT
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.report.sections import Drawing, Section
from devs_robotics.experimental_frames.report.thinning import Floats, thinned

TIME = "time_s"
"""The column of times (s)."""

MOST_PANELS = 8
"""Series of one part that are drawn."""


def series_sections(
    tables: Mapping[str, Mapping[str, Sequence[float]]],
    metrics: Mapping[str, Metric],
    files: Mapping[str, str],
    end: float = 0.0,
) -> Iterator[Section]:
    """A figure for each part of the frame that measured something over time; nothing if none did.

    Logs of what single robots did are no series, and are not drawn.

    Args:
        tables: by part: columns of equal length, of which `TIME` is one; NaN where there is nothing
        metrics: of those series that are metrics as they grow, by part and column, with a point between them
        files: in which the tables are, by part
        end: of the run, up to which the last values hold (s)
    """
    drawings = []
    for part, table in tables.items():
        series = {column: values for column, values in table.items() if column != TIME}
        if WHO in series:
            continue
        shown = dict(list(series.items())[:MOST_PANELS])
        if shown and len(table[TIME]):
            caption = f"{part} over simulated time; the numbers are in {files[part]}."
            if len(shown) < len(series):
                caption = f"The first {len(shown)} of {len(series)} series of {caption}"
            known = {column: metrics.get(f"{part}.{column}") for column in shown}
            drawings.append(Drawing((over_time(part, np.asarray(table[TIME]), shown, known, end),), caption))
    if drawings:
        yield Section("Over time", drawings=tuple(drawings))


def over_time(
    part: str,
    times: Floats,
    series: Mapping[str, Sequence[float]],
    metrics: Mapping[str, Metric | None],
    end: float = 0.0,
) -> str:
    """Series of one part, one below the other.

    Args:
        part: its name
        times: of all of them (s)
        series: by name; NaN where there is nothing
        metrics: that these are, where they are any, by the same names
        end: of the run, up to which the last values hold (s)
    """
    end = max(end, float(times[-1]))
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 0.6 + 2.0 * len(series)), layout="constrained")
        panels = figure.subplots(len(series), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, values) in zip(panels, series.items(), strict=True):
            metric = metrics.get(name)
            heights = np.asarray(values, dtype=float) * (1.0 if metric is None else metric.scale)
            there = np.isfinite(heights)
            at, height = thinned(times[there], heights[there])
            if len(at):  # the last value holds
                at, height = np.append(at, end), np.append(height, height[-1])
            axes.plot(at, height, color=ACCENT, linewidth=1.0, drawstyle="steps-post")
            counts_have_no_fractions(axes, height)
            axes.set_title(name if metric is None else metric.label, fontsize=10, loc="left", parse_math=False)
        panels[0].set_xlim(0.0, max(1e-3, end))
        panels[-1].set_xlabel("simulated time (s)")
        return svg(figure, f"{part} over simulated time")


def counts_have_no_fractions(axes: Axes, values: Floats) -> None:
    """Let the numbers at an upright axis be whole where all values are, and let it go to 1 where all are 0."""
    if len(values) and np.array_equal(values, np.round(values)):
        axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
        if not np.any(values):
            axes.set_ylim(-0.05, 1.0)
