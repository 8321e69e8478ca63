"""The e-puck2 on Wi-Fi, byte for byte."""

from __future__ import annotations

import random
import struct
from math import pi
from typing import Any

from hil.lab.epuck_wifi import IMAGE_PERIOD, PERIOD, WifiRobot
from tests.approximately import near
from tests.hil.lab.small_lab import SmallLab, stand_in

STEP_LENGTH = pi * 0.041 / 1000


def epuck2(**changes: Any) -> SmallLab:
    return SmallLab(stand_in(protocol="epuck2-wifi", radius=0.035, **changes))


def command(request: int = 2, flags: int = 0, left: int = 0, right: int = 0) -> bytes:
    return struct.pack("<3B2h", 0x80, request, flags, left, right) + bytes(14)


def last_sensors(lab: SmallLab) -> bytes:
    data = lab.heard[1][-1][1]
    assert data[0] == 2
    assert len(data) == 105
    return data[1:]


def test_nothing_is_sent_before_the_first_command() -> None:
    lab = epuck2()
    lab.wait(1.0)
    lab.tell(command()[:20])
    lab.wait(1.0)
    assert lab.heard[1] == []
    lab.tell(command()[20:])
    assert len(lab.heard[1]) == 1


def test_then_packets_follow_each_other_with_the_last_command_in_force() -> None:
    lab = epuck2()
    lab.tell(command(request=0))
    lab.wait(10 * PERIOD + 0.001)
    assert [data for _, data in lab.heard[1]] == [b"\x03"] * 11
    lab.heard[1].clear()
    lab.tell(command(request=2))
    lab.wait(5 * PERIOD)
    assert [data[0] for _, data in lab.heard[1]][-4:] == [2] * 4
    lab.tell(command(request=3))
    lab.wait(IMAGE_PERIOD)
    lab.heard[1].clear()
    lab.wait(IMAGE_PERIOD)
    ((_, data),) = lab.heard[1]
    assert len(data) == 1 + 38400 + 1 + 104
    assert (data[0], data[38401]) == (1, 2)


def test_sensors_stand_where_the_protocol_says() -> None:
    lab = epuck2(x=4.0 - 0.035 - 0.02)
    lab.tell(command(left=-100, right=-50))
    lab.wait(1.0)
    data = last_sensors(lab)
    assert len(data) == 104
    assert struct.unpack_from("<3h", data, 0) == (0, 0, 800)
    assert struct.unpack_from("<3f", data, 6) == (800.0, 0.0, 0.0)
    rate = 50 * STEP_LENGTH / 0.053
    assert struct.unpack_from("<3h", data, 18)[2] == near(rate * 180 / pi * 32768 / 250, 1.0)
    assert data[36] == 25
    assert struct.unpack_from("<2h", data, 79) == (near(-100, 3), near(-50, 2))
    assert struct.unpack_from("<H", data, 83)[0] / 819.2 == near(4.0, 0.01)
    assert 0 <= data[89] <= 15


def test_proximity_and_time_of_flight_see_the_wall_ahead() -> None:
    lab = epuck2(x=4.0 - 0.035 - 0.02)
    lab.tell(command())
    data = last_sensors(lab)
    assert struct.unpack_from("<H", data, 69)[0] == 20
    values = struct.unpack_from("<8H", data, 37)
    assert values[0] == values[7] > 400
    assert values[3] == 0


def test_time_of_flight_is_two_metres_where_nothing_is_near() -> None:
    lab = epuck2()
    lab.tell(command())
    assert struct.unpack_from("<H", last_sensors(lab), 69)[0] == 2000


def test_calibration_takes_what_is_read_for_zero() -> None:
    lab = epuck2(x=4.0 - 0.035 - 0.02)
    lab.tell(command(flags=1))
    assert struct.unpack_from("<8H", last_sensors(lab), 37) == (0,) * 8


def test_the_two_words_are_speeds_or_steps() -> None:
    lab = epuck2()
    lab.tell(command(flags=4, left=1000, right=-1000))
    assert struct.unpack_from("<2h", last_sensors(lab), 79) == (1000, -1000)
    assert lab.speed() == 0.0
    lab.tell(command(left=500, right=500))
    lab.wait(PERIOD)
    assert lab.speed() == near(500 * STEP_LENGTH)


def test_speeds_are_clamped() -> None:
    lab = epuck2()
    lab.tell(command(left=20000, right=20000))
    assert lab.speed() == near(1100 * STEP_LENGTH)


def test_one_command_is_obeyed_a_packet_and_of_a_crowd_the_newest_only() -> None:
    lab = epuck2()
    lab.tell(command())
    lab.tell(b"".join(command(left=speed, right=speed) for speed in (100, 200, 300, 400)))
    speeds = []
    for _ in range(5):
        lab.wait(PERIOD)
        speeds.append(round(lab.speed() / STEP_LENGTH))
    assert speeds == [100, 200, 300, 400, 400]
    lab.tell(b"".join(command(left=speed, right=speed) for speed in (10, 20, 30, 40, 50, 60, 70)))
    lab.wait(PERIOD)
    assert lab.speed() == near(70 * STEP_LENGTH)


def test_it_has_no_watchdog_and_waits_for_the_next_client() -> None:
    lab = epuck2()
    lab.tell(command(left=100, right=100))
    lab.tell(command()[:10])
    lab.laboratory.robots[1].link_lost()
    lab.heard[1].clear()
    lab.wait(1.0)
    assert lab.speed() > 0.0
    assert lab.heard[1] == []
    lab.tell(command())
    assert len(lab.heard[1]) == 1
    assert lab.speed() == 0.0


def test_a_client_that_comes_at_once_gets_one_stream_and_none_of_the_others_bytes() -> None:
    lab = epuck2()
    lab.tell(command())
    lab.tell(command(left=100, right=100)[:10])
    lab.laboratory.robots[1].link_lost()
    lab.heard[1].clear()
    lab.tell(command(left=100, right=100)[10:])
    assert lab.heard[1] == []
    lab.tell(command())
    lab.wait(10 * PERIOD + 0.001)
    assert len(lab.heard[1]) == 11
    assert lab.speed() == 0.0


def test_ten_thousand_frames_of_garbage_do_not_move_it() -> None:
    lab = epuck2()
    numbers = random.Random(5)
    for number in range(10_000):
        start = b"\x80" if number % 2 else b""
        lab.tell(start + numbers.randbytes(numbers.randrange(30)))
    lab.wait(1.0)
    assert lab.pose() == (1.0, 1.0, 0.0)
    assert lab.heard[1] == []
    robot = lab.laboratory.robots[1]
    assert isinstance(robot, WifiRobot)
    assert robot.skipped > 100_000
    lab.tell(bytes(21) + command(left=100, right=100))
    assert lab.speed() == near(100 * STEP_LENGTH)
