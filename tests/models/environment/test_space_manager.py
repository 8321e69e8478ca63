"""SpaceManager and Environment: motions, collisions, whiskers, noise, and the order within an instant."""

from __future__ import annotations

from itertools import permutations
from math import inf, pi
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, Fix, In, Out, Port, Simulator
from devs_robotics.models.environment import (
    Cast,
    Circle,
    Contact,
    Distances,
    Disturbance,
    Environment,
    Feel,
    Field,
    Motion,
    MotionEnded,
    PoseChange,
    Probe,
    Room,
    Shape,
    SpaceManager,
    box,
)
from tests.approximately import near
from tests.models.environment.spaces import space_manager
from tests.models.play import tell

Messages = list[Any]


def ask(field: Field, *messages: Any) -> Messages:
    """Give a SpaceManager messages of one instant and return its answers."""
    space = space_manager(field, 0.03)
    return ask_again(space, *messages)


def ask_again(space: SpaceManager, *messages: Any) -> Messages:
    ports: dict[Any, Any] = {Motion: space.motion, Disturbance: space.disturbance}
    for message in messages:
        ports.get(type(message), space.question).add(message)
    space.deltext(0.0)
    space.lambdaf()
    answers = [value for port in space.out_ports for value in port.values]
    for port in (*space.in_ports, *space.out_ports):
        port.clear()
    space.deltint()
    return answers


def field_with(*poses: tuple[float, float, float], obstacles: tuple[Shape, ...] = ()) -> Field:
    field = Field(4.0, 4.0, obstacles)
    for x, y, heading in poses:
        field.add_body(x, y, heading, 0.1)
    return field


def test_a_motion_turns_and_then_drives() -> None:
    answers = ask(field_with((1.0, 1.0, 0.0)), Motion(1, pi / 2, 0.5))
    assert answers == [PoseChange(1, near(1.0), near(1.5), pi / 2), MotionEnded(1, pi / 2, 0.5, False)]


def test_noise_changes_the_pose_and_not_what_the_encoders_say() -> None:
    answers = ask(field_with((1.0, 1.0, 0.0)), Disturbance(1, 0.1, 0.2), Motion(1, 0.0, 0.5))
    assert answers == [
        PoseChange(1, near(1.55), 1.0, near(0.2 * 0.55)),
        MotionEnded(1, 0.0, 0.5, False),
    ]


def test_a_disturbance_waits_for_the_next_drive_and_serves_once() -> None:
    field = field_with((1.0, 1.0, 0.0))
    space = space_manager(field, 0.03)
    ask_again(space, Disturbance(1, 0.5, 0.0))
    ask_again(space, Motion(1, 0.5, 0.0), Motion(1, -0.5, 0.0))
    assert field.x[0] == 1.0
    ask_again(space, Motion(1, 0.0, 0.2))
    assert field.x[0] == near(1.3)
    ask_again(space, Motion(1, 0.0, 0.2))
    assert field.x[0] == near(1.5)


def test_bodies_are_solid() -> None:
    field = field_with((1.0, 1.0, 0.0), (1.5, 1.0, 0.0))
    assert ask(field, Motion(1, 0.0, 1.0)) == [
        PoseChange(1, near(1.3), 1.0, 0.0),
        MotionEnded(1, 0.0, near(0.3), True),
        Contact(1, True),
    ]


@pytest.mark.parametrize(("heading", "distance"), [(0.0, 2.9), (pi, 0.9), (pi / 2, 2.9), (-pi / 2, 0.9)])
def test_walls_are_solid_in_both_gears(heading: float, distance: float) -> None:
    forward = ask(field_with((1.0, 1.0, heading)), Motion(1, 0.0, 9.0))
    backward = ask(field_with((1.0, 1.0, heading + pi)), Motion(1, 0.0, -9.0))
    assert MotionEnded(1, 0.0, near(distance), True) in forward
    assert MotionEnded(1, 0.0, near(-distance), True) in backward


def test_a_robot_at_a_wall_goes_no_deeper_but_can_leave() -> None:
    field = field_with((0.1, 1.0, pi))
    assert MotionEnded(1, 0.0, 0.0, True) in ask(field, Motion(1, 0.0, 0.5))
    assert MotionEnded(1, 0.0, -0.5, False) in ask(field, Motion(1, 0.0, -0.5))


def test_whiskers_report_changes_only_and_answer_when_asked() -> None:
    field = field_with((1.0, 1.0, 0.0), obstacles=(Circle(2.0, 1.0, 0.5),))
    space = space_manager(field, 0.03)
    assert Contact(1, True) not in ask_again(space, Motion(1, 0.0, 0.36))
    assert Contact(1, True) in ask_again(space, Motion(1, 0.0, 0.02))
    assert Contact(1, True) not in ask_again(space, Motion(1, 0.0, 0.01))
    assert ask_again(space, Feel(1)) == [Contact(1, True)]
    assert Contact(1, False) in ask_again(space, Motion(1, 0.0, -0.05))
    assert ask_again(space, Feel(1)) == [Contact(1, False)]


def test_turning_away_frees_the_whiskers() -> None:
    field = field_with((1.0, 1.0, 0.0), (1.21, 1.0, 0.0))
    space = space_manager(field, 0.03)
    ask_again(space, Motion(1, 0.0, 0.005))
    assert Contact(1, False) in ask_again(space, Motion(1, pi, 0.0))


moves = st.lists(
    st.tuples(st.integers(1, 4), st.floats(-pi, pi), st.floats(-2.0, 2.0), st.floats(-0.5, 0.5), st.floats(-3.0, 3.0)),
    max_size=25,
)


