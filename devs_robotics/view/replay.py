"""What is known of a run's motions in the end: enough to draw it again, from any moment on."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.view.scene import Disc, Mark, Outline, Polyline, Scene, Shape
from devs_robotics.view.timeline import Timeline

Series = tuple[tuple[float, ...], tuple[float, ...]]
"""Times (s), and values at these."""


DIGITS = 4
"""Decimal places of metres that pages get."""


class MarkChange(Struct, frozen=True, array_like=True):
    """A mark is another one from a time on (s); None: it is gone."""

    time: float
    name: str
    mark: Mark | None


def rounded(change: MarkChange) -> MarkChange:
    """A change as pages of recordings get it: places to 0.1 mm, as they have them of robots."""
    mark = change.mark
    if mark is None or mark.shape is None:
        return change
    return MarkChange(change.time, change.name, replace(mark, shape=_rounded_shape(mark.shape)))


def _rounded_shape(shape: Shape) -> Shape:
    match shape:
        case Disc():
            return Disc(round(shape.x, DIGITS), round(shape.y, DIGITS), round(shape.radius, DIGITS))
        case Outline():
            return Outline(_rounded_points(shape.corners))
        case Polyline():
            return Polyline(_rounded_points(shape.points), round(shape.width, DIGITS))


def _rounded_points(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    return tuple((round(x, DIGITS), round(y, DIGITS)) for x, y in points)


class Replay(Struct, frozen=True, kw_only=True):
    """A run that can be drawn again.

    Attributes:
        scene: the field, and who moves in it
        timeline: where everybody was
        marks: what has changed of the scene's marks, in the order of time
        trouble: why marks are missing; empty where none are
        series: values over time, by names with their units, such as "share (%)": times (s), and values
    """

    scene: Scene
    timeline: Timeline
    marks: tuple[MarkChange, ...] = ()
    trouble: str = ""
    series: dict[str, Series] = {}
