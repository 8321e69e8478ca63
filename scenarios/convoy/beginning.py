"""How a convoy begins: what its scenario leaves open, where its robots stand, and what they can see."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, hypot, pi, remainder
from typing import Any

from devs_robotics.models.convoy import RelativePose
from devs_robotics.models.environment import Pose
from devs_robotics.models.robots import RobotKind, round_differential
from devs_robotics.scenarios.convoy.settings import ConvoyScenario

DEFAULT_ROUNDS = 340
"""Rounds of a run whose scenario gives neither rounds nor a duration: as many as in Hu & Zeigler, section 4.2."""

DEFAULT_SIDE = 30.0
"""Width and height of a field whose scenario gives none (m), if the line of robots is not too long for it."""

ROOM_AT_EACH_END = 5.0
"""Room before and behind a long line of robots in a field whose size is not given (m)."""

FOLLOWER_BEAMS = (0.0,)
"""Directions of a follower's range beams from its heading (rad): one, straight ahead."""


def line_length(scenario: ConvoyScenario) -> float:
    """From the last robot's centre to the leader's, in a line (m)."""
    return (scenario.convoy.robots - 1) * scenario.convoy.distance


def field_size(scenario: ConvoyScenario) -> tuple[float, float]:
    """The field's width and height (m): as given, or a square that is large enough for the line."""
    side = max(DEFAULT_SIDE, line_length(scenario) + 2 * ROOM_AT_EACH_END)
    return scenario.field.width or side, scenario.field.height or side


def filled_in(scenario: ConvoyScenario) -> dict[str, Any]:
    """Values of keys, dotted, that hold where a scenario leaves them open."""
    width, height = field_size(scenario)
    rounds = scenario.run.rounds
    if rounds is None and scenario.run.duration is None:
        rounds = DEFAULT_ROUNDS
    return {
        "field.width": width,
        "field.height": height,
        "run.duration": None,
        "run.rounds": rounds,
        "frame.transient_rounds": 20 if rounds is None else min(20, rounds // 4),
        "convoy.poses": tuple(initial_poses(scenario)),
    }


def initial_poses(scenario: ConvoyScenario) -> list[Pose]:
    """The poses that the scenario gives, or a line in the middle of the field, the leader at its +x end."""
    return line(scenario) if scenario.convoy.poses is None else list(scenario.convoy.poses)


def standing(scenario: ConvoyScenario) -> list[Pose]:
    """The poses of all robots: where too few are given, the others stand in the line."""
    poses = initial_poses(scenario)
    return [*poses, *line(scenario)[len(poses) :]][: scenario.convoy.robots]


def line(scenario: ConvoyScenario) -> list[Pose]:
    """The poses of a line in the middle of the field, the leader at its +x end."""
    width, height = field_size(scenario)
    front, y = (width + line_length(scenario)) / 2.0, height / 2.0
    return [(front - place * scenario.convoy.distance, y, 0.0) for place in range(scenario.convoy.robots)]


def kind_of(scenario: ConvoyScenario, robot: int) -> RobotKind:
    """What kind a robot is of; the leader, robot 1, looks all round its front, a follower straight ahead."""
    infrared = scenario.infrared
    beams, called = (infrared.leader_beams, "a leader") if robot == 1 else (FOLLOWER_BEAMS, "a follower")
    return round_differential(beams=beams, reach=infrared.range, resolution=infrared.resolution, called=called)


def starts(poses: list[Pose]) -> list[RelativePose]:
    """Where each follower sees its front robot stand, robot 2 first."""
    return [_start(front, own) for front, own in pairwise(poses)]


def _start(front: Pose, own: Pose) -> RelativePose:
    dx, dy = front[0] - own[0], front[1] - own[1]
    return RelativePose(
        gap=hypot(dx, dy),
        bearing=remainder(atan2(dy, dx) - own[2], 2.0 * pi),
        delta=remainder(front[2] - own[2], 2.0 * pi),
    )
