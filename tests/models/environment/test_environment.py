"""The environment's side of activities: what it takes, what it offers, and what means nothing to it."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics import ModelError, Simulator
from devs_robotics.core.population.rows import Rows
from devs_robotics.models.environment import Field
from devs_robotics.models.environment.environment import Environment
from devs_robotics.models.environment.messages import GlideMotion, Motion, MotionEnded, Twist
from devs_robotics.models.environment.time_manager import Pace
from tests.devs_robotics.core.small_models import Log


def environment(**options: Any) -> Environment:
    field = Field(4.0, 4.0)
    for number in range(3):
        field.add_body(0.5 + number, 1.0, 0.0, 0.1)
    return Environment("environment", field, 0.1, 1.0, 0.02, **options)


@pytest.mark.parametrize(
    ("asks", "takes"), [(Motion, True), (Twist, True), (GlideMotion, True), (str, False), (None, False), (Log, False)]
)
def test_it_takes_what_means_something_to_it(asks: Any, takes: bool) -> None:
    assert environment().takes(asks) is takes


def test_what_it_does_not_take_is_told_with_what_it_does() -> None:
    with pytest.raises(ModelError, match=r"^the environment takes no str: it takes motions, velocities, actions, "):
        environment().offer(1, str, MotionEnded, "motor")
    with pytest.raises(ModelError, match=r"^the environment takes no str of many robots at once$"):
        environment().offer_rows([1, 2], str, MotionEnded, "motors", "")


def run(made: Environment, *asked: tuple[int, str]) -> list[tuple[int, float]]:
    """Which robots have ended a motion of 0.2 m, and when, where these are offered and commanded."""
    exchanges = [(robot, made.offer(robot, Motion, MotionEnded, kind)) for robot, kind in asked]
    ended: list[tuple[int, float]] = []
    with Simulator(made) as simulator:
        for robot, exchange in exchanges:
            simulator.inject(exchange.ask, Motion(robot, 0.0, 0.2), at=1.0)
        while simulator.next_time < 100.0:
            simulator.run(max_steps=1)
            for robot, exchange in exchanges:
                ended += [(robot, simulator.time) for report in exchange.answer.values if report.robot == robot]
    return ended


def test_motions_take_time_at_the_pace_of_the_robot_or_of_all() -> None:
    made = environment(own={2: Pace(0.2, 1.0)})
    ended = run(made, (1, "motor"), (2, "motor"))
    assert [(robot, round(time, 6)) for robot, time in ended] == [(2, 2.0), (1, 3.0)]
    assert {each.name for each in made.components} == {"space", "time1", "time2"}


def test_a_counterpart_has_made_its_motion_already() -> None:
    made = environment()
    assert run(made, (1, "counterpart")) == [(1, 1.0)]
    assert made.space.world.field.pose(0)[0] == pytest.approx(0.7)
    assert {each.name for each in made.components} == {"space"}


def test_ports_that_tell_of_bodies_are_made_once_when_somebody_asks() -> None:
    made = environment()
    assert (made.space.tells_trajectories, made.space.tells_bodies) == (False, False)
    trajectories, bodies = made.tell_trajectories(), made.tell_bodies()
    assert made.tell_trajectories() is trajectories is made.output["trajectory_change"]
    assert made.tell_bodies() is bodies is made.output["body_motion"]
    assert (made.space.tells_trajectories, made.space.tells_bodies) == (True, True)


def test_on_a_grid_it_looks_at_its_points() -> None:
    assert environment().on_grid is None
    made = environment(strategy="grid", grid=0.25)
    assert made.on_grid is made.space


def test_many_robots_may_share_an_exchange_of_rows() -> None:
    made = environment()
    exchange = made.offer_rows([1, 2, 3], Twist, MotionEnded, "wheels", "")
    assert (exchange.ask.p_type, exchange.answer.p_type) == (Rows, Rows)
    assert (exchange.ask.name, exchange.answer.name) == ("wheels_ask", "wheels_answer")
    assert isinstance(exchange.ask.parent, Environment)


def test_an_exchange_has_the_types_and_names_that_were_asked_for() -> None:
    exchange = environment().offer(2, Twist, MotionEnded, "wheels")
    assert (exchange.ask.name, exchange.answer.name) == ("wheels2_ask", "wheels2_answer")
    assert (exchange.ask.p_type, exchange.answer.p_type) == (Twist, MotionEnded)
