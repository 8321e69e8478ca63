"""Hardware motors, motors in the loop, and the guard: what the decision model, the robot and the environment hear."""

from __future__ import annotations

from cmath import rect
from math import pi, remainder
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Coupled, Drive, Driven, Exchange, Fix, In, Out, Simulator
from models.activities import Guard, HardwareMotor, LoopMotor
from models.activities.motor import Follows
from models.environment import Circle, Environment, Field, Motion, Moved, PoseChange
from tests.approximately import near
from tests.models.activities.robot_in_a_box import Box, Commander


class Bench(Coupled):
    """A decision model, a motor with its guard, a robot in a box, and an environment with an obstacle at x = 3 m."""

    command = In(Drive)
    fix = In(Fix)
    pose = Out(PoseChange)
    fixed = Out(Fix)

    def __init__(self, motor: HardwareMotor, duration: float = 1.0, *, corrected: bool = True) -> None:
        super().__init__("bench")
        field = Field(10.0, 4.0, [Circle(3.0, 2.0, 0.5)])
        field.add_body(1.0, 2.0, 0.0, 0.1)
        self.environment = Environment("environment", field, 0.2, 1.5, 0.03)
        self.decisions, self.motor, self.guard, self.box = Commander(), motor, Guard("guard", 1), Box(1, duration)
        for part in (self.decisions, motor, self.guard, self.box, self.environment):
            self.add_component(part)
        self.couple(Exchange(self.decisions.ask, self.decisions.answer), motor.drive)
        self.couple(motor.device, self.guard.motor)
        self.couple(self.guard.device, self.box.motor)
        self.couple(motor.world, self.environment.offer("counterpart", 1))
        self.couple(self.guard.room, self.environment.offer("room", 1))
        self.add_coupling(self.command, self.decisions.command)
        self.add_coupling(self.fix, motor.fix)
        self.add_coupling(motor.fixed, self.fixed)
        if corrected:
            self.add_coupling(motor.fixed, self.environment.fix)

    def couple(self, needs: Exchange[Any, Any], service: Exchange[Any, Any]) -> None:
        self.add_coupling(needs.ask, service.ask)
        self.add_coupling(service.answer, needs.answer)

    @property
    def pose_now(self) -> tuple[float, float, float]:
        field = self.environment.space.field
        return field.x[0], field.y[0], field.heading[0]


def drive(bench: Bench, *commands: tuple[float, Drive], until: float = 100.0) -> list[tuple[float, Driven]]:
    with Simulator(bench) as simulator:
        for time, command in commands:
            simulator.inject(bench.command, command, at=time)
        simulator.run(until=until)
    return bench.decisions.heard


@pytest.mark.parametrize("kind", [HardwareMotor, LoopMotor])
def test_the_robots_completion_ends_the_move_and_moves_its_counterpart(kind: type[HardwareMotor]) -> None:
    bench = Bench(kind("motor", 1, "reported"), duration=2.5)
    assert drive(bench, (1.0, Drive(pi / 2.0, 0.5))) == [(3.5, Driven(pi / 2.0, 0.5))]
    assert bench.pose_now == (near(1.0), near(2.5), near(pi / 2.0))
    assert bench.box.commands == [Drive(pi / 2.0, 0.5)]


@pytest.mark.parametrize(("follows", "x"), [("reported", 1.45), ("commanded", 1.5)])
def test_the_counterpart_makes_the_reported_or_the_commanded_motion(follows: Follows, x: float) -> None:
    bench = Bench(LoopMotor("motor", 1, follows))
    bench.box.stretch = 0.9
    assert drive(bench, (0.0, Drive(0.0, 0.5))) == [(1.0, Driven(0.0, 0.45))]
    assert bench.pose_now[0] == near(x)


@pytest.mark.parametrize("follows", ["reported", "commanded"])
def test_a_command_that_was_cut_short_is_followed_as_far_as_it_came(follows: Follows) -> None:
    bench = Bench(LoopMotor("motor", 1, follows))
    heard = drive(bench, (0.0, Drive(0.0, 0.6)), (0.5, Drive(0.0, -0.1)))
    assert heard == [(1.5, Driven(0.0, -0.1))]
    assert bench.pose_now[0] == near(1.0 + 0.3 - 0.1)


