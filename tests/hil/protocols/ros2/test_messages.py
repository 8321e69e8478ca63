"""Messages of ROS 2: what is written is read again, and whatever bytes come, nothing but the typed error is raised."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from math import inf, isinf, isnan, nan, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_typestore

from devs_robotics.hil.protocols.ros2 import messages
from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    BatteryReading,
    LidarScan,
    OdometryReport,
    PlanarTransform,
    RangeReading,
    Stamp,
)
from devs_robotics.hil.protocols.ros2.names import LASER_SCAN, ODOMETRY, TWIST
from devs_robotics.hil.protocols.ros2.type_store import LONGEST, MessageError, type_hash, type_store

numbers = st.floats(-1e3, 1e3)
headings = st.floats(-pi, pi, exclude_min=True)
stamps = st.builds(Stamp, st.integers(0, 2**31 - 1), st.integers(0, 10**9 - 1))
velocities = st.builds(BaseVelocity, numbers, numbers)

SCAN = LidarScan(
    first=-3.1, step=0.0175, nearest=0.125, farthest=3.5, ranges=np.array([1.5, inf, -inf, nan], np.float32)
)
HERE = OdometryReport(x=1.0, y=2.0, heading=0.5, speed=0.1, turn_rate=0.2)
WRITTEN: dict[Callable[[bytes], object], bytes] = {
    messages.read_twist: messages.write_twist(BaseVelocity(0.1, 0.2)),
    messages.read_twist_stamped: messages.write_twist_stamped(BaseVelocity(0.1, 0.2), Stamp(1, 2)),
    messages.read_odometry: messages.write_odometry(HERE),
    messages.read_scan: messages.write_scan(SCAN),
    messages.read_range: messages.write_range(RangeReading(nearest=0.125, farthest=1.0, range=0.5)),
    messages.read_battery: messages.write_battery(BatteryReading(voltage=12.0, charge=0.5)),
    messages.read_transforms: messages.write_transforms(
        [PlanarTransform(parent="odom", child="base_link", x=1.0, y=2.0, heading=0.5)]
    ),
}


@given(velocities, stamps)
def test_a_velocity_command_is_read_as_it_was_written(velocity: BaseVelocity, stamp: Stamp) -> None:
    """With a stamp, and without."""
    assert messages.read_twist(messages.write_twist(velocity)) == velocity
    assert messages.read_twist_stamped(messages.write_twist_stamped(velocity, stamp)) == (velocity, stamp)


@pytest.mark.parametrize("deviation", [1e-10, 0.3, inf])
def test_odometry_says_how_exact_it_is_where_its_covariance_does(deviation: float) -> None:
    """0 in a covariance stands for unknown."""
    said = OdometryReport(
        x=0.0, y=0.0, heading=0.0, speed=0.0, turn_rate=0.0, deviation=deviation, turn_deviation=2.0 * deviation
    )
    read = messages.read_odometry(messages.write_odometry(said))
    assert read.deviation == pytest.approx(said.deviation, rel=1e-12)
    assert read.turn_deviation == pytest.approx(said.turn_deviation, rel=1e-12)


@given(numbers, numbers, headings, velocities, stamps)
def test_odometry_is_read_as_it_was_written(
    x: float, y: float, heading: float, velocity: BaseVelocity, stamp: Stamp
) -> None:
    """The heading passes through a quaternion."""
    said = OdometryReport(stamp=stamp, x=x, y=y, heading=heading, speed=velocity.speed, turn_rate=velocity.turn_rate)
    read = messages.read_odometry(messages.write_odometry(said))
    assert read.heading == pytest.approx(heading, abs=1e-12)
    assert (read.x, read.y, read.speed, read.turn_rate, read.stamp) == (
        said.x,
        said.y,
        said.speed,
        said.turn_rate,
        said.stamp,
    )


def test_a_scan_keeps_what_is_nothing_too_near_and_unknown() -> None:
    """REP 117."""
    read = messages.read_scan(WRITTEN[messages.read_scan])
    near, nothing, too_near, unknown = map(float, read.ranges)
    assert near == 1.5
    assert isinf(nothing)
    assert too_near == -inf
    assert isnan(unknown)
    assert read.step == pytest.approx(0.0175)
    assert read.first == pytest.approx(-3.1)


def test_transforms_are_read_as_they_were_written() -> None:
    """A slash in front of a frame, an old habit, is left out."""
    said = [PlanarTransform(parent="/map", child="odom", x=1.0, y=2.0, heading=-0.5, stamp=Stamp(3, 4))]
    (read,) = messages.read_transforms(messages.write_transforms(said))
    assert (read.parent, read.child, read.x, read.y, read.stamp) == ("map", "odom", 1.0, 2.0, Stamp(3, 4))
    assert read.heading == pytest.approx(-0.5)


def test_a_range_of_an_older_release_is_read_too() -> None:
    """It has no field `variance`."""
    data = WRITTEN[messages.read_range]
    assert messages.read_range(data[:-4]) == messages.read_range(data)


def test_percent_of_a_battery_that_does_not_heed_the_definition_is_taken_for_percent() -> None:
    """The definition says from 0 to 1."""
    assert messages.read_battery(
        messages.write_battery(BatteryReading(voltage=12.0, charge=80.0))
    ).charge == pytest.approx(0.8)
    with pytest.raises(MessageError, match="charge"):
        messages.read_battery(messages.write_battery(BatteryReading(voltage=12.0, charge=-1.0)))


@pytest.mark.parametrize("read", WRITTEN)
@given(data=st.data())
def test_mutilated_bytes_raise_nothing_but_the_typed_error(
    read: Callable[[bytes], object], data: st.DataObject
) -> None:
    """Cut off, with other bytes in them, or of nothing that was ever written."""
    good = WRITTEN[read]
    how = data.draw(st.sampled_from(("cut", "changed", "noise")))
    if how == "cut":
        bad = good[: data.draw(st.integers(0, len(good) - 1))]
    elif how == "changed":
        changed = bytearray(good)
        for place in data.draw(st.lists(st.integers(0, min(len(good), 80) - 1), min_size=1, max_size=6)):
            changed[place] = data.draw(st.integers(0, 255))
        bad = bytes(changed)
    else:
        bad = data.draw(st.binary(max_size=200))
    with contextlib.suppress(MessageError):
        read(bad)


def _with_big_end_first(values: bytes, sizes: str) -> bytes:
    return b"\0\0\0\0" + struct.pack(f">{sizes}", *struct.unpack(f"<{sizes}", values[4:]))


def test_the_other_byte_order_is_read_too() -> None:
    """A header 00 00 says that the big end comes first."""
    data = _with_big_end_first(WRITTEN[messages.read_twist], "6d")
    assert messages.read_twist(data) == BaseVelocity(0.1, 0.2)


def test_values_that_cannot_be_are_refused() -> None:
    """Each with a sentence: no number, a quaternion of length 0, a scan without increment, a sequence without end."""
    for wrong in (nan, inf, 1e30):
        with pytest.raises(MessageError, match="cannot be"):
            messages.read_twist(messages.write_twist(BaseVelocity(wrong, 0.0)))
    types, store = type_store().types, get_typestore(Stores.ROS2_JAZZY)
    message = store.deserialize_cdr(WRITTEN[messages.read_odometry], ODOMETRY)
    flat = types["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 0.0)
    object.__setattr__(message.pose.pose, "orientation", flat)  # type: ignore[attr-defined]
    with pytest.raises(MessageError, match="quaternion"):
        messages.read_odometry(bytes(store.serialize_cdr(message, ODOMETRY)))
    for scan in (
        LidarScan(first=0.0, step=0.0, nearest=0.1, farthest=3.5, ranges=np.ones(3, np.float32)),
        LidarScan(first=0.0, step=0.1, nearest=0.1, farthest=3.5, ranges=np.ones(0, np.float32)),
        LidarScan(first=0.0, step=0.1, nearest=3.5, farthest=0.1, ranges=np.ones(3, np.float32)),
    ):
        with pytest.raises(MessageError, match="scan"):
            messages.read_scan(messages.write_scan(scan))
    endless = WRITTEN[messages.read_scan].replace(struct.pack("<I", 4), struct.pack("<I", 2**31), 1)
    with pytest.raises(MessageError, match=r"LaserScan"):
        messages.read_scan(endless)
    many = LidarScan(first=0.0, step=0.1, nearest=0.1, farthest=3.5, ranges=np.ones(LONGEST + 1, np.float32))
    with pytest.raises(MessageError, match="at most"):
        messages.read_scan(messages.write_scan(many))


def test_hashes_are_those_that_real_nodes_announce() -> None:
    """As rclpy of Jazzy and Kilted told them."""
    assert type_hash(TWIST).startswith("RIHS01_9c45bf16")
    assert type_hash(ODOMETRY).startswith("RIHS01_3cc97dc7")
    assert type_hash(LASER_SCAN).startswith("RIHS01_64c19139")
    for name in (TWIST, ODOMETRY, LASER_SCAN):
        assert type_hash(name, "humble") == type_hash(name, "kilted")
