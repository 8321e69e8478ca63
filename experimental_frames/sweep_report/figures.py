"""The figures of a sweep's report, as SVG texts to stand inside a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from matplotlib.transforms import ScaledTranslation
from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.colours import ACCENT, DASHES, FAINT, INK, MARKERS, PUBLISHED, SERIES
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.sweep.wording import capital, plain
from devs_robotics.experimental_frames.sweep_report.estimates import MetricEstimate

LOGARITHMIC_FROM = 20.0
"""An axis of settings is logarithmic if the largest is so many times the least."""
WIDTH = 9.0
"""Of a figure that has the page for itself (inches)."""
MOST_WITH_THREES = 1e3
"""Of an axis that is longer, logarithmically, only powers of ten have a tick."""
MOST_DOTS = 2000
BESIDE = 0.06
"""Dots of single runs stand so far to the left of their mean (inches)."""
DODGE = 0.5
"""Of the way between two ticks that are no numbers, so much is shared by the lines, so that none hides another."""
MOST_TICKS = 6
MOST_BESIDE = 3
"""Panels in a row."""
MARGIN = 0.05
"""Beside the first and the last place, as a share of the way between them."""
SHARES = (-0.5, 1.5)
"""An axis of shares shows no more than this, however wide the intervals are."""
CLOSEST = 0.08
"""Two ticks, as a share of the axis."""
LONGEST_BESIDE = 20
"""Letters of a label that has room beside another in the legend."""
LEGEND: Any = {"loc": "lower right", "bbox_to_anchor": (1, 1), "fontsize": 9, "borderaxespad": 0.2}


class PlottedLine(Struct, frozen=True):
    """A metric along the levels of a setting.

    Attributes:
        label: what else is held; empty for none
        places: of the levels
        runs: values of single runs at each level, in SI units
        means: of each level
    """

    label: str
    places: tuple[float, ...]
    runs: tuple[tuple[float, ...], ...]
    means: tuple[MetricEstimate, ...]


class PlottedCurve(Struct, frozen=True):
    """A fitted trend."""

    label: str
    at: Callable[[float], float]


class Panel(Struct, frozen=True):
    """One pair of axes.

    Attributes:
        metric: on its vertical axis
        name: of the setting on its horizontal axis
        lines: what is drawn
        ticks: texts at the places 0, 1, ..., where the setting is no number
        published: place, value in the metric's unit, and what it is
        curves: trends
        from_zero: whether the vertical axis begins there
    """

    metric: Metric
    name: str
    lines: tuple[PlottedLine, ...]
    ticks: tuple[str, ...] = ()
    published: tuple[tuple[float, float], ...] = ()
    curves: tuple[PlottedCurve, ...] = ()
    from_zero: bool = True


class Bar(Struct, frozen=True):
    """One quantity of one key, with its interval."""

    key: str
    value: float
    low: float
    high: float


def panels(shown: Sequence[Panel]) -> tuple[str, ...]:
    """Metrics along settings, a panel each: single runs as dots, means with the band of their 95 % intervals."""
    drawn = []
    with mpl.rc_context(STYLE):
        for panel in shown:
            figure = Figure(figsize=(WIDTH / len(shown), 3.6), layout="constrained")
            _draw(figure, panel)
            drawn.append(svg(figure, f"{capital(panel.metric.label).rstrip('.')} against {panel.name}"))
    return tuple(drawn)


def bars(groups: Sequence[tuple[str, Sequence[Bar]]], label: str) -> str:
    """Groups of bars with intervals, a group per series: sensitivity indices, which are shares."""
    with mpl.rc_context(STYLE):
        keys = [bar.key for bar in groups[0][1]]
        figure = Figure(figsize=(WIDTH, 1.1 + 0.55 * len(keys)), layout="constrained")
        axes = figure.add_subplot()
        thick = 0.8 / len(groups)
        for number, (name, series) in enumerate(groups):
            places = [place + (number - (len(groups) - 1) / 2) * thick for place in range(len(series))]
            values = [bar.value for bar in series]
            axes.barh(places, values, 0.9 * thick, color=SERIES[number], alpha=0.75, label=name)
            for place, bar in zip(places, series, strict=True):
                axes.plot([bar.low, bar.high], [place, place], color=INK, linewidth=1.2)
        axes.axvline(0, color=FAINT, linewidth=0.8)
        axes.set_xlim(max(SHARES[0], axes.get_xlim()[0]), min(SHARES[1], axes.get_xlim()[1]))
        axes.set_yticks(range(len(keys)), keys)
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.legend(frameon=False, ncols=len(groups), loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        return svg(figure, f"{capital(label).rstrip('.')} of each key")


def scatter(points: Sequence[tuple[str, float, float]], x_label: str, y_label: str) -> str:
    """Named points in a plane: Morris' means and deviations of elementary effects, for instance."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
        axes = figure.add_subplot()
        for name, x, y in points:
            axes.plot([x], [y], "o", color=ACCENT)
            axes.annotate(name, (x, y), textcoords="offset points", xytext=(0, 7), ha="center", fontsize=9)
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.margins(0.15)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        return svg(figure, f"{y_label} against {x_label}")


def clouds(groups: Sequence[tuple[str, Sequence[tuple[float, float]]]], label: str) -> tuple[str, ...]:
    """One quantity against several others, a panel each: a metric at the points of a sample against each key."""
    drawn = []
    with mpl.rc_context(STYLE):
        for name, points in groups:
            figure = Figure(figsize=(WIDTH / min(len(groups), MOST_BESIDE), 2.8), layout="constrained")
            axes = figure.add_subplot()
            axes.plot(*zip(*points, strict=True), "o", color=ACCENT, markersize=3.5, alpha=0.7)
            axes.set(xlabel=name, ylabel=label)
            drawn.append(svg(figure, f"{capital(label).rstrip('.')} against {name}"))
    return tuple(drawn)


