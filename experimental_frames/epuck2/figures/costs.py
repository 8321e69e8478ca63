"""Figures 13 and 14, and Table 6: the arenas, and what sensors and batteries cost in them."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from devs_robotics.experimental_frames.epuck2.costs.arenas import (
    HEIGHT,
    PARTS,
    WIDTH,
    Mode,
    sensor_arena,
)
from devs_robotics.experimental_frames.epuck2.costs.measuring import Costs
from devs_robotics.experimental_frames.epuck2.figures.look import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    LINES,
    ORANGE,
    PUBLISHED,
    VERMILION,
    legend,
    panels,
    titled,
)
from devs_robotics.experimental_frames.epuck2.published import BATTERY_TIMES, SENSORS, SIZES
from devs_robotics.models.batteries import DISCHARGES
from devs_robotics.models.environment import Floor, Lamp, Segment

BODY = 6.0
"""Diameter of a robot in a drawing of an arena, about that of its body (points)."""

MODES: dict[Mode, tuple[str, str, object, str]] = {
    "none": ("controller alone", GREY, ":", "x"),
    "read": ("read at every tick", BLUE, "-", "o"),
    "changes": ("watched, every change", ORANGE, "--", "s"),
    "level": ("watched, one level", GREEN, "-.", "^"),
}
"""Words, colour, dashes and mark of each."""


def arenas() -> Figure:
    """Figure 13: fifty robots in each arena."""
    figure, every = panels(2, 3, 4.6)
    for axes, sensor in zip(every, SENSORS, strict=True):
        system = sensor_arena(sensor, "none", 50, 1.0)
        for shape in system.field.obstacles:
            assert isinstance(shape, Segment)
            axes.plot([shape.ax, shape.bx], [shape.ay, shape.by], color=VERMILION, linewidth=1.4)
        for lamp in system.field.things.of(Lamp):
            axes.plot([lamp.x], [lamp.y], "*", color=ORANGE, markeredgecolor=BLACK, markeredgewidth=0.5, markersize=10)
        if system.field.things.of(Floor):
            axes.set_facecolor("#e3e6ea")
            axes.text(WIDTH / 2.0, HEIGHT / 2.0 + 0.5, "stripes of 1 cm, five greys", ha="center", fontsize=8.5)
        x, y = ([robot.pose[axis] for robot in system.robots] for axis in (0, 1))
        axes.plot(x, y, "o", color="white", markeredgecolor=BLACK, markeredgewidth=0.8, markersize=BODY)
        titled(axes, sensor, "x (m)", "y (m)")
        axes.set_aspect("equal")
        axes.set(xlim=(WIDTH / 2 - 1.1, WIDTH / 2 + 1.1), ylim=(HEIGHT / 2 - 0.6, HEIGHT / 2 + 0.6))
    return figure


def sensors(costs: Costs) -> Figure:
    """Figure 14: processor time by the number of robots, in each arena."""
    figure, every = panels(2, 4, 5.4)
    for axes, sensor in zip(every, PARTS, strict=False):
        for mode, look in MODES.items():
            _line(axes, costs, sensor, mode, look)
        titled(axes, sensor, "robots", "CPU seconds for 2 h")
        _logarithmic(axes)
    handles, labels = every[0].get_legend_handles_labels()
    every[-1].axis("off")
    every[-1].legend(handles, labels, loc="center", frameon=False, fontsize=9)
    return figure


def batteries(costs: Costs) -> Figure:
    """Table 6 as a figure: processor time by the number of robots with each battery."""
    figure, (left, right) = panels(1, 2, 3.6)
    for axes, mode, words in ((left, "read", "read at every tick"), (right, "level", "two levels watched")):
        _line(axes, costs, "battery", "none", ("no battery", GREY, ":", "x"))
        for name, (colour, dashes), mark in zip(DISCHARGES, LINES, ("o", "s", "^", "v"), strict=False):
            _line(axes, costs, name, mode, (name, colour, dashes, mark))  # type: ignore[arg-type]
        times = [BATTERY_TIMES[robots][0][0] for robots in SIZES]
        axes.plot(SIZES, times, label="published, no battery", **PUBLISHED)
        titled(axes, f"speed changes at every tick; {words}", "robots", "CPU seconds for 2 h")
        _logarithmic(axes)
    for axes in (left, right):
        axes.set_ylim(0.2, 4000)
    legend(left, "upper left", 2)
    return figure


def _line(axes: Axes, costs: Costs, what: str, mode: Mode, look: tuple[str, str, object, str]) -> None:
    """Means with their intervals."""
    words, colour, dashes, mark = look
    found = [cost for robots in SIZES if (cost := costs.of(what, mode, robots))]
    if found:
        means = [cost.mean for cost in found]
        axes.errorbar(
            [cost.robots for cost in found],
            [mean.mean for mean in means],
            yerr=[mean.interval.half_width for mean in means],
            color=colour,
            linestyle=dashes,
            marker=mark,
            markersize=4.5,
            linewidth=1.3,
            capsize=2,
            label=words,
        )


def _logarithmic(axes: Axes) -> None:
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(SIZES, [f"{size}" for size in SIZES])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, place: f"{value:g}"))
