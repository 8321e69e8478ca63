"""The e-puck2 on Wi-Fi, byte for byte."""

from __future__ import annotations

import random
import struct
from math import pi
from typing import Any

from devs_robotics.hil.lab.epuck_wifi import CROWD, IMAGE_PERIOD, PERIOD, WifiRobot
from tests.approximately import near
from tests.hil.lab.small_lab import SmallLab, stand_in

STEP_LENGTH = pi * 0.041 / 1000


def epuck2(**changes: Any) -> SmallLab:
    return SmallLab(stand_in(protocol="epuck2-wifi", radius=0.035, **changes))


def command(request: int = 2, flags: int = 0, left: int = 0, right: int = 0) -> bytes:
    return struct.pack("<3B2h", 0x80, request, flags, left, right) + bytes(14)


def wifi_robot(lab: SmallLab) -> WifiRobot:
    robot = lab.laboratory.robots[1]
    assert isinstance(robot, WifiRobot)
    return robot


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
    assert data[89] == 15
    assert struct.unpack_from("<3H", data, 90) == (900, 900, 900)


def test_proximity_and_time_of_flight_see_the_wall_ahead() -> None:
    lab = epuck2(x=4.0 - 0.035 - 0.02)
    lab.tell(command())
    data = last_sensors(lab)
    assert struct.unpack_from("<H", data, 69)[0] == 20
    values = struct.unpack_from("<8H", data, 37)
    assert values[0] == values[7] == 1893
    assert values[3] == 0


def test_time_of_flight_reads_some_eight_metres_where_nothing_is_in_reach() -> None:
    lab = epuck2(x=4.0 - 0.035 - 2.001)
    lab.tell(command())
    assert struct.unpack_from("<H", last_sensors(lab), 69)[0] == 8190
    lab = epuck2(x=4.0 - 0.035 - 1.999)
    lab.tell(command())
    assert struct.unpack_from("<H", last_sensors(lab), 69)[0] == 1999


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


def test_the_last_command_is_in_force_in_each_cycle() -> None:
    lab = epuck2()
    lab.tell(command(left=500, right=500))
    lab.wait(PERIOD)
    lab.tell(command(flags=4, left=7, right=8))
    for _ in range(10):  # the wheels turn, and the counters are set again and again
        lab.wait(PERIOD)
        assert lab.speed() == near(500 * STEP_LENGTH)
        assert struct.unpack_from("<2h", last_sensors(lab), 79) == (7, 8)
    lab.tell(command(left=500, right=500))
    lab.wait(10 * PERIOD)
    assert struct.unpack_from("<2h", last_sensors(lab), 79) == (near(107, 11), near(108, 11))


def test_calibration_goes_on_until_another_command_comes() -> None:
    lab = epuck2(x=3.8)
    lab.tell(command(flags=1, left=500, right=500))
    lab.wait(3.0)
    assert struct.unpack_from("<8H", last_sensors(lab), 37) == (0,) * 8
    lab.tell(command(left=-500, right=-500))
    lab.wait(0.5)
    lab.tell(command(flags=1))
    lab.wait(PERIOD)
    lab.tell(command(left=500, right=500))
    lab.wait(1.0)
    assert struct.unpack_from("<H", last_sensors(lab), 37)[0] > 3000


ODD = bytes((0x80, 0xFE, 0xF8)) + struct.pack("<2h", 100, 100) + bytes((0xFF,)) + bytes((255,) * 12) + bytes((0xFF,))
"""A command in which every field is out of its range, and every bit that means nothing is set."""


def test_only_the_first_byte_of_a_command_is_checked() -> None:
    lab = epuck2()
    lab.tell(ODD)
    assert lab.speed() == near(100 * STEP_LENGTH)
    assert last_sensors(lab)
    lab.tell(ODD.replace(struct.pack("<2h", 100, 100), bytes(4)))
    lab.wait(PERIOD)
    assert lab.speed() == 0.0
    assert wifi_robot(lab).skipped == 0


def test_a_colour_above_a_hundred_leaves_its_led_as_it_is() -> None:
    lab = epuck2()
    colours = bytes((100, 0, 50, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    lab.tell(command()[:7] + b"\x15" + colours + b"\0")
    lab.wait(PERIOD)
    lab.tell(command()[:7] + b"\x20" + bytes((101, 0, 0, 0, 101, 0, 0, 0, 101, 0, 0, 0)) + b"\0")
    lab.wait(PERIOD)
    lights = wifi_robot(lab).robot.lights
    assert lights.colours == [(100, 0, 50), (1, 2, 3), (4, 5, 6), (0, 0, 0)]
    assert lights.ring == [False, True, False, True, False, True, False, False]
    assert (lights.body, lights.front) == (False, True)


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


def test_a_client_that_does_not_read_is_obeyed_and_sent_nothing() -> None:
    lab = epuck2()
    lab.tell(command(request=3))
    wifi_robot(lab).is_jammed = lambda: True
    wifi_robot(lab).robot.image = _nobody_looks  # type: ignore[method-assign]
    lab.heard[1].clear()
    lab.tell(command(request=3, left=100, right=100))
    lab.wait(1.0)
    assert lab.heard[1] == []
    assert lab.speed() == near(100 * STEP_LENGTH)
    wifi_robot(lab).is_jammed = lambda: False
    lab.tell(command(request=0))
    lab.wait(IMAGE_PERIOD)
    assert lab.heard[1]


def _nobody_looks() -> bytes:
    raise AssertionError("a picture that nobody sees")


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


def test_what_had_arrived_when_the_client_left_is_obeyed() -> None:
    lab = epuck2(latency=0.01)
    lab.tell(command(left=100, right=100))
    lab.wait(1.0)
    lab.tell(b"".join(command(left=speed, right=speed) for speed in (50, 40, 0)))
    lab.laboratory.robots[1].link_lost()
    lab.heard[1].clear()
    assert lab.speed() == 0.0
    lab.wait(1.0)
    assert lab.heard[1] == []
    assert lab.speed() == 0.0
    lab.tell(command())
    lab.laboratory.robots[1].link_lost()  # before its first answer
    lab.wait(1.0)
    assert lab.heard[1] == []


def test_ten_thousand_frames_of_garbage_do_not_move_it() -> None:
    lab = epuck2()
    numbers = random.Random(5)
    others = [byte for byte in range(256) if byte != 0x80]
    sent = 0
    for _ in range(10_000):
        frame = bytes(numbers.choices(others, k=numbers.randrange(30)))
        sent += len(frame)
        lab.tell(frame)
    lab.wait(1.0)
    assert lab.pose() == (1.0, 1.0, 0.0)
    assert lab.heard[1] == []
    assert sent - 20 <= wifi_robot(lab).skipped <= sent
    lab.tell(bytes(21) + command(left=100, right=100))
    assert lab.speed() == near(100 * STEP_LENGTH)


def test_it_obeys_still_after_garbage_that_may_move_it() -> None:
    lab = epuck2()
    numbers = random.Random(6)
    for _ in range(2_000):
        lab.tell(numbers.randbytes(numbers.randrange(30)))
        lab.wait(0.002)
    lab.tell(bytes(21) + CROWD * command())
    lab.wait(2 * IMAGE_PERIOD)
    assert lab.speed() == 0.0
    assert last_sensors(lab)
