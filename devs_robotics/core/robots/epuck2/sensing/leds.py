"""Which LEDs shine, and in which colour."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from devs_robotics.core.robots.epuck2.leds import BODY, BRIGHTEST, FRONT, LEDS, RED, RGB, Led

Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue, from 0 to 1."""

WireColour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, from 0 to `BRIGHTEST`."""

_OFF: WireColour = (0, 0, 0)


class LedState(Struct, frozen=True):
    """What the LEDs of a robot were told last.

    Attributes:
        red: whether each of LED1, LED3, LED5 and LED7 is on
        rgb: colours of LED2, LED4, LED6 and LED8
        front, body: whether they are on
    """

    red: tuple[bool, bool, bool, bool] = (False, False, False, False)
    rgb: tuple[WireColour, WireColour, WireColour, WireColour] = (_OFF, _OFF, _OFF, _OFF)
    front: bool = False
    body: bool = False


def painted(before: WireColour, wanted: WireColour) -> WireColour:
    """The colour of an RGB LED that is told one; a part above `BRIGHTEST` leaves it as it was."""
    return wanted if max(wanted) <= BRIGHTEST else before


def shining(state: LedState) -> tuple[tuple[Led, Colour], ...]:
    """The LEDs that are on, by their numbers, each with its colour: what other robots' cameras see."""
    colours: dict[int, Colour] = {number: (1.0, 0.0, 0.0) for number, on in zip(RED, state.red, strict=True) if on}
    for number, (red, green, blue) in zip(RGB, state.rgb, strict=True):
        if (red, green, blue) != _OFF:
            colours[number] = (red / BRIGHTEST, green / BRIGHTEST, blue / BRIGHTEST)
    if state.front:
        colours[FRONT] = (1.0, 0.0, 0.0)
    if state.body:
        colours[BODY] = (0.0, 1.0, 0.0)
    return tuple((led, colours[led.number]) for led in LEDS if led.number in colours)
