"""A field from above, with what stands in it, and robots with their tracks: for any case, from plain data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import cos, sin
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle
from matplotlib.ticker import MaxNLocator
from msgspec import Struct

from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK, PAPER
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.models.environment import Pose, box

Track = Sequence[tuple[float, float]]
"""Places of a robot (m), in their order."""


MOST_ZOOMED = 0.8
"""Share of the field that a picture may show to be called zoomed in."""


MARKED_EDGE = 1.8
"""Width of the outline of the robot that is marked (points)."""


class FieldView(Struct, frozen=True):
    """What there is to be seen from above.

    Attributes:
        width, height: of the field (m)
        radius: of the robots (m)
        poses: of the robots, robot 1 first
        tracks: of the robots, in the same order
        obstacles: as in a scenario, as plain data
        marked: number of the robot whose outline and track are thick and blue; 0: none
        real: numbers of the real robots, which are filled; virtual ones are hollow
        walled: whether there are walls round the field
    """

    width: float
    height: float
    radius: float
    poses: Sequence[Pose]
    tracks: Sequence[Track]
    obstacles: Sequence[Mapping[str, Any]] = ()
    marked: int = 0
    real: Collection[int] = ()
    walled: bool = True


DrawMore = Callable[[Axes], None]
"""Draws more on axes that have their place and limits; what is there has a `zorder` from 1 to 4."""


def top_view(
    view: FieldView,
    near: Sequence[Pose] = (),
    title: str = "the robots, at the end",
    more: DrawMore | None = None,
) -> str:
    """The whole field, and beside it the robots zoomed in, where they do not stand all over it.

    Args:
        view: what is drawn
        near: where the second picture looks; empty: at all robots
        title: of the second picture
        more: draws what else there is in the field, such as zones and items, on each picture
    """
    x, y, half = _middle(near or view.poses)
    zooms = 2.0 * half < MOST_ZOOMED * max(view.width, view.height)
    with mpl.rc_context(STYLE):
        whole, *zoomed = _pictures(view, 2 if zooms else 1)
        for axes in (whole, *zoomed):
            draw_field(axes, view)
            _draw_obstacles(axes, view)
            draw_tracks(axes, view)
            draw_bodies(axes, view)
            _draw_noses(axes, view)
            axes.set(xlabel="x (m)", ylabel="y (m)")
            axes.xaxis.set_major_locator(MaxNLocator(6))
            axes.yaxis.set_major_locator(MaxNLocator(6))
        for axes in zoomed:
            whole.set_title("whole field", fontsize=10, color=INK)
            axes.set(xlim=(x - half, x + half), ylim=(y - half, y + half))
            axes.set_title(title, fontsize=10, color=INK)
        figure = whole.figure
        assert isinstance(figure, Figure)
        if more is not None:
            figure.draw_without_rendering()  # now everything has its place
            figure.set_layout_engine("none")
            for axes in (whole, *zoomed):
                more(axes)
        return svg(figure, "The field from above, with the robots and their tracks")


def _pictures(view: FieldView, count: int) -> list[Axes]:
    """One picture, or two: side by side, or one below the other where the field is long."""
    stacked = count > 1 and view.width > 2.5 * view.height
    size = (9, 1.2 + 9 * view.height / view.width + 4) if stacked else (9, 5)
    figure = Figure(figsize=size, layout="constrained")
    pictures = figure.subplots(count, 1, squeeze=False) if stacked else figure.subplots(1, count, squeeze=False)
    return list(pictures.flat)


def _middle(poses: Sequence[Pose]) -> tuple[float, float, float]:
    """Of where robots stand, and half of the width of a square with room for them (m)."""
    xs, ys = [x for x, _, _ in poses], [y for _, y, _ in poses]
    half = 0.55 * max(max(xs) - min(xs), max(ys) - min(ys), 2.0)
    return (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2, half


def legend(view: FieldView, called: str) -> str:
    """What tells the robots apart, for a caption.

    Args:
        called: what the marked robot is, such as "the leader"
    """
    marked = f"The thick outline and track are {called}'s." if view.marked else ""
    real = "Real robots are filled, virtual ones hollow." if view.real else ""
    return " ".join(filter(None, (marked, real)))


def draw_field(axes: Axes, view: FieldView) -> None:
    """The walls, as large as they have room; without walls, a dotted line, and all places that robots have been at."""
    line: dict[str, Any] = {"linewidth": 1.5} if view.walled else {"linewidth": 0.8, "linestyle": ":"}
    axes.add_patch(Rectangle((0, 0), view.width, view.height, facecolor="none", edgecolor=INK, **line))
    left, right, low, high = 0.0, view.width, 0.0, view.height
    if not view.walled:
        places = [place[:2] for place in view.poses] + [place for track in view.tracks for place in track]
        xs, ys = [x for x, _ in places], [y for _, y in places]
        left, right, low, high = min(left, *xs), max(right, *xs), min(low, *ys), max(high, *ys)
    margin_x, margin_y = 0.02 * (right - left), 0.02 * (high - low)
    axes.set(xlim=(left - margin_x, right + margin_x), ylim=(low - margin_y, high + margin_y))
    axes.set_aspect("equal")


def draw_tracks(axes: Axes, view: FieldView) -> None:
    """Where the robots have been."""
    tracks = [(number, track) for number, track in enumerate(view.tracks, 1) if len(track) > 1]
    others = [track for number, track in tracks if number != view.marked]
    width, alpha = (0.5, 0.5) if view.marked else (0.8, 0.9)
    axes.add_collection(LineCollection(others, colors=FAINT, linewidths=width, alpha=alpha))
    own = [track for number, track in tracks if number == view.marked]
    axes.add_collection(LineCollection(own, colors=ACCENT, linewidths=1.0, alpha=0.8))


def draw_bodies(axes: Axes, view: FieldView) -> None:
    """Where the robots are: real ones filled, virtual ones hollow."""
    bodies = [Circle((x, y), view.radius) for x, y, _ in view.poses]
    numbers = range(1, len(bodies) + 1)
    edges = [ACCENT if number == view.marked else INK for number in numbers]
    fills = [edge if number in view.real else PAPER for number, edge in zip(numbers, edges, strict=True)]
    widths = [MARKED_EDGE if number == view.marked else 0.7 for number in numbers]
    axes.add_collection(PatchCollection(bodies, facecolors=fills, edgecolors=edges, linewidths=widths, zorder=3))


def _draw_obstacles(axes: Axes, view: FieldView) -> None:
    for obstacle in view.obstacles:
        axes.add_patch(_obstacle_patch(obstacle))


def _obstacle_patch(obstacle: Mapping[str, Any]) -> Circle | Polygon:
    style: dict[str, Any] = {"facecolor": FAINT, "edgecolor": INK, "linewidth": 0.8}
    if obstacle["shape"] == "circle":
        return Circle((obstacle["x"], obstacle["y"]), obstacle["radius"], **style)
    if obstacle["shape"] == "polygon":
        return Polygon(obstacle["corners"], **style)
    solid = box(obstacle["x"], obstacle["y"], obstacle["width"], obstacle["height"], obstacle["heading"])
    return Polygon(solid.corners, **style)


def _draw_noses(axes: Axes, view: FieldView) -> None:
    """Which way the robots look."""
    r = view.radius
    noses = [[(x, y), (x + r * cos(heading), y + r * sin(heading))] for x, y, heading in view.poses]
    colours = [PAPER if number in view.real else INK for number in range(1, len(noses) + 1)]
    axes.add_collection(LineCollection(noses, colors=colours, linewidths=0.9, zorder=4))
