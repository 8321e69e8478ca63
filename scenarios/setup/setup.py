"""What a run is made of, worked out once: the field, and of each robot its pose, its sensors, and whether it is real.

Text becomes settings (`settings.loading`), settings with nothing left open become a setup, a setup becomes the model,
the laboratory and the links of a run. Each step takes what the one before has made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from msgspec import Struct

from devs_robotics.models.environment import Circle, Field, Polygon, Pose, Shape, Traits, box
from devs_robotics.models.environment.things import Things
from devs_robotics.models.environment.traits import OBSTACLE
from devs_robotics.models.robots import Optics, OwnEquipment
from devs_robotics.scenarios.case import S, case_of
from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.settings.tables import BoxObstacle, CircleObstacle, FieldTable, Obstacle
from devs_robotics.scenarios.setup.roles import Role, roles, why_at_rest, with_own_equipment
from devs_robotics.scenarios.stages import Stage


class RobotSetup(Struct, frozen=True):
    """One robot as a run begins.

    Attributes:
        number: from 1
        pose: where it stands
        optics: what its range sensors can do
        radius: of its body (m)
        speed, turn_rate: of its motor (m/s, rad/s)
        role: what it is in this stage, if it is real; None: it is virtual
        own: equipment of its own, by names
    """

    number: int
    pose: Pose
    optics: Optics
    radius: float
    speed: float
    turn_rate: float
    role: Role | None
    own: Mapping[str, OwnEquipment]


class Setup(Struct, Generic[S], frozen=True):
    """Everything that a run is made of.

    Attributes:
        scenario: with nothing left open
        stage: of the run
        width, height: of the field (m)
        walled: whether there are walls round it
        obstacles: in the field
        robots: robot 1 first
        cell: side of a cell of the index in which the field looks bodies up (m)
        things: lamps, the floor, and so on
        judged: whether the safety gate judges the run
        rows_only: whether nothing but the row of a sweep is wanted of the run, as of replicates that are together: no
            more is made or kept than that needs
    """

    scenario: S
    stage: Stage
    width: float
    height: float
    walled: bool
    obstacles: tuple[Shape, ...]
    robots: tuple[RobotSetup, ...]
    cell: float
    things: Things
    judged: bool = False
    rows_only: bool = False

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
        return field_of(self.scenario.field, self.width, self.height, self.cell)


def set_up(scenario: S, stage: Stage = "fast", rate: float | None = None) -> Setup[S]:
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
    plan = case.plan(scenario)
    real = {
        number: with_own_equipment(role, plan.robots[number - 1], stage)
        for number, role in roles(scenario, stage, len(plan.robots)).items()
        if number <= len(plan.robots)
    }
    for number, role in real.items():
        if stage == "loop" and (why := why_at_rest(role.robot, plan.robots[number - 1])):
            raise BeginError(f"real.{number}.protocol: {why}")
    return Setup(
        scenario=scenario,
        stage=stage,
        width=width,
        height=height,
        walled=scenario.field.walls,
        obstacles=tuple(shape_of(obstacle) for obstacle in scenario.field.obstacles),
        robots=tuple(
            RobotSetup(
                number,
                robot.pose,
                robot.optics,
                robot.radius,
                robot.speed,
                robot.turn_rate,
                real.get(number),
                robot.own,
            )
            for number, robot in enumerate(plan.robots, 1)
        ),
        cell=plan.cell,
        things=plan.things,
    )


def field_of(table: FieldTable, width: float, height: float, cell: float = 0.5) -> Field:
    """A new field as a scenario says, with its obstacles, without robots.

    Args:
        table: of the scenario
        width, height: of the field (m)
        cell: side of a cell of the index in which the field looks bodies up (m)
    """
    shapes, traits = [shape_of(each) for each in table.obstacles], [traits_of(each) for each in table.obstacles]
    return Field(width, height, shapes, cell, walled=table.walls, obstacle_traits=traits)


def traits_of(obstacle: Obstacle) -> Traits:
    """What the environment knows of an obstacle beside its shape."""
    if (obstacle.reality, obstacle.colour) == ("virtual", ""):
        return OBSTACLE
    return Traits("obstacle", obstacle.colour, obstacle.reality)


def shape_of(obstacle: Obstacle) -> Shape:
    """An obstacle as the environment knows it."""
    if isinstance(obstacle, BoxObstacle):
        return box(obstacle.x, obstacle.y, obstacle.width, obstacle.height, obstacle.heading)
    if isinstance(obstacle, CircleObstacle):
        return Circle(obstacle.x, obstacle.y, obstacle.radius)
    return Polygon(obstacle.corners)
