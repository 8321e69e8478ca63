"""The e-puck on a serial line, byte for byte."""

from __future__ import annotations

import random
import struct
from math import cos, inf, pi, radians, sin, sqrt

import pytest

from devs_robotics.core.robots.epuck2.responses import RESPONSES
from devs_robotics.core.robots.epuck2.ring import RINGS, RingName
from devs_robotics.core.robots.epuck2.sensing.proximity import reading
from devs_robotics.hil.lab.sercom import CALIBRATION, LARGEST_INPUT, WELCOME
from tests.approximately import near
from tests.hil.lab.sercom_line import STEP_LENGTH, ask, code, epuck, lights, words
from tests.hil.lab.small_lab import SmallLab, stand_in


def test_the_welcome_has_two_lines_after_form_feed_and_bell() -> None:
    assert WELCOME.startswith(b"\x0c\x07WELCOME to the SerCom protocol")
    assert WELCOME.endswith(b"\r\n")
    assert WELCOME.count(b"\r\n") == 2


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        (b"E", b"e,0,0"),
        (b"Q", b"q,0,0"),
        (b"N", b"n,0,0,0,0,0,0,0,0"),
        (b"O", b"o" + 8 * b",3500"),
        (b"S", b"s"),
        (b"C", b"c,3"),
        (b"A", b"a,2048,2048,2848"),
        (b"g", b"g,0,0,0"),
        (b"G", b"g IR check : 0x0, address : 0x0, data : 0x0"),
        (b"b", b"b,3277 (75%)"),
        (b"B,1", b"b"),
        (b"F,2", b"f"),
        (b"I", b"i,1,40,40,8,3200"),
        (b"J,0,60,40,4", b"j"),
        (b"L,3,1", b"l"),
        (b"M", b"m,900,900,900,900,900"),
        (b"T,1", b"t"),
        (b"t", b"t"),
        (b"U", b"u,10,10,10"),
        (b"V", b"v,Version 2.0 January 2018 GCtronic\r\nHW version: FFFF"),
        (b"W,192,0,1", b"w"),
        (b"Y,192,0", b"y,192,0\r\ny,3\r\ny,3"),
        (b"Y,192,5", b"y,192,5\r\ny,132\r\ny,132"),
        (b"Y,192,16", b"y,192,16\r\ny,132\r\ny,132"),
        (b"Y,100,0", b"y,100,0\r\ny,-1\r\ny,-1"),
        (b"Z", b"192: 3"),
        (b"z", b"192: 3"),
        (b"P,5,-5", b"p"),
        (b"D,0,0", b"d"),
        (b"q", b"q,0,0"),
        (b"X", b"z,Command not found"),
        (b",", b"z,Command not found"),
        (b"Q" * 100, b"q,0,0"),  # only the first letter counts
        (b"Quick!", b"q,0,0"),
    ],
)
def test_ascii_commands_and_their_replies(command: bytes, reply: bytes) -> None:
    lab = epuck()
    assert ask(lab, command + b"\r") == reply + b"\r\n"
    assert ask(lab, b"\r\n\n" + command + b"\n") == reply + b"\r\n"
    assert lab.speed() == 0.0


@pytest.mark.parametrize(
    ("command", "speeds"),
    [
        (b"D,5,6", (5, 6)),
        (b"D, 5,\t6", (5, 6)),
        (b"D,+5,-6", (5, -6)),
        (b"d,5,6", (5, 6)),
        (b"D,5,6,7", (5, 6)),
        (b"D,5,6 and more", (5, 6)),
        (b"D,5", (5, 20)),  # what is left out stays as it was
        (b"D,5.7,6", (5, 20)),
        (b"D,5 ,6", (5, 20)),
        (b"D,5,", (5, 20)),
        (b"D,,6", (10, 20)),
        (b"D,x,6", (10, 20)),
        (b"D", (10, 20)),
        (b"D 5,6", (10, 20)),
        (b"Drive,5,6", (10, 20)),
        (b"D,99999999999,-99999999999", (2**31 - 1, -(2**31))),
        (b"D,5\x00,6", (5, 20)),
    ],
)
def test_fields_are_read_as_sscanf_reads_them(command: bytes, speeds: tuple[int, int]) -> None:
    lab = epuck()
    ask(lab, b"D,10,20\r")
    assert ask(lab, command + b"\r") == b"d\r\n"
    assert ask(lab, b"E\r") == b"e,%d,%d\r\n" % speeds


