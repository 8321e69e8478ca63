"""E-pucks whose messages are late: moves are right and reported as they were made, or one sentence names the delay."""

from __future__ import annotations

from functools import partial
from math import inf, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Fault, Ranges, Touch
from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, DriverBench, Wish
from tests.approximately import near
from tests.hil.protocols.epuck_peer import BinaryPeer, EpuckPeer
from tests.hil.protocols.held_up import HeldUp, Holds
from tests.hil.protocols.test_epuck import AXLE, PEERS, STEP, bench, every_protocol, motion, odometry, same

every_robot = pytest.mark.parametrize("protocol", [*PEERS, "epuck-binary, old"])


def slow_bench(protocol: str, *wishes: tuple[float, Wish]) -> tuple[DriverBench, EpuckPeer]:
    on, robot = bench(protocol.partition(",")[0], *wishes)
    if isinstance(robot, BinaryPeer):
        robot.old = "old" in protocol
    return on, robot


@every_robot
@pytest.mark.parametrize("delay", [0.25, 0.4, 0.5, 1.0])
def test_with_a_constant_delay_moves_are_made_and_reported_as_they_were_made(protocol: str, delay: float) -> None:
    drives = (Drive(0.5, 0.2), Drive(-1.0, 0.0), Drive(0.0, -0.1), Drive(0.05, 0.003))
    on, robot = slow_bench(
        protocol, *((5.0 + 35.0 * number, drive) for number, drive in enumerate(drives)), (142.0, LOOK)
    )
    robot.latency = delay
    on.run(150.0)
    assert not on.told(Fault)
    assert [(driven.turn, driven.distance, driven.blocked) for driven in on.told(Driven)] == [
        (near(drive.turn, 4.0 * STEP / AXLE), near(drive.distance, 2.5 * STEP), False) for drive in drives
    ]
    assert motion(on) == same(odometry(robot))
    assert sum(abs(steps) for steps in robot.steps) < 1.2 * sum(
        abs(drive.turn) * AXLE / STEP + 2.0 * abs(drive.distance) / STEP for drive in drives
    )
    assert len(on.told(Ranges)) == 1
    assert on.driver.dropped == {}
    assert isinstance(on.driver.protocol, Epuck)
    assert on.driver.protocol.round_trip.longest == pytest.approx(2.0 * delay, abs=0.05)


@every_robot
def test_a_delay_with_which_nobody_could_drive_is_a_fault_that_names_it(protocol: str) -> None:
    on, robot = slow_bench(protocol, *((6.0 + number, Drive(0.2, 0.0)) for number in range(3)))
    robot.latency = 1.5
    on.run(60.0)
    assert "robot 3 at serial:///dev/robot cannot be driven with a delay of more than 2.5 s: check its link" in on.fault
    assert "(its link is slow: it obeys 3." in on.fault
    assert robot.speeds == (0, 0)


@every_protocol
@pytest.mark.parametrize("delay", [0.3, 0.6, 1.1])
def test_a_delay_that_comes_in_the_middle_of_a_run_is_noticed(protocol: str, delay: float) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.1)), (6.0, Drive(0.4, 0.05)), (40.0, Drive(-0.4, 0.0)))
    on.at(4.0, partial(setattr, robot, "latency", delay))
    on.run(80.0)
    assert not on.told(Fault)
    assert [driven.blocked for driven in on.told(Driven)] == [False] * 3
    assert motion(on) == same(odometry(robot))
    assert motion(on) == (near(0.0, 8.0 * STEP / AXLE), near(0.15, 5.0 * STEP))


@every_protocol
@pytest.mark.parametrize("moves", [[], [(3.0, Drive(0.2, 0.0))]])
def test_a_reading_is_newer_than_its_question_however_late_it_comes(
    protocol: str, moves: list[tuple[float, Wish]]
) -> None:
    """The wall is seen by nobody who asks after it has gone."""
    on, robot = bench(protocol, *moves, (20.0, LOOK), (20.0, FEEL))
    robot.latency = 0.5
    robot.ahead, robot.proximity = 20, [3000] * 8
    on.at(20.1, partial(setattr, robot, "ahead", 2000))
    on.at(20.1, partial(setattr, robot, "proximity", [0] * 8))
    on.run(30.0)
    assert on.told(Ranges) == [Ranges((inf,))]
    assert on.times(Ranges)[0] >= 21.0
    assert on.told(Touch)[-1] == Touch(False)
    assert [time for time in on.times(Touch) if time > 5.0] == [pytest.approx(21.0, abs=1.0)]


