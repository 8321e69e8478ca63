"""The robot: its body, Tables 1 to 3, and the coefficients of its formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import degrees

from devs_robotics.core.robots.epuck2 import body, camera, ground, leds, light, time_of_flight
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, RESPONSES, Quadratic, ResponseName
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.experimental_frames.epuck2 import published as paper
from devs_robotics.experimental_frames.epuck2.comparing.row import Row, row
from devs_robotics.models.batteries import DISCHARGES, SimpleDischarge


def robot() -> Iterator[Row]:
    """What is said of it in sections 3 and 4.1."""
    yield from _body()
    yield from _tables()
    new, old = _listed(paper.PROXIMITY_FIT), _listed(paper.FIRST_PROXIMITY_FIT)
    yield row("eq. (1)", "a, b, c of the proximity sensors", new, _listed(_coefficients("paper")))
    yield row("eq. (1)", "a, b, c of the first e-puck's", old, _listed(_coefficients("e-puck")))
    yield row("eq. (2)", "gain of the light sensors", f"{paper.LIGHT_GAIN:g}", f"{light.GAIN:g}")
    simple = SimpleDischarge()
    yield row(
        "section 4.1.7",
        "slopes of the simple battery, at rest and in motion (1/s)",
        _listed(paper.SLOPES),
        _listed((simple.at_rest, simple.moving)),
    )


def _body() -> Iterator[Row]:
    yield row(
        "section 3",
        "radius and height (mm), mass (g)",
        _listed(1000.0 * each for each in (paper.RADIUS, paper.HEIGHT, paper.MASS)),
        _listed(1000.0 * each for each in (body.RADIUS, body.HEIGHT, body.MASS)),
    )
    fastest = 100.0 * body.FASTEST * body.STEP_LENGTH
    yield row(
        "section 3",
        "largest speed of a wheel (cm/s)",
        f"{100.0 * paper.FASTEST:.1f}",
        f"{fastest:.1f}",
        f"The firmware cuts every speed to {body.FASTEST} steps per second. Runs of this page have the published one.",
    )
    yield row("section 3.5", "angle of a step (degrees)", f"{paper.STEP_ANGLE:g}", f"{360.0 / body.STEPS:g}")


def _tables() -> Iterator[Row]:
    half = 1 << (body.COUNTER_BITS - 1)
    eight = len(RINGS["paper"].bearings)
    ranges = {
        "proximity": f"{eight}, 0 to {BRIGHTEST}",
        "light": f"{eight}, {light.DARKEST} to 0",
        "ground": f"{len(ground.PLACES)}, 0 to {ground.WHITE}",
        "time of flight": f"1, {time_of_flight.NEAREST_MM} to {time_of_flight.FARTHEST_MM}",
        "encoders": f"2, {-half} to {half - 1}",
        "camera": f"{camera.WIDTH} x {camera.HEIGHT}",
        "batteries": f"{len(DISCHARGES)} discharge models",
    }
    for name, published in paper.RANGES.items():
        yield row("Table 1", name, published, ranges[name])
    yield row(
        "Table 2",
        "LED1 to LED10: colours",
        " ".join(paper.LED_COLOURS),
        " ".join(led.kind for led in leds.LEDS),
    )
    places = [_clockwise(led.bearing) for led in leds.LEDS[:8]]
    names = {leds.FRONT: "front", leds.BODY: "body"}
    yield row(
        "Table 2",
        "LED1 to LED10: places (degrees, clockwise)",
        " ".join(paper.LED_PLACES),
        " ".join([*places, *(names[led.number] for led in leds.LEDS[8:])]),
    )
    yield row(
        "Table 3",
        "proximity and light sensors (degrees, clockwise)",
        " ".join(map(str, paper.RING_DEGREES)),
        " ".join(map(_clockwise, RINGS["paper"].bearings)),
    )
    yield row("section 4.1.6", "range of the camera (m)", f"{paper.CAMERA_RANGE:g}", f"{camera.RANGE:g}")


def _coefficients(name: ResponseName) -> tuple[float, float, float]:
    response = RESPONSES[name]
    assert isinstance(response, Quadratic)
    return response.a, response.b, response.c


def _clockwise(bearing: float | None) -> str:
    """An angle from the front as the robot's own numbers run (degrees)."""
    assert bearing is not None
    return f"{round(-degrees(bearing)) % 360}"


def _listed(numbers: Iterable[float]) -> str:
    return ", ".join(f"{number:.7g}" for number in numbers)
