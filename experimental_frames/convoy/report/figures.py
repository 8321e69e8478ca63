"""The figures of a convoy report, as SVG texts to stand inside a page."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.ticker import MaxNLocator

from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PAPER, PUBLISHED
from devs_robotics.experimental_frames.report.drawing import STYLE, svg, thinned
from devs_robotics.models.environment import Pose, box

MOST_TRACK_POINTS = 20_000


def error_over_time(
    formation: Formation, transient_end: float | None, mean_cm: float | None, published_cm: float | None
) -> str:
    """Position error E against time, cf. Fig. 9 of Hu & Zeigler, with the transient shaded."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.4), layout="constrained")
        axes = figure.add_subplot()
        times, errors = thinned(
            formation.times, formation.error_sums, shown=lambda sums: 100.0 * sums / len(formation.poses)
        )
        axes.plot(times, errors, color=ACCENT, linewidth=0.9, label="E(t), all robots")
        if transient_end is not None and transient_end > 0:
            axes.axvspan(0, transient_end, color=FAINT, alpha=0.2, linewidth=0, label="transient, left out")
        if mean_cm is not None:
            axes.axhline(mean_cm, color=INK, linewidth=1.2, label=f"mean {mean_cm:.1f} cm")
        if published_cm is not None:
            axes.axhline(
                published_cm,
                color=PUBLISHED,
                linewidth=1.2,
                linestyle="--",
                label=f"published mean {published_cm:g}",
            )
        axes.set(xlabel="simulated time (s)", ylabel="position error E (cm)")
        axes.set_xlim(0, max(1.0, float(times[-1]) if len(times) else 1.0))
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, ncols=4, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        return svg(figure, "Position error against simulated time")


def top_view(formation: Formation, scenario: Mapping[str, Any]) -> str:
    """The field with the robots and their tracks, cf. Fig. 8 of Hu & Zeigler; and the robots zoomed in."""
    width, height = scenario["field"]["width"], scenario["field"]["height"]
    stacked = width > 2.5 * height
    size = (9, 1.2 + 9 * height / width + 4) if stacked else (9, 5)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        whole, near = figure.subplots(2, 1) if stacked else figure.subplots(1, 2)
        for axes in (whole, near):
            _draw_field(axes, scenario)
            _draw_tracks(axes, formation)
            _draw_robots(axes, formation, scenario["robot"]["radius"])
            axes.set_aspect("equal")
            axes.set(xlabel="x (m)", ylabel="y (m)")
            axes.xaxis.set_major_locator(MaxNLocator(6))
            axes.yaxis.set_major_locator(MaxNLocator(6))
        whole.set(xlim=(-0.02 * width, 1.02 * width), ylim=(-0.02 * height, 1.02 * height))
        whole.set_title("whole field", fontsize=10, color=INK)
        _look_at(near, formation.poses[: min(len(formation.poses), 30)])
        near.set_title("the leader (blue) and who follows, at the end", fontsize=10, color=INK)
        return svg(figure, "The field from above, with the robots and their tracks")


def adjustments(per_robot: list[int]) -> str:
    """Adjustments of each robot in the whole run."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 2.6), layout="constrained")
        axes = figure.add_subplot()
        robots = np.arange(1, len(per_robot) + 1)
        if len(per_robot) <= 100:
            axes.bar(robots, per_robot, color=ACCENT, width=0.7)
        else:
            axes.fill_between(robots, per_robot, color=ACCENT, step="mid", linewidth=0)
        axes.set(xlabel="robot (1 is the leader)", ylabel="adjustments", xlim=(0.3, len(per_robot) + 0.7))
        axes.set_ylim(0, max(1.0, 1.05 * max(per_robot)))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator("auto", integer=True))
        return svg(figure, "Adjustments of each robot")


def _draw_field(axes: Axes, scenario: Mapping[str, Any]) -> None:
    field = scenario["field"]
    axes.add_patch(Rectangle((0, 0), field["width"], field["height"], facecolor="none", edgecolor=INK, linewidth=1.5))
    for obstacle in field["obstacles"]:
        axes.add_patch(_obstacle_patch(obstacle))


def _obstacle_patch(obstacle: Mapping[str, Any]) -> Circle | Polygon:
    style: dict[str, Any] = {"facecolor": FAINT, "edgecolor": INK, "linewidth": 0.8}
    if obstacle["shape"] == "circle":
        return Circle((obstacle["x"], obstacle["y"]), obstacle["radius"], **style)
    if obstacle["shape"] == "polygon":
        return Polygon(obstacle["corners"], **style)
    solid = box(obstacle["x"], obstacle["y"], obstacle["width"], obstacle["height"], obstacle["heading"])
    return Polygon(solid.corners, **style)


def _draw_tracks(axes: Axes, formation: Formation) -> None:
    tracks: list[list[tuple[float, float]]] = [[] for _ in formation.poses]
    every = 1 + len(formation.rows) // MOST_TRACK_POINTS
    for block in formation.rows.blocks():
        for robot, x, y in block[block["round"] % every == 0][["robot", "x_m", "y_m"]].tolist():
            tracks[robot - 1].append((x, y))
    followers = [track for track in tracks[1:] if len(track) > 1]
    axes.add_collection(LineCollection(followers, colors=FAINT, linewidths=0.5, alpha=0.5))
    if len(tracks[0]) > 1:
        axes.add_collection(LineCollection([tracks[0]], colors=ACCENT, linewidths=1.0, alpha=0.8))


def _draw_robots(axes: Axes, formation: Formation, radius: float) -> None:
    bodies = [Circle((x, y), radius) for x, y, _ in formation.poses]
    colours = [ACCENT] + [PAPER] * (len(bodies) - 1)
    axes.add_collection(PatchCollection(bodies, facecolors=colours, edgecolors=INK, linewidths=0.7, zorder=3))
    noses = [[(x, y), (x + radius * cos(heading), y + radius * sin(heading))] for x, y, heading in formation.poses]
    axes.add_collection(LineCollection(noses, colors=INK, linewidths=0.7, zorder=4))


def _look_at(axes: Axes, poses: list[Pose]) -> None:
    xs, ys = [x for x, _, _ in poses], [y for _, y, _ in poses]
    half = 0.55 * max(max(xs) - min(xs), max(ys) - min(ys), 2.0)
    x, y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    axes.set(xlim=(x - half, x + half), ylim=(y - half, y + half))
