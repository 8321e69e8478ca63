"""What bodies are, beside where they are: what those sensors read that tell one thing from another."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.core.robots.outside import Reality


class Traits(Struct, frozen=True):
    """What a body, or an obstacle, is.

    Attributes:
        kind: of thing, such as "robot" or "door"
        colour: by name, or as "#rrggbb"; empty: nothing that a camera tells from the floor
        reality: "real" where it stands for something that is really there, else "virtual"
        height: above the floor (m)
    """

    kind: str = "robot"
    colour: str = ""
    reality: Reality = "virtual"
    height: float = 0.1


OBSTACLE = Traits("obstacle")
"""What an obstacle is of which nothing else is said."""
