"""Which robots are real in which stage, and which of their activities (Hu & Zeigler, section 3.2)."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.robots import Kinds
from devs_robotics.scenarios.settings.schema import Real, Scenario
from devs_robotics.scenarios.stages import Stage

_IN_THE_LOOP = {
    "2": Real(infrared="virtual"),
    "3": Real(infrared="real"),
}
"""Of a scenario that names no real robot: the second and the third, as in Fig. 12 and the film of Hu & Zeigler."""


class Part(Struct, frozen=True):
    """The part that a real robot plays in a stage.

    Attributes:
        robot: what the scenario says of it
        kinds: which of its activities are virtual, in the loop or real
    """

    robot: Real
    kinds: Kinds

    @property
    def is_stand_in(self) -> bool:
        """Whether the laboratory plays it."""
        return self.robot.address is None


def parts(scenario: Scenario, stage: Stage) -> dict[int, Part]:
    """The real robots of a stage, by number; the others are virtual."""
    if stage == "real":
        everything = (Real() for _ in range(scenario.convoy.robots))
        named = {str(number): scenario.real.get(str(number), robot) for number, robot in enumerate(everything, 1)}
        return {int(number): Part(robot, _all_real(robot)) for number, robot in named.items()}
    if stage == "loop":
        robots = scenario.real or {
            number: robot for number, robot in _IN_THE_LOOP.items() if int(number) <= scenario.convoy.robots
        }
        return {int(number): Part(robot, _as_named(robot)) for number, robot in sorted(robots.items())}
    return {}


def _all_real(robot: Real) -> Kinds:
    return Kinds("real", "real", "real", robot.counterpart)


def _as_named(robot: Real) -> Kinds:
    return Kinds(robot.motor, robot.infrared, robot.whiskers, robot.counterpart)
