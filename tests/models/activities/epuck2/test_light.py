"""Light sensors in the world: the published curve, what hides a lamp, several lamps, and watches."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from devs_robotics import Crossed, ModelError, Sense, Watch
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.models.activities.epuck2 import VirtualLight, VirtualLightWatch
from devs_robotics.models.environment import Lamp, Segment, Twist
from tests.models.activities.sensed import RADIUS, asked, watched, world_of

BEARINGS = RINGS["paper"].bearings
DARK = 4095.0


def read(*robots: tuple[float, float, float], **others: Any) -> tuple[float, ...]:
    values: tuple[float, ...] = asked(world_of(*robots, **others), VirtualLight("light"), Sense()).values
    return values


def lamp_ahead_of(sensor: int, distance: float, **others: Any) -> Lamp:
    """Straight ahead of a sensor of a robot at (2, 2) that heads along x."""
    away = RADIUS + distance
    return Lamp(2.0 + away * cos(BEARINGS[sensor]), 2.0 + away * sin(BEARINGS[sensor]), **others)


@pytest.mark.parametrize(
    ("distance", "value"),
    [(0.05, 0), (0.1, 1792), (0.2, 3519), (0.3, 3839), (0.4, 3951), (0.4999, 4003), (0.501, 4095)],
)
@pytest.mark.parametrize("sensor", [0, 2, 5])
def test_a_lamp_is_as_bright_as_published(distance: float, value: int, sensor: int) -> None:
    values = read((2.0, 2.0, 0.0), things=[lamp_ahead_of(sensor, distance)])
    assert values[sensor] == pytest.approx(value, abs=1)
    assert values[sensor] == min(values)


def test_the_body_hides_a_lamp_from_the_sensors_behind_it() -> None:
    values = read((2.0, 2.0, 0.0), things=[Lamp(2.3, 2.0)])
    assert [value < DARK for value in values] == [True, True, False, False, False, False, True, True]
    behind = read((2.0, 2.0, pi), things=[Lamp(2.3, 2.0)])
    assert [value < DARK for value in behind] == [False, False, False, True, True, False, False, False]


def test_other_bodies_and_obstacles_hide_it_and_what_stands_beside_does_not() -> None:
    lamp = lamp_ahead_of(5, 0.3)
    assert read((2.0, 2.0, 0.0), things=[lamp])[5] < DARK
    assert read((2.0, 2.0, 0.0), (2.0, 2.2, 0.0), things=[lamp])[5] == DARK
    assert read((2.0, 2.0, 0.0), (2.04, 2.2, 0.0), things=[lamp])[5] < DARK
    wall = Segment(1.9, 2.1, 2.1, 2.1)
    assert read((2.0, 2.0, 0.0), things=[lamp], obstacles=[wall])[5] == DARK


def test_light_of_several_lamps_adds_up_and_a_lamp_above_is_further_away() -> None:
    one, two = lamp_ahead_of(5, 0.2), lamp_ahead_of(5, 0.3, intensity=2.0)
    together = read((2.0, 2.0, 0.0), things=[one, two])[5]
    alone = [DARK - read((2.0, 2.0, 0.0), things=[each])[5] for each in (one, two)]
    assert together == pytest.approx(DARK - sum(alone), abs=1)
    above = read((2.0, 2.0, 0.0), things=[lamp_ahead_of(5, 0.16, height=0.12)])[5]
    assert above == pytest.approx(3519, abs=1), "20 cm away"


def test_a_watch_is_on_a_raster() -> None:
    with pytest.raises(ModelError, match="give the Watch a period"):
        watched(world_of((2.0, 2.0, 0.0)), VirtualLightWatch("light"), Watch((4000.0,)), [], until=1.0)


def test_a_watch_tells_the_level_that_is_crossed_and_in_the_dark_nobody_looks() -> None:
    world = world_of((1.0, 2.0, 0.0), things=[Lamp(3.0, 2.0)])
    told = watched(world, VirtualLightWatch("light"), Watch((3000.0,), 0.1), [(0.0, Twist(1, 0.05, 0.0))], until=38.0)
    assert told[0] == (0.0, Crossed((DARK,) * 8))
    assert {crossed.element for _, crossed in told[1:]} >= {0, 7}
    time, first = told[1]
    assert (first.level, first.rising) == (3000.0, False)
    assert first.values[first.element] < 3000.0
    assert time > (2.0 - 0.5 - RADIUS) / 0.05


@st.composite
def plays(draw: st.DrawFn) -> tuple[list[Lamp], list[tuple[float, Twist]]]:
    places = st.floats(0.1, 1.4)
    lamps = [
        Lamp(draw(places), draw(places), draw(st.sampled_from([0.5, 1.0, 2.0]))) for _ in range(draw(st.integers(1, 3)))
    ]
    speeds, rates = st.sampled_from([0.0, 0.05, -0.1, 0.14]), st.sampled_from([0.0, 0.5, -2.0])
    twists = [(0.0, Twist(1, draw(speeds), draw(rates)))]
    for _ in range(draw(st.integers(0, 4))):
        twists.append((draw(st.integers(1, 60)) / 10, Twist(draw(st.integers(1, 3)), draw(speeds), draw(rates))))
    return lamps, twists


@given(plays())
@settings(max_examples=15, deadline=None, phases=(Phase.generate,))
def test_every_strategy_tells_the_same(play: tuple[list[Lamp], list[tuple[float, Twist]]]) -> None:
    lamps, twists = play
    runs = [
        watched(
            world_of((0.7, 0.7, 0.3), (0.9, 0.5, 2.0), (0.4, 0.8, -1.0), things=lamps, size=1.5),
            VirtualLightWatch("light"),
            Watch(period=0.1),
            sorted(twists, key=lambda each: each[0]),
            until=7.0,
            strategy=strategy,
        )
        for strategy in ("polling", "predict", "batch")
    ]
    assert runs[0] == runs[1] == runs[2]
