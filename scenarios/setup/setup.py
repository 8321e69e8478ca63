"""What a run is made of, worked out once: the field, and of each robot its pose, its sensors, and whether it is real.

Text becomes settings (`settings.loading`), settings with nothing left open become a setup, a setup becomes the model,
the laboratory and the links of a run. Each step takes what the one before has made.
"""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.environment import Field, Pose, Shape
from devs_robotics.models.robots import Optics
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.obstacles import shape_of
from devs_robotics.scenarios.setup.roles import Role, roles
from devs_robotics.scenarios.stages import Stage


class RobotSetup(Struct, frozen=True):
    """One robot as a run begins.

    Attributes:
        number: from 1
        pose: where it stands
        optics: what its range sensors can do
        role: what it is in this stage, if it is real; None: it is virtual
    """

    number: int
    pose: Pose
    optics: Optics
    role: Role | None


class Setup(Struct, frozen=True):
    """Everything that a run is made of.

    Attributes:
        scenario: with nothing left open
        stage: of the run
        width, height: of the field (m)
        obstacles: in the field
        robots: robot 1 first
    """

    scenario: Scenario
    stage: Stage
    width: float
    height: float
    obstacles: tuple[Shape, ...]
    robots: tuple[RobotSetup, ...]

    @property
    def poses(self) -> list[Pose]:
        """Where the robots stand, robot 1 first."""
        return [robot.pose for robot in self.robots]

    @property
    def real(self) -> dict[int, Role]:
        """The real robots, by number."""
        return {robot.number: robot.role for robot in self.robots if robot.role is not None}

    @property
    def stand_ins(self) -> dict[int, Role]:
        """Those of the real robots that the laboratory plays."""
        return {number: role for number, role in self.real.items() if role.is_stand_in}

    def field(self) -> Field:
        """A new field with its obstacles, without robots."""
        return Field(self.width, self.height, self.obstacles, cell=case_of(self.scenario).cell(self.scenario))


def set_up(scenario: Scenario, stage: Stage = "fast", rate: float | None = None) -> Setup:
    """What a run is made of; what its scenario leaves open is filled in.

    Args:
        scenario: to be run
        stage: of the run
        rate: simulated seconds per real second; None: as the scenario says
    """
    case = case_of(scenario)
    scenario = case.resolve(scenario)
    if rate is not None:
        scenario = scenario.model_copy(update={"clock": scenario.clock.model_copy(update={"rate": rate})})
    width, height = scenario.field.width, scenario.field.height
    assert width is not None, "resolve fills it in"
    assert height is not None
    real = roles(scenario, stage)
    return Setup(
        scenario=scenario,
        stage=stage,
        width=width,
        height=height,
        obstacles=tuple(shape_of(obstacle) for obstacle in scenario.field.obstacles),
        robots=tuple(
            RobotSetup(number, pose, case.optics(scenario, number), real.get(number))
            for number, pose in enumerate(case.poses(scenario), 1)
        ),
    )
