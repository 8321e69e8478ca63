"""E-pucks whose wheels keep speeds, and whose proximity sensors are asked and watched, by all their protocols."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from devs_robotics import (
    Answered,
    AskCharge,
    Asked,
    Charge,
    Crossed,
    Drive,
    Driven,
    Fault,
    Light,
    Obstructed,
    Proximity,
    Ranges,
    Rolled,
    Sense,
    Watch,
    Wheels,
)
from devs_robotics.hil.protocols.naming import PROTOCOLS, protocol_for
from devs_robotics.hil.testing.driver_bench import LOOK, DriverBench, Wish
from tests.approximately import near
from tests.hil.protocols.epuck_peer import EpuckPeer
from tests.hil.protocols.test_epuck import PEERS, STEP, bench, every_protocol

SPEED = 388
"""Steps per second of a wheel that is to roll 5 cm per second."""

LIGHT_TOO = (b"Q\rO\rN\r", b"\xaf\xb2\xb1\xaf\xf3\x00")
"""What asks for light with all the rest, in text and in bytes."""

PERIOD = 0.06
"""A reading comes at least so often (s)."""


def equipped(protocol: str, *wishes: tuple[float, Wish]) -> tuple[DriverBench, EpuckPeer]:
    on, robot = bench(protocol, *wishes)
    on.driver.carried = {
        "wheels": (Wheels, Obstructed),
        "proximity": (Sense, Proximity),
        "proximity_watch": (Watch, Crossed),
        "light": (Sense, Light),
        "light_watch": (Watch, Crossed),
        "ground": (Watch, Crossed),
        "battery": (AskCharge, Charge),
    }
    return on, robot


def wheels(left: float, right: float) -> Asked:
    return Asked("wheels", Wheels(left, right))


def answers(on: DriverBench, kind: type[Any]) -> list[tuple[float, Any]]:
    return [
        (time, told.answer)
        for time, told in on.user.told
        if isinstance(told, Answered) and isinstance(told.answer, kind)
    ]


def rolled(on: DriverBench) -> tuple[float, float]:
    return sum(each.left for each in on.told(Rolled)), sum(each.right for each in on.told(Rolled))


@every_protocol
def test_wheels_keep_their_speed_until_the_next_and_tell_what_they_roll(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, wheels(0.05, 0.05)), (3.0, wheels(-0.05, 0.05)), (4.0, wheels(0.0, 0.0)))
    seen: dict[float, tuple[int, int]] = {}
    for time in (0.9, 1.1, 2.9, 3.1, 3.9, 4.1):
        on.at(time, lambda time=time: seen.update({time: robot.speeds}))  # type: ignore[misc]
    on.run(6.0)
    assert list(seen.values()) == [(0, 0), *[(SPEED, SPEED)] * 2, *[(-SPEED, SPEED)] * 2, (0, 0)]
    assert rolled(on) == (near(robot.steps[0] * STEP, STEP), near(robot.steps[1] * STEP, STEP))
    assert rolled(on) == (near(0.05, 0.005), near(0.15, 0.005))
    assert len(on.told(Rolled)) > 20
    assert not on.told(Fault)


@every_protocol
def test_speeds_that_no_wheel_has_are_cut(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, wheels(0.5, -0.5)))
    on.run(2.0)
    assert robot.speeds == (1100, -1100)


@every_protocol
def test_wheels_stop_when_the_run_ends(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, wheels(0.05, 0.05)))
    on.run(2.0)
    assert robot.steps == [near(SPEED, 0.1 * SPEED)] * 2
    time, last = on.sent[-1]
    robot.hear(last)
    assert robot.speeds == (0, 0)
    assert time == 2.0


@every_protocol
def test_a_robot_that_falls_silent_stops_within_half_a_second_and_goes_on_when_it_is_heard_again(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, wheels(0.05, 0.05)))
    hears = robot.say
    on.at(2.0, lambda: setattr(robot, "say", lambda data: None))
    on.at(2.9, lambda: setattr(robot, "say", hears))
    steps: list[float] = []
    for time in (2.5, 2.9):
        on.at(time, lambda: steps.append(robot.counters[0]))
    on.run(6.0)
    assert steps[0] == steps[1] == near(1.3 * SPEED, 0.1 * SPEED)
    assert robot.speeds == (SPEED, SPEED)
    assert robot.steps[0] > steps[1] + SPEED
    assert rolled(on)[0] == near(robot.steps[0] * STEP, 2.0 * PERIOD * SPEED * STEP)
    assert not on.told(Fault)


@every_protocol
def test_a_link_that_comes_back_finds_the_robot_driving_stops_it_and_goes_on(protocol: str) -> None:
    """Nobody can stop an e-puck while its link is lost."""
    on, robot = equipped(protocol, (1.0, wheels(0.05, 0.05)), (2.2, wheels(0.05, 0.0)))
    on.cut(2.0, mended=3.0)
    on.run(5.0)
    stops = [time for time in robot.stops if 1.0 < time < 4.9]
    assert stops
    assert 3.0 <= stops[0] < 3.1
    assert rolled(on) == tuple(near(steps * STEP, 2.0 * PERIOD * SPEED * STEP) for steps in robot.steps)
    assert robot.steps[0] - robot.steps[1] > SPEED  # it goes on by what it was told last
    assert not on.told(Fault)


@every_protocol
def test_wheels_that_something_holds_are_told_of_once_and_when_they_are_free(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, wheels(0.05, 0.05)), (4.0, wheels(-0.05, -0.05)))
    robot.wall = SPEED
    on.run(6.0)
    (held, yes), (freed, no) = answers(on, Obstructed)
    assert (yes.obstructed, no.obstructed) == (True, False)
    assert held == near(2.5, 3.0 * PERIOD)
    assert freed == near(4.0, 2.0 * PERIOD)
    assert not on.told(Fault)


@every_protocol
def test_a_move_ends_what_wheels_were_told_and_counts_its_own_way_only(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, wheels(0.05, 0.05)), (2.0, wheels(0.0, 0.0)), (3.0, Drive(0.0, 0.1)))
    on.run(8.0)
    (driven,) = on.told(Driven)
    assert driven.distance == near(0.1, 3.0 * STEP)
    assert rolled(on)[0] + driven.distance == near(robot.steps[0] * STEP, 2.0 * STEP)
    assert robot.speeds == (0, 0)


@every_protocol
def test_speeds_that_come_during_a_move_are_taken_up_when_it_has_ended(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, Drive(0.0, 0.1)), (1.2, wheels(0.05, 0.05)))
    on.run(6.0)
    (driven,) = on.told(Driven)
    assert driven.distance == near(0.1, 3.0 * STEP)
    assert rolled(on)[0] > 0.05
    assert rolled(on)[0] + driven.distance == near(robot.steps[0] * STEP, 2.0 * PERIOD * SPEED * STEP)


@every_protocol
def test_a_reading_answers_who_had_asked_before_it_was_true(protocol: str) -> None:
    on, robot = equipped(protocol, *((2.0 + 0.1 * number, Asked("proximity", Sense())) for number in range(3)))
    on.at(1.99, partial(robot.proximity.__setitem__, 3, 700))
    on.run(4.0)
    assert [answer.values for _, answer in answers(on, Proximity)] == [(0.0, 0.0, 0.0, 700.0, 0.0, 0.0, 0.0, 0.0)] * 3


@every_protocol
def test_a_watch_tells_changes_on_its_raster_and_no_visit_between_two_points(protocol: str) -> None:
    on, robot = equipped(protocol, (0.5, Asked("proximity_watch", Watch(period=0.5, offset=0.25))))
    for time, value in ((1.3, 100), (1.9, 50), (2.1, 100), (2.9, 0)):
        on.at(time, partial(robot.proximity.__setitem__, 0, value))
    on.run(6.0)
    told = answers(on, Crossed)
    assert told[0][0] == near(0.5, 2.0 * PERIOD)
    assert [(near(time, 1e-9), told.values[0], told.element) for time, told in told[1:]] == [
        (1.75, 100.0, -1),
        (3.25, 0.0, -1),
    ]


@every_protocol
def test_a_watch_of_levels_tells_each_crossing_with_the_reading(protocol: str) -> None:
    on, robot = equipped(protocol, (0.5, Asked("proximity_watch", Watch(levels=(100.0, 1000.0)))))
    for time, value in ((1.0, 99), (1.5, 100), (2.0, 1500), (2.5, 500)):
        on.at(time, partial(robot.proximity.__setitem__, 6, value))
    on.run(4.0)
    told = [(near(time, 2.0 * PERIOD), one.element, one.level, one.rising) for time, one in answers(on, Crossed)[1:]]
    assert told == [(1.5, 6, 100.0, True), (2.0, 6, 1000.0, True), (2.5, 6, 1000.0, False)]


@every_protocol
def test_light_is_asked_for_only_where_somebody_wants_it(protocol: str) -> None:
    on, robot = equipped(protocol, (2.0, Asked("light", Sense())), (2.5, LOOK))
    robot.light[2] = 1234
    on.run(4.0)
    assert [answer.values for _, answer in answers(on, Light)] == [(3000.0, 3000.0, 1234.0, *[3000.0] * 5)]
    asked = [(time, data) for time, data in on.sent if data in LIGHT_TOO]
    assert len(asked) == (0 if protocol == "epuck2-wifi" else 1)
    assert all(time == near(2.0, PERIOD) for time, _ in asked)
    assert on.told(Ranges)
    assert on.driver.dropped == {}


@every_protocol
def test_light_and_ground_are_watched_beside_each_other_while_the_robot_drives(protocol: str) -> None:
    on, robot = equipped(
        protocol,
        (1.0, wheels(0.05, 0.05)),
        (1.5, Asked("ground", Watch((500.0,), 0.1))),
        (2.0, Asked("light_watch", Watch(period=0.1))),
    )
    for time, value in ((2.5, 300), (2.51, 200), (3.0, 900)):
        on.at(time, partial(robot.ground.__setitem__, 2, value))
    on.at(3.5, partial(robot.light.__setitem__, 7, 77))
    on.run(5.0)
    told = [(time, answer) for time, answer in answers(on, Crossed) if len(answer.values) == 3]
    assert [(answer.element, answer.rising) for _, answer in told] == [(-1, False), (2, False), (2, True)]
    assert [time for time, _ in told[1:]] == [near(2.6, 1e-9), near(3.1, 1e-9)]
    seen = [(time, answer.values[7]) for time, answer in answers(on, Crossed) if len(answer.values) == 8]
    assert [value for _, value in seen] == [3000.0, 77.0]
    assert seen[1][0] == near(3.6, 1e-9)
    assert rolled(on) == tuple(near(steps * STEP, 2.0 * PERIOD * SPEED * STEP) for steps in robot.steps)
    assert not on.told(Fault)
    assert on.driver.dropped == {}


@every_protocol
def test_on_a_slow_link_what_is_wanted_is_told_as_late_as_the_link_takes(protocol: str) -> None:
    """There several questions are on their way, one more every 0.7 s, and answers tell what was wanted when they were
    asked for."""
    on, robot = equipped(protocol, (8.0, Asked("light", Sense())), (9.0, Asked("ground", Watch((500.0,), 0.1))))
    robot.latency = 0.7
    on.at(11.0, partial(robot.ground.__setitem__, 1, 3))
    on.run(14.0)
    assert [time for time, _ in answers(on, Light)] == [near(8.0 + 1.75, 0.4)]
    assert [(time, answer.element) for time, answer in answers(on, Crossed)] == [
        (near(9.0 + 1.75, 0.4), -1),
        (near(11.0 + 1.15, 0.4), 1),
    ]
    assert not on.told(Fault)
    assert on.driver.dropped == {}


def raw(charge: float) -> int:
    """What the robot tells of its voltage: 3.4 V when empty, 4.2 V when full, 819.2 per volt."""
    return round(819.2 * (3.4 + 0.8 * charge))


@every_protocol
def test_a_battery_is_asked_and_tells_when_it_falls_to_a_level_is_empty_and_full_again(protocol: str) -> None:
    on, robot = equipped(protocol, (1.0, Asked("battery", AskCharge((0.25,)))), (4.0, Asked("battery", AskCharge())))
    robot.battery = raw(0.6)
    course = [(2.0, 0.25), (2.2, 0.251), (2.4, 0.249), (3.0, -0.1), (5.0, 1.0), (5.3, 0.995), (5.6, 1.0), (6.0, 0.2)]
    for time, charge in course:
        on.at(time, partial(setattr, robot, "battery", raw(charge)))
    on.run(8.0)
    told = [(time, round(charge.value, 2), charge.low) for time, charge in answers(on, Charge)]
    assert [each[1:] for each in told] == [
        (0.6, False),
        (0.25, True),
        (0.0, True),
        (0.0, True),
        (1.0, False),
        (0.2, True),
    ]
    assert [time for time, *_ in told] == [near(at, 2.0 * PERIOD) for at in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)]


@pytest.mark.parametrize(("protocol", "complaint"), [("epuck-ascii", "no answer"), ("epuck-binary", "part of an")])
def test_ground_that_is_brighter_than_white_is_no_answer_and_is_asked_for_again(protocol: str, complaint: str) -> None:
    on, robot = equipped(protocol, (2.0, Asked("ground", Watch(period=0.1))))
    robot.ground[0] = 1024
    on.at(2.02, partial(robot.ground.__setitem__, 0, 1023))
    on.run(4.0)
    assert [answer.values[0] for _, answer in answers(on, Crossed)] == [1023.0]
    assert [why for why in on.driver.dropped if complaint in why]


def test_robots_of_ros_carry_the_same_and_have_wheels_only_by_themselves() -> None:
    robot = protocol_for("ros2")
    assert robot.has_by_itself("wheels", Wheels, Obstructed)
    assert robot.carries("proximity", Sense, Proximity)
    assert not robot.has_by_itself("proximity", Sense, Proximity)
    assert robot.carries("proximity", Watch, Crossed)


@pytest.mark.parametrize("protocol", [each for each in PROTOCOLS if each != "ros2"])
def test_epucks_carry_what_they_have_by_these_names(protocol: str) -> None:
    carries = protocol_for(protocol).carries
    assert carries("wheels", Wheels, Obstructed)
    assert carries("proximity", Sense, Proximity)
    assert carries("proximity", Watch, Crossed)
    assert carries("proximity_behind", Watch, Crossed)
    others = protocol not in PEERS  # a JSON robot carries whatever is wanted
    assert carries("light", Sense, Light)
    assert carries("ground", Watch, Crossed)
    assert carries("battery", AskCharge, Charge)
    assert carries("compass", Sense, Proximity) is others
    assert carries("wheels", Sense, Proximity) is others
    assert carries("ground", Sense, Light) is others
