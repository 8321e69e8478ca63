"""What every device has, and what it says of itself unless it knows better."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from devs_robotics import Answered, Asked, Device, Drive, Driven, Fault, Link, Packet, Ranges, Rolled, Sense, Touch
from tests.devs_robotics.core.robots.written_down import fields_of


class Plain(Device):
    """Says no more than it must."""

    def stop_message(self) -> Iterable[bytes]:
        return [b"stop"]


def test_its_ports_are_its_services_and_its_wire() -> None:
    device = Plain("device", 7, "tcp://robot:1")
    assert {port.name: port.p_type for port in device.in_ports} == {
        "motor_ask": Drive,
        "ranging_ask": Sense,
        "touch_ask": Sense,
        "own_ask": Asked,
        "incoming": Packet | Link,
    }
    assert {port.name: port.p_type for port in device.out_ports} == {
        "motor_answer": Driven,
        "ranging_answer": Ranges,
        "touch_answer": Touch,
        "own_answer": Answered,
        "outgoing": Packet,
        "rolled": Rolled,
        "fault": Fault,
    }


def test_it_knows_who_and_where_it_is_and_carries_nothing() -> None:
    device = Plain("device", 7, "tcp://robot:1")
    assert (device.name, device.robot, device.address) == ("device", 7, "tcp://robot:1")
    assert (device.dropped, device.carried, device.unfound) == ({}, {}, "")
    assert not device.carries("gripper", Drive, Driven)
    assert fields_of(Fault) == "robot, reason"


def test_one_that_says_last_words_as_before_says_its_stop_message() -> None:
    with pytest.warns(DeprecationWarning, match="`last_words` of Old is now called `stop_message`: rename it"):

        class Old(Device):
            def last_words(self) -> Iterable[bytes]:
                return [b"stop"]

    assert list(Old("device", 7, "tcp://robot:1").stop_message()) == [b"stop"]  # type: ignore[abstract]
