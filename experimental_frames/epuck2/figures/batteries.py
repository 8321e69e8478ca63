"""Figures 10 and 12: batteries, made-up measurements and the four models."""

from __future__ import annotations

from matplotlib.figure import Figure

from devs_robotics.experimental_frames.epuck2.discharges import PERIOD, Discharged
from devs_robotics.experimental_frames.epuck2.figures.look import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    LINES,
    PUBLISHED,
    VERMILION,
    legend,
    panels,
    titled,
)
from devs_robotics.experimental_frames.epuck2.published import (
    HOURS_AT_REST,
    HOURS_MOVING,
    LONGEST_CM,
    SHORTEST_CM,
)
from devs_robotics.models.batteries import DISCHARGES
from devs_robotics.models.batteries.coefficients import ILLUSTRATIVE
from devs_robotics.models.batteries.measured import Point

HOUR = 3600.0
LEVELS = ((0.0, "empty"), (0.25, "25 %"), (0.5, "50 %"), (0.75, "75 %"))
MARKS = ("o", "s", "^", "v")
NAMED = ((0.0, BLUE, "-", "o"), (float(SHORTEST_CM), BLACK, "--", "s"), (float(LONGEST_CM), GREEN, "-.", "^"))
"""Speeds that are told apart (cm/s)."""


def measurements(found: Discharged) -> Figure:
    """Figure 10: the measurements, and how long batteries last by speed."""
    figure, (left, right) = panels(1, 2, 3.7)
    named = {speed for speed, *_ in NAMED}
    for speed, points in found.measured.items():
        if speed not in named:
            left.plot(*_hours(points), ".", color="#c4cad1", markersize=2)
    for speed, colour, _, mark in NAMED:
        left.plot(*_hours(found.measured[speed]), mark, color=colour, markersize=3.2, label=f"{speed:g} cm/s")
    left.plot([], [], ".", color="#c4cad1", label="the other 13 speeds")
    titled(left, "measurements, made up: two batteries a speed", "time (h)", "charge")
    legend(left)
    speeds = [curve.speed_cm for curve in ILLUSTRATIVE]
    for (level, words), (colour, dashes), mark in zip(LEVELS, LINES, MARKS, strict=False):
        hours = [curve.time_at(level) / HOUR for curve in ILLUSTRATIVE]
        right.plot(speeds, hours, color=colour, linestyle=dashes, marker=mark, markersize=4, label=words)
    right.plot([0.0], [HOURS_AT_REST], label="published, empty", **PUBLISHED)
    right.axhline(HOURS_MOVING, color=VERMILION, linewidth=1, linestyle=(0, (2, 2)), label="published mean in motion")
    for speed in (SHORTEST_CM, LONGEST_CM):
        right.axvline(speed, color=GREY, linewidth=0.8, linestyle=":")
    right.text(SHORTEST_CM, 0.12, " least", fontsize=8.5, color=GREY)
    right.text(LONGEST_CM, 0.12, "most in motion ", fontsize=8.5, color=GREY, ha="right")
    titled(right, "illustrative curves: when so much charge is left", "speed of the wheels (cm/s)", "time (h)")
    right.set(ylim=(0, 6.2), xlim=(-0.5, 15.5))
    legend(right, "upper right", 2)
    return figure


def models(found: Discharged) -> Figure:
    """Figure 12: what the four models say at three speeds, with the measurements behind."""
    figure, every = panels(2, 2, 5.6)
    for axes, name in zip(every, DISCHARGES, strict=True):
        for speed, colour, dashes, mark in NAMED:
            axes.plot(*_hours(found.measured[speed]), mark, color=colour, markersize=2.4, alpha=0.35)
            charges = found.simulated[name][speed]
            hours = [PERIOD * number / HOUR for number in range(len(charges))]
            axes.plot(hours, charges, color=colour, linestyle=dashes, linewidth=1.8, label=f"{speed:g} cm/s")
        error = found.errors[name]
        titled(axes, f"{name}: mean square error {error:.4f}", "time (h)", "charge")
        axes.set(xlim=(0, 6.2), ylim=(-0.03, 1.03))
    legend(every[0])
    return figure


def _hours(points: list[Point]) -> tuple[list[float], list[float]]:
    return [point.time / HOUR for point in points], [point.charge for point in points]
