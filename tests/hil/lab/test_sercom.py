"""The e-puck on a serial line, byte for byte."""

from __future__ import annotations

import random
import struct
from math import pi, radians
from typing import Any

import pytest

from hil.lab.epuck import reflection
from hil.lab.sercom import WELCOME, SercomRobot
from tests.approximately import near
from tests.hil.lab.small_lab import SmallLab, stand_in

STEP_LENGTH = pi * 0.041 / 1000  # m
UNKNOWN = b"z,Command not found\r\n"


def epuck(**changes: Any) -> SmallLab:
    lab = SmallLab(stand_in(protocol="epuck-ascii", radius=0.035, **changes))
    assert lab.bytes_of() == WELCOME
    return lab


def ask(lab: SmallLab, data: bytes) -> bytes:
    lab.tell(data)
    return lab.bytes_of()


def code(letter: str) -> bytes:
    return bytes([256 - ord(letter)])


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}h", *values)


def test_codes_are_those_of_the_protocol() -> None:
    assert code("D") == b"\xbc"
    assert code("N") == b"\xb2"


def test_the_welcome_begins_with_form_feed_and_bell() -> None:
    assert WELCOME.startswith(b"\x0c\x07")
    assert b"SerCom" in WELCOME


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        (b"E", b"e,0,0"),
        (b"Q", b"q,0,0"),
        (b"N", b"n,0,0,0,0,0,0,0,0"),
        (b"S", b"s"),
        (b"C", b"c,3"),
        (b"A", b"a,0,0,800"),
        (b"g", b"g,0,0,0"),
        (b"b", b"b,3277 (78%)"),
        (b"B,1", b"b"),
        (b"F,2", b"f"),
        (b"L,3,1", b"l"),
        (b"T,1", b"t"),
        (b"t", b"t,25"),
        (b"V", b"v,Version 2.0 January 2018 GCtronic\r\nHW version: stand-in"),
        (b"P,5,-5", b"p"),
        (b"D,0,0", b"d"),
        (b"q", b"q,0,0"),
        (b"X", b"z,Command not found"),
        (b"D,1", b"z,Command not found"),
        (b"D,1,x", b"z,Command not found"),
        (b"D,1,2,3", b"z,Command not found"),
        (b"Q" * 100, b"z,Command not found"),
    ],
)
def test_ascii_commands_and_their_replies(command: bytes, reply: bytes) -> None:
    lab = epuck()
    assert ask(lab, command + b"\r") == reply + b"\r\n"
    assert ask(lab, b"\r\n\n" + command + b"\n") == reply + b"\r\n"
    assert lab.speed() == 0.0


def test_a_command_may_arrive_in_pieces_and_many_at_once() -> None:
    lab = epuck()
    assert ask(lab, b"Q") == b""
    assert ask(lab, b"\rE\rQ\r") == b"q,0,0\r\ne,0,0\r\nq,0,0\r\n"


def test_wheels_turn_as_they_are_told_and_steps_are_counted() -> None:
    lab = epuck()
    assert ask(lab, b"D,500,500\r") == b"d\r\n"
    lab.wait(1.0)
    assert ask(lab, b"Q\rE\r") == b"q,500,500\r\ne,500,500\r\n"
    assert lab.pose()[0] == near(1.0 + 500 * STEP_LENGTH)
    ask(lab, b"D,-200,200\r")
    lab.wait(2.0)
    assert ask(lab, b"Q\r") == b"q,100,900\r\n"
    assert lab.pose()[2] == near(800 * STEP_LENGTH / 0.053)
    ask(lab, b"S\r")
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,100,900\r\n"


def test_speeds_are_clamped() -> None:
    lab = epuck()
    assert ask(lab, b"D,30000,-30000\rE\r") == b"d\r\ne,1100,-1100\r\n"
    assert ask(lab, code("D") + words(2000, -2000) + code("E") + b"\0") == words(1100, -1100)


def test_the_robots_own_limit_of_speed_holds() -> None:
    lab = epuck(speed=0.05)
    ask(lab, b"D,1000,1000\r")
    lab.wait(1.0)
    assert lab.pose()[0] == near(1.05)


def test_wheels_speed_up_as_fast_as_they_can() -> None:
    lab = epuck(acceleration=0.1)
    ask(lab, b"D,500,500\r")
    lab.wait(0.5)
    assert lab.speed() == near(0.05)
    assert lab.pose()[0] == near(1.0 + 0.5 * 0.1 * 0.25)


def test_wheels_go_over_from_one_speed_to_another() -> None:
    lab = epuck(acceleration=0.1)
    ask(lab, b"D,500,500\r")
    lab.wait(1.0)
    ask(lab, b"D,1000,1000\r")
    lab.wait(0.1)
    assert lab.speed() == near(500 * STEP_LENGTH + 0.01)


def test_counters_wrap_at_sixteen_bits() -> None:
    lab = epuck()
    ask(lab, b"P,32760,-32760\rD,10,-10\r")
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,-32766,32766\r\n"


