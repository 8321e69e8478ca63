"""The lights of an e-puck2: which are on, and in which colour its body glows."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics.core.robots.epuck2.leds import BRIGHTEST, RED

Colour = tuple[float, float, float]
"""Red, green and blue, from 0 to 1."""

ALL, BODY, FRONT = 8, 8, 9
"""In ASCII the number 8 stands for the whole ring, in binary 8 and 9 for body and front."""

_RED_ONES = tuple(number - 1 for number in RED)
"""Places in the ring of LED1, LED3, LED5 and LED7; the others have colours."""


class Lights:
    """Eight LEDs in a ring, one that lights the whole body, and one ahead.

    Attributes:
        ring: whether each of LED1 to LED8 is on
        colours: of LED2, LED4, LED6 and LED8: red, green and blue (0 to 100)
        body, front: whether they are on
    """

    def __init__(self) -> None:
        self.ring = [False] * 8
        self.colours = [(0, 0, 0)] * 4
        self.body = self.front = False

    def switch(self, number: int, action: int) -> None:
        """Switch one LED of the ring, or all of it (`ALL`): 0 off, 1 on, more for the other state."""
        for place in range(8) if number == ALL else (number,):
            if 0 <= place < 8:
                self.ring[place] = switched(self.ring[place], action)
                if place not in _RED_ONES:  # a client that knows of no colours sees them red
                    self.colours[place // 2] = (BRIGHTEST, 0, 0) if self.ring[place] else (0, 0, 0)

    def switch_body(self, action: int) -> None:
        """Switch the body's."""
        self.body = switched(self.body, action)

    def switch_front(self, action: int) -> None:
        """Switch the one ahead."""
        self.front = switched(self.front, action)

    def show(self, flags: int, colours: bytes) -> None:
        """Set all: bits for LED1, LED3, LED5, LED7, body and front, and twelve bytes of colours."""
        for bit, place in enumerate(_RED_ONES):
            self.ring[place] = bool(flags >> bit & 1)
        self.body, self.front = bool(flags & 0x10), bool(flags & 0x20)
        self.paint(colours)

    def paint(self, colours: Sequence[int]) -> None:
        """Set the colours of LED2, LED4, LED6 and LED8, three values each; one above `BRIGHTEST` keeps that LED's."""
        for number in range(4):
            red, green, blue = colours[3 * number : 3 * number + 3]
            if max(red, green, blue) <= BRIGHTEST:
                self.colours[number] = (red, green, blue)
                self.ring[2 * number + 1] = (red, green, blue) != (0, 0, 0)

    @property
    def glow(self) -> Colour:
        """In which colour the body is seen from around: all its lights together."""
        red, green, blue = (sum(colour) / (4 * BRIGHTEST) for colour in zip(*self.colours, strict=True))
        red += sum(self.ring[place] for place in _RED_ONES) / 4
        return min(1.0, red), min(1.0, green + self.body), min(1.0, blue)


def switched(on: bool, action: int) -> bool:
    """What an LED is after 0 (off), 1 (on), or anything else (the other state)."""
    return action == 1 or (action != 0 and not on)
