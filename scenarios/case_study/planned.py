"""What the method `build` of a case study comes to before there is any model: a plan for each robot."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.models.robots import CaseSystem, Robot
from devs_robotics.scenarios.case import RobotPlan, TeamPlan
from devs_robotics.scenarios.case_study.case_study import CaseStudy
from devs_robotics.scenarios.settings.schema import Scenario


class Planned(Struct, frozen=True):
    """What a call of `build` came to.

    Attributes:
        scenario: of which; a case study may read all of it
        study: after it
        plan: of the robots
    """

    scenario: Scenario
    study: CaseStudy
    plan: TeamPlan


def plans_of(system: CaseSystem) -> Iterator[RobotPlan]:
    """The plan of each robot; those for whom one stands differ from it in their places alone."""
    last: Robot | None = None
    for pose, robot in system.standing():
        if robot is not last:
            last, plan = robot, _plan_of(system, robot)
        yield plan if pose == plan.pose else replace(plan, pose=pose)


def _plan_of(system: CaseSystem, robot: Robot) -> RobotPlan:
    kind = robot.kind
    pace = system.pace_of(kind)
    own = {each.name: each for each in robot.own}
    return RobotPlan(robot.pose, kind.optics, system.radius_of(kind), pace.speed, pace.turn_rate, kind.called, own)
