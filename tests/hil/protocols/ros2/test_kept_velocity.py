"""A base that is told by the speeds of its wheels: what they have rolled, and whether something holds it."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive, Obstructed, Rolled, Wheels
from devs_robotics.core.robots.plain_data import plain
from devs_robotics.hil.protocols.events import GivenUp, Lost, Output, Told
from devs_robotics.hil.protocols.ros2.kept_velocity import KeptVelocity
from devs_robotics.hil.protocols.ros2.motion import STALLED, STARTING, BaseState
from devs_robotics.hil.protocols.ros2.robot import PERIOD, Ros2Robot
from tests.hil.protocols.ros2.test_robot import ByHand

AXLE = 0.1


def arc(speed: float, turn_rate: float, time: float, heading: float) -> BaseState:
    """Where a base is after a time, from (0, 0), in small steps."""
    x = y = 0.0
    count = 2000
    for number in range(count):
        middle = heading + turn_rate * time * (number + 0.5) / count
        x += speed * time / count * cos(middle)
        y += speed * time / count * sin(middle)
    return BaseState(x, y, heading + turn_rate * time, speed, turn_rate)


def moving(left: float, right: float) -> KeptVelocity:
    kept = KeptVelocity(AXLE)
    kept.keep("wheels", plain(Wheels(left, right)), 0.0)
    return kept


@given(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3), st.floats(0.05, 0.5), st.floats(-pi, pi))
def test_wheels_have_rolled_what_they_were_told_to_on_whatever_arc(
    left: float, right: float, time: float, heading: float
) -> None:
    """The velocity is that of two wheels; and odometry on its arc tells the ways of the wheels again."""
    kept = moving(left, right)
    assert kept.velocity is not None
    speed, turn_rate = kept.velocity.speed, kept.velocity.turn_rate
    assert speed == pytest.approx((left + right) / 2.0)
    assert turn_rate == pytest.approx((right - left) / AXLE)
    assert list(kept.heard(BaseState(0.0, 0.0, heading, 0.0, 0.0), 0.0, moves=False, delay=0.0)) == []
    told = list(kept.heard(arc(speed, turn_rate, time, heading), time, moves=False, delay=0.0))
    rolled = [each for each in told if isinstance(each, Rolled)] or [Rolled(0.0, 0.0)]
    assert rolled[0].left == pytest.approx(left * time, abs=1e-6)
    assert rolled[0].right == pytest.approx(right * time, abs=1e-6)


def test_a_base_that_does_not_come_on_is_obstructed_until_it_does() -> None:
    """One that was never seen to obey gets more time."""
    kept, standing = moving(0.1, 0.1), BaseState(0.0, 0.0, 0.0, 0.0, 0.0)
    going = BaseState(0.01, 0.0, 0.0, 0.1, 0.0)

    def told(state: BaseState, time: float) -> list[Output]:
        return [each for each in kept.heard(state, time, moves=False, delay=0.0) if not isinstance(each, Rolled)]

    assert told(standing, 0.0) == told(standing, STARTING) == []
    assert told(standing, STARTING + 0.1) == [Told("wheels", plain(Obstructed(True)), unasked=True)]
    assert kept.obstructed
    assert told(going, 3.0) == [Told("wheels", plain(Obstructed(False)), unasked=True)]
    assert told(going, 3.1) == told(standing, 3.1 + STALLED - 0.1) == []
    assert told(standing, 3.2 + STALLED) == [Told("wheels", plain(Obstructed(True)), unasked=True)]
    kept.keep("wheels", plain(Wheels()), 4.0)
    assert told(standing, 4.1) == [Told("wheels", plain(Obstructed(False)), unasked=True)]


def test_what_a_move_has_gone_no_wheel_has_rolled() -> None:
    """Nor what a jump of odometry at rest is."""
    kept = moving(0.1, 0.1)
    list(kept.heard(BaseState(0.0, 0.0, 0.0, 0.0, 0.0), 0.0, moves=False, delay=0.0))
    assert list(kept.heard(BaseState(0.5, 0.0, 0.0, 0.1, 0.0), 1.0, moves=True, delay=0.0)) == []
    (rolled,) = kept.heard(BaseState(0.51, 0.0, 0.0, 0.1, 0.0), 1.1, moves=False, delay=0.0)
    assert isinstance(rolled, Rolled)
    assert (rolled.left, rolled.right) == pytest.approx((0.01, 0.01))
    kept.jumped()
    assert list(kept.heard(BaseState(7.0, 0.0, 0.0, 0.0, 0.0), 1.2, moves=False, delay=0.0)) == []


def test_the_velocity_is_told_again_and_again_and_zeros_for_a_while() -> None:
    robot = ByHand()
    robot.found()
    axle = robot.protocol.settings.axle
    robot.do(robot.protocol.ask("wheels", plain(Wheels(0.05, 0.15)), again=False))
    for number in range(4):
        robot.odometry(0.005 * number, speed=0.1)
        robot.passes(PERIOD)
    for speed, turn_rate in robot.told[-5:]:
        assert (speed, turn_rate) == pytest.approx((0.1, 0.1 / axle))
    robot.do(robot.protocol.ask("wheels", plain(Wheels()), again=False))
    before = len(robot.told)
    for _ in range(30):
        robot.odometry(0.02)
        robot.passes(PERIOD)
    assert robot.told[before:] == [(0.0, 0.0)] * 9, "and then others may command it"


def test_a_move_ends_what_wheels_keep_and_silence_stops_them_until_it_is_over() -> None:
    robot = ByHand()
    robot.found()
    robot.do(robot.protocol.ask("wheels", plain(Wheels(0.1, 0.1)), again=False))
    assert [type(each) for _ in range(7) for each in robot.passes(PERIOD)] == [Lost]
    assert robot.told[-1] == (0.0, 0.0)
    robot.protocol.now.ready = False
    robot.odometry(0.0)
    robot.passes(PERIOD)
    assert robot.told[-1] == (0.0, 0.0)
    robot.protocol.now.ready = True
    robot.passes(PERIOD)
    assert robot.told[-1] == (0.1, 0.0)
    robot.begin(Drive(0.0, -0.2))
    assert robot.protocol.kept.velocity is None
    robot.passes(PERIOD)
    assert robot.told[-1][0] < 0.0


def test_a_jump_while_wheels_turn_is_a_fault() -> None:
    robot = ByHand()
    robot.found()
    robot.do(robot.protocol.ask("wheels", plain(Wheels(0.1, 0.1)), again=False))
    robot.passes(PERIOD)
    (event,) = robot.odometry(3.0)
    assert isinstance(event, GivenUp)


def test_it_has_wheels_by_itself_and_may_carry_whatever_else_a_program_plays() -> None:
    assert Ros2Robot.carries("wheels", Wheels, Obstructed)
    assert not Ros2Robot.carries("wheels", Wheels, Rolled)
    assert Ros2Robot.has_by_itself("wheels", Wheels, Obstructed)
    assert not Ros2Robot.has_by_itself("gripper", Wheels, Obstructed)
    assert Ros2Robot.carries("gripper", Wheels, Obstructed), "a program on it may play that"


def test_a_base_of_which_one_hears_late_gets_more_time() -> None:
    """Twice the delay: a busy computer may double it."""
    kept, standing = moving(0.1, 0.1), BaseState(0.0, 0.0, 0.0, 0.0, 0.0)
    list(kept.heard(standing, 0.0, moves=False, delay=0.0))
    list(kept.heard(BaseState(0.01, 0.0, 0.0, 0.1, 0.0), 1.0, moves=False, delay=0.4))
    still = BaseState(0.01, 0.0, 0.0, 0.0, 0.0)
    assert list(kept.heard(still, 1.0 + 0.8 + STALLED, moves=False, delay=0.4)) == []
    told = list(kept.heard(still, 1.1 + 0.8 + STALLED, moves=False, delay=0.4))
    assert told == [Told("wheels", plain(Obstructed(True)), unasked=True)]