def _draw(figure: Figure, panel: Panel) -> None:
    axes = figure.add_subplot()
    scale = panel.metric.scale
    places = sorted({place for line in panel.lines for place in line.places})
    beside = axes.transData + ScaledTranslation(-BESIDE, 0.0, figure.dpi_scale_trans)
    logarithmic = not panel.ticks and len(places) > 1 and 0 < LOGARITHMIC_FROM * places[0] <= places[-1]
    for number, line in enumerate(panel.lines):
        colour, marker, dashes = (of[number % len(SERIES)] for of in (SERIES, MARKERS, DASHES))
        alone = len(panel.lines) == 1
        if alone:
            for place, values in zip(line.places, line.runs, strict=True):
                some = np.asarray(values)[:: 1 + len(values) // MOST_DOTS]
                axes.plot([place] * len(some), scale * some, "o", color=FAINT, markersize=3, transform=beside)
                axes.update_datalim([(place, scale * value) for value in some])
        aside = DODGE * (number - (len(panel.lines) - 1) / 2) / len(panel.lines) if panel.ticks else 0.0
        known = [(place + aside, mean) for place, mean in zip(line.places, line.means, strict=True) if mean.n]
        label = line.label or "mean and its 95 % interval"
        axes.plot(
            [place for place, _ in known],
            [scale * mean.mean for _, mean in known],
            marker=marker,
            linestyle="none" if panel.ticks or panel.curves else dashes,
            color=colour,
            markersize=5,
            linewidth=1.2,
            label=label if len(panel.lines) <= len(SERIES) else None,
            zorder=3,
        )
        _intervals(axes, [(place, mean) for place, mean in known if mean.low is not None], scale, colour, panel)
    _add_curves(axes, panel, places, logarithmic=logarithmic)
    if not any(mean.n for line in panel.lines for mean in line.means):
        axes.text(0.5, 0.5, "no run counts", transform=axes.transAxes, ha="center", va="center", color=INK, fontsize=9)
    if panel.published:
        axes.plot(
            *zip(*panel.published, strict=True), "D", color=PUBLISHED, markersize=6, linestyle="none", label="published"
        )
    _frame(axes, panel, places, logarithmic=logarithmic)


def _intervals(
    axes: Axes, known: Sequence[tuple[float, MetricEstimate]], scale: float, colour: str, panel: Panel
) -> None:
    lows, highs = [scale * (mean.low or 0.0) for _, mean in known], [scale * (mean.high or 0.0) for _, mean in known]
    places = [place for place, _ in known]
    axes.vlines(places, lows, highs, color=colour, linewidth=2)
    if not panel.ticks and not panel.curves:
        axes.fill_between(places, lows, highs, color=colour, alpha=0.15, linewidth=0)


def _add_curves(axes: Axes, panel: Panel, places: Sequence[float], *, logarithmic: bool) -> None:
    if not panel.curves or len(places) < 2:
        return
    space = np.geomspace if logarithmic else np.linspace
    fine = space(places[0], places[-1], 200)
    for curve, line in zip(panel.curves, ("-", "--", ":"), strict=False):
        values = [panel.metric.scale * curve.at(float(place)) for place in fine]
        axes.plot(fine, values, line, color=INK, linewidth=1.1, label=curve.label)


def _frame(axes: Axes, panel: Panel, places: Sequence[float], *, logarithmic: bool) -> None:
    axes.set(xlabel=panel.name, ylabel=panel.metric.label)
    if panel.ticks:
        axes.set_xticks(range(len(panel.ticks)), panel.ticks)
        axes.set_xlim(-0.5, len(panel.ticks) - 0.5)
    else:
        if logarithmic:
            axes.set_xscale("log")
            few = places[-1] <= MOST_WITH_THREES * places[0]
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0) if few else (1.0,)))
            axes.xaxis.set_minor_formatter(NullFormatter())
        elif len(places) <= MOST_TICKS:
            axes.set_xticks(_apart(places))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: plain(value)))
        _show_all(axes, places, logarithmic=logarithmic)
    highest = axes.dataLim.y1
    if isfinite(highest) and axes.dataLim.y0 == highest == 0.0:
        axes.set_ylim(0, 1)
    elif panel.from_zero and isfinite(highest) and highest > 0.0 <= axes.dataLim.y0:
        axes.set_ylim(0, 1.08 * highest)
    if axes.get_legend_handles_labels()[0]:
        longest = max(len(line.label) for line in panel.lines)
        axes.legend(frameon=False, ncols=2 if 0 < longest <= LONGEST_BESIDE else 1, **LEGEND)


def _show_all(axes: Axes, places: Sequence[float], *, logarithmic: bool) -> None:
    """Leave room for all places, those too at which no run counts."""
    first, last = places[0], places[-1]
    if logarithmic:
        axes.set_xlim(first * (first / last) ** MARGIN, last * (last / first) ** MARGIN)
    elif last > first:
        axes.set_xlim(first - MARGIN * (last - first), last + MARGIN * (last - first))


def _apart(places: Sequence[float]) -> list[float]:
    """Those places that are far enough from each other for their texts."""
    kept: list[float] = []
    for place in places:
        if not kept or place - kept[-1] >= CLOSEST * (places[-1] - places[0]):
            kept.append(place)
    return kept
