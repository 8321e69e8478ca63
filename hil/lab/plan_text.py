"""A plan as JSON: an infinite acceleration or watchdog is null there."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

import msgspec

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab.floor import LabLine, LabSectors, LabStripes, Pattern
from devs_robotics.hil.lab.plan import LabPlan


class PlanError(DevsRoboticsError):
    """A plan for a lab cannot be used."""


def encode(plan: LabPlan) -> bytes:
    """The plan on one line, without its end."""
    return msgspec.json.encode(plan)


def decode(text: bytes) -> LabPlan:
    """The plan that a text says.

    Raises:
        PlanError: it says none, or one with a size that cannot be
    """
    try:
        raw = msgspec.json.decode(text)
        for robot in _robots(raw):
            for key in ("acceleration", "watchdog"):
                if robot.get(key, 0.0) is None:
                    robot[key] = inf
        plan = msgspec.convert(raw, LabPlan)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise PlanError(f"the plan of the lab cannot be read: {error}") from error
    _check(plan)
    return plan


def _robots(raw: Any) -> list[dict[str, Any]]:
    robots = raw.get("robots") if isinstance(raw, dict) else None
    return [robot for robot in robots if isinstance(robot, dict)] if isinstance(robots, list) else []


def _check(plan: LabPlan) -> None:
    _positive("the lab", width=plan.width, height=plan.height, rate=plan.rate, tracking_period=plan.tracking_period)
    noise = min(plan.tracking_noise, plan.tracking_heading_noise)
    if min(noise, plan.tracking_delay, plan.tracking_jitter) < 0.0:
        raise PlanError("the tracking system of the lab has a negative noise or delay: give 0 or more")
    for corners in plan.polygons:
        if len(corners) < 3 or any(here == there for here, there in pairwise((*corners, corners[0]))):
            raise PlanError(
                f"a polygon of the lab has the corners {corners}: give three or more, each different from the next"
            )
    for charger in plan.chargers:
        _positive("a charger of the lab", radius=charger.radius, rate=charger.rate)
    for pattern in () if plan.floor is None else plan.floor.patterns:
        if isinstance(pattern, LabStripes | LabLine):
            _positive(f"the {_word(pattern)} on the floor of the lab", width=pattern.width)
        if isinstance(pattern, LabStripes | LabSectors) and not pattern.greys:
            raise PlanError(f"the {_word(pattern)} on the floor of the lab have no greys: give one or more")
    for robot in plan.robots:
        name = f"robot {robot.robot} of the lab"
        _positive(name, radius=robot.radius, speed=robot.speed, turn_rate=robot.turn_rate, watchdog=robot.watchdog)
        if robot.charge is not None and not 0.0 <= robot.charge <= 1.0:
            raise PlanError(f"{name} has the charge {robot.charge:g}: give one from 0 to 1, or null for none")
        if not robot.acceleration > 0.0:
            raise PlanError(
                f"{name} has the acceleration {robot.acceleration:g}: give a positive one, or null for no limit"
            )
        if min(robot.latency, robot.jitter, robot.stretch, robot.swerve, robot.range_noise, robot.resolution) < 0.0:
            raise PlanError(f"{name} has a negative latency, slip, noise or resolution: give 0 or more")


def _positive(who: str, **values: float) -> None:
    for key, value in values.items():
        if not value > 0.0:
            raise PlanError(f"{who} has the {key} {value:g}: give a positive number")


def _word(pattern: Pattern) -> str:
    return str(pattern.__struct_config__.tag)
