"""What is shown of a recording, how fast, and how large."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isnan, nan
from typing import Literal

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.view.replay import Replay
from devs_robotics.view.scene import BodyKind, Scene

Windows = Literal["one", "two", "overlay"]

LONGEST = 20.0
"""An animation whose speed is not given is not longer than that (s)."""
MOST_FRAMES = 20_000
SIZE = 640
"""Width of a picture (pixels)."""
LEAST_SIZE, LARGEST_SIZE = 64, 4096


class ExportError(DevsRoboticsError):
    """What is asked for cannot be drawn or written; the message says what to do."""


class Options(Struct, frozen=True, kw_only=True):
    """What is shown of a recording.

    Attributes:
        begin, end: of what is shown (s); not a number: of the recording
        speed: simulated seconds per second of an animation; 0: as fast as it must be to be over after `LONGEST`
        fps: frames per second of an animation
        size: width of the picture (pixels)
        follow: number of the robot that stays in the middle; 0: none, all of them are seen
        windows: ``one`` shows the models, ``two`` real robots and models side by side, ``overlay`` both in one; empty:
            two, where there are real robots
    """

    begin: float = nan
    end: float = nan
    speed: float = 0.0
    fps: int = 25
    size: int = SIZE
    follow: int = 0
    windows: Windows | Literal[""] = ""


class Window(Struct, frozen=True):
    """One picture of the field.

    Attributes:
        title: that stands above it; empty: none
        kinds: of bodies that are drawn
        arrows: whether arrows lead from real robots to their counterparts
    """

    title: str
    kinds: frozenset[BodyKind]
    arrows: bool = False


MODELS: frozenset[BodyKind] = frozenset(("virtual", "counterpart", "outside"))


def windows_of(scene: Scene, wanted: Windows | Literal[""]) -> tuple[Window, ...]:
    """The pictures that are asked for.

    Raises:
        ExportError: it wants real robots, and there are none
    """
    seen = next((body.seen for body in scene.bodies if body.kind == "real"), None)
    if seen is None:
        if wanted in ("two", "overlay"):
            raise ExportError(
                f"--windows {wanted} shows real robots beside their models, and in this recording there are none: "
                "leave it out"
            )
        return (Window("", MODELS | {"real"}),)
    if wanted == "one":
        return (Window("models", MODELS),)
    if wanted == "overlay":
        return (Window("real robots and models", MODELS | {"real"}, arrows=True),)
    return (Window(f"real robots: {seen}" if seen else "real robots", frozenset(("real",))), Window("models", MODELS))


class Span(Struct, frozen=True):
    """The times that an animation shows.

    Attributes:
        begin, end: of them (s)
        speed: simulated seconds per second
        times: of the frames (s)
    """

    begin: float
    end: float
    speed: float
    times: Sequence[float]


def span_of(replay: Replay, options: Options) -> Span:
    """The times of the frames; the last one shows the end.

    Raises:
        ExportError: nothing lies between begin and end, or it takes too many frames
    """
    first, last = replay.timeline.begin, replay.timeline.end
    begin = first if isnan(options.begin) else options.begin
    end = last if isnan(options.end) else min(options.end, last)
    if not first <= begin <= last:
        raise ExportError(f"--from {begin:g} is not in this recording, which goes from {first:g} s to {last:g} s")
    if end < begin:
        raise ExportError(f"--to {end:g} is before --from {begin:g}: give a later time")
    speed = options.speed or _speed(end - begin)
    frames = max(1, ceil((end - begin) * options.fps / speed))
    if frames > MOST_FRAMES:
        raise ExportError(
            f"that would be {frames:,} frames, and {MOST_FRAMES:,} are the most: show less by --from and --to, or give "
            "a higher --speed"
        )
    times = [min(begin + number * speed / options.fps, end) for number in range(frames)] + [end]
    return Span(begin, end, speed, times)


def _speed(duration: float) -> float:
    """1, 2 or 5 times a power of ten, so that it is soon over."""
    power = 1.0
    while True:
        for factor in (1.0, 2.0, 5.0):
            if duration <= LONGEST * factor * power:
                return factor * power
        power *= 10.0
