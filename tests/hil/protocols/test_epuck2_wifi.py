"""Packets of an e-puck2 on Wi-Fi: what each says, where they begin, and when it has to be told anything."""

from __future__ import annotations

import struct
from functools import partial
from math import inf, nan
from typing import Any

import pytest

from devs_robotics import Drive
from devs_robotics.hil.protocols.epuck2_wifi import Epuck2Wifi
from devs_robotics.hil.protocols.epuck_reading import EpuckReading
from devs_robotics.hil.protocols.events import Dropped
from devs_robotics.hil.testing.driver_bench import SETTINGS
from tests.approximately import near
from tests.hil.protocols.test_epuck import bench

FIELDS = {
    "acceleration": ("<f", 7),
    "orientation": ("<f", 11),
    "inclination": ("<f", 15),
    "light": ("<16H", 38),
    "ahead": ("<H", 70),
    "steps": ("<hh", 80),
    "battery": ("<H", 84),
    "ground": ("<3H", 91),
}
"""How and where some of the sensors stand in a packet."""


def packet(**values: Any) -> bytes:
    """Sensors of which each reads something else, unless it is said what."""
    data = bytearray(b"\x02" + bytes(range(1, 7)) + bytes(12) + bytes(range(19, 105)))
    for name, said in {"light": range(100, 116), "ahead": 1234, "steps": (-5, 6), **values}.items():
        struct.pack_into(
            FIELDS[name][0], data, FIELDS[name][1], *(said if isinstance(said, tuple | range) else (said,))
        )
    return bytes(data)


def command(left: int, right: int) -> bytes:
    return struct.pack("<BBBhh", 0x80, 2, 0, left, right) + bytes(14)


def protocol() -> Epuck2Wifi:
    return Epuck2Wifi(3, SETTINGS)


def test_a_packet_says_where_its_wheels_are_and_what_it_sees() -> None:
    (reading,) = protocol().readings(packet())
    seen, light = tuple(range(100, 108)), tuple(range(108, 116))
    assert reading == EpuckReading(left=-5, right=6, proximity=seen, ahead=near(1.234), light=light)
    (reading,) = protocol().readings(packet(battery=3000, ground=(0, 1023, 7)))
    assert isinstance(reading, EpuckReading)
    assert (reading.ground, reading.battery) == ((0, 1023, 7), 3000)


def test_ground_and_battery_that_cannot_be_say_nothing() -> None:
    (reading,) = protocol().readings(packet(battery=4096, ground=(0, 0, 1024)))
    assert isinstance(reading, EpuckReading)
    assert (reading.ground, reading.battery) == ((), None)


@pytest.mark.parametrize(
    ("values", "valid"),
    [
        ({"acceleration": nan}, False),
        ({"acceleration": -inf}, False),
        ({"acceleration": -99.0}, True),
        ({"orientation": 0.0}, True),
        ({"orientation": 0.5}, True),
        ({"orientation": -0.5}, False),
        ({"orientation": nan}, False),
        ({"orientation": 360.0}, True),
        ({"orientation": 360.5}, False),
        ({"inclination": 0.5}, True),
        ({"inclination": -0.5}, False),
        ({"inclination": 180.0}, True),
        ({"inclination": 180.5}, False),
        ({"light": (4095,) * 16}, True),
        *(({"light": tuple(4096 if here == there else 0 for there in range(16))}, False) for here in (0, 7, 8, 15)),
        ({"ahead": 8190}, True),
        ({"steps": (32767, -32768)}, True),
    ],
)
def test_what_can_stand_in_a_packet(values: dict[str, Any], valid: bool) -> None:
    found = list(protocol().readings(packet(**values)))
    assert bool([reading for reading in found if isinstance(reading, EpuckReading)]) == valid
    assert bool([dropped for dropped in found if isinstance(dropped, Dropped)]) != valid


def test_bytes_between_packets_are_skipped_and_counted_one_by_one() -> None:
    """Also those that look like a beginning, as soon as there could be a whole packet."""
    first, second, third = (packet(ahead=number, steps=(number, number)) for number in (1, 2, 3))
    wrong = packet(orientation=-1.0)[:8] + b"\xff" * 97
    *found, dropped = protocol().readings(b"xyz" + first + second + b"?" + wrong + third)
    assert [reading.left for reading in found if isinstance(reading, EpuckReading)] == [1, 2, 3]
    assert dropped == Dropped("bytes of no packet", 3 + 1 + 105)


@pytest.mark.parametrize("size", [1, 2, 103, 104, 105, 106, 209, 210])
def test_a_packet_is_read_when_its_last_byte_has_come(size: int) -> None:
    on = protocol()
    data = packet() * 2
    parts = list(on.readings(data[:size])), list(on.readings(data[size:]))
    assert [len(part) for part in parts] == [size // 105, 2 - size // 105]
    assert {type(reading) for part in parts for reading in part} == {EpuckReading}


def test_a_robot_that_sends_is_told_only_what_is_new() -> None:
    on, robot = bench("epuck2-wifi", (1.0, Drive(0.0, 0.1)))
    on.run(until=4.0)
    stands = command(0, 0)
    assert {data for time, data in on.sent if time < 1.0} == {stands}
    assert [time for time, _ in on.sent if 0.3 < time < 1.0] == []
    told = [data for time, data in on.sent if 1.0 <= time < 4.0]
    assert told == [command(776, 776), stands]
    assert robot.speeds == (0, 0)


def test_a_robot_that_is_silent_is_told_the_same_once_more() -> None:
    """Which makes it send, if it has not heard; and its wheels go on."""
    on, robot = bench("epuck2-wifi", (1.0, Drive(0.0, 0.5)))
    on.at(2.01, partial(setattr, robot, "say", lambda data: None))
    on.run(until=3.04)
    assert [(time, data) for time, data in on.sent if 1.0 < time < 3.04] == [(near(2.55, 0.051), command(776, 776))]
