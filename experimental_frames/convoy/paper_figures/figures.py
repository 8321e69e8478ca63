"""The figures 8 to 11 of Hu & Zeigler, section 4.2, from our runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from devs_robotics.experimental_frames.convoy.paper_figures.runs import (
    Band,
    PaperRun,
    Snapshot,
    band,
    of,
    point,
    ratios,
)
from devs_robotics.experimental_frames.convoy.published import AVERAGE_ERROR, NOISE_SETS, ROBOTS, SIZES
from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PUBLISHED, SERIES
from devs_robotics.experimental_frames.report.field_view import FieldView, draw_bodies, draw_field, draw_tracks
from devs_robotics.experimental_frames.report.thinning import Floats

LOOKS = dict(zip(NOISE_SETS, ((INK, "s", "--"), (ACCENT, "o", "-"), (SERIES[2], "^", "-.")), strict=True))
"""Colour, marker and dashes of each noise set."""
SET = {noise: f"set {number}" for number, noise in enumerate(NOISE_SETS, start=1)}
SECOND = NOISE_SETS[1]
Look = tuple[str, str, Any]
HIGHEST = 42.0
"""Of axes that show published levels (cm)."""


def snapshots(shots: Sequence[Snapshot], width: float, height: float, radius: float) -> Figure:
    """Figure 8: a convoy in its walled field, early and late; tracks of all robots, the leader's in blue."""
    figure = Figure(figsize=(9, 4.9), layout="constrained")
    for number, (axes, shot) in enumerate(zip(figure.subplots(1, len(shots), squeeze=False)[0], shots, strict=True), 1):
        view = FieldView(width, height, max(radius, 0.006 * width), shot.poses, shot.tracks, marked=1)
        draw_field(axes, view)
        draw_tracks(axes, view)
        draw_bodies(axes, view)
        axes.set_title(
            f"({number}) all have completed {shot.round} rounds, {shot.time_s:.0f} s", fontsize=10, color=INK
        )
        axes.set_xlabel("x (m)")
    figure.axes[0].set_ylabel("y (m)")
    return figure


def over_moves(runs: Sequence[PaperRun], moves: Floats) -> Figure:
    """Figure 9: E from the start, at the second noise set: one run, and the mean of all with its band."""
    kept = of(runs, SECOND, ROBOTS)
    mean = band([run.errors_m for run in kept])
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.add_subplot()
    if kept:
        axes.plot(moves, 100 * kept[0].errors_m, color=FAINT, linewidth=0.9, label=f"one run, seed {kept[0].seed}")
    _draw(axes, moves, mean, (ACCENT, "o", "-"), f"mean of {mean.runs} runs and its 95 % band")
    label = f"published average, {AVERAGE_ERROR[SECOND]}"
    axes.axhline(AVERAGE_ERROR[SECOND], color=PUBLISHED, linewidth=1.2, linestyle="--", label=label)
    axes.set(xlabel="robot moves (rounds completed by all robots together)", ylabel="position error E (cm)")
    axes.set(xlim=(0, float(moves[-1])), ylim=(0, HIGHEST))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:,.0f}"))
    _legend(axes, 3)
    return figure


