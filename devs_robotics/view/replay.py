"""What is known of a run's motions in the end: enough to draw it again, from any moment on."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.view.scene import Mark, Scene
from devs_robotics.view.timeline import Timeline

Series = tuple[tuple[float, ...], tuple[float, ...]]
"""Times (s), and values at these."""


class MarkChange(Struct, frozen=True, array_like=True):
    """A mark is another one from a time on (s); None: it is gone."""

    time: float
    name: str
    mark: Mark | None


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
