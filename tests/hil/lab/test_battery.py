"""The battery of a stand-in: it discharges as published, is charged in a charger, and is told on the wire."""

from __future__ import annotations

import struct

import pytest

from devs_robotics.hil.lab.plan import LabCharger
from tests.approximately import near
from tests.hil.lab.sercom_line import ask, code, epuck
from tests.hil.lab.small_lab import SmallLab, stand_in

HOUR = 3600.0


def charge(lab: SmallLab) -> float:
    (raw,) = struct.unpack("<H", ask(lab, code("b") + b"\0")[-2:])
    return float((raw / 819.2 - 3.4) / 0.8)


def test_a_robot_whose_battery_does_not_matter_has_four_volts_for_ever() -> None:
    lab = epuck()
    lab.wait(5 * HOUR)
    assert ask(lab, b"b\r") == b"b,3277 (75%)\r\n"


def test_at_rest_and_in_motion_it_lasts_as_long_as_published() -> None:
    lab = epuck(charge=1.0)
    assert ask(lab, b"b\r") == b"b,3441 (100%)\r\n"
    lab.wait(5.484 * HOUR / 2.0)
    assert charge(lab) == near(0.5, 0.001)
    lab = epuck(charge=0.5)
    lab.tell(b"D,100,-100\r")
    lab.wait(60.0)
    lab.tell(b"D,0,0\r")
    lab.wait(1.0)
    assert charge(lab) == near(0.5 - 60.0 / (3.193 * HOUR), 0.001)
    lab.wait(6 * HOUR)
    assert ask(lab, b"b\r").endswith(b"b,2785 (0%)\r\n")


@pytest.mark.parametrize(("x", "charged"), [(1.1, True), (1.3, False)])
def test_at_rest_in_a_charger_it_is_charged_until_it_is_full(x: float, charged: bool) -> None:
    robot = stand_in(1, "epuck-ascii", x=1.0, radius=0.035, charge=0.2)
    lab = SmallLab(robot, chargers=(LabCharger(x, 1.0, 0.15, 0.01),))
    lab.wait(30.0)
    assert charge(lab) == near(0.5 if charged else 0.2, 0.003)
    lab.tell(b"D,50,-50\r")
    before = charge(lab)
    lab.wait(20.0)
    assert charge(lab) <= before, "in motion it has no contact"
    lab.tell(b"D,0,0\r")
    lab.wait(200.0)
    assert charge(lab) == near(1.0 if charged else 0.2, 0.02)
