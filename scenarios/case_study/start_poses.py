"""Where robots stand at first, held against walls, obstacles and each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from devs_robotics.scenarios.case import RobotPlan
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import shape_of


def check_places(key: str, scenario: Scenario, robots: Sequence[RobotPlan]) -> Iterator[Problem]:
    """Bodies in each other, in walls or in obstacles.

    Args:
        key: of the table that says where they stand
        scenario: with nothing left open
        robots: robot 1 first
    """
    field = scenario.field
    assert field.width is not None, "resolve fills it in"
    assert field.height is not None
    for number, robot in enumerate(robots, 1):
        x, y, _ = robot.pose
        where = f"robot {number} at ({x:g}, {y:g}) m would"
        if field.walls and not (
            robot.radius <= x <= field.width - robot.radius and robot.radius <= y <= field.height - robot.radius
        ):
            yield Problem((key, "field.width", "field.height"), f"{where} not be inside the walls: move it")
        for place, obstacle in enumerate(field.obstacles, 1):
            if shape_of(obstacle).distance(x, y) < robot.radius:
                yield Problem((key, "field.obstacles"), f"{where} stand in obstacle {place}: move one of them")
    for first, second in _overlapping(robots):
        apart = robots[first - 1].radius + robots[second - 1].radius
        yield Problem(
            (key,), f"robots {first} and {second} would stand in each other: move them {apart:g} m apart or more"
        )


def _overlapping(robots: Sequence[RobotPlan]) -> Iterator[tuple[int, int]]:
    """Pairs of robots that are closer than their bodies allow, found along x."""
    largest = max((robot.radius for robot in robots), default=0.0)
    order = sorted(range(len(robots)), key=lambda index: robots[index].pose[0])
    for place, first in enumerate(order):
        own = robots[first]
        for second in order[place + 1 :]:
            other = robots[second]
            if other.pose[0] - own.pose[0] >= own.radius + largest:
                break
            if hypot(other.pose[0] - own.pose[0], other.pose[1] - own.pose[1]) < own.radius + other.radius:
                yield min(first, second) + 1, max(first, second) + 1
