"""What e-pucks' drivers take for a jump, for straying, for silence and for slow; and what they send of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import inf

import msgspec
import pytest

from devs_robotics import Drive, Driven, Fault, HeldLink, Link, Packet, Ranges, Touch
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.protocols.epuck2_wifi import Epuck2Wifi
from devs_robotics.hil.protocols.events import Output
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, SETTINGS, DriverBench
from tests.approximately import near
from tests.hil.protocols.epuck_peer import WifiPeer
from tests.hil.protocols.test_epuck import STEP, bench, driver, every_protocol, motion, odometry, same
from tests.hil.protocols.test_epuck2_wifi import packet
from tests.models.play import Said, tell

JUMPS = "step counters that jump"


def hear(on: Driver, content: Packet | Link, e: float = 0.25) -> list[Said]:
    return tell(on, (on.incoming, content), e=e)


def steps(on: Driver, left: int, right: int, e: float = 0.25) -> None:
    """It says that its wheels are there."""
    hear(on, Packet(packet(steps=(left, right), ahead=2000, light=(0,) * 16)), e)


def connected() -> Driver:
    """A robot whose first word took a quarter of a second; times are exact in binary."""
    protocol = Epuck2Wifi(3, SETTINGS)
    on = Driver("driver", "tcp://robot:1000", protocol)
    on.initialize()
    hear(on, Link(up=True))
    steps(on, 5, 5)
    assert protocol.round_trip.longest == 0.25
    return on


@pytest.mark.parametrize(("left", "right"), [(1, 0), (0, 1), (-1, 0), (0, -1), (1, -1)])
def test_counters_may_come_as_far_as_wheels_turn_meanwhile_and_200_steps(left: int, right: int) -> None:
    """A quarter of a second after a reading that showed what was true a quarter before: half a second."""
    for far, jumps in ((200 + 1000, 0), (200 + 1000 + 1, 1)):
        on = connected()
        steps(on, 5 + far * left, 5 + far * right)
        assert on.dropped.get(JUMPS, 0) == jumps


@pytest.mark.parametrize("unseen", [0.5, 1.0])
def test_counters_may_come_further_while_nobody_saw_to_the_robot(unseen: float) -> None:
    for far, jumps in ((200 + 2000 + round(2000 * unseen), 0), (200 + 2000 + round(2000 * unseen) + 1, 1)):
        on = connected()
        hear(on, HeldLink(False, "paused", unseen))
        hear(on, Link(up=True))
        steps(on, 5 + far, 5)
        assert on.dropped.get(JUMPS, 0) == jumps


@every_protocol
def test_counters_that_jump_are_believed_when_they_stay_and_may_jump_again(protocol: str) -> None:
    """Each time, three readings are waited for; after that a little is a jump as before."""
    on, robot = bench(protocol, (8.0, Drive(0.0, 0.1)))
    third = 0.06 if protocol == "epuck2-wifi" else 0.15  # three readings
    for number, there in enumerate((9000, 20000, 20700)):
        on.at(4.01 + number * third, partial(setattr, robot, "offset", [there, there]))
    on.run()
    assert on.driver.dropped == {JUMPS: 9}
    assert not on.told(Fault)
    assert motion(on) == same(odometry(robot))


@every_protocol
@pytest.mark.parametrize(("offset", "strays"), [(50, False), (-50, False), (51, True), (-51, True)])
def test_wheels_at_rest_may_be_fifty_steps_away_and_further_only_for_a_moment(
    protocol: str, offset: int, strays: bool
) -> None:
    on, robot = bench(protocol, (1.0, Drive()))
    on.at(4.01, partial(setattr, robot, "offset", [offset, 0]))
    on.at(6.01, partial(setattr, robot, "offset", [0, offset]))
    on.run(until=8.0)
    assert on.driver.dropped == {}
    assert bool(on.told(Fault)) == strays
    if strays:
        assert 4.16 <= on.times(Fault)[0] <= 4.26
        assert "turned its wheels by 51 steps after it had stopped as it was told" in on.fault


@every_protocol
def test_wheels_that_strayed_for_a_moment_may_do_so_again(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive()))
    for at in (4.01, 4.21, 4.41):
        on.at(at, partial(setattr, robot, "offset", [80, 80]))
        on.at(at + 0.1, partial(setattr, robot, "offset", [0, 0]))
    on.run(until=6.0)
    assert on.told(Driven) == [Driven(0.0, 0.0)]
    assert not on.told(Fault)


@every_protocol
@pytest.mark.parametrize("wishes", [[], [(6.0, Drive(0.0, 0.1))]])
def test_counters_that_are_nothing_after_a_lost_link_are_those_of_a_robot_that_has_restarted(
    protocol: str, wishes: list[tuple[float, Drive]]
) -> None:
    """Though it had hardly moved before."""
    on, robot = bench(protocol, (1.0, Drive(0.0, 80 * STEP)), *wishes)
    on.cut(4.0, mended=4.5)
    on.at(4.2, robot.restart)
    on.run()
    assert not on.told(Fault)
    assert on.driver.dropped == {JUMPS: 3}
    assert motion(on) == same(odometry(robot))


@every_protocol
def test_a_robot_that_has_restarted_when_its_move_had_hardly_begun_is_a_fault(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.5)))
    on.cut(1.1, mended=1.5)
    on.at(1.2, robot.restart)
    on.run()
    assert "has restarted in the middle of a move, or its step counters were set" in on.fault


@every_protocol
def test_counters_may_be_nothing_if_they_were_before_or_if_the_link_was_there_all_the_time(protocol: str) -> None:
    on, robot = bench(protocol, (6.0, Drive(0.0, 0.1)))
    on.cut(2.0, mended=2.5)
    on.at(3.01, partial(setattr, robot, "offset", [20, 20]))
    on.at(4.01, partial(setattr, robot, "offset", [0, 0]))
    on.run()
    assert on.driver.dropped == {}
    assert motion(on) == same(odometry(robot))


@pytest.mark.parametrize(("took", "slow"), [(0.2, False), (0.21, True)])
def test_a_fault_mentions_a_link_that_is_slow(took: float, slow: bool) -> None:
    on = connected()
    assert isinstance(on.protocol, Epuck)
    on.protocol.round_trip.saw(took)
    on.give_up("is of no use")
    on.lambdaf()
    (fault,) = on.fault.values
    assert fault.reason == "robot 3 at tcp://robot:1000 is of no use" + (
        " (its link is slow: it obeys 0.2 s late)" if slow else ""
    )


@every_protocol
def test_a_robot_that_fell_silent_and_went_on_is_believed(protocol: str) -> None:
    """It was to go a decimetre, and makes six, of which it was deaf for five."""
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.1)))
    on.at(1.5, partial(setattr, robot, "deaf", True))
    on.at(6.0, partial(setattr, robot, "deaf", False))
    on.run()
    assert not on.told(Fault)
    assert motion(on) == same(odometry(robot))
    assert 0.45 < motion(on)[1] < 0.55


@every_protocol
def test_a_robot_that_falls_silent_is_told_to_stop_again_and_again(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.5)))
    on.at(2.01, partial(setattr, robot, "say", lambda data: None))
    on.run(until=3.99)
    stops = [time for time in robot.stops if 1.0 < time < 3.99]
    assert stops[0] == near(3.05, 0.06)
    assert len(stops) > 16
    assert isinstance(on.driver.protocol, Epuck)
    assert on.driver.protocol.control.stop_at == inf


@every_protocol
@pytest.mark.parametrize("faster", [0.9, 1.2])
def test_a_leg_is_over_at_its_time_and_at_no_other(protocol: str, faster: float) -> None:
    """Not when it was over before, nor when it was cut off, and not while the link is lost."""
    on, robot = bench(
        protocol,
        *((1.0, Drive(0.5, 0.2)), (6.0, Drive(0.0, 0.5)), (7.0, Drive(0.0, -0.5)), (16.0, Drive(0.0, 0.5))),
    )
    robot.faster = faster
    assert isinstance(on.driver.protocol, Epuck)
    made, times = on.driver.protocol, []
    reminded = made.reminded

    def watched(what: str) -> Iterator[Output]:
        times.append(made.now.time)
        assert made.control.stop_at == near(made.now.time, 1e-6)
        return reminded(what)

    made.reminded = watched  # type: ignore[method-assign]
    on.cut(17.0, mended=21.5)
    on.run(until=26.0)
    assert not on.told(Fault)
    assert times


@every_protocol
def test_wheels_are_told_only_what_they_are_not_doing(protocol: str) -> None:
    """A turn of an ideal robot, and its way: two legs, each with its end."""
    on, robot = bench(protocol, (1.0, Drive(0.5, 0.2)))
    set_speeds, told = robot.set_speeds, list[tuple[int, int]]()

    def note(left: int, right: int) -> None:
        if on.clock.now() >= 1.0:
            told.append((left, right))
        set_speeds(left, right)

    robot.set_speeds = note  # type: ignore[method-assign]
    on.run(until=6.0)
    assert all(before != after for before, after in pairwise(told[:-1]))
    assert told[:2] == [(-206, 206), (0, 0)]


@pytest.mark.parametrize(("latency", "most"), [(0.2, 1), (0.45, 1), (0.55, 2)])
@pytest.mark.parametrize("protocol", ["epuck-ascii", "epuck-binary"])
def test_a_robot_whose_answers_take_more_than_a_second_is_asked_before_they_have_come(
    protocol: str, latency: float, most: int
) -> None:
    on, robot = bench(protocol)
    robot.latency = latency
    assert isinstance(on.driver.protocol, Epuck)
    made, awaited = on.driver.protocol, list[int]()
    for tick in range(400):
        on.at(10.0 + 0.01 * tick, lambda: awaited.append(len(made.polling.awaited)))
    on.run(until=15.0)
    assert (max(awaited) > 1) == (most > 1)
    assert not on.told(Fault)
    assert on.driver.dropped == {}


def test_beams_may_be_none_and_answers_have_as_many() -> None:
    for beams in ((), (0.0,)):
        on = DriverBench(driver("epuck2-wifi", msgspec.structs.replace(SETTINGS, beams=beams)), (2.0, LOOK))
        WifiPeer(on).ahead = 300
        on.run(until=3.0)
        assert on.told(Ranges) == [Ranges((near(0.3),) * len(beams))]


@every_protocol
def test_what_is_seen_in_a_reading_whose_counters_jump_is_not_believed(protocol: str) -> None:
    on, robot = bench(protocol, (4.02, LOOK), (4.02, FEEL))

    def become(offset: int, bright: int, ahead: int) -> None:
        robot.offset, robot.proximity, robot.ahead = [offset, offset], [bright] * 8, ahead

    on.at(4.015, partial(become, 9000, 4000, 20))
    on.at(4.045, partial(become, 0, 0, 2000))
    on.run(until=5.0)
    assert on.told(Ranges) == [Ranges((inf,))]
    assert on.told(Touch) == [Touch(False)]
    assert on.times(Ranges) == on.times(Touch) == [near(4.05, 0.011)]
    assert on.driver.dropped[JUMPS] > 0