def test_wheels_stall_at_a_wall_and_count_no_further() -> None:
    lab = epuck(x=3.9)
    ask(lab, b"D,1000,1000\r")
    lab.wait(2.0)
    assert lab.pose()[0] == near(4.0 - 0.035)
    steps = round((4.0 - 0.035 - 3.9) / STEP_LENGTH)
    assert ask(lab, b"Q\rD,-100,-100\r") == b"q,%d,%d\r\nd\r\n" % (steps, steps)
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,%d,%d\r\n" % (steps - 100, steps - 100)


def test_binary_replies_are_the_bare_payloads_in_the_order_of_the_chain() -> None:
    lab = epuck()
    assert ask(lab, code("D") + words(100, -100) + b"\0") == b""
    lab.wait(1.0)
    chain = code("E") + code("P") + words(7, 8) + code("Q") + b"\x81" + code("b") + code("t")
    assert ask(lab, chain) == b""
    assert ask(lab, b"\0") == words(100, -100) + words(7, 8) + struct.pack("<HB", 3277, 25)


@pytest.mark.parametrize(
    ("command", "length"),
    [(code(letter), length) for letter, length in zip("EQNOaAgubt", (4, 4, 16, 16, 6, 12, 6, 6, 2, 1), strict=True)]
    + [(b"\xf8", 103), (b"\xf5", 1), (b"\xf4", 8), (b"\xf3", 2)],
)
def test_binary_replies_have_their_lengths(command: bytes, length: int) -> None:
    lab = epuck()
    assert len(ask(lab, command + b"\0")) == length


def test_all_actuators_are_set_by_one_command() -> None:
    lab = epuck()
    tail = bytes(14)
    ask(lab, b"\xf7\x00" + words(300, 200) + tail + b"\0")
    assert ask(lab, b"E\r") == b"e,300,200\r\n"
    ask(lab, b"\xf7\x04" + words(11, 12) + tail + b"\0")
    assert ask(lab, code("Q") + code("E") + b"\0") == words(11, 12) + words(300, 200)


def test_both_modes_may_follow_each_other() -> None:
    lab = epuck()
    assert ask(lab, b"Q\r" + code("Q") + b"\0" + b"E\n") == b"q,0,0\r\n" + words(0, 0) + b"e,0,0\r\n"


def test_reset_stops_it_and_greets() -> None:
    lab = epuck()
    ask(lab, b"D,500,500\r")
    lab.wait(1.0)
    assert ask(lab, b"R\r") == b"r\r\n" + WELCOME
    lab.wait(1.0)
    assert lab.speed() == 0.0
    assert ask(lab, b"Q\r") == b"q,0,0\r\n"


def test_proximity_follows_the_curve_at_the_angles_of_the_sensors() -> None:
    lab = epuck(x=4.0 - 0.035 - 0.02)  # 2 cm from the wall ahead
    values = [int(value) for value in ask(lab, b"N\r").decode().strip().split(",")[1:]]
    assert values[0] == values[7] > values[1] == values[6] > 0
    assert values[2:6] == [0, 0, 0, 0]
    reading = reflection(0.02)
    assert 0.0105 * ((4095 / reading) ** 0.5 - 1) == near(0.02, 1e-4)
    assert reflection(0.0) == 4095


@pytest.mark.parametrize("number", range(8))
def test_each_proximity_sensor_looks_at_its_angle(number: int) -> None:
    angles = (350, 320, 270, 200, 160, 90, 40, 10)
    lab = epuck(x=4.0 - 0.035 - 0.02, heading=radians(-angles[number]))  # so that this one looks at the wall
    assert struct.unpack("<8H", ask(lab, code("N") + b"\0"))[number] == reflection(0.02)


def test_ten_thousand_frames_of_garbage_do_not_move_it() -> None:
    lab = epuck()
    numbers = random.Random(2)
    letters = [byte for byte in range(256) if byte not in (0xBC, 0xF7, ord("D"), ord("d"))]
    for _ in range(10_000):
        lab.tell(bytes(numbers.choices(letters, k=numbers.randrange(20))))
    lab.wait(1.0)
    assert lab.pose() == (1.0, 1.0, 0.0)
    lab.tell(bytes(20) + b"\r")
    lab.bytes_of()
    assert ask(lab, b"P,0,0\rQ\r") == b"p\r\nq,0,0\r\n"
    robot = lab.laboratory.robots[1]
    assert isinstance(robot, SercomRobot)


def test_it_answers_still_after_garbage_that_may_move_it() -> None:
    lab = epuck()
    numbers = random.Random(3)
    for _ in range(2_000):
        lab.tell(numbers.randbytes(numbers.randrange(20)))
        lab.wait(0.002)
    lab.tell(bytes(20) + b"\r")
    lab.bytes_of()
    assert ask(lab, b"S\rE\r") == b"s\r\ne,0,0\r\n"