def test_counters_and_leds_that_are_left_out_stay_as_they_were_commanded_too() -> None:
    lab = epuck()
    assert ask(lab, b"P,100,200\rP,5\rQ\r") == b"p\r\np\r\nq,5,200\r\n"
    ask(lab, b"L,2,1\rL,4\r")
    assert lights(lab).ring == [False, False, True, False, True, False, False, False]
    ask(lab, b"B,0\rL\r")  # the same action for all lights
    assert lights(lab).ring == [False, False, True, False, False, False, False, False]
    assert ask(lab, b"W,192,1,7\rY\r") == b"w\r\ny,192,1\r\ny,132\r\ny,132\r\n"
    assert ask(lab, b"Y,192,5\rY\r") == 2 * b"y,192,5\r\ny,132\r\ny,132\r\n"


def test_of_a_long_line_the_beginning_counts() -> None:
    lab = epuck()
    ask(lab, b"D," + 61 * b" " + b"5,6\r")
    assert ask(lab, b"E\r") == b"e,5,0\r\n"
    ask(lab, b"D," + 62 * b" " + b"7,6\r")
    assert ask(lab, b"E\r") == b"e,5,0\r\n"


def test_zeros_between_commands_are_nothing() -> None:
    lab = epuck()
    assert ask(lab, b"\0\0Q\r\0Q\r") == 2 * b"q,0,0\r\n"
    assert lab.heard[1] == []


def test_it_cannot_be_reset() -> None:
    lab = epuck()
    ask(lab, b"D,500,500\r")
    lab.wait(1.0)
    assert ask(lab, b"R\r") == b""
    assert ask(lab, b"Q\r") == b"q,500,500\r\n"
    assert lab.speed() == near(500 * STEP_LENGTH)


def test_help_names_every_command() -> None:
    help_text = ask(epuck(), b"H\r").decode()
    assert help_text.startswith("\n")
    assert help_text.endswith("\r\n")
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWYZbg":
        assert f'\n"{letter}' in help_text


def test_lights_are_switched_on_off_and_over() -> None:
    lab = epuck()
    ask(lab, b"B,1\rF,2\rL,0,1\rL,6,2\rL,6,2\rL,9,1\r")
    assert (lights(lab).body, lights(lab).front) == (True, True)
    assert lights(lab).ring == [True] + [False] * 7
    ask(lab, b"B,2\rF,0\r" + code("L") + b"\x08\x01" + code("L") + b"\x09\x02" + code("L") + b"\x07\x01\x00")
    assert (lights(lab).body, lights(lab).front) == (True, True)
    assert lights(lab).ring == [True] + [False] * 6 + [True]
    assert lights(lab).colours[3] == (100, 0, 0)
    ask(lab, b"L,8,1\r")
    assert lights(lab).ring == [True] * 8
    ask(lab, b"S\r")
    assert lights(lab).ring == [False] * 8
    assert lights(lab).body


def test_a_colour_above_a_hundred_leaves_its_led_as_it_is() -> None:
    lab = epuck()
    ask(lab, b"\xf6" + bytes((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100)) + b"\0")
    ask(lab, b"\xf6" + bytes((101, 0, 0, 0, 255, 0, 0, 0, 0, 20, 21, 22)) + b"\0")
    assert lights(lab).colours == [(1, 2, 3), (4, 5, 6), (0, 0, 0), (20, 21, 22)]
    assert lights(lab).ring == [False, True, False, True, False, False, False, True]


