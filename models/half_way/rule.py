"""The rule of half of the way that is free.

A robot stands, looks, goes at most half of what it sees to be free, and looks again. The other half is for whoever
comes the other way, and decides alike: so nobody runs into anybody (docs/safety.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import radians

from devs_robotics.models.robots.kinds import RobotKind, round_differential

LOOK = 0.125
"""So long a robot stands and looks before it moves (s)."""

AROUND = tuple(radians(bearing) for bearing in range(90, -91, -15))
"""Bearings of the range sensors: all ahead of a robot, and beside it, for its body is as wide as that (rad)."""

REACH = 1.0
"""How far they see (m)."""

APART = 0.1
"""Least distance between bodies at first, from edge to edge (m)."""

SHORTEST = 0.05
"""A way of less than this is none (m)."""


def seeing_around() -> RobotKind:
    """The kind of robot that the rule is for: it sees all that it may run into, and others see it on its way."""
    return round_differential(beams=AROUND, reach=REACH, continuous=True)


def half_of_the_way(nearest: float, clearance: float) -> float:
    """How far a robot may go; less than `SHORTEST`: it may not (m).

    Args:
        nearest: distance to the nearest thing that it sees (m); infinite, if there is none
        clearance: so much stays free between the robot and all that it sees (m)
    """
    return (nearest - clearance) / 2.0


def problems_of(step: float, clearance: float) -> Iterator[tuple[str | tuple[str, ...], str]]:
    """What is wrong with the settings ``step`` and ``clearance`` of a case study: the keys, and a sentence.

    Args:
        step: the longest way ahead (m)
        clearance: as of `half_of_the_way` (m)
    """
    longest = half_of_the_way(REACH, clearance)
    if clearance < 0.0:
        yield "clearance", "must be at least 0 m: robots would drive into what they see"
    elif longest <= SHORTEST:
        most = REACH - 2.0 * SHORTEST
        yield "clearance", f"robots see {REACH:g} m far, and would never find their way free: take less than {most:g} m"
    elif step > longest:
        yield (
            ("step", "clearance"),
            f"robots see {REACH:g} m far, and go half of what is free: take {longest:g} m at most",
        )
