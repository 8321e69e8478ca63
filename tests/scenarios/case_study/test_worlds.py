"""What a case study says of its world: walls or none, who joins, how watches are looked at."""

from __future__ import annotations

from math import pi

import pytest
from msgspec import Struct

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Out, Sense, Sensor, Service, Simulator
from devs_robotics.models.environment import BodyChange, Follow, Join, PoseChange, Traits, TrajectoryChange
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.scenarios.case import case_of, robots_of
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    RobotKind,
    VirtualActivity,
    WorldModel,
    answers,
)
from tests.approximately import near
from tests.scenarios.case_study.test_harness import Parked, known, problems


class Leaving(Parked):
    """A robot drives off for good."""

    def build(self, system: CaseSystem) -> None:
        system.add_robot((1.0, 2.0, pi), RobotKind()).decide(Off("off"))


class Off(Atomic):
    motor = Actuator(Drive, Driven)

    def initialize(self) -> None:
        self.activate("off")

    def lambdaf(self) -> None:
        self.motor.ask.add(Drive(0.0, 3.0))

    def deltint(self) -> None:
        self.passivate()


@pytest.mark.parametrize(("stage", "ends"), [("fast", [0.1, -2.0]), ("loop", [1.0, -2.0])])
def test_without_walls_a_robot_leaves_the_field(stage: Stage, ends: list[float]) -> None:
    """With walls a virtual robot drives up to one, and the guard of a real one lets it stand where it is."""
    for walls, end in zip((True, False), ends, strict=True):
        scenario, found = validate(
            {
                "case": known(Leaving).name,
                "run": {"duration": 18.0},
                "field": {"walls": walls},
                "stand_in": {"perfect": True},
                "clock": {"rate": 30.0},
                "real": {"1": {}},
                "frame": {"approaches": True},
            }
        )
        assert scenario is not None, found
        outcome = run(scenario, Means(stage=stage, lab="inside" if stage == "loop" else "process"))
        places = [1.0, *(row.x_m for row in outcome.tracks.rows)]  # type: ignore[attr-defined]
        assert places[-1] == near(end, 1e-2)
        assert case_of(scenario).columns(outcome)["collisions"] == (1 if walls and stage == "fast" else 0)


def test_bodies_may_stand_outside_where_there_are_no_walls() -> None:
    outside = {"parked": {"x": -1.0}, "field": {"walls": False}}
    assert problems(Parked, **outside) == []
    assert len(problems(Parked, parked={"x": -1.0})) == 1


def test_the_environment_looks_at_watches_as_the_scenario_says() -> None:
    scenario, found = validate({"case": known(Parked).name, "sensing": {"strategy": "polling"}})
    assert scenario is not None, found
    (model,) = [known(Parked).experiment(set_up(scenario)).system.environment]
    assert model.space.strategy == "polling"
    assert problems(Parked, sensing={"strategy": "guess"})[0].startswith("sensing.strategy: must be ")


class Opening(CaseStudy):
    """A door opens before a robot: it follows a profile out of the way."""

    def build(self, system: CaseSystem) -> None:
        system.add_robot((1.0, 2.0, 0.0), RobotKind()).decide(Off("off"))
        system.add(Door("door"))


class Door(Atomic):
    body_change: Out[BodyChange] = Out(BodyChange)

    def initialize(self) -> None:
        self.activate("joining")

    def lambdaf(self) -> None:
        if self.phase == "joining":
            self.body_change.add(Join(2, 2.0, 2.0, 0.0, 0.3, Traits("door", height=1.0)))
        else:
            self.body_change.add(Follow(2, Profile(5.0, 2.0, 2.0, pi / 2.0, ((2.0, 0.0),), speed=1.0)))

    def deltint(self) -> None:
        if self.phase == "joining":
            self.hold_in("opening", 5.0)
        else:
            self.passivate()


def test_a_model_in_the_world_says_what_happens_to_bodies() -> None:
    """A move is made when its time is over, so that the door, which joined, is no longer in the way then."""
    scenario, found = validate({"case": known(Opening).name, "run": {"duration": 40.0}})
    assert scenario is not None, found
    model = known(Opening).experiment(set_up(scenario))
    field = model.system.environment.space.field
    with Simulator(model) as simulator:
        simulator.run(until=4.0)
        assert field.bodies.traits[1].kind == "door"
        assert field.pose(1) == (2.0, 2.0, 0.0)
        simulator.run(until=40.0)
    assert field.pose(1) == (2.0, near(4.0), near(pi / 2.0))
    assert field.pose(0) == (near(4.0), 2.0, 0.0)
    assert len(robots_of(scenario)) == 1


class WhereItIs(Struct, frozen=True):
    """Where a robot was told to be, and where it is (m)."""

    told: float
    now: float


class PlumbedGround(WorldModel):
    """Knows where a robot is: by the changes of its pose, and by how it moves."""

    trajectory_change = In(TrajectoryChange)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.told = 0.0
        self.way: Trajectory | None = None

    def moved(self, change: PoseChange) -> None:
        self.told = change.x

    def deltext(self, e: float) -> None:
        for change in self.trajectory_change.values:
            self.way = change.trajectory
        super().deltext(e)

    @answers(Sense, WhereItIs)
    def place(self, robot: int, question: Sense) -> WhereItIs:
        assert self.way is not None
        return WhereItIs(self.told, self.way.pose(self.time)[0])


class Plumb(VirtualActivity):
    """Asks the ground."""

    placing = Service(Sense, WhereItIs)
    world = Sensor(Sense, WhereItIs)


class AsksOnTheWay(Off):
    """It drives off, and asks after 2.5 s, half-way."""

    plumb = Sensor(Sense, WhereItIs)

    def lambdaf(self) -> None:
        if self.phase == "off":
            self.motor.ask.add(Drive(0.0, 1.0))
        else:
            self.plumb.ask.add(Sense())

    def deltint(self) -> None:
        if self.phase == "off":
            self.hold_in("under way", 2.5)
        else:
            self.passivate()

    def deltext(self, e: float) -> None:
        self.heard = [*getattr(self, "heard", ()), *self.plumb.answer.values]
        self.continuef(e)


class Plumbing(Parked):
    """A robot that is on its way at every instant asks where it is."""

    def build(self, system: CaseSystem) -> None:
        system.add(PlumbedGround("ground"))
        robot = system.add_robot((1.0, 2.0, 0.0), RobotKind(speed=0.2, continuous=True))
        robot.equip(Plumb("plumb"))
        robot.decide(AsksOnTheWay("asks"))


def test_a_world_model_hears_poses_when_motions_change_and_knows_by_trajectories_where_a_robot_is() -> None:
    model = known(Plumbing).experiment(set_up(scenario_of(Plumbing(), duration=4.0)))
    with Simulator(model) as simulator:
        simulator.run(until=4.0)
    assert model.system.robots[0].asks.heard == [WhereItIs(near(1.0), near(1.5))]