def test_calibration_takes_its_time_in_which_it_hears_nothing() -> None:
    lab = epuck(x=4.0 - 0.035 - 0.02)
    assert ask(lab, b"K\rN\r") == b"k, Starting calibration - Remove any object in sensors range\r\n"
    assert ask(lab, b"Q\r") == b""
    lab.wait(CALIBRATION - 0.001)
    assert lab.bytes_of() == b""
    lab.wait(0.001)
    assert lab.bytes_of() == b"k, Calibration finished\r\nn,0,0,0,0,0,0,0,0\r\nq,0,0\r\n"
    lab.tell(b"K\rQ\rk\r")
    lab.wait(2 * CALIBRATION)
    assert lab.bytes_of().count(b"q,0,0\r\n") == 1
    lab.tell(b"K\r" + (b"Q" * 15 + b"\r") * LARGEST_INPUT)
    lab.wait(1.0)
    assert lab.bytes_of().count(b"q,0,0\r\n") == LARGEST_INPUT // 16


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
    assert ask(lab, b"D,30000,-30000\rE\r") == b"d\r\ne,30000,-30000\r\n"  # told as they were commanded
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,1100,-1100\r\n"
    assert ask(lab, code("D") + words(2000, -2000) + code("E") + b"\0") == words(2000, -2000)
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,2200,-2200\r\n"


def test_of_a_speed_sixteen_bits_count() -> None:
    lab = epuck()
    ask(lab, b"D,65636,40000\r")
    lab.wait(1.0)
    assert ask(lab, b"Q\rE\r" + code("E") + b"\0") == b"q,100,-1100\r\ne,65636,40000\r\n" + words(100, -25536)


def test_a_stop_leaves_what_was_commanded_in_memory() -> None:
    lab = epuck()
    assert ask(lab, b"D,100,200\rS\rE\r") == b"d\r\ns\r\ne,100,200\r\n"
    assert lab.speed() == 0.0
    ask(lab, b"D,50\r")
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,50,200\r\n"


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


def test_counters_wrap_in_binary_and_not_in_ascii() -> None:
    lab = epuck()
    ask(lab, b"P,32760,-32760\rD,10,-10\r")
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,32770,-32770\r\n"
    assert ask(lab, code("Q") + b"\0") == words(-32766, 32766)
    assert struct.unpack_from("<2h", ask(lab, b"\xf8\0"), 79) == (-32766, 32766)
    assert ask(lab, b"P,70000,-100000\rQ\r") == b"p\r\nq,70000,-100000\r\n"
    assert ask(lab, b"P,2147483647,0\rD,1,0\r") == b"p\r\nd\r\n"
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,-2147483648,0\r\n"


def test_wheels_stall_at_a_wall_and_count_no_further() -> None:
    lab = epuck(x=3.9)
    ask(lab, b"D,1000,1000\r")
    lab.wait(2.0)
    assert lab.pose()[0] == near(4.0 - 0.035)
    steps = round((4.0 - 0.035 - 3.9) / STEP_LENGTH)
    assert ask(lab, b"Q\rD,-100,-100\r") == b"q,%d,%d\r\nd\r\n" % (steps, steps)
    lab.wait(1.0)
    assert ask(lab, b"Q\r") == b"q,%d,%d\r\n" % (steps - 100, steps - 100)


def test_both_modes_may_follow_each_other() -> None:
    lab = epuck()
    assert ask(lab, b"Q\r" + code("Q") + b"\0" + b"E\n") == b"q,0,0\r\n" + words(0, 0) + b"e,0,0\r\n"


def test_each_proximity_sensor_reads_what_the_response_of_its_robot_says() -> None:
    far = {"paper": 1971, "e-puck": 1899, "webots": 384, "inverse-square": 485}
    for name, value in far.items():
        lab = epuck(x=4.0 - 0.035 - 0.02, heading=radians(10.0), proximity=name)
        readings = [int(reading) for reading in ask(lab, b"N\r").decode().strip().split(",")[1:]]
        assert readings[0] == value
        assert value > readings[7] > readings[1] > readings[6]
        assert readings[2:6] == [0, 0, 0, 0]


