"""The figures of a study, as SVG texts to stand inside a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import inf, nan

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, MARKERS, PUBLISHED
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.statistics.estimates import mean_of
from devs_robotics.experimental_frames.study.compared import Followed
from devs_robotics.experimental_frames.study.comparing import QuantityRow
from devs_robotics.experimental_frames.study.records import RunRecord, Series, Study

BAND_RESAMPLES = 999
SMALLEST_LATENESS_MS = 1e-3
"""The axis of lateness is logarithmic and begins here."""


def by_stage(study: Study, rows: Sequence[QuantityRow]) -> str | None:
    """The measure in each stage, and that of the robot that is followed; None if there is neither.

    Single runs are dots, with the mean and its interval beside them.
    """
    compared, followed = study.compared, study.compared.followed
    titles = {}
    if compared.measure:
        titles[compared.measure] = ""
    if followed is not None:
        titles = {name: f"{compared.metric(name).short} of the whole {compared.team}" for name in titles}
        titles[followed.metric] = f"robot {followed.robot}, the {followed.called}"
    if not titles:
        return None
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.4), layout="constrained")
        for axes, (name, title) in zip(figure.subplots(1, len(titles), squeeze=False)[0], titles.items(), strict=True):
            row = next(row for row in rows if row.quantity.name == name)
            for place, stage in enumerate(study.stages):
                _dots_and_mean(axes, place, study.of(stage), row, stage)
            axes.set_title(title, fontsize=10, color=INK)
            axes.set_xticks(range(len(study.stages)), study.stages)
            axes.set_xlim(-0.5, len(study.stages) - 0.5)
            _from_zero(axes)
        figure.axes[0].set_ylabel(followed.label if followed else compared.metric(compared.measure).label)
        what = followed.quantity if followed else compared.metric(compared.measure).title
        return svg(figure, f"{what[:1].upper()}{what[1:]} in each stage")


def step_by_step(study: Study) -> str | None:
    """What is measured of the robot that is followed, step by step; None if no robot is.

    It is drawn in each stage with real robots, and in the reference.
    """
    followed = study.compared.followed
    if followed is None:
        return None
    stages = [stage for stage in study.others if stage in ("loop", "real")] or list(study.others[-1:])
    stages = stages or [study.reference]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 0.5 + 2.5 * len(stages)), layout="constrained")
        panels = figure.subplots(len(stages), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, stage in zip(panels, stages, strict=True):
            if stage != study.reference:
                _band(axes, [run.followed for run in study.of(stage)], followed, stage, ACCENT)
            seen = [run.followed_outside for run in study.of(stage)]
            if any(seen):
                _band(axes, seen, followed, f"{stage}, seen from outside", PUBLISHED, "-.")
            _band(axes, [run.followed for run in study.of(study.reference)], followed, study.reference, INK, "--")
            axes.set_ylabel(followed.label)
            _from_zero(axes)
            axes.legend(frameon=False, ncols=3, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        panels[-1].set_xlabel(f"{followed.step} of robot {followed.robot}")
        panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
        what = f"{followed.quantity[:1].upper()}{followed.quantity[1:]} of robot {followed.robot}"
        return svg(figure, f"{what}, {followed.step} by {followed.step}")


def lateness(study: Study) -> str | None:
    """Lateness of events in each stage that has a clock, one dot per run; None if there is no such stage."""
    stages = [stage for stage in study.stages if any(run.lateness for run in study.of(stage))]
    if not stages:
        return None
    shares = {"p50": FAINT, "p95": ACCENT, "p99": INK, "maximum": PUBLISHED}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.0), layout="constrained")
        axes = figure.add_subplot()
        for place, stage in enumerate(stages):
            for number, ((share, colour), marker) in enumerate(zip(shares.items(), MARKERS, strict=False)):
                values = [1000.0 * getattr(run.lateness, share) for run in study.of(stage) if run.lateness]
                values = [max(SMALLEST_LATENESS_MS, value) for value in values if np.isfinite(value)]
                at = place + 0.18 * (number - 1.5)
                axes.plot(_spread(at, len(values), 0.05), values, marker, color=colour, markersize=4, alpha=0.7)
        for (share, colour), marker in zip(shares.items(), MARKERS, strict=False):
            axes.plot([], [], marker, color=colour, markersize=4, label=share)
        axes.set_xticks(range(len(stages)), stages)
        axes.set_xlim(-0.5, len(stages) - 0.5)
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.yaxis.set_major_formatter(lambda value, place: f"{value:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_ylabel("lateness (ms)")
        axes.legend(frameon=False, ncols=4, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        return svg(figure, "Lateness of events in each stage")


def _dots_and_mean(axes: Axes, place: int, runs: Sequence[RunRecord], row: QuantityRow, stage: str) -> None:
    quantity, estimate = row.quantity, row.means[stage]
    values = [quantity.scale * run.values[quantity.name] for run in runs if quantity.name in run.values]
    axes.plot(_spread(place - 0.14, len(values), 0.09), values, "o", color=FAINT, markersize=4, alpha=0.8)
    if not estimate.n:
        return
    mean, at = quantity.scale * estimate.mean, place + 0.14
    axes.plot([at], [mean], "o", color=ACCENT, markersize=6, zorder=3)
    if estimate.low is not None and estimate.high is not None:
        axes.plot([at, at], [quantity.scale * estimate.low, quantity.scale * estimate.high], color=ACCENT, linewidth=2)


def _band(axes: Axes, runs: Sequence[Series], followed: Followed, label: str, colour: str, line: str = "-") -> None:
    by_step: dict[int, list[float]] = defaultdict(list)
    for series in runs:
        for number, value in series:
            by_step[number].append(followed.scale * value)
    numbers = sorted(by_step)
    estimates = [mean_of(by_step[number], f"{followed.step} {number}", resamples=BAND_RESAMPLES) for number in numbers]
    axes.plot(
        numbers, [estimate.mean for estimate in estimates], color=colour, linewidth=1.2, linestyle=line, label=label
    )
    if numbers:  # no band where too few runs came so far
        lows = [nan if estimate.low is None else estimate.low for estimate in estimates]
        highs = [nan if estimate.high is None else estimate.high for estimate in estimates]
        axes.fill_between(numbers, lows, highs, color=colour, alpha=0.15, linewidth=0)


def _from_zero(axes: Axes) -> None:
    """Let the axis begin at zero and leave room above what is highest."""
    highest = axes.dataLim.y1
    axes.set_ylim(0.0, 1.05 * highest if 0.0 < highest < inf else 1.0)


def _spread(middle: float, count: int, half: float) -> list[float]:
    """Places of dots side by side, so that equal ones are all seen."""
    return [middle] if count == 1 else np.linspace(middle - half, middle + half, count).tolist()
