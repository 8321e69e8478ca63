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
        for other, second in enumerate(robots[number:], number + 1):
            if hypot(x - second.pose[0], y - second.pose[1]) < robot.radius + second.radius:
                yield Problem((key,), f"robots {number} and {other} would stand in each other: move one of them")