@pytest.mark.parametrize("number", range(8))
def test_each_proximity_sensor_looks_at_its_angle(number: int) -> None:
    angles = (350, 320, 270, 200, 160, 90, 40, 10)
    lab = epuck(x=4.0 - 0.035 - 0.02, heading=radians(-angles[number]))  # so that this one looks at the wall
    assert struct.unpack("<8H", ask(lab, code("N") + b"\0"))[number] == 1971


@pytest.mark.parametrize("ring", RINGS)
def test_a_wall_on_the_left_is_seen_on_the_left(ring: RingName) -> None:
    lab = epuck(y=3.0 - 0.035 - 0.01, ring=ring)  # it looks along the upper wall
    left = proximity(lab)
    assert left[:4] == [0, 0, 0, 0]
    assert max(left) == left[5] == {"webots": 2555}.get(ring, 2976)
    assert min(left[5:7]) > 0
    lab = epuck(y=0.035 + 0.01, ring=ring)
    assert proximity(lab) == left[::-1]


@pytest.mark.parametrize("ring", RINGS)
def test_each_sensor_of_each_ring_is_where_the_table_has_it(ring: RingName) -> None:
    turned = 0.2
    readings = proximity(epuck(x=4.0 - 0.035 - 0.003, heading=-turned, ring=ring))
    sensors = RINGS[ring]
    for value, looks, (ahead, left) in zip(readings, sensors.bearings, sensors.places, strict=True):
        way = 0.038 - ahead * cos(turned) - left * sin(turned)
        away = way / cos(looks - turned) if cos(looks - turned) > 0.0 else inf
        assert value == reading(RESPONSES["paper"], away)


@pytest.mark.parametrize("apart", [0.071, 0.08, 0.1, 0.107, 0.109, 0.13])
def test_robots_that_face_each_other_see_each_other_by_the_formula(apart: float) -> None:
    """Sensors at 15 degrees, as published; they see the other until the middles are 108 mm apart."""
    robots = [
        stand_in(1, "epuck-binary", radius=0.035, ring="paper"),
        stand_in(2, "epuck-binary", x=1.0 + apart, heading=pi, radius=0.035, ring="paper"),
    ]
    lab = SmallLab(*robots)
    lab.bytes_of()
    angle = radians(15.0)
    away = apart * cos(angle) - sqrt(0.035**2 - (apart * sin(angle)) ** 2) - 0.035
    value = reading(RESPONSES["paper"], away)
    assert (value > 0) == (apart < 0.108)
    assert proximity(lab) == [value, 0, 0, 0, 0, 0, 0, value]


def proximity(lab: SmallLab) -> list[int]:
    return list(struct.unpack("<8H", ask(lab, code("N") + b"\0")))


def test_ten_thousand_frames_of_garbage_do_not_move_it() -> None:
    lab = epuck()
    numbers = random.Random(2)
    letters = [byte for byte in range(256) if byte not in (0xBC, 0xF7, ord("D"), ord("d"))]
    for _ in range(10_000):
        lab.tell(bytes(numbers.choices(letters, k=numbers.randrange(20))))
    lab.wait(1.0)
    assert lab.pose() == (1.0, 1.0, 0.0)
    lab.tell(bytes(40) + b"\r")
    lab.wait(1.0)
    lab.bytes_of()
    assert ask(lab, b"P,0,0\rQ\r") == b"p\r\nq,0,0\r\n"


def test_it_answers_still_after_garbage_that_may_move_it() -> None:
    lab = epuck()
    numbers = random.Random(3)
    for _ in range(2_000):
        lab.tell(numbers.randbytes(numbers.randrange(20)))
        lab.wait(0.002)
    lab.tell(bytes(40) + b"\r")
    lab.wait(1.0)
    lab.bytes_of()
    assert ask(lab, b"D,0,0\rE\r") == b"d\r\ne,0,0\r\n"
    assert lab.speed() == 0.0
