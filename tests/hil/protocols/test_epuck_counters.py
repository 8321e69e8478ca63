"""E-pucks' step counters: they wrap, or do not, and show what nobody told the wheels."""

from __future__ import annotations

from functools import partial

import pytest

from devs_robotics import Drive, Driven, Fault, Ranges
from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.testing.driver_bench import LOOK
from tests.approximately import near
from tests.hil.protocols.epuck_peer import BinaryPeer
from tests.hil.protocols.test_epuck import STEP, bench, every_protocol, motion, odometry, same


@every_protocol
@pytest.mark.parametrize("distance", [0.2, -0.2])
@pytest.mark.parametrize("offset", [(-32700, 32700), (32000, -32000), (32767, -32768)], ids=str)
def test_counters_may_wrap(protocol: str, offset: tuple[int, int], distance: float) -> None:
    on, robot = bench(protocol, (1.0, Drive(1.0, distance)))
    robot.offset = list(offset)
    on.run()
    assert motion(on) == same(odometry(robot))
    assert on.told(Driven)[0].distance == pytest.approx(distance, abs=0.001)
    assert on.driver.dropped == {}


@pytest.mark.parametrize("distance", [0.2, -0.2])
@pytest.mark.parametrize("offset", [(32000, 32700), (-32000, -32700), (40000, -40000), (99990, -99990), (2**31 - 9, 9)])
def test_in_text_counters_may_be_any_integers(offset: tuple[int, int], distance: float) -> None:
    """An e-puck2 counts with 32 bits there."""
    on, robot = bench("epuck-ascii", (1.0, Drive(1.0, distance)), (9.0, Drive(-1.0, 0.0)))
    robot.bits, robot.offset = 32, list(offset)
    on.run()
    assert motion(on) == same(odometry(robot))
    assert on.told(Driven)[0].distance == pytest.approx(distance, abs=0.001)
    assert on.driver.dropped == {}


@every_protocol
def test_distances_are_right_over_more_steps_than_counters_have(protocol: str) -> None:
    """Ten metres there and back, which is more than 65536 steps on either way."""
    on, robot = bench(protocol, (1.0, Drive(0.0, 10.0)), (110.0, Drive(0.0, -10.0)))
    robot.bits = 32 if protocol == "epuck-ascii" else 16
    on.run(220.0)
    assert [driven.distance for driven in on.told(Driven)] == [near(10.0, 2.5 * STEP), near(-10.0, 2.5 * STEP)]
    assert motion(on) == same(odometry(robot))


@every_protocol
@pytest.mark.parametrize("speeds", [(300, 300), (-300, 300), (0, -40)])
@pytest.mark.parametrize("after", [0.5, 8.0])
def test_wheels_that_turn_while_they_should_stand_are_somebody_elses(
    protocol: str, speeds: tuple[int, int], after: float
) -> None:
    on, robot = bench(protocol, (2.0, Drive(0.0, 0.1)))
    on.at(after, lambda: robot.set_speeds(*speeds))
    on.run()
    assert on.times(Fault) == [pytest.approx(after, abs=1.6)]
    assert "steps after it had stopped as it was told: somebody else commands it, or its link was held up" in on.fault
    assert robot.speeds == (0, 0)


@every_protocol
def test_a_robot_that_rolls_on_a_little_is_believed_and_it_belongs_to_the_next_report(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.1)), (8.0, Drive(0.0, 0.05)))
    on.at(6.0, lambda: robot.set_speeds(100, 100))
    on.at(6.3, lambda: robot.set_speeds(0, 0))
    on.run()
    assert motion(on) == same(odometry(robot))
    assert on.told(Driven)[1].distance == pytest.approx(0.05 + 30 * STEP, abs=2.5 * STEP)


