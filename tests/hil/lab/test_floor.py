"""The floor of a laboratory: its patterns are those of the models, by code of its own."""

from __future__ import annotations

import struct
from math import pi

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.lab.floor import Area, LabFloor, LabLine, LabSectors, LabStripes, Spot
from devs_robotics.hil.lab.plan import LabPlan
from devs_robotics.hil.lab.plan_text import decode, encode
from devs_robotics.models.environment import floor as models
from devs_robotics.models.environment.shapes import Circle, Polygon
from tests.hil.lab.sercom_line import ask, code
from tests.hil.lab.small_lab import SmallLab, lab_plan, stand_in

TRIANGLE = ((0.2, 0.2), (0.8, 0.3), (0.4, 0.9))
WAY = ((1.1, 0.2), (1.5, 0.9), (1.5, 0.9), (0.9, 0.7))

FLOOR = LabFloor(
    (
        LabSectors(0.7, 0.6, (0.1, 0.9, 0.4), 0.3),
        LabStripes(0.13, (0.2, 0.8), 0.5, 0.1, -0.2),
        Area(TRIANGLE, 0.5),
        Spot(1.2, 0.4, 0.2, 0.6),
        LabLine(WAY, 0.1, 0.0, True),
    ),
    plain=0.7,
)
OWN = (
    models.Sectors(0.7, 0.6, (0.1, 0.9, 0.4), 0.3),
    models.Stripes(0.13, (0.2, 0.8), 0.5, 0.1, -0.2),
    models.Patch(Polygon(TRIANGLE), 0.5),
    models.Patch(Circle(1.2, 0.4, 0.2), 0.6),
    models.Line(WAY, 0.1, 0.0, closed=True),
)

places = st.floats(-0.5, 2.5).map(lambda value: round(value, 4) + 1.7e-5)


@given(places, places, st.sets(st.integers(0, 4)))
def test_it_is_as_bright_as_the_models_say(x: float, y: float, chosen: set[int]) -> None:
    ours = LabFloor(tuple(FLOOR.patterns[number] for number in sorted(chosen)), 0.7)
    theirs = models.Floor(tuple(OWN[number] for number in sorted(chosen)), 0.7)
    assert ours.grey(x, y) == theirs.grey(x, y)


def test_a_line_of_one_point_is_a_spot() -> None:
    assert LabLine(((1.0, 1.0), (1.0, 1.0)), 0.2, 0.0, False).grey(1.05, 1.05) == 0.0
    assert LabLine(((1.0, 1.0), (1.0, 1.0)), 0.2, 0.0, False).grey(1.1, 1.1) is None


def test_it_goes_to_the_laboratory_as_text() -> None:
    plan: LabPlan = lab_plan(floor=FLOOR)
    assert decode(encode(plan)) == plan
    assert msgspec.json.decode(encode(plan))["floor"]["patterns"][0]["type"] == "sectors"


def test_ground_sensors_read_it_left_centre_and_right() -> None:
    """A robot that looks north, over a border from black to white at x = 1 m: its left sensor is west."""
    floor = LabFloor((LabStripes(1.0, (0.0, 0.5), 0.0, 0.0, 0.0),), 1.0)
    lab = SmallLab(stand_in(1, "epuck-ascii", x=1.0005, heading=pi / 2, radius=0.035), floor=floor)
    lab.bytes_of()
    assert ask(lab, b"M\r") == b"m,0,512,512,900,900\r\n"
    assert struct.unpack("<4H", ask(lab, code("M") + b"\0")) == (0, 512, 512, 900)
    assert struct.unpack_from("<3H", ask(lab, b"\xf8\0"), 90) == (0, 512, 512)
