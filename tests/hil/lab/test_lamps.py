"""What light sensors of stand-ins read: the published values, what hides a lamp, and that the models agree."""

from __future__ import annotations

import struct
from math import pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.core.robots.epuck2.sensing.light import reading
from devs_robotics.hil.lab.plan import LabDisc, LabLamp
from devs_robotics.models.activities.epuck2.light import LampsInSight
from devs_robotics.models.environment import Circle, Field, Lamp, World
from tests.hil.lab.sercom_line import ask, code
from tests.hil.lab.small_lab import SmallLab, stand_in

RADIUS = 0.035
DARK = 4095


def lab(
    *lamps: LabLamp, discs: tuple[LabDisc, ...] = (), heading: float = 0.0, others: tuple[float, ...] = ()
) -> SmallLab:
    """A robot with the published ring at (1 m, 1 m); others stand east of it, so far (m)."""
    robots = [
        stand_in(number, "epuck-ascii", x=x, radius=RADIUS, ring="paper", heading=heading)
        for number, x in enumerate((1.0, *(1.0 + other for other in others)), 1)
    ]
    made = SmallLab(*robots, lamps=lamps, discs=discs)
    made.bytes_of()
    return made


def seen(made: SmallLab) -> tuple[int, ...]:
    return struct.unpack("<8H", ask(made, code("O") + b"\0"))


@pytest.mark.parametrize(("distance", "value"), [(0.075, 0), (0.1, 1792), (0.2, 3519), (0.3, 3839), (0.5, 4003)])
def test_one_lamp_reads_what_is_published(distance: float, value: int) -> None:
    """Straight ahead of P2, which looks to the right."""
    read = seen(lab(LabLamp(1.0, 1.0 - RADIUS - distance + 1e-9, 1.0, 0.0)))
    assert read[2] == value
    assert read[5] == DARK


def test_beyond_half_a_metre_it_is_dark_and_without_lamps_it_is_an_ordinary_room() -> None:
    assert seen(lab(LabLamp(1.0, 1.0 - RADIUS - 0.501, 2.0, 0.0))) == (DARK,) * 8
    assert seen(lab()) == (3500,) * 8


def test_text_bytes_and_wifi_tell_the_same() -> None:
    made = lab(LabLamp(1.3, 1.1, 1.0, 0.0))
    read = seen(made)
    assert ask(made, b"O\r") == b"o," + ",".join(map(str, read)).encode() + b"\r\n"
    assert struct.unpack_from("<8H", ask(made, b"\xf8\0"), 53) == read
    assert min(read) < 3900


def test_a_body_or_an_obstacle_on_the_line_hides_a_lamp() -> None:
    lamp = LabLamp(1.4, 1.0, 2.0, 0.0)
    assert min(seen(lab(lamp))) < DARK
    assert seen(lab(lamp, discs=(LabDisc(1.2, 1.0, 0.05),))) == (DARK,) * 8
    assert seen(lab(lamp, others=(0.2,))) == (DARK,) * 8


@given(st.floats(0.5, 1.5), st.floats(0.5, 1.5), st.floats(-pi, pi), st.floats(0.2, 2.0), st.sampled_from([0.0, 0.1]))
def test_models_and_stand_ins_read_the_same_of_a_lamp_and_an_obstacle(
    x: float, y: float, heading: float, intensity: float, height: float
) -> None:
    """But where a hair's breadth decides whether something is hidden."""
    made = lab(LabLamp(x, y, intensity, height), discs=(LabDisc(1.2, 1.1, 0.05),), heading=heading)
    field = Field(4.0, 3.0, (Circle(1.2, 1.1, 0.05),))
    field.add_body(1.0, 1.0, heading, RADIUS)
    field.things.add(Lamp(x, y, intensity, height))
    answer = LampsInSight(1, RINGS["paper"].bearings, 0.5).answer(World(field, 0.0))
    expected = [reading(lamps) for lamps in answer.values]
    inside = sqrt((x - 1.0) ** 2 + (y - 1.0) ** 2) <= RADIUS + 1e-3
    assert inside or sum(abs(one - other) > 1 for one, other in zip(seen(made), expected, strict=True)) <= 1
