"""Types of ROS for Cyclone DDS: named and built as rmw has them, and their messages stay bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.topic import Topic

from devs_robotics.hil.protocols.ros2.messages import BaseVelocity, write_twist
from devs_robotics.hil.protocols.ros2.names import BATTERY_STATE, LASER_SCAN, ODOMETRY, STRING, TF_MESSAGE, TWIST
from devs_robotics.hil.transports import dds_types
from devs_robotics.hil.transports.dds_configuration import configuration
from devs_robotics.hil.transports.dds_types import Silent, raw_sample, raw_type
from tests.hil.ros2.environments import free_domain


@pytest.mark.parametrize(
    ("kind", "on_the_wire", "fields"),
    [
        (TWIST, "geometry_msgs::msg::dds_::Twist_", ["linear", "angular"]),
        (STRING, "std_msgs::msg::dds_::String_", ["data"]),
        (TF_MESSAGE, "tf2_msgs::msg::dds_::TFMessage_", ["transforms"]),
        (ODOMETRY, "nav_msgs::msg::dds_::Odometry_", ["header", "child_frame_id", "pose", "twist"]),
        (LASER_SCAN, "sensor_msgs::msg::dds_::LaserScan_", None),
        (BATTERY_STATE, "sensor_msgs::msg::dds_::BatteryState_", None),
    ],
)
def test_a_type_has_its_name_on_the_wire_and_its_fields(kind: str, on_the_wire: str, fields: list[str] | None) -> None:
    made = raw_type(kind)
    assert made.__idl_typename__ == on_the_wire
    assert raw_type(kind) is made
    if fields is not None:
        assert list(made.__annotations__) == fields


def test_messages_are_the_bytes_that_they_are_given() -> None:
    said, kind = write_twist(BaseVelocity(0.5, -0.25)), raw_type(TWIST)
    sample = raw_sample(kind, said)
    assert isinstance(sample, kind)
    assert (sample.cdr, sample.serialize(), sample.serialize(None, True)) == (said, said, said)
    read = kind.deserialize(bytearray(said))
    assert (type(read), read.cdr, type(read.cdr)) == (kind, said, bytes)
    assert kind.cdr == b"", "a sample that was never filled has nothing to hand on"


@pytest.fixture
def participant() -> Iterator[Any]:
    number = free_domain()
    domain = Domain(number, configuration("lo"))
    yield DomainParticipant(number)
    del domain


def made(silent: Silent, participant: Any, name: str) -> None:
    with silent.making(STRING):
        topic = Topic(participant, name, raw_type(STRING))
    silent.silence(STRING, topic)


def test_where_type_information_is_found_it_is_not_announced(participant: Any) -> None:
    silent = Silent()
    for name in ("rt/a", "rt/b"):
        made(silent, participant, name)
        assert not silent.failed
    assert all(size.value == 0 for size, _ in silent._sizes[STRING])
    with silent.making(STRING):
        assert all(size.value == said > 0 for size, said in silent._sizes[STRING])


def test_where_it_is_not_found_that_is_noted(participant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dds_types, "_SEARCHED", 0)
    silent = Silent()
    made(silent, participant, "rt/a")
    assert silent.failed