@every_protocol
def test_a_robot_that_was_turning_before_the_run_is_stopped_and_that_belongs_to_no_move(protocol: str) -> None:
    on, robot = bench(protocol, (2.0, Drive(0.0, 0.1)))
    obey, robot.speeds = robot.set_speeds, (500, 500)
    robot.set_speeds = lambda left, right: None if on.clock.now() < 0.3 else obey(left, right)  # type: ignore[method-assign]
    on.run()
    assert robot.steps[0] > 0.1 / STEP + 140.0
    assert motion(on)[1] == pytest.approx(0.1, abs=2.5 * STEP)


@every_protocol
def test_a_robot_that_goes_on_and_on_though_it_could_be_stopped_is_not_believed(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.05)))
    obey = robot.set_speeds
    robot.set_speeds = lambda left, right: obey(1000, 1000) if on.clock.now() >= 1.0 else obey(left, right)  # type: ignore[method-assign]
    on.run()
    assert "was told to turn 0 degrees and go 5.0 cm, and turned 0 degrees and went 2" in on.fault
    assert "somebody else commands it, or it does not hear" in on.fault
    assert on.times(Fault)[0] < 4.0
    assert on.told(Driven) == []


@pytest.mark.parametrize(("drift", "valid"), [(0, True), (200, True), (-200, True), (201, False), (-201, False)])
def test_an_answer_that_ends_with_other_counters_than_it_began_with_is_out_of_step(drift: int, valid: bool) -> None:
    on, robot = bench("epuck-binary", (4.0, LOOK))
    assert isinstance(robot, BinaryPeer)
    robot.drift = drift
    on.run(until=8.0)
    assert bool(on.told(Ranges)) == valid
    assert bool(on.driver.dropped) != valid
    assert valid or "was not found within 5 s" in on.fault


def test_an_answer_is_out_of_step_even_where_counters_wrap() -> None:
    on, robot = bench("epuck-binary", (4.0, LOOK))
    assert isinstance(robot, BinaryPeer)
    robot.drift, robot.offset = 100, [32700, -32700]
    on.run(until=6.0)
    assert on.told(Ranges)
    assert on.driver.dropped == {}


@every_protocol
def test_a_reading_that_is_garbled_now_and_then_is_neither_motion_nor_a_restart(protocol: str) -> None:
    """A little beside, while the robot stands, and far away, while it moves."""
    on, robot = bench(protocol, (7.0, Drive(0.0, 0.6)))
    for at, wrong in ((3.0, 100), (4.0, -100), (5.0, 60), (8.0, 9000), (9.0, -9000), (10.0, 9000), (11.0, 15000)):
        on.at(at + 0.02, partial(setattr, robot, "offset", [wrong, wrong]))
        on.at(at + 0.065, partial(setattr, robot, "offset", [0, 0]))
    on.run(30.0)
    assert not on.told(Fault)
    assert motion(on) == same(odometry(robot))
    assert on.driver.dropped["step counters that jump"] >= 4


@every_protocol
def test_a_robot_that_went_far_without_its_link_is_believed(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.2)), (12.0, Drive(0.0, -0.1)))
    on.cut(2.0, mended=6.7)
    on.run()
    assert not on.told(Fault)
    assert motion(on) == same(odometry(robot))
    assert on.told(Driven)[0].distance > 1.5 * 0.2 + 0.2


@every_protocol
def test_what_was_asked_over_a_link_that_is_lost_is_not_waited_for_on_the_next_one(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.1)), (6.6, LOOK))
    robot.latency = 0.02
    on.cut(6.01, mended=6.3)
    on.run(8.0)
    assert on.times(Ranges) == [pytest.approx(6.7, abs=0.1)]
    assert isinstance(on.driver.protocol, Epuck)
    assert on.driver.protocol.round_trip.longest < 0.1


def test_proximity_without_counters_is_no_answer() -> None:
    on, robot = bench("epuck-ascii", (1.0, Drive(0.1, 0.0)))
    robot.latency = 0.02
    on.say(b"n,0,0,0,0,0,0,0,0\r\n", at=0.51)
    on.run(5.0)
    assert on.driver.dropped == {"no answer": 1}
    assert motion(on) == same(odometry(robot))
