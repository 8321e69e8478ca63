"""The e-puck as hardware: its inertial sensors, its calibration, and what hinders its wheels."""

from __future__ import annotations

import struct
from math import pi

from devs_robotics.hil.lab.epuck import MAGNETIC
from tests.approximately import near
from tests.hil.lab.sercom_line import STEP_LENGTH, ask, code, epuck, words
from tests.hil.lab.small_lab import SmallLab, stand_in


def test_the_gyroscope_tells_the_rate_of_turn_as_far_as_it_goes() -> None:
    lab = epuck()
    ask(lab, b"D,-200,200\r")
    lab.wait(0.1)
    rate = 400 * STEP_LENGTH / 0.053 * 180 / pi * 32768 / 250
    assert struct.unpack("<3h", ask(lab, code("g") + b"\0")) == (0, 0, near(rate, 1.0))
    for left, reading in ((1100, -32768), (-1100, 32767)):
        ask(lab, b"D,%d,%d\r" % (left, -left))
        lab.wait(0.1)
        assert struct.unpack("<3h", ask(lab, code("g") + b"\0")) == (0, 0, reading)


def test_the_magnetometer_tells_the_heading() -> None:
    lab = epuck(heading=pi / 6)
    field = struct.unpack_from("<3f", ask(lab, b"\xf8\0"), 24)
    assert field == (near(MAGNETIC * 0.5 * 3**0.5, 1e-5), near(-0.5 * MAGNETIC, 1e-5), near(-2.0 * MAGNETIC, 1e-5))


def test_after_a_calibration_less_light_than_then_is_none() -> None:
    lab = epuck(x=4.0 - 0.035 - 0.02)
    ask(lab, b"K\r")
    lab.wait(1.0)
    ask(lab, b"D,-300,-300\r")
    lab.wait(0.5)
    assert ask(lab, b"N\r").endswith(b"n,0,0,0,0,0,0,0,0\r\n")


def test_wheels_that_slip_count_what_they_turned() -> None:
    lab = epuck(stretch=0.2, swerve=0.5)
    ask(lab, b"D,500,500\r")
    lab.wait(2.0)
    assert ask(lab, b"Q\r") == b"q,1000,1000\r\n"
    x, y, heading = lab.pose()
    way = ((x - 1.0) ** 2 + (y - 1.0) ** 2) ** 0.5
    assert 0.001 < abs(way / (1000 * STEP_LENGTH) - 1.0) <= 0.2
    assert 0.001 < abs(heading) <= 0.5 * way * 1.01
    assert lab.speed() == near(way / 2.0, 1e-4)
    (_, _, gyro) = struct.unpack("<3h", ask(lab, code("g") + b"\0"))
    assert gyro == near(heading / 2.0 * 180 / pi * 32768 / 250, 1.0)


def test_backward_it_swerves_the_same_way() -> None:
    def heading(speed: int) -> float:
        lab = epuck(swerve=0.5)
        ask(lab, b"D,%d,%d\r" % (speed, speed))
        lab.wait(2.0)
        return lab.pose()[2]

    assert heading(-500) == near(heading(500))
    assert heading(500) != 0.0


def test_what_stalled_goes_on_when_the_way_is_free_again() -> None:
    robots = [stand_in(number, "epuck-ascii", x=0.8 + 0.2 * number, radius=0.035) for number in (1, 2)]
    lab = SmallLab(*robots)
    lab.tell(b"D,500,500\r", 1)
    lab.wait(4.0)
    assert lab.pose(1)[0] == near(1.13)
    assert lab.speed(1) == 0.0
    lab.tell(b"D,500,500\r", 2)
    lab.wait(1.0)
    assert lab.pose(2)[0] == near(1.2 + 500 * STEP_LENGTH)
    assert lab.pose(1)[0] == near(1.13 + 500 * STEP_LENGTH, 0.002)
    assert lab.speed(1) == near(500 * STEP_LENGTH)


def test_wheels_that_are_blocked_while_they_slow_down_are_at_rest() -> None:
    lab = epuck(x=3.9, acceleration=0.1)
    ask(lab, code("D") + words(900, 900) + b"\0")
    lab.wait(1.0)
    ask(lab, b"D,0,0\r")
    lab.wait(1.0)
    assert lab.pose()[0] == near(4.0 - 0.035)
    assert lab.laboratory.bodies[0].course is None