@every_protocol
def test_a_move_may_take_longer_where_the_link_is_slow(protocol: str) -> None:
    on, robot = bench(protocol, (4.0, Drive(0.0, 0.1)))
    quick = on.driver.protocol.duration(Drive(0.0, 0.1))
    robot.latency = 0.5
    on.run(20.0)
    assert on.driver.protocol.duration(Drive(0.0, 0.1)) == pytest.approx(quick + 8.0, abs=0.8)
    assert on.driver.protocol.patience == pytest.approx(1.5, abs=0.1)


@every_protocol
def test_a_move_that_is_cut_off_on_a_slow_link_is_reported_as_far_as_it_came(protocol: str) -> None:
    on, robot = bench(protocol, (5.0, Drive(0.0, 0.5)), (7.0, Drive(-0.3, 0.0)))
    robot.latency = 0.5
    on.run(40.0)
    first, second = on.told(Driven)
    assert first.distance == pytest.approx(0.2, abs=0.01)
    assert second.turn == pytest.approx(-0.3, abs=0.01)
    assert motion(on) == same(odometry(robot))


@every_protocol
def test_a_robot_that_never_moves_is_blocked_even_where_the_link_is_slow(protocol: str) -> None:
    on, robot = bench(protocol, (5.0, Drive(0.0, 0.2)))
    robot.latency, robot.faster = 0.25, 0.0
    on.run(30.0)
    assert on.told(Driven) == [Driven(0.0, 0.0, blocked=True)]
    assert robot.speeds == (0, 0)


@every_protocol
def test_an_answer_that_is_lost_is_not_taken_for_a_slow_link_for_long(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.1)), (9.0, LOOK))
    for at in (4.0, 5.5):
        on.at(at, partial(setattr, robot, "deaf", True))
        on.at(at + 0.12, partial(setattr, robot, "deaf", False))
    on.run(12.0)
    assert on.times(Ranges) == [pytest.approx(9.0, abs=0.1)]
    assert isinstance(on.driver.protocol, Epuck)
    assert on.driver.protocol.round_trip.longest < 0.1


@every_protocol
def test_a_move_that_runs_out_of_time_again_and_again_ends_the_run(protocol: str) -> None:
    """Each time it comes a little nearer."""
    on, robot = bench(protocol, (1.0, Drive(pi, 0.0)))
    robot.faster = 0.05
    on.run(100.0)
    assert "ran out of time 3 times in one move: check its wheels, its battery and its link" in on.fault
    assert robot.speeds == (0, 0)


class FarAway:
    """Puts an e-puck behind two lines that hold messages up now and then, but keep their order."""

    def __init__(self, robot: EpuckPeer, there: Holds, back: Holds) -> None:
        self._robot = robot
        self._there, self._back = HeldUp(there), HeldUp(back)
        self._hear, self._say = robot.hear, robot._send
        robot.hear, robot._send = self.hear, self.say  # type: ignore[method-assign]

    def hear(self, data: bytes) -> None:
        self._robot.table.at(self._there.arrival(self._robot.now), partial(self._hear, data))

    def say(self, data: bytes) -> None:
        self._robot.table.at(self._back.arrival(self._robot.now), partial(self._say, data))


holds = st.lists(st.tuples(st.floats(0.5, 12.0), st.floats(0.05, 1.5)), max_size=3)
drives = st.builds(Drive, st.sampled_from([0.0, 0.5, -0.3]), st.sampled_from([0.0, 0.1, -0.05]))


@every_protocol
@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.floats(1.0, 10.0), drives), min_size=1, max_size=3), holds, holds)
def test_whatever_is_held_up_the_robot_has_done_what_is_reported(
    protocol: str, wanted: list[tuple[float, Drive]], there: Holds, back: Holds
) -> None:
    """But for what it did too late for any report, which is little."""
    on, robot = bench(protocol, *wanted)
    FarAway(robot, there, back)
    on.run(40.0)
    if not on.told(Fault):
        assert len(on.told(Driven)) == len(wanted)
        turn, distance = motion(on)
        assert turn == pytest.approx(odometry(robot)[0], abs=100.0 * STEP / AXLE)
        assert distance == pytest.approx(odometry(robot)[1], abs=50.0 * STEP)
    assert robot.speeds == (0, 0)
