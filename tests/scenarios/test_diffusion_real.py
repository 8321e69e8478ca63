"""The case diffusion with real e-pucks, played inside: the same bytes, and decision models that never learn of it."""

from __future__ import annotations

from itertools import combinations
from math import hypot, inf
from typing import Any, ClassVar

import pytest
from xdevs.models import Atomic as XdevsAtomic

from devs_robotics import Actuator, Atomic, Crossed, Obstructed, Sensor, Watch, Wheels
from devs_robotics.core.observe import Observer
from devs_robotics.core.observe.observer import TransitionKind
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.experimental_frames.study.decisions import decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.models.environment import SpaceManager
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.diffusion import Diffusion
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from devs_robotics.study import CaseStudy, CaseSystem, robots

SPEED = 0.05


class Gaps(Observer):
    """Sees how near bodies really come to each other in the environment model (m)."""

    def __init__(self) -> None:
        self.least = inf

    def changed(self, time: float, model: XdevsAtomic, kind: TransitionKind, elapsed: float) -> None:
        if isinstance(model, SpaceManager):
            field = model.field
            poses = [field.bodies.pose(body, time) for body in range(len(field.x))]
            for (x, y, _), (other_x, other_y, _) in combinations(poses, 2):
                self.least = min(self.least, hypot(x - other_x, y - other_y) - 2.0 * RADIUS)


def small(real: int, protocol: str, infrared: str = "real", **tables: Any) -> Scenario:
    """Four robots on a square of 60 cm, of which the first few are real."""
    named = {str(number): {"protocol": protocol, "infrared": infrared} for number in range(1, real + 1)}
    return scenario_of(Diffusion(robots=4), duration=8.0, real=named, field={"width": 0.6, "height": 0.6}, **tables)


def inside(scenario: Scenario, stage: Stage, *observers: Any) -> CaseOutcome:
    outcome = run(
        scenario, Means(stage=stage, lab="inside"), Hooks(observers=[(each, of_robots) for each in observers])
    )
    assert outcome.ended == "accepted", outcome.reason
    assert isinstance(outcome, CaseOutcome)
    return outcome


@pytest.mark.parametrize(("stage", "protocol"), [("loop", "epuck2-wifi"), ("real", "epuck-binary")])
def test_what_was_heard_of_real_wheels_and_sensors_makes_fresh_models_say_the_same(stage: Stage, protocol: str) -> None:
    scenario, hearing = small(2 if stage == "loop" else 4, protocol), Hearing()
    outcome = inside(scenario, stage, hearing)
    assert {robot.equipment for robot in outcome.robots.values()} == {("wheels", "proximity")}
    assert len(outcome.robots) == (2 if stage == "loop" else 4)
    found = replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))
    assert found.difference is None
    assert found.holds
    assert found.models == 4
    assert found.outputs > 12  # each begins a watch and drives, and somebody has met something


def test_two_runs_are_the_same_to_the_last_bit() -> None:
    one, other = (inside(small(2, "epuck-ascii"), "loop") for _ in range(2))
    assert one.tracks.rows == other.tracks.rows
    assert one.localisation is not None
    assert other.localisation is not None
    assert list(one.localisation.rows) == list(other.localisation.rows)
    assert len(list(one.localisation.rows)) > 60


class Ahead(Atomic):
    """Drives straight on, and notes what its sensors see."""

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)

    def initialize(self) -> None:
        self.seen = 0.0
        self.held = 0
        self.activate("beginning")

    def lambdaf(self) -> None:
        self.wheels.ask.add(Wheels(SPEED, SPEED))
        self.proximity.ask.add(Watch(period=0.1))

    def deltint(self) -> None:
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        self.seen = max([self.seen, *(max(crossed.values) for crossed in self.proximity.answer.values)])
        self.held += sum(each.obstructed for each in self.wheels.answer.values)


class Facing(CaseStudy):
    """One robot drives up to another, which stands."""

    in_the_loop: ClassVar[dict[int, Any]] = {1: {"protocol": "epuck-ascii"}}

    def build(self, system: CaseSystem) -> None:
        self.ahead = Ahead("ahead")
        for x in (0.3, 0.5):
            robot = system.add_robot((x, 0.3, 0.0), robots.epuck2())
            robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
            robot.equip(VirtualProximityWatch("proximity"))
        system.robots[0].decide(self.ahead)


@pytest.mark.parametrize("infrared", ["real", "both"])
def test_a_real_robot_runs_into_no_virtual_one_whether_it_sees_it_or_not(infrared: str) -> None:
    real, found = {"1": {"protocol": "epuck-ascii", "infrared": infrared}}, list[Ahead]()
    scenario, gaps = scenario_of(Facing(), duration=5.0, real=real), Gaps()

    def models(experiment: Any) -> list[str]:
        found.append(experiment.system.robots[0].ahead)
        return ["**"]

    run(scenario, Means(stage="loop", lab="inside"), Hooks(observers=[(gaps, models)]))
    assert 0.0 < gaps.least < 0.008
    (ahead,) = found
    assert ahead.held == 1
    assert (ahead.seen > 3000.0) is (infrared == "both")


def test_counterparts_are_where_perfect_robots_are_to_what_they_drive_between_two_packets() -> None:
    outcome = inside(small(2, "epuck2-wifi", stand_in={"perfect": True}), "loop")
    assert outcome.localisation is not None
    errors = [row.map_error_m for row in outcome.localisation.rows]
    assert len(errors) > 60
    assert max(errors) < 0.001 + 0.02 * SPEED
