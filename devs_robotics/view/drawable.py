"""What can be drawn at all: marks and scenes of anybody's, held against bounds before they are kept or shown."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from msgspec import MsgspecError, convert, json

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.view.scene import Disc, Mark, Outline, Polyline, Scene

FARTHEST = 1e6
"""Largest number in a picture (m): no field is larger, and pictures can still be made."""

LATEST = 1e9
"""Latest time in a recording (s), some thirty years."""

MOST_SLOTS = 1 << 16
"""Number of bodies that a recording may have."""


class MarkError(DevsRoboticsError):
    """Marks are not declared as they must be; the message says which, and how."""


def check_mark(name: object, mark: object) -> None:
    """See that a mark can be drawn, and kept in a file; None is one that is gone.

    Raises:
        MarkError: it cannot; the message is to go on after who has made it
    """
    if not isinstance(name, str):
        raise MarkError(f"must name marks by texts, not {name!r:.80}")
    if mark is None:
        return
    try:
        convert(json.decode(json.encode((name, mark))), tuple[str, Mark], strict=True)
        assert isinstance(mark, Mark)
    except (TypeError, ValueError, MsgspecError, AssertionError) as exc:  # ValueError: lone surrogates
        why = str(exc) or "it is no Mark"
        raise MarkError(f"made of {name!r:.40} no mark that can be drawn ({why}): {mark!r:.80}") from None
    if not all(abs(number) <= FARTHEST for number in _numbers(mark)):
        raise MarkError(f"made of {name!r:.40} a mark beyond all fields: {mark!r:.80} must have finite numbers")
    if isinstance(mark.shape, Polyline | Outline) and len(_points(mark.shape)) < 2:
        raise MarkError(f"made of {name!r:.40} a line or an area without two points: {mark!r:.80}")


def check_scene(scene: Scene) -> None:
    """See that a scene that was read can be drawn; raises ValueError where it cannot."""
    if not 0.0 < scene.width <= FARTHEST or not 0.0 < scene.height <= FARTHEST:
        raise ValueError(f"a field of {scene.width!r} m x {scene.height!r} m")
    if [body.slot for body in scene.bodies] != list(range(len(scene.bodies))):
        raise ValueError("slots of bodies that do not count from 0 on")
    for body in scene.bodies:
        if not 0.0 < body.radius <= FARTHEST or not all(map(isfinite, (*body.beams, body.reach))):
            raise ValueError(f"{body.name!r:.40} with a radius of {body.radius!r} m, or beams without end")
    for name, mark in scene.marks.items():
        check_mark(name, mark)


def check_time(time: float) -> None:
    """See that a time that was read can be drawn; raises ValueError where it cannot."""
    if not 0.0 <= time <= LATEST:
        raise ValueError(f"a time of {time!r} s")


def check_change(slot: float, *numbers: float) -> None:
    """See that a change of a body's pose that was read can be drawn; raises ValueError where it cannot."""
    if not 0 <= slot < MOST_SLOTS or slot != int(slot):
        raise ValueError(f"a change of slot {slot!r}")
    if not all(abs(number) <= FARTHEST for number in numbers if number == number):
        raise ValueError(f"a change of slot {int(slot)} that leads beyond all fields")


def _points(shape: Polyline | Outline) -> tuple[tuple[float, float], ...]:
    return shape.points if isinstance(shape, Polyline) else shape.corners


def _numbers(mark: Mark) -> Iterator[float]:
    shape = mark.shape
    if isinstance(shape, Disc):
        yield from (shape.x, shape.y, shape.radius)
    elif shape is not None:
        yield from (number for point in _points(shape) for number in point)
        yield shape.width if isinstance(shape, Polyline) else 0.0
