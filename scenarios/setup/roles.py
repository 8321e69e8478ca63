"""Which robots are real in which stage, and which of their activities (Hu & Zeigler, section 3.2)."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.robots import Kinds
from devs_robotics.scenarios.case import case_of, robots_of
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import RealTable
from devs_robotics.scenarios.stages import Stage


class Role(Struct, frozen=True):
    """What a real robot is in a stage.

    Attributes:
        robot: what the scenario says of it
        kinds: which of its activities are virtual, in the loop or real
    """

    robot: RealTable
    kinds: Kinds

    @property
    def is_stand_in(self) -> bool:
        """Whether the laboratory plays it."""
        return self.robot.address is None


def roles(scenario: Scenario, stage: Stage, robots: int | None = None) -> dict[int, Role]:
    """The real robots of a stage, by number; the others are virtual.

    Args:
        scenario: of the robots
        stage: of the run
        robots: how many there are, if that is known
    """
    named = {int(number): robot for number, robot in sorted(scenario.real.items())}
    if stage == "real":
        everybody = range(1, (len(robots_of(scenario)) if robots is None else robots) + 1)
        return {number: _all_real(named.get(number, RealTable())) for number in everybody}
    if stage == "loop":
        named = named or dict(case_of(scenario).in_the_loop(scenario))
        return {number: _as_named(robot) for number, robot in named.items()}
    return {}


def _all_real(robot: RealTable) -> Role:
    return Role(robot, Kinds("real", "real", "real", robot.counterpart))


def _as_named(robot: RealTable) -> Role:
    return Role(robot, Kinds(robot.motor, robot.infrared, robot.whiskers, robot.counterpart))
