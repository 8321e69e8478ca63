"""Who hears a robot's call: all that are near, or those of them that are ahead."""

from __future__ import annotations

from math import atan2, degrees, hypot, inf, radians, remainder, tau

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World

HALF_ANGLE = radians(15.0)
"""Half of the cone in which a call ahead is heard (rad)."""

DIGITS = 4
"""Distances are compared in tenths of a millimetre, inclusive."""

ANGLE_DIGITS = 2
"""Angles are compared in hundredths of a degree, inclusive."""


class Heeded(Struct, frozen=True):
    """The answer to a `Call`.

    Attributes:
        robot: that called
        text: the message
        hearers: who hears it, ascending
        ahead: whether it was only for those ahead
    """

    robot: int
    text: str
    hearers: tuple[int, ...]
    ahead: bool


class Call(Question, frozen=True, omit_defaults=True):
    """A call to all bodies near; walls, bodies and realities play no part, and who calls does not hear it.

    Attributes:
        text: the message
        reach: from the middle of the body to those of the hearers (m)
        ahead: whether only those in a cone ahead hear it
    """

    text: str = ""
    reach: float = inf
    ahead: bool = False

    def answer(self, world: World) -> Heeded:
        """Who hears it now."""
        field, body = world.field, self.robot - 1
        x, y, heading = field.pose(body)
        reach = round(self.reach, DIGITS) if self.reach < inf else inf
        near = field.near(x, y, self.reach + 10.0**-DIGITS) if self.reach < inf else range(len(field.x))
        hearers = []
        for other in sorted(near):
            if other == body or other in field.bodies.gone:
                continue
            other_x, other_y, _ = field.pose(other)
            dx, dy = other_x - x, other_y - y
            if round(hypot(dx, dy), DIGITS) <= reach and (not self.ahead or _is_ahead(dx, dy, heading)):
                hearers.append(other + 1)
        return Heeded(self.robot, self.text, tuple(hearers), self.ahead)


def _is_ahead(dx: float, dy: float, heading: float) -> bool:
    """Whether something is in the cone ahead; what is in the same place is."""
    if dx == 0.0 == dy:
        return True
    off = abs(degrees(remainder(atan2(dy, dx) - heading, tau)))
    return round(off, ANGLE_DIGITS) <= round(degrees(HALF_ANGLE), ANGLE_DIGITS)
