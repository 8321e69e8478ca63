"""The figures of what a run has only on a wall clock, or with real robots."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from devs_robotics import Lateness
from experimental_frames.localisation import Localisation
from experimental_frames.report.colours import ACCENT, FAINT, INK, PUBLISHED
from experimental_frames.report.drawing import MOST_POINTS, STYLE, Floats, svg, thinned

SMALLEST_LATENESS_MS = 0.01
"""Axes of lateness are logarithmic and begin here."""

MOST_PANELS = 8


def lateness(timing: Lateness) -> str | None:
    """Which share of the events was later than what, and when in the run they were late; None without events."""
    if not timing.values:
        return None
    late = np.maximum(1000.0 * np.asarray(timing.values), SMALLEST_LATENESS_MS)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.2), layout="constrained")
        left, right = figure.subplots(1, 2)
        _draw_shares(left, np.sort(late))
        right.plot(*thinned(np.asarray(timing.times), late), ".", color=ACCENT, markersize=2.5, alpha=0.6)
        right.set_yscale("log")
        right.set(xlabel="simulated time (s)", ylabel="lateness (ms)")
        right.set_xlim(0, max(1e-3, timing.times[-1]))
        if np.isfinite(timing.most):
            limit = 1000.0 * timing.most
            style = {"color": PUBLISHED, "linewidth": 1.2, "linestyle": "--"}
            left.axvline(limit, label="clock.max_lateness", **style)
            right.axhline(limit, **style)
        for axis in (left.xaxis, right.yaxis):
            axis.set_major_locator(LogLocator(numticks=8))
            axis.set_major_formatter(lambda value, place: f"{value:g}")
            axis.set_minor_formatter(NullFormatter())
        left.legend(frameon=False, fontsize=9, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
        return svg(figure, "Lateness of events: their share, and over simulated time")


def localisation(measured: Localisation) -> str:
    """Errors of dead reckoning and of the counterparts at each fix, a panel per robot."""
    robots = most_lost(measured)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 0.6 + 1.9 * len(robots)), layout="constrained")
        panels = figure.subplots(len(robots), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, robot in zip(panels, robots, strict=True):
            rows = [row for row in measured.rows if row.robot == robot]
            times = np.array([row.time_s for row in rows])
            odom = 100.0 * np.array([row.odom_error_m for row in rows])
            map_ = 100.0 * np.array([row.map_error_m for row in rows])
            axes.plot(*thinned(times, odom), color=PUBLISHED, linewidth=2.4, alpha=0.6, label="odom: dead reckoning")
            axes.plot(*thinned(times, map_), color=ACCENT, linewidth=1.0, label="map: counterpart")
            axes.set_title(f"robot {robot}", fontsize=10, color=INK, loc="left")
            axes.set_ylabel("error (cm)")
        highest = max(axes.dataLim.y1 for axes in panels)
        panels[0].set_ylim(0, 1.05 * highest if highest > 1e-6 else 1.0)
        panels[0].set_xlim(0, max(row.time_s for row in measured.rows))
        panels[0].legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        panels[-1].set_xlabel("simulated time (s)")
        return svg(figure, "Errors of where real robots are taken to be, over simulated time")


def most_lost(measured: Localisation) -> list[int]:
    """The robots that a figure has room for: those that were furthest from where dead reckoning had them."""
    largest: dict[int, float] = {}
    for row in measured.rows:
        largest[row.robot] = max(largest.get(row.robot, 0.0), row.odom_error_m)
    return sorted(sorted(largest, key=lambda robot: -largest[robot])[:MOST_PANELS])


def shares_later(ordered: Floats) -> tuple[Floats, Floats]:
    """Lateness in ascending order, and the share of the events that were so late or later (%).

    Of very many events some are left out, evenly on a logarithmic axis of shares, so that the latest are all there.
    """
    left = np.unique(np.geomspace(1, len(ordered), MOST_POINTS // 2).astype(int))[::-1]
    return ordered[len(ordered) - left], 100.0 * left / len(ordered)


def _draw_shares(axes: Axes, ordered: Floats) -> None:
    """The share of events that were later than each lateness, down to a single event."""
    axes.step(*shares_later(ordered), color=ACCENT, linewidth=1.4, where="pre", label="events")
    for share, name in ((50.0, "p50"), (5.0, "p95"), (1.0, "p99")):
        axes.axhline(share, color=FAINT, linewidth=0.7)
        axes.annotate(name, (0.01, share), xycoords=("axes fraction", "data"), va="bottom", fontsize=8, color=INK)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:g} %")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set(xlabel="lateness (ms)", ylabel="events that were later")
    axes.set_ylim(top=100.0)
