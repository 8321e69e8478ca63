"""How robots whose programs are outside sense and hear, and when they are missed."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Rules(Struct, frozen=True):
    """How outsiders sense, and when they are missed.

    Attributes:
        silence: time after its last word at which a robot is taken out (s)
        radius: of their bodies (m)
        reach: how far a call is heard that does not say it (m)
        sensing: by exact rays, or as the published server sensed, to compare both
        half_angle: of the cones of sensors by exact rules; 0: they are rays (rad)
        colour_reach, proximity_colour_reach: how far colours are seen by the published rules, from the middle (m)
        robots_coloured: whether a robot's colour is that of its LEDs; else it has none
        radio_delay: time from a call to when it is heard (s)
        radio_loss: share of hearers that do not hear a call
        seed: of what is lost
    """

    silence: float = 360.0
    radius: float = 0.06
    reach: float = 0.6
    sensing: Literal["exact", "original"] = "exact"
    half_angle: float = 0.0
    colour_reach: float = 0.30
    proximity_colour_reach: float = 0.20
    robots_coloured: bool = False
    radio_delay: float = 0.0
    radio_loss: float = 0.0
    seed: int = 1


USUAL = Rules()
"""As published, where that is right."""
