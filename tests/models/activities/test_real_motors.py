"""Hardware motors, motors in the loop, and the guard: what the decision model, the robot and the environment hear."""

from __future__ import annotations

from cmath import rect
from math import cos, pi, remainder
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, Drive, Driven, Exchange, Fix, In, Out, Simulator
from devs_robotics.models.activities import Guard, HardwareMotor, LoopMotor, VirtualMotor
from devs_robotics.models.activities.guard import Refusals
from devs_robotics.models.activities.motor import Follows
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.environment import Circle, Environment, Field, Motion, MotionEnded, PoseChange, Probe, Room
from tests.approximately import near
from tests.models.activities.robot_in_a_box import Box, Commander
from tests.models.play import tell


class Tally(Atomic):
    """Counts what the guard is told, and its answers."""

    asked = In(Drive)
    answered = In(Driven)

    def __init__(self) -> None:
        super().__init__("tally")
        self.asks = 0
        self.answers: list[Driven] = []

    def deltext(self, e: float) -> None:
        self.asks += len(self.asked)
        self.answers += self.answered.values

    def lambdaf(self) -> None: ...

    def deltint(self) -> None: ...


class Bench(Coupled):
    """A decision model, a motor with its guard, a robot in a box, and an environment with an obstacle at x = 3 m."""

    command = In(Drive)
    fix = In(Fix)
    pose = Out(PoseChange)
    fixed = Out(Fix)

    def __init__(
        self, motor: HardwareMotor, duration: float = 1.0, braking: float = 0.0, *, corrected: bool = True
    ) -> None:
        super().__init__("bench")
        field = Field(10.0, 4.0, [Circle(3.0, 2.0, 0.5)])
        field.add_body(1.0, 2.0, 0.0, 0.1)
        self.environment = Environment("environment", field, 0.2, 1.5, 0.03)
        self.decisions, self.motor, self.guard, self.box = (
            Commander(),
            motor,
            Guard("guard", 1),
            Box(1, duration, braking),
        )
        self.tally = Tally()
        for part in (self.decisions, motor, self.guard, self.box, self.tally, self.environment):
            self.add_component(part)
        self.couple(Exchange(self.decisions.ask, self.decisions.answer), motor.drive)
        self.couple(motor.device, self.guard.motor)
        self.couple(self.guard.device, self.box.motor)
        self.couple(motor.world, self.environment.offer(1, Motion, MotionEnded, "counterpart"))
        self.couple(self.guard.room, self.environment.offer(1, Probe, Room, "room"))
        self.add_coupling(motor.device.ask, self.tally.asked)
        self.add_coupling(self.guard.motor.answer, self.tally.answered)
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


@pytest.mark.parametrize("kind", [HardwareMotor, LoopMotor])
@pytest.mark.parametrize(("follows", "followed"), [("reported", 0.45), ("commanded", 0.5)])
def test_what_is_reported_is_what_the_robot_says_whatever_its_counterpart_makes(
    kind: type[HardwareMotor], follows: Follows, followed: float
) -> None:
    motor = kind("motor", 3, follows)
    tell(motor, (motor.drive.ask, Drive(0.2, 0.5)))
    said = tell(motor, (motor.device.answer, Driven(0.1, 0.45)))
    assert ("reported", Motion(3, 0.1, 0.45)) in said
    assert ("world_ask", Motion(3, 0.2 if follows == "commanded" else 0.1, followed)) in said


@pytest.mark.parametrize("follows", ["reported", "commanded"])
def test_a_robot_that_was_blocked_is_followed_as_far_as_it_came(follows: Follows) -> None:
    motor = HardwareMotor("motor", 3, follows)
    tell(motor, (motor.drive.ask, Drive(0.2, 0.5)))
    said = tell(motor, (motor.device.answer, Driven(0.2, 0.3, blocked=True)))
    assert ("world_ask", Motion(3, 0.2, 0.3)) in said
    assert ("drive_answer", Driven(0.2, 0.3, blocked=True)) in said


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
            simulator.inject(motor.world.answer, MotionEnded(1, 0.0, 0.5, False))
            simulator.run()
            assert bool(motor.drive.answer) == (kind is LoopMotor)