@given(moves)
def test_whatever_is_commanded_no_body_enters_another_thing(
    commands: list[tuple[int, float, float, float, float]],
) -> None:
    obstacles = (Circle(2.0, 2.0, 0.4), box(3.0, 1.0, 0.4, 0.8, 0.5))
    field = field_with((0.5, 0.5, 0.0), (1.0, 0.5, 0.0), (0.5, 1.0, 2.0), (3.5, 3.5, 1.0), obstacles=obstacles)
    space = space_manager(field, 0.03)
    for robot, turn, distance, stretch, swerve in commands:
        ask_again(space, Disturbance(robot, stretch, swerve), Motion(robot, turn, distance))
        assert min(field.clearance(body) for body in range(4)) > -1e-9


def test_the_order_in_a_bag_does_not_matter() -> None:
    """Two robots drive at each other, and both look: the lower number goes first, and looks come last."""
    messages = [Motion(1, 0.0, 0.5), Motion(2, 0.0, 0.5), Cast(1, (0.0,), 1.0), Cast(2, (0.0,), 1.0)]
    results = [ask(field_with((1.0, 1.0, 0.0), (1.6, 1.0, pi)), *order) for order in permutations(messages)]
    assert all(result == results[0] for result in results)
    assert MotionEnded(1, 0.0, near(0.4), True) in results[0]
    assert Distances(1, (near(0.0),)) in results[0]


class Driver(Atomic):
    go = Out(Motion)
    done = In(MotionEnded)

    def initialize(self) -> None:
        self.activate("go")

    def lambdaf(self) -> None:
        self.go.add(Motion(2, 0.0, 0.4))

    def deltext(self, e: float) -> None:
        self.result = (e, self.done.get())


def test_an_environment_times_a_motion_and_answers_the_right_robot() -> None:
    environment = Environment("environment", field_with((1.0, 1.0, 0.0), (1.0, 2.0, 0.0)), 0.2, 1.0, 0.03)
    top, driver, other = Coupled("top"), Driver("driver"), Port(MotionEnded, "other")
    top.add_component(environment)
    top.add_component(driver)
    top.add_out_port(other)
    first, second = (
        environment.offer(1, Motion, MotionEnded, "motor"),
        environment.offer(2, Motion, MotionEnded, "motor"),
    )
    top.add_coupling(driver.go, second.ask)
    top.add_coupling(second.answer, driver.done)
    top.add_coupling(first.answer, other)
    Simulator(top).run()
    assert driver.result == (2.0, MotionEnded(2, 0.0, 0.4, False))
    assert not other


def test_an_environment_hands_disturbances_and_fixes_on_and_tells_where_robots_stand() -> None:
    environment = Environment("environment", field_with((1.0, 1.0, 0.0), (1.0, 2.0, 0.0)), 0.2, 1.0, 0.03)
    motor = environment.offer(2, Motion, MotionEnded, "motor")
    with Simulator(environment) as simulator:
        simulator.inject(environment.fix, Fix(2, 1.5, 2.5, 0.0))
        simulator.run(until=0.0)
        assert list(environment.pose_change.values) == [PoseChange(2, 1.5, 2.5, 0.0)]
        simulator.inject(environment.disturbance, Disturbance(2, 0.5, 0.0), at=1.0)
        simulator.inject(motor.ask, Motion(2, 0.0, 0.4), at=1.0)
        simulator.run(until=3.0)
        assert list(environment.pose_change.values) == [PoseChange(2, near(2.1), 2.5, 0.0)]


@pytest.mark.parametrize(
    ("world", "question", "answer"),
    [
        ("counterpart", Motion(2, 0.5, 0.0), MotionEnded(2, 0.5, 0.0, False)),
        ("room", Probe(2, 0.0, 1.0), Room(2, inf, 5.0)),
        ("ranging", Cast(2, (pi,), 2.0), Distances(2, (near(0.9),))),
        ("whiskers", Feel(2), Contact(2, False)),
    ],
)
def test_what_an_environment_offers_answers_what_it_is_asked(world: str, question: Any, answer: Any) -> None:
    environment = Environment("environment", field_with((1.0, 1.0, 0.0), (1.0, 2.0, 0.0)), 0.2, 1.0, 0.03)
    side = environment.offer(2, type(question), type(answer), world)
    with Simulator(environment) as simulator:
        simulator.inject(side.ask, question)
        simulator.run(until=0.0)
        assert list(side.answer.values) == [answer]


def test_what_is_just_in_reach_is_touched_and_what_is_just_not_in_the_way_stops_nobody() -> None:
    """All lengths are exact in binary; the wall is at x = 4 m."""
    field = Field(4.0, 4.0)
    field.add_body(1.0, 1.0, 0.0, 0.25)
    space = space_manager(field, 0.25)
    assert ask_again(space, Motion(1, 0.0, 2.25)) == [PoseChange(1, 3.25, 1.0, 0.0), MotionEnded(1, 0.0, 2.25, False)]
    assert ("felt1", Contact(1, True)) in tell(space, (space.fix, Fix(1, 3.5, 1.0, 0.0)))
    assert ask_again(space, Motion(1, 0.0, 0.25)) == [PoseChange(1, 3.75, 1.0, 0.0), MotionEnded(1, 0.0, 0.25, False)]
    assert field.cast(0, 0.0, 0.0) == 0.0
    assert ("felt1", Contact(1, False)) in tell(space, (space.fix, Fix(1, 3.4999999, 1.0, 0.0)))
