"""What the keys of a scenario must be to each other, each mistake in one sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics import DevsRoboticsError
from devs_robotics.core.garbage import collector_paused
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.settings.frame_checks import check_couplings, check_parts
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.real_checks import check_real_robots
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import PolygonObstacle

MOST_ROBOTS = 10_000_000
"""Number of robots above which nobody tries to build them; a million are some GB."""


@collector_paused()
def check(scenario: Scenario) -> list[Problem]:
    """Every way in which the keys of a scenario disagree."""
    case = case_of(scenario)
    if too_many := list(check_team(scenario, case.team_key)):
        return too_many  # before anybody tries to place them
    problems = [*check_obstacles(scenario), *case.check(scenario)]
    try:
        problems += [*check_real_robots(scenario), *check_parts(scenario)]
    except DevsRoboticsError:  # a system that cannot be built, as was found above, has no robots to be looked at
        if not problems:
            raise
    return problems or [*case.check_made(scenario), *check_couplings(scenario)]


def check_team(scenario: Scenario, key: str) -> Iterator[Problem]:
    """More robots than any computer has room for, by the key that says how many they are."""
    table, _, name = key.partition(".")
    robots = getattr(getattr(scenario, table, None), name, None)
    if isinstance(robots, int) and robots > MOST_ROBOTS:
        yield Problem((key,), f"is {robots:,}, and there is no room for so many: make it at most {MOST_ROBOTS:,}")


def check_obstacles(scenario: Scenario) -> Iterator[Problem]:
    """Polygons that are none."""
    for number, obstacle in enumerate(scenario.field.obstacles, 1):
        if isinstance(obstacle, PolygonObstacle):
            corners = obstacle.corners
            if any(here == there for here, there in zip(corners, (*corners[1:], corners[0]), strict=True)):
                yield Problem(
                    ("field.obstacles",), f"obstacle {number} has the same corner twice in a row: remove one of them"
                )
