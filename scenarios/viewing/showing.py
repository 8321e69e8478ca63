"""What was recorded of a run, as parts of its report."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from devs_robotics.models.environment import Pose
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.view.html import replay_section
from devs_robotics.view.posing import Posing

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.report.field_view import DrawMore


def replay_of(outcome: AnyOutcome) -> str:
    """HTML; empty where nothing was recorded."""
    return "" if outcome.replay is None else replay_section(outcome.replay)


def marks_at_the_end(outcome: AnyOutcome) -> DrawMore | None:
    """Draws what a case study declares, as it is when the run is over, and things that are no robots, on a picture."""
    if outcome.replay is None:
        return None
    from devs_robotics.view.export.drawing import Moments, declared  # slow to load, and only reports need it
    from devs_robotics.view.export.figure import draw_around

    moments = Moments(outcome.replay)
    poses = moments.posing.at(outcome.end_s)
    low, high = declared(moments, poses, moments.marks(outcome.end_s))
    robots = [
        (float(x), float(y), body.radius)
        for body, (x, y, _) in zip(moments.bodies, poses, strict=True)
        if isfinite(x) and not body.is_thing
    ]
    return lambda axes: draw_around(axes, low, high, robots)


def poses_at_the_end(outcome: AnyOutcome, robots: int) -> list[Pose]:
    """Where the first robots are when the run is over, also those that are on their way then; none if nobody knows."""
    if outcome.replay is None:
        return []
    found = Posing(outcome.replay.scene, outcome.replay.timeline).at(outcome.end_s)[:robots]
    return [(x, y, heading) for x, y, heading in found.tolist()]
