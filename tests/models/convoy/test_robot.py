"""Robots put together: another activity changes no decision model."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest

from devs_robotics import Ranges, RangeSensor, Sensor, Simulator
from devs_robotics.core.wiring import atomic_models
from devs_robotics.models.convoy import (
    Avoid,
    Follower,
    FollowerRules,
    Leader,
    LeaderRules,
    RelativePose,
)
from devs_robotics.models.environment import Cast, Distances, Field
from devs_robotics.models.robots import CaseSystem, Equipment, Optics, RobotKind, UsualBody, virtual_equipment

OPTICS = Optics((0.0,), 0.6, 0.01)
RULES = FollowerRules(0.5, 0.2, 0.1, 0.25, 0.65, 0.05, 0.1, 0.8, 0.1, 3, 0.2)


class SlowInfrared(RangeSensor):
    """A sensor of another make: it takes a quarter of a second, and sees a centimetre short."""

    world = Sensor(Cast, Distances)

    def __init__(self, name: str, robot: int) -> None:
        super().__init__(name)
        self.question = Cast(robot, (0.0,), 0.6)

    def deltext(self, e: float) -> None:
        if self.ranging.ask:
            self.activate("asking")
        for answer in self.world.answer.values:
            self.reading = answer.values[0]
            self.hold_in("answering", 0.25)

    def lambdaf(self) -> None:
        if self.phase == "asking":
            self.world.ask.add(self.question)
        else:
            self.ranging.answer.add(Ranges((self.reading - 0.01 if self.reading < inf else inf,)))


def slow_equipment(robot: int) -> Equipment:
    usual, infrared = virtual_equipment(robot, OPTICS), SlowInfrared("infrared", robot)
    return Equipment(usual.motor, infrared, usual.whiskers, {**usual.worlds, "ranging": infrared.world})


def system(second: Equipment) -> CaseSystem:
    def equipment_of(robot: int, kind: RobotKind) -> Equipment:
        return second if robot == 2 else virtual_equipment(robot, OPTICS)

    convoy = CaseSystem("system", Field(10.0, 4.0), UsualBody(0.1, 0.2, 1.5, 0.03), 1, equipment_of)
    leader = Leader("convoy", LeaderRules(0.3, 0.3, 0.2, 0.5, (0.0,), ((0.0, 0.3),)), last=False)
    followers = [Follower("convoy", robot, RULES, RelativePose(0.5, 0.0, 0.0), last=robot == 3) for robot in (2, 3)]
    for place, member in enumerate((leader, *followers)):
        robot = convoy.add_robot((3.0 - 0.5 * place, 2.0, 0.0))
        robot.layers(Avoid("avoid", 0.05), member)
    for front, back in pairwise((leader, *followers)):
        assert isinstance(back, Follower)
        convoy.couple(front.f_ready_out, back.f_ready_in)
        convoy.couple(back.b_ready_out, front.b_ready_in)
    convoy.complete(corrected=False)
    return convoy


def follow(second: Equipment) -> tuple[float, list[type], float]:
    """Four rounds: when they end, the decision models' classes, and where robot 2 then stands."""
    convoy = system(second)
    simulator, follower = Simulator(convoy), convoy.robots[2].convoy
    assert isinstance(follower, Follower)
    while follower.round < 4:
        simulator.run(max_steps=1)
    decisions = [type(model) for model in atomic_models(convoy) if model.name in ("convoy", "avoid")]
    return simulator.time, decisions, convoy.environment.space.field.x[1]


def test_a_robot_with_a_sensor_of_another_make_follows_all_the_same() -> None:
    time, decisions, place = follow(virtual_equipment(2, OPTICS))
    slow_time, slow_decisions, slow_place = follow(slow_equipment(2))
    assert decisions == slow_decisions == [Avoid, Leader, Avoid, Follower, Avoid, Follower]
    assert slow_time > time + 0.9
    # it plans each round with a gap that it believes a centimetre less
    assert slow_place == pytest.approx(place - 0.01, abs=1e-3)
