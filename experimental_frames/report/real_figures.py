"""The figures of what a run has only on a wall clock, or with real robots."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from devs_robotics import Lateness
from devs_robotics.core.tables import GrowingColumn
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PUBLISHED
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.report.thinning import MOST_POINTS, Floats, thinned

SMALLEST_LATENESS_MS = 0.01
"""Axes of lateness are logarithmic and begin here."""

MOST_PANELS = 8


def lateness(timing: Lateness) -> str | None:
    """Which share of the events was later than what, and when in the run they were late; None without events."""
    if not timing.values:
        return None
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.2), layout="constrained")
        left, right = figure.subplots(1, 2)
        _draw_shares(left, timing.values.ascending())
        right.plot(
            *thinned(timing.times, timing.values, shown=_milliseconds), ".", color=ACCENT, markersize=2.5, alpha=0.6
        )
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
            times, odom, map_ = _errors_of(measured, robot)
            axes.plot(
                *thinned(times, odom, shown=_centimetres),
                color=PUBLISHED,
                linewidth=2.4,
                alpha=0.6,
                label="odom: dead reckoning",
            )
            axes.plot(
                *thinned(times, map_, shown=_centimetres),
                color=ACCENT,
                linewidth=1.2,
                linestyle="--",
                label="map: counterpart",
            )
            axes.set_title(f"robot {robot}", fontsize=10, color=INK, loc="left")
            axes.set_ylabel("error (cm)")
        highest = max(axes.dataLim.y1 for axes in panels)
        panels[0].set_ylim(0, 1.05 * highest if highest > 1e-6 else 1.0)
        panels[0].set_xlim(0, max(float(block["time_s"].max()) for block in measured.rows.blocks()))
        panels[0].legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        panels[-1].set_xlabel("simulated time (s)")
        return svg(figure, "Errors of where real robots are taken to be, over simulated time")


def most_lost(measured: Localisation) -> list[int]:
    """The robots that a figure has room for: those that were furthest from where dead reckoning had them."""
    largest: dict[int, float] = {}
    for block in measured.rows.blocks():
        for robot in np.unique(block["robot"]).tolist():
            error = float(block["odom_error_m"][block["robot"] == robot].max())
            largest[robot] = max(largest.get(robot, 0.0), error)
    return sorted(sorted(largest, key=lambda robot: -largest[robot])[:MOST_PANELS])


def _errors_of(measured: Localisation, robot: int) -> tuple[GrowingColumn, GrowingColumn, GrowingColumn]:
    """The times of a robot's fixes (s), and its errors of dead reckoning and of its counterpart (m)."""
    times, odom, map_ = columns = GrowingColumn(), GrowingColumn(), GrowingColumn()
    for block in measured.rows.blocks():
        own = block[block["robot"] == robot]
        for column, name in zip(columns, ("time_s", "odom_error_m", "map_error_m"), strict=True):
            column.extend(own[name])
    return times, odom, map_


def _centimetres(errors: Floats) -> Floats:
    return 100.0 * errors


def _milliseconds(late: Floats) -> Floats:
    """Lateness (s) as it is drawn (ms)."""
    return np.maximum(1000.0 * late, SMALLEST_LATENESS_MS)


def shares_later(ordered: GrowingColumn | Floats) -> tuple[Floats, Floats]:
    """Lateness in ascending order, and the share of the events that were so late or later (%).

    Of very many events some are left out, evenly on a logarithmic axis of shares, so that the latest are all there.
    """
    left = np.unique(np.geomspace(1, len(ordered), MOST_POINTS // 2).astype(int))[::-1]
    latest = np.array([ordered[place] for place in (len(ordered) - left).tolist()])
    return latest, 100.0 * left / len(ordered)


def _draw_shares(axes: Axes, ordered: GrowingColumn) -> None:
    """The share of events that were later than each lateness, down to a single event."""
    late, shares = shares_later(ordered)
    axes.step(_milliseconds(late), shares, color=ACCENT, linewidth=1.4, where="pre", label="events")
    for share, name in ((50.0, "p50"), (5.0, "p95"), (1.0, "p99")):
        axes.axhline(share, color=FAINT, linewidth=0.7)
        axes.annotate(name, (0.01, share), xycoords=("axes fraction", "data"), va="bottom", fontsize=8, color=INK)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, place: f"{value:g} %")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set(xlabel="lateness (ms)", ylabel="events that were later")
    axes.set_ylim(top=100.0)