def test_the_guard_refuses_what_would_hit_an_obstacle_before_it_is_sent() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    heard = drive(bench, (0.0, Drive(0.0, 1.5)), (10.0, Drive(0.0, 1.3)), (20.0, Drive(pi / 2.0, 2.0)))
    assert [(time, driven.distance, driven.blocked) for time, driven in heard] == [
        (7.5, 0.0, True),
        (11.0, 1.3, False),
        (near(20.0 + pi / 3.0 + 10.0, 1e-6), 0.0, True),
    ]
    assert bench.box.commands == [Drive(), Drive(0.0, 1.3), Drive()]
    assert bench.guard.refused == 2


def test_the_guard_counts_what_it_refuses_in_a_row_though_the_robot_turns_in_between() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    bench.guard.clearance = 0.25
    hopeless, through = Drive(0.0, 1.3), Drive(0.0, 0.125)
    commands = (hopeless, Drive(1.0), Drive(-1.0), hopeless, Drive(0.0, 1.25), through, hopeless)
    drive(bench, *((20.0 * number, each) for number, each in enumerate(commands)), until=200.0)
    assert bench.guard.in_vain == 1
    assert bench.guard.hopeless == Refusals(3, 1.25, near(1.4))


def test_a_refused_command_ends_the_one_under_way() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    heard = drive(bench, (0.0, Drive(0.0, 0.4)), (0.5, Drive(0.0, -3.0)))
    assert [(driven.distance, driven.blocked) for _, driven in heard] == [(0.0, True)]
    assert bench.pose_now[0] == near(1.2)


class Stubborn(Atomic):
    """Gives a move that is refused again and again."""

    ask = Out(Drive)
    answer = In(Driven)

    def __init__(self, move: Drive) -> None:
        super().__init__("stubborn")
        self.move = move
        self.time = 0.0
        self.heard: list[tuple[float, bool]] = []

    def initialize(self) -> None:
        self.activate()

    def deltext(self, e: float) -> None:
        self.time += e
        self.heard += [(self.time, driven.blocked) for driven in self.answer.values]
        self.activate()

    def lambdaf(self) -> None:
        self.ask.add(self.move)

    def deltint(self) -> None:
        self.passivate()


def stubborn(move: Drive, *, real: bool) -> list[tuple[float, bool]]:
    """When a robot whose way is blocked is told so, in the loop or in the model alone."""
    top, model = Coupled("top"), Stubborn(move)
    field = Field(10.0, 4.0, [Circle(3.0, 2.0, 0.5)])
    field.add_body(2.4, 2.0, 0.0, 0.1)
    environment = Environment("environment", field, 0.2, 1.5, 0.03)
    motor = LoopMotor("motor", 1, "reported") if real else VirtualMotor("motor", 1)
    for part in (model, environment, motor):
        top.add_component(part)

    def couple(needs: Exchange[Any, Any], service: Exchange[Any, Any]) -> None:
        top.add_coupling(needs.ask, service.ask)
        top.add_coupling(service.answer, needs.answer)

    couple(Exchange(model.ask, model.answer), motor.drive)
    couple(motor.world, environment.offer(1, Motion, MotionEnded, "counterpart" if real else "motor"))
    if isinstance(motor, LoopMotor):
        guard, box = Guard("guard", 1), Box()
        top.add_component(guard)
        top.add_component(box)
        couple(motor.device, guard.motor)
        couple(guard.device, box.motor)
        couple(guard.room, environment.offer(1, Probe, Room, "room"))
    with Simulator(top) as simulator:
        simulator.run(until=20.0)
    return model.heard


@pytest.mark.parametrize("move", [Drive(0.0, 0.3), Drive(2.0 * pi, 0.2), Drive(0.0, 0.01)], ids=str)
def test_who_tries_again_and_again_hears_of_it_in_the_loop_when_it_would_in_the_model(move: Drive) -> None:
    """The robot in the model turns before it is blocked, so it turns right round."""
    alone, loop = stubborn(move, real=False), stubborn(move, real=True)
    assert len(alone) > 2
    assert loop == alone


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (Drive(0.0, 1.269), False),  # 1.4 m are free ahead
        (Drive(0.0, 1.271), True),
        (Drive(pi, 0.769), False),  # and 0.9 m behind
        (Drive(pi, 0.771), True),
        (Drive(0.0, -0.771), True),
        (Drive(2.0, 0.0), False),
    ],
)
def test_what_a_robot_goes_when_its_host_dies_is_to_be_free_beyond_the_end_of_a_move(
    command: Drive, refused: bool
) -> None:
    """0.2 m/s (0.5 s + 0.05 s) + (0.2 m/s)^2 / 2 m/s^2 = 0.13 m."""
    bench = Bench(LoopMotor("motor", 1, "reported"))
    bench.guard.clearance = StoppingDistance(0.55, 1.0).of(0.2)
    assert bench.guard.clearance == near(0.13)
    ((_, driven),) = drive(bench, (0.0, command))
    assert driven.blocked == refused
    assert bench.guard.refused == refused