def by_noise(runs: Sequence[PaperRun], moves: Floats, transient: float) -> Figure:
    """Figure 10: E at the three noise sets after the transient, its averages, and how they rise from the first set.

    Args:
        runs: all
        moves: robot moves at the end of each stretch
        transient: robot moves that are left out
    """
    figure = Figure(figsize=(9, 4.0), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=(2.4, 1, 1))
    after = moves > transient
    first = of(runs, NOISE_SETS[0], ROBOTS)
    for place, noise in enumerate(NOISE_SETS):
        kept = of(runs, noise, ROBOTS)
        mean = band([run.errors_m[after] for run in kept])
        _draw(left, moves[after], mean, LOOKS[noise], f"{SET[noise]}: DNF {noise[0]:g}, ANF {noise[1]:g}")
        _dots(middle, place, [100 * run.average_m for run in kept], LOOKS[noise])
        _published(middle, place, AVERAGE_ERROR[noise])
        if place:
            _dots(right, place, [100 * (ratio - 1) for ratio in ratios(kept, first)], LOOKS[noise])
            _published(right, place, 100 * (AVERAGE_ERROR[noise] / AVERAGE_ERROR[NOISE_SETS[0]] - 1))
    left.set(xlabel="robot moves", ylabel="position error E (cm)")
    left.xaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:,.0f}"))
    middle.set(ylim=(0, HIGHEST), ylabel="its average over time (cm)")
    right.set_ylabel("average above that of set 1 (%)")
    right.axhline(0, color=FAINT, linewidth=0.8)
    for axes, places in ((middle, (0, 1, 2)), (right, (1, 2))):
        axes.set_xticks(places, [f"set {place + 1}" for place in places])
        axes.set_xlim(places[0] - 0.5, places[-1] + 0.5)
    middle.plot([], [], "D", color=PUBLISHED, label="published")
    _legend(left, 1)
    _legend(middle, 1)
    return figure


def by_size(runs: Sequence[PaperRun]) -> Figure:
    """Figure 11: average E against the number of robots at the second noise set, from zero and zoomed in."""
    figure = Figure(figsize=(9, 4.0), layout="constrained")
    whole, near = figure.subplots(1, 2)
    every = [size for size in SIZES if of(runs, SECOND, size)]
    values = {size: [100 * run.average_m for run in of(runs, SECOND, size)] for size in every}
    bands = {size: point(values[size]) for size in every}
    for axes in (whole, near):
        low, mean, high = ([float(getattr(bands[size], end)[0]) for size in every] for end in ("low", "mean", "high"))
        axes.plot(
            every, mean, "o-", color=ACCENT, markersize=4.5, linewidth=1.2, label="mean and its 95 % band", zorder=3
        )
        axes.fill_between(every, low, high, color=ACCENT, alpha=0.2, linewidth=0)
        for number, size in enumerate(every):
            label = "single runs" if number == 0 else None
            axes.plot([size] * len(values[size]), values[size], "o", color=FAINT, markersize=3, alpha=0.6, label=label)
        axes.set(xlabel="robots N")
        axes.set_xticks(SIZES)
    whole.plot(
        [ROBOTS],
        [AVERAGE_ERROR[SECOND]],
        "D",
        color=PUBLISHED,
        label=f"published, N = {ROBOTS}: {AVERAGE_ERROR[SECOND]}",
    )
    whole.set_ylim(0, HIGHEST)
    whole.set_ylabel("average position error E (cm)")
    near.set_title("the same, zoomed in", fontsize=10, color=INK)
    _legend(whole, 1)
    return figure


def _draw(axes: Axes, moves: Floats, mean: Band, look: Look, label: str) -> None:
    if mean.runs:
        colour, _, dashes = look
        axes.plot(moves, 100 * mean.mean, color=colour, linestyle=dashes, linewidth=1.2, label=label)
        axes.fill_between(moves, 100 * mean.low, 100 * mean.high, color=colour, alpha=0.25, linewidth=0)


def _dots(axes: Axes, place: float, values: Sequence[float], look: Look) -> None:
    """Single runs, and beside them their mean with its interval."""
    if not values:
        return
    across = np.linspace(place - 0.2, place - 0.02, len(values)) if len(values) > 1 else [place - 0.1]
    axes.plot(across, values, "o", color=FAINT, markersize=3, alpha=0.7)
    mean = point(values)
    colour, marker, _ = look
    axes.plot([place + 0.1], mean.mean, marker, color=colour, markersize=6)
    axes.plot([place + 0.1] * 2, [mean.low[0], mean.high[0]], color=colour, linewidth=2)


def _published(axes: Axes, place: float, value: float) -> None:
    axes.plot([place + 0.3], [value], "D", color=PUBLISHED, markersize=6)


def _legend(axes: Axes, columns: int) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(
            frameon=False, ncols=columns, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9, borderaxespad=0.2
        )
