"""Motors whose bodies are on their way all the time: where they lead, how long they take, and what stops them."""

from __future__ import annotations

from math import inf, sqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, ModelError
from devs_robotics.models.activities.ramp_motor import RampMotor, ramps
from devs_robotics.models.environment import Twist
from devs_robotics.models.environment.messages import Halted
from tests.approximately import near
from tests.models.play import settle, tell

ACCELERATIONS = st.one_of(st.just(inf), st.floats(0.1, 10.0))


def motor(acceleration: float = inf, delay: float = 0.0) -> RampMotor:
    made = RampMotor("motor", 3, 0.15, 1.25, acceleration, 0.1, delay)
    made.initialize()
    return made


def carried_out(made: RampMotor, command: Drive) -> tuple[float, float, float, list[Driven]]:
    """How far a body with these velocities turns and goes, when it rests again, and what is reported."""
    turned = gone = time = 0.0
    reports = []
    twist = Twist(3, 0.0, 0.0)
    said = tell(made, (made.drive.ask, command), e=0.0)
    while True:
        for port, value in said:
            if port == "world_ask":
                twist = value
            else:
                reports.append(value)
        wait = made.ta()
        if wait == inf:
            break
        turned += wait * twist.turn_rate
        gone += wait * twist.speed
        time += wait
        made.lambdaf()
        said = [(port.name, value) for port in made.out_ports for value in port.values]
        for sent in made.out_ports:
            sent.clear()
        made.deltint()
        said += settle(made)
    assert (twist.speed, twist.turn_rate) == (0.0, 0.0), "it rests"
    return turned, gone, time, reports


@given(st.floats(-3.0, 3.0), st.floats(-2.0, 2.0), ACCELERATIONS, st.floats(0.0, 0.5))
@example(0.0, 5e-324, 0.5, 0.0)
def test_a_body_is_led_where_the_command_says_and_that_is_reported_once(
    turn: float, distance: float, acceleration: float, delay: float
) -> None:
    command = Drive(turn=turn, distance=distance)
    turned, gone, time, reports = carried_out(motor(acceleration, delay), command)
    assert (turned, gone) == (near(turn), near(distance))
    assert reports == [Driven(turn, distance)]
    assert time >= delay + abs(turn) / 1.25 + abs(distance) / 0.15 - 1e-9, "no faster than the motor is"


@given(st.floats(0.001, 2.0), st.floats(0.1, 10.0))
def test_a_way_takes_as_long_as_even_acceleration_does(length: float, acceleration: float) -> None:
    rise = 0.15 / acceleration
    triangle = length < 0.15 * rise
    expected = 2.0 * sqrt(length / acceleration) if triangle else length / 0.15 + rise
    assert sum(duration for duration, _ in ramps(length, 0.15, acceleration)) == near(expected, 1e-8)


def test_what_stops_the_body_ends_the_command_and_says_how_far_it_has_come() -> None:
    made = motor()
    assert tell(made, (made.drive.ask, Drive(distance=0.15)))[-1] == ("world_ask", Twist(3, 0.15, 0.0))
    said = tell(made, (made.world.answer, Halted(3, True)), e=0.4)
    assert said == [("drive_answer", Driven(0.0, near(0.06), True)), ("world_ask", Twist(3, 0.0, 0.0))]
    assert made.ta() == inf
    assert tell(made, (made.world.answer, Halted(3, False))) == []


def test_a_new_command_takes_the_place_of_one_under_way_which_is_never_reported() -> None:
    made = motor()
    tell(made, (made.drive.ask, Drive(distance=0.15)))
    said = tell(made, (made.drive.ask, Drive(turn=1.25)), e=0.5)
    assert said == [("world_ask", Twist(3, 0.0, 0.0)), ("world_ask", Twist(3, 0.0, 1.25))]
    assert made.ta() == near(1.0)


def test_the_layer_above_comes_first() -> None:
    made = motor()
    tell(made, (made.override.ask, Drive(distance=0.15)))
    assert tell(made, (made.drive.ask, Drive(turn=1.25)), e=0.5) == []
    made.sigma = 0.0
    assert ("override_answer", Driven(0.0, 0.15)) in settle(made)
    assert tell(made, (made.drive.ask, Drive(turn=1.25)))[-1] == ("world_ask", Twist(3, 0.0, 1.25))


def test_what_no_motor_can_be_or_do_is_told() -> None:
    with pytest.raises(ModelError, match="its acceleration must be above 0"):
        motor(acceleration=0.0)
    made = motor()
    with pytest.raises(ModelError, match="must send finite angles and distances"):
        tell(made, (made.drive.ask, Drive(distance=inf)))
