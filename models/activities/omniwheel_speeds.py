"""How fast each of three omniwheels rolls for a motion of the body, and the other way round."""

from __future__ import annotations

from math import cos, radians, sin, sqrt

ANGLES = tuple(radians(angle) for angle in (60.0, 180.0, 300.0))
"""Where the wheels are, from the heading (rad); each rolls along the tangent."""

MATRIX = tuple((-sin(angle), cos(angle), 1.0) for angle in ANGLES)
"""From (ahead, to the left, turn rate times the wheels' distance from the middle) to the wheels (m/s)."""

PRINTED = ((-0.866, 0.5, 1.0), (0.0, -1.0, 1.0), (0.866, -0.5, 1.0))
"""The same as printed in arXiv 2203.13809: a sign in the third row is wrong, as the second column must sum to 0."""

Three = tuple[float, float, float]


def wheel_speeds(ahead: float, left: float, turning: float) -> Three:
    """Speeds of the wheels (m/s) for a velocity of the body: ahead, to the left, and turn rate times distance (m/s)."""
    one, two, three = (row[0] * ahead + row[1] * left + row[2] * turning for row in MATRIX)
    return one, two, three


def body_velocity(one: float, two: float, three: float) -> Three:
    """The velocity of the body by the speeds of the wheels (m/s)."""
    return (three - one) / sqrt(3.0), (one - 2.0 * two + three) / 3.0, (one + two + three) / 3.0
