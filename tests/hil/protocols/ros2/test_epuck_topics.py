"""The sensors of an e-puck2 by topics: what is asked and watched, and that raw readings come back as they were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import AskCharge, Charge, Crossed, Ground, Light, Proximity, Sense, Watch, Wheels
from devs_robotics.core.robots.epuck2.ros import GROUND, INFRARED
from devs_robotics.core.robots.plain_data import plain
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.ros2_sensors import distance
from devs_robotics.hil.protocols.events import Dropped, GivenUp, Told
from devs_robotics.hil.protocols.ros2.epuck_topics import EpuckTopics, is_sensor
from devs_robotics.hil.protocols.ros2.messages import BatteryReading, RangeReading, write_battery, write_range
from devs_robotics.hil.protocols.ros2.names import ILLUMINANCE
from devs_robotics.hil.protocols.ros2.packets import BATTERY, unpack
from devs_robotics.hil.protocols.ros2.robot import Ros2Robot
from devs_robotics.hil.protocols.ros2.type_store import MessageError, type_store, write
from tests.hil.lab.small_lab import lab_plan, stand_in
from tests.hil.protocols.ros2.test_robot import ByHand


def illuminance(value: float) -> bytes:
    types = type_store().types
    header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](0, 0), "ls0")
    return write(ILLUMINANCE, types[ILLUMINANCE](header, value, 0.0))


def told(topics: EpuckTopics, kind: str, values: Iterable[float], time: float) -> list[Any]:
    """What is told when each sensor of a kind has told something."""
    found: list[Any] = []
    for number, value in enumerate(values):
        message = (
            illuminance(value) if kind == "light" else write_range(RangeReading(nearest=0, farthest=1, range=value))
        )
        found += topics.came(f"{kind}{number}", message, time)
    return found


@given(st.lists(st.integers(0, 4095), min_size=8, max_size=8), st.lists(st.integers(0, 1023), min_size=3, max_size=3))
def test_raw_readings_come_back_as_they_were_though_they_were_published_as_distances(
    near: list[int], ground: list[int]
) -> None:
    topics = EpuckTopics()
    topics.sensors.ask("proximity", plain(Sense()), 0.0, again=False)
    topics.sensors.ask("ground", plain(Sense()), 0.0, again=False)
    told_near = told(topics, "proximity", [distance(raw, INFRARED) for raw in near], 0.1)
    assert told_near == [Told("proximity", plain(Proximity(tuple(map(float, near)))))]
    told_ground = told(topics, "ground", [distance(raw, GROUND) for raw in ground], 0.1)
    assert told_ground == [Told("ground", plain(Ground(tuple(map(float, ground)))))]


def test_a_reading_is_complete_when_all_have_told_and_answers_only_what_was_asked_before() -> None:
    topics = EpuckTopics()
    list(topics.ask("light", plain(Sense()), 1.0, again=False))
    assert told(topics, "light", range(7), 0.9) == []
    assert list(topics.came("light7", illuminance(7.0), 1.1)) == [], "some of it is older than the question"
    assert told(topics, "light", range(8), 1.2) == [Told("light", plain(Light(tuple(map(float, range(8))))))]
    assert told(topics, "light", range(8), 1.3) == []


def test_a_watch_tells_what_crosses_its_levels() -> None:
    topics = EpuckTopics()
    list(topics.ask("light", plain(Watch(levels=(2000.0,))), 0.0, again=False))
    dark, bright = [3000.0] * 8, [3000.0] * 7 + [1000.0]
    assert told(topics, "light", dark, 0.1) == [Told("light", plain(Crossed(tuple(dark))))]
    (crossed,) = told(topics, "light", bright, 0.2)
    assert crossed.unasked
    assert crossed.data["values"] == bright


def test_a_battery_is_asked_and_one_that_knows_no_charge_is_none() -> None:
    robot = ByHand()
    robot.found()
    assert robot.do(robot.protocol.ask("battery", plain(AskCharge()), False)) == []
    assert robot.feed(BATTERY, write_battery(BatteryReading(voltage=4.0, charge=float("nan")))) == []
    (said,) = robot.feed(BATTERY, write_battery(BatteryReading(voltage=4.0, charge=0.5)))
    assert said == Told("battery", plain(Charge(0.5, False)))


def test_who_publishes_no_such_topics_is_given_up_with_their_names() -> None:
    topics = EpuckTopics()
    assert list(topics.ask("light", plain(Sense()), 0.0, again=False)) == []
    (event,) = topics.ask("light", plain(Sense()), 1.0, again=True)
    assert isinstance(event, GivenUp)
    assert "give the topics of its 8 sensors in its address, as in ?light=ls0,...,ls7" in event.why
    (event,) = topics.ask("battery", plain(AskCharge()), 1.0, again=True)
    assert isinstance(event, GivenUp)
    assert "?battery=" in event.why


def test_what_cannot_be_is_counted() -> None:
    robot = ByHand()
    robot.found()
    assert robot.feed("light9", illuminance(1.0)) == [Dropped("there is no light9: an e-puck2 has 8")]
    assert robot.feed("light0", illuminance(-1.0)) == [Dropped("a light sensor tells -1, which cannot be")]
    assert len(robot.feed("ground0", b"no")) == 1
    with pytest.raises(MessageError):
        list(EpuckTopics().came("proximity0", illuminance(float("nan")), 0.0))
    assert not is_sensor("light")
    assert not is_sensor("range0")


def test_such_sensors_are_what_a_robot_of_ros_may_have_and_nobody_takes_for_granted() -> None:
    assert Ros2Robot.carries("light", Watch, Crossed)
    assert not Ros2Robot.carries("light", Wheels, Crossed)
    assert not Ros2Robot.has_by_itself("light", Watch, Crossed)


def test_a_stand_in_tells_of_those_that_are_wanted_and_its_battery_goes_down() -> None:
    plan = stand_in(7, "ros2", dialect="epuck2", sensors=("light", "ground", "proximity", "battery"), charge=0.5)
    lab = Laboratory(lab_plan(plan))
    said: dict[str, bytes] = {}
    robot: Any = lab.robots[7]
    robot.send = lambda packet: said.__setitem__(*unpack(packet))
    lab.start()
    lab.advance(100.0)
    topics = EpuckTopics()
    for name in ("light", "ground", "proximity"):
        topics.sensors.ask(name, plain(Sense()), 0.0, again=False)
    answers = {}
    for topic, message in sorted(said.items()):
        for event in topics.came(topic, message, 0.1) if is_sensor(topic) else ():
            assert isinstance(event, Told)
            assert event.data is not None
            answers[event.name] = event.data["values"]
    assert answers == {"light": [3500.0] * 8, "ground": [900.0] * 3, "proximity": [0.0] * 8}
    by_hand = ByHand()
    by_hand.found()
    by_hand.do(by_hand.protocol.ask("battery", plain(AskCharge()), False))
    (charge,) = by_hand.feed(BATTERY, said[BATTERY])
    assert isinstance(charge, Told)
    assert charge.data is not None
    assert 0.49 < float(charge.data["value"]) < 0.4951  # type: ignore[arg-type]
