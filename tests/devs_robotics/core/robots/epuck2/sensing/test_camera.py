"""Blobs of LEDs: where the picture's edges are, and what the published angle means."""

from __future__ import annotations

from math import atan, degrees, radians, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.camera import ABOVE, AHEAD, RANGE, VIEWS
from devs_robotics.core.robots.epuck2.leds import LEDS
from devs_robotics.core.robots.epuck2.sensing.camera import Blob, blob
from tests.approximately import near

RED = (1.0, 0.0, 0.0)


def column(x: float, y: float, view: float = VIEWS["paper"]) -> int | None:
    """Of an LED that is x ahead of the camera and y to the left of its axis."""
    seen = blob((AHEAD + x, y, ABOVE), RED, view, reach=2.0)
    return None if seen is None else seen.column


def test_edges_and_middle() -> None:
    edge = 0.5 * tan(radians(15.0))
    assert [column(0.5, y) for y in (edge, 0.0, -edge)] == [0, 80, 159]
    assert [column(0.5, y) for y in (1.001 * edge, -1.001 * edge)] == [None, None]
    assert column(0.5, -1e-6) == 80
    assert column(0.5, 1e-6) == 79


@pytest.mark.parametrize(
    ("x", "y", "printed", "found"),
    [(250, 144, 32.1, 32.13), (150, 86, 29.5, 31.99), (263, 141, 30.0, 30.01), (143, 77, 30.1, 30.14)],
)
def test_table_4_gives_the_full_angle(x: float, y: float, printed: float, found: float) -> None:
    """LEDs y apart at a distance of x (mm) are just in the picture. One angle is printed wrong, as if y were 79."""
    low, high = 1.0, 90.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if column(0.001 * x, 0.0005 * y, radians(middle)) is not None else (middle, high)
    assert high == near(2.0 * degrees(atan(y / (2.0 * x))), 1e-6)
    assert high == near(found, 0.005)
    if y == 86:
        assert printed == near(2.0 * degrees(atan(79 / 300)), 0.05)
    else:
        assert printed == near(found, 0.05)
    assert column(0.001 * x, 0.0005 * y, radians(2.0 * found)) is not None  # a half-angle would show much more


def test_it_sees_one_metre_ahead_along_its_axis_and_nothing_behind() -> None:
    assert RANGE == 1.0
    places = [(AHEAD + x, y, ABOVE) for x, y in ((0.999, 0.2), (1.0, 0.0), (0.0, 0.0), (-0.5, 0.0), (1e-3, 0.0))]
    assert [blob(place, RED) is not None for place in places] == [True, False, False, False, True]


def test_what_is_higher_is_further_up_and_the_picture_ends() -> None:
    height = 0.5 * tan(radians(15.0)) * 0.75 * (1.0 - 1e-9)
    rows = [blob((AHEAD + 0.5, 0.0, ABOVE + z), RED) for z in (height, 0.001, 0.0, -0.001, -height)]
    assert [seen.row for seen in rows if seen is not None] == [0, 59, 60, 60, 119]
    assert blob((AHEAD + 0.5, 0.0, ABOVE + 1.001 * height), RED) is None
    assert blob((AHEAD + 0.5, 0.0, ABOVE - 1.001 * height), RED) is None


def test_the_ring_of_a_robot_ahead_is_seen_above_the_axis() -> None:
    """Its LED1 (13 mm above the camera) from 0.2 m behind it: f = 80 / tan 15 deg, f 0.013 / 0.17 = 22.8 pixels up."""
    led = LEDS[4]  # at its back
    seen = blob((0.2, led.place[1], led.place[2]), RED)
    assert seen == Blob(80, 60 - 23, RED)


@given(st.floats(0.01, 0.99), st.floats(-0.5, 0.5), st.floats(-0.2, 0.2), st.sampled_from(tuple(VIEWS.values())))
def test_a_pinhole_has_square_pixels(x: float, y: float, z: float, view: float) -> None:
    focal = 80.0 / tan(0.5 * view)
    across, down = 80.0 - focal * y / x, 60.0 - focal * z / x
    seen = blob((AHEAD + x, y, ABOVE + z), (0.0, 0.5, 1.0), view)
    if seen is None:
        assert not (1e-6 < across < 160.0 - 1e-6 and 1e-6 < down < 120.0 - 1e-6)
    else:
        assert (seen.column, seen.row) == (near(across - 0.5, 0.501), near(down - 0.5, 0.501))
        assert seen.colour == (0.0, 0.5, 1.0)