def test_in_the_loop_the_counterpart_has_moved_before_the_decision_model_hears_of_it() -> None:
    """Only then is what it senses at once up to date."""
    for kind in (HardwareMotor, LoopMotor):
        motor = kind("motor", 1, "reported")
        with Simulator(motor) as simulator:
            simulator.inject(motor.drive.ask, Drive(0.0, 0.5))
            simulator.inject(motor.device.answer, Driven(0.0, 0.5), at=1.0)
            simulator.run(max_steps=4)  # command, report, what the motor says of it
            assert motor.world.ask.get() == Motion(1, 0.0, 0.5)
            assert bool(motor.drive.answer) == (kind is HardwareMotor)
            simulator.inject(motor.world.answer, Moved(1, 0.0, 0.5, False))
            simulator.run()
            assert bool(motor.drive.answer) == (kind is LoopMotor)


def test_the_guard_refuses_what_would_hit_an_obstacle_before_it_is_sent() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    heard = drive(bench, (0.0, Drive(0.0, 1.5)), (5.0, Drive(0.0, 1.3)), (10.0, Drive(pi / 2.0, 2.0)))
    assert [(time, driven.distance, driven.blocked) for time, driven in heard] == [
        (0.0, 0.0, True),
        (6.0, 1.3, False),
        (10.0, 0.0, True),
    ]
    assert bench.box.commands == [Drive(), Drive(0.0, 1.3), Drive()]
    assert bench.guard.refused == 2


def test_a_refused_command_ends_the_one_under_way() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    heard = drive(bench, (0.0, Drive(0.0, 0.4)), (0.5, Drive(0.0, -3.0)))
    assert [(driven.distance, driven.blocked) for _, driven in heard] == [(0.0, True)]
    assert bench.pose_now[0] == near(1.2)


@given(st.lists(st.tuples(st.floats(-pi, pi), st.floats(-1.0, 1.0)), max_size=12), st.sampled_from([0.25, 0.9, 10.0]))
def test_a_command_is_answered_once_unless_another_takes_its_place_and_the_counterpart_stays_in_the_field(
    moves: list[tuple[float, float]], gap: float
) -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    commands = [(number * gap, Drive(*move)) for number, move in enumerate(moves)]
    heard = drive(bench, *commands, until=200.0)
    answers = [0] * len(moves)
    for time, _ in heard:
        answers[min(int(time / gap + 1e-9), len(moves) - 1)] += 1
    assert max(answers, default=1) == 1
    assert answers[-1:] in ([], [1])  # no other takes the place of the last
    if gap > 9.0:  # more than any motion takes
        assert answers == [1] * len(moves)
    field = bench.environment.space.field
    assert field.clearance(0) >= -1e-9


def test_fixes_pass_while_the_robot_is_at_rest_and_only_its_own() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    with Simulator(bench) as simulator:
        simulator.inject(bench.fix, Fix(1, 1.1, 2.0, 0.1), Fix(2, 5.0, 2.0, 0.0), at=0.5)
        simulator.inject(bench.command, Drive(0.0, 0.5), at=1.0)
        simulator.inject(bench.fix, Fix(1, 9.0, 2.0, 0.0), at=1.5)
        simulator.run()
    assert bench.pose_now == (near(1.1 + 0.5 * 0.9950041652780258), near(2.0 + 0.5 * 0.09983341664682815), near(0.1))


def test_fixes_that_do_not_correct_leave_the_counterpart() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"), corrected=False)
    with Simulator(bench) as simulator:
        simulator.inject(bench.fix, Fix(1, 1.1, 2.0, 0.1), at=0.5)
        simulator.run()
        assert bench.fixed.get() == Fix(1, 1.1, 2.0, 0.1)
    assert bench.pose_now == (1.0, 2.0, 0.0)


@given(st.lists(st.tuples(st.floats(-pi, pi), st.floats(-0.3, 0.3)), max_size=10))
def test_the_counterpart_of_a_robot_that_does_as_told_stands_where_dead_reckoning_leads(
    moves: list[tuple[float, float]],
) -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    heard = drive(bench, *((number * 2.0, Drive(*move)) for number, move in enumerate(moves)))
    place, heading = complex(1.0, 2.0), 0.0
    for (turn, distance), (_, driven) in zip(moves, heard, strict=True):
        if not driven.blocked:
            heading += turn
            place += rect(distance, heading)
    x, y, seen = bench.pose_now
    assert abs(complex(x, y) - place) < 1e-9
    assert remainder(seen - heading, 2.0 * pi) == near(0.0)
