"""The published figures of the e-puck2: what follows from them, and where their sources agree."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, pi, radians, sin

import pytest

from devs_robotics.core.robots.epuck2 import battery, body, inertial, leds
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, REACH, RESPONSES, Quadratic
from devs_robotics.core.robots.epuck2.ring import DEFAULT_RING, RINGS, RingName
from tests.approximately import near

CLOCKWISE: dict[RingName, tuple[float, ...]] = {
    "paper": (15, 50, 90, 150, 210, 270, 310, 345),
    "argos": (17, 50, 90, 150, 210, 270, 310, 343),
    "webots": (17.2, 45.8, 90, 151.4, 208.6, 270, 314.2, 342.8),
    "clients": (10, 40, 90, 160, 200, 270, 320, 350),
}
"""Angles of PROX0 to PROX7 from the front, as the robot's own numbers run (degrees)."""


def test_a_step_and_the_speeds_of_wheels_are_as_published() -> None:
    assert near(1.288e-4, 1e-7) == body.STEP_LENGTH
    assert near(0.1417, 5e-5) == body.FASTEST * body.STEP_LENGTH
    turning = [2.0 * steps * body.STEP_LENGTH / body.AXLE for steps in (1000, body.FASTEST)]
    assert turning == [near(4.861, 5e-4), near(5.347, 5e-4)]


@pytest.mark.parametrize("name", RINGS)
def test_a_ring_runs_clockwise_from_the_front_right(name: RingName) -> None:
    ring = RINGS[name]
    assert [degrees(bearing) for bearing in ring.bearings] == pytest.approx([360 - angle for angle in CLOCKWISE[name]])
    assert all(y < 0.0 for _, y in ring.places[:4])
    assert all(y > 0.0 for _, y in ring.places[4:])
    for bearing, (x, y) in zip(ring.bearings, ring.places, strict=True):
        away = atan2(y, x) % (2.0 * pi)
        if ring.radius is None:
            assert 0.028 < hypot(x, y) < body.RADIUS
            assert abs(away - bearing) < radians(4.0)
        else:
            assert (hypot(x, y), away) == (near(ring.radius), near(bearing))
    assert DEFAULT_RING == "paper"


@pytest.mark.parametrize("name", RINGS)
def test_left_is_the_mirror_image_of_right(name: RingName) -> None:
    ring = RINGS[name]
    for right in range(4):
        left = 7 - right
        assert ring.places[left] == (near(ring.places[right][0]), near(-ring.places[right][1]))
        assert sin(ring.bearings[left]) == near(-sin(ring.bearings[right]))
        assert cos(ring.bearings[left]) == near(cos(ring.bearings[right]))


def test_new_and_old_fit_differ_little() -> None:
    new, old = RESPONSES["paper"], RESPONSES["e-puck"]
    assert isinstance(new, Quadratic)
    assert isinstance(old, Quadratic)
    apart = {mm / 100.0: abs(_share(new, mm * 1e-5) - _share(old, mm * 1e-5)) for mm in range(round(1e5 * REACH) + 1)}
    worst = max(apart, key=lambda mm: apart[mm])
    assert (worst, apart[worst]) == (near(2.27, 0.01), near(0.056, 5e-4))
    assert BRIGHTEST == 4095


def _share(response: Quadratic, d: float) -> float:
    return min(1.0, max(0.0, response.a * d * d + response.b * d + response.c))


def test_lights_run_clockwise_too() -> None:
    assert [led.number for led in leds.LEDS] == list(range(1, 11))
    ring = leds.LEDS[:8]
    assert [None if led.bearing is None else round(degrees(led.bearing)) for led in ring] == [
        (360 - 45 * number) % 360 for number in range(8)
    ]
    right = ring[2]
    assert (right.number, right.kind, right.place[1]) == (3, "red", near(-body.RADIUS))
    by_kind = {kind: tuple(led.number for led in leds.LEDS if led.kind == kind) for kind in ("red", "rgb", "green")}
    assert by_kind == {"red": (*leds.RED, leds.FRONT), "rgb": leds.RGB, "green": (leds.BODY,)}
    assert leds.LEDS[8].place[:2] == (body.RADIUS, 0.0)
    assert all(0.0 < led.place[2] < body.HEIGHT for led in leds.LEDS)


def test_limits_of_the_battery_are_those_in_volts() -> None:
    volts = [raw / battery.RAW_PER_VOLT for raw in (battery.LOW_RAW, battery.OFF_RAW)]
    assert volts == [near(3.54, 0.005), near(3.17, 0.005)]
    assert near(3.0, 0.001) == 4095 / battery.RAW_PER_VOLT * 0.6


def test_the_gyroscope_has_250_degrees_a_second() -> None:
    assert degrees(32768 * inertial.RAW_RATE) == near(250.0)