def test_who_is_nearer_than_that_to_something_may_turn_and_leave() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    bench.guard.clearance = 0.13
    moves = Drive(0.0, 1.269), Drive(0.0, 0.01), Drive(pi, 0.0), Drive(0.0, 0.5)
    heard = drive(bench, *((10.0 * number, move) for number, move in enumerate(moves)))
    assert [driven.blocked for _, driven in heard] == [False, True, False, False]


def test_a_move_that_was_refused_ends_when_the_next_one_comes() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    heard = drive(bench, (0.0, Drive(0.0, 1.5)), (2.0, Drive(0.0, 0.5)), (5.0, Drive(0.0, 0.1)))
    assert heard == [(3.0, Driven(0.0, 0.5)), (6.0, Driven(0.0, 0.1))]
    assert bench.tally.answers == [Driven(0.0, 0.0, blocked=True), Driven(0.0, 0.5), Driven(0.0, 0.1)]


@pytest.mark.parametrize("braking", [0.0, 0.2])
def test_each_command_that_comes_while_the_robot_brakes_is_answered(braking: float) -> None:
    bench = Bench(LoopMotor("motor", 1, "commanded"), braking=braking)
    commands = [(0.0, Drive(0.0, 0.4)), (0.5, Drive(0.1, 0.0)), (0.6, Drive(0.2, 0.0)), (0.65, Drive(0.3, 0.1))]
    heard = drive(bench, *commands, (5.0, Drive(0.0, -0.1)))
    assert heard[-2:] == [(pytest.approx(1.7 if braking else 1.65), Driven(0.3, 0.1)), (6.0, Driven(0.0, -0.1))]
    assert bench.tally.asks == len(bench.tally.answers) == 5
    if braking:
        assert bench.tally.answers[:3] == [Driven(0.0, 0.2), Driven(0.0, 0.0), Driven(0.0, 0.0)]
        assert bench.pose_now == (near(1.2 + 0.1 * cos(0.3) - 0.1 * cos(0.3)), near(2.0), near(0.3))


@given(
    st.lists(st.tuples(st.floats(-pi, pi), st.floats(-1.0, 1.0)), max_size=12),
    st.sampled_from([0.25, 1.0, 8.0]),
    st.sampled_from([0.0, 0.3]),
)
def test_every_command_is_answered_once_and_the_counterpart_stays_in_the_field(
    moves: list[tuple[float, float]], gap: float, braking: float
) -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"), braking=braking)
    commands = [(number * gap, Drive(*move)) for number, move in enumerate(moves)]
    heard = drive(bench, *commands)
    assert bench.tally.asks == len(bench.tally.answers) == len(moves)
    assert len(heard) == len(moves) if gap > 7.1 else len(heard) >= bool(moves)
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


def test_a_fix_that_was_exposed_while_the_robot_moved_does_not_pass() -> None:
    bench = Bench(LoopMotor("motor", 1, "reported"))
    with Simulator(bench) as simulator:
        simulator.inject(bench.command, Drive(0.0, 0.5), at=1.0)
        simulator.run(until=9.0)
        ended = bench.pose_now
        simulator.inject(bench.fix, Fix(1, 1.1, 2.0, 0.0, 1.5), at=9.0)
        simulator.run(until=9.5)
        assert bench.pose_now == ended == (near(1.5), near(2.0), near(0.0))
        simulator.inject(bench.fix, Fix(1, 1.52, 2.0, 0.0, 8.9), at=10.0)
        simulator.run(until=10.5)
    assert bench.pose_now == (near(1.52), near(2.0), near(0.0))


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
