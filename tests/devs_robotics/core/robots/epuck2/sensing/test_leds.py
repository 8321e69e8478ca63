"""Which LEDs shine."""

from __future__ import annotations

import pytest

from devs_robotics.core.robots.epuck2.leds import LEDS
from devs_robotics.core.robots.epuck2.sensing.leds import LedState, WireColour, painted, shining


def test_nothing_shines_at_first() -> None:
    assert shining(LedState()) == ()


def test_each_shines_in_its_colour() -> None:
    state = LedState(
        red=(False, True, False, True),
        rgb=((100, 0, 0), (0, 0, 0), (0, 50, 100), (1, 1, 1)),
        front=True,
        body=True,
    )
    found = {led.number: colour for led, colour in shining(state)}
    red, green = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    assert found == {2: red, 3: red, 6: (0.0, 0.5, 1.0), 7: red, 8: (0.01, 0.01, 0.01), 9: red, 10: green}
    assert [led for led, _ in shining(state)] == [led for led in LEDS if led.number in found]


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [((0, 0, 0), (0, 0, 0)), ((100, 2, 3), (100, 2, 3)), ((101, 0, 0), (7, 8, 9)), ((0, 0, 255), (7, 8, 9))],
)
def test_a_colour_that_is_none_leaves_an_led_as_it_was(wanted: WireColour, shown: WireColour) -> None:
    assert painted((7, 8, 9), wanted) == shown
