"""The figures of the paper with numbers in them, of our runs: items, paths and exchanges over time, and meetings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PUBLISHED
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.report.series_figures import counts_have_no_fractions
from devs_robotics.experimental_frames.transport.published import LOST

COLOURS = {"full": ACCENT, "partial": PUBLISHED, "none": INK}

StepLine = Sequence[tuple[float, float]]
"""Times (s) and counts."""


def curve_of(table: Mapping[str, Sequence[float]], column: str, end: float) -> list[tuple[float, float]]:
    """A column of a run's table over time, up to the end of the run.

    Args:
        table: of a `Transportation`
        column: of it
        end: of the run (s)
    """
    pairs = [(time, value) for time, value in zip(table["time_s"], table[column], strict=True) if value == value]
    return [*pairs, (end, pairs[-1][1])] if pairs else [(0.0, 0.0), (end, 0.0)]


def over_time(curves: Mapping[str, StepLine], what: str, ground: str | None = "white") -> str:
    """Something over time, a step line for each mode; one without a name has no legend."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 3.2) if ground else (4.0, 2.8), layout="constrained")  # three beside each other
        axes = figure.subplots()
        for mode, curve in curves.items():
            times, counts = zip(*curve, strict=True)
            minutes, colour = [time / 60.0 for time in times], COLOURS.get(mode, ACCENT)
            axes.plot(minutes, counts, drawstyle="steps-post", color=colour, label=mode)
        axes.axvline(15.0, color=FAINT, linewidth=1.0, linestyle=":")
        axes.set(xlabel="time (min)", ylabel=what, xlim=(0, None), ylim=(0, None))
        counts_have_no_fractions(axes, np.array([count for curve in curves.values() for _, count in curve]))
        if any(curves):
            axes.legend(frameon=False)
        return svg(figure, f"{what} over time", ground)


def items_of_robots(items: Mapping[str, Sequence[int]], ground: str | None = "white") -> str:
    """How many items each robot has delivered, bars for each mode."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 3.2), layout="constrained")
        panels = figure.subplots(1, len(items), sharey=True, squeeze=False)[0]
        for axes, (mode, counts) in zip(panels, items.items(), strict=True):
            axes.bar(range(1, len(counts) + 1), counts, color=COLOURS[mode])
            axes.set(xlabel="robot", title=mode)
        panels[0].set_ylabel("items")
        return svg(figure, "Items that each robot has delivered, by mode", ground)


def encounter_law(trips: Mapping[int, float], ground: str | None = "white") -> str:
    """Round trips over the number of robots on one path, and what the law makes of them."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 3.4), layout="constrained")
        axes: Axes = figure.subplots()
        numbers = sorted(trips)
        axes.plot(numbers, [trips[n] for n in numbers], "o", color=ACCENT, label="measured")
        for cost, style in zip(LOST, ("--", ":"), strict=True):
            line = [trips[numbers[0]] + 2.0 * (n - 1) * cost for n in numbers]
            axes.plot(numbers, line, style, color=PUBLISHED, label=f"c = {cost:g} s")
        axes.set(xlabel="robots on one path", ylabel="round trip (s)", ylim=(0, None))
        axes.legend(frameon=False)
        return svg(figure, "Round trips over the number of robots on one path", ground)
