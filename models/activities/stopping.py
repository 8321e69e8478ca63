"""How far a real robot still goes that nobody commands any more."""

from __future__ import annotations

from math import inf

from msgspec import Struct


class StoppingDistance(Struct, frozen=True):
    """The way from the last command until a robot stands.

    Attributes:
        reaction: time for which it goes on as it was told (s)
        deceleration: with which it brakes then (m/s^2); infinite: it stands at once
    """

    reaction: float
    deceleration: float = inf

    def of(self, speed: float) -> float:
        """That of a robot with a speed (m/s); in metres."""
        return abs(speed) * self.reaction + speed * speed / (2.0 * self.deceleration)
