"""How a robot goes along its path: which point is next, and how it comes back to it. Pure functions; metres."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, dist, inf, radians, sin

from msgspec import Struct

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import SAME, Waypoints, along, lengths_to, nearest_index

LANE_MARGIN = 0.15
"""Room beside a lane (m), since lanes cut corners."""


STRAIGHT = 1e-4
"""A bearing below which a robot does not turn (rad)."""

MOST = 16
"""Largest number of directions in which it looks at once."""

WAITING = {
    "locating": "located",
    "looking": "looked",
    "cutting": "cut",
    "moving": "under way",
    "peeping": "peeped",
    "backing": "backed",
    "turning": "aside",
    "inhibited": "held",
}
"""The phase of a `Traveller` that follows when it has said what it says in another."""


class Travelling(Struct, frozen=True):
    """How robots follow their paths.

    Attributes:
        vision: how far points may be that a path is cut short to (m)
        reach: how far the sonar sees (m)
        margin: how much further than such a point the way must be free (m)
        arrival: a robot that was stopped is at a point of the path where it is so near (m)
        arrival_at_ends: the same for source and destination (m)
        meeting: who is so near ahead is met (m)
        fresh: so long somebody who was heard may be the one ahead (s)
        glance: on its way it looks ahead when it hears somebody, but not again so soon (s)
        back, pause: who meets somebody goes back so far (m), all of which takes so long (s)
        aside, forward: then it turns left by that (rad), and goes so far (m)
        past: then it goes on to a point of its path that is so far ahead (m), or to the farthest before that it can see
        room: how much more than its body needs there must be on either side of a chord (m)
        look_again, patience: who has made way, and sees no such point, looks again after that time (s), so often
        lane: how far to the right of the path it keeps (m)
        ends: it does so where the path is not longer than this up to its nearer end (m); infinite: everywhere
        crosses: whether it turns round by crossing the end of the path from the one lane to the other
        gap: in lanes it stays so far behind who is ahead (m)
        queue, queueing: who waits for who is ahead looks again after that time (s), and makes way after so long (s)
        claims: whether who meets somebody claims the way ahead, and only who has the lower priority makes way
        unanswered: who claims, beside lanes, and hears nobody who comes towards it, makes way after that time (s)
        forward_alone: who makes way alone goes so far ahead (m)
        company: whether it tells where it comes upon others
        apart: somebody who was not heard for so long is come upon anew (s)
    """

    vision: float = 6.0
    reach: float = 5.0
    margin: float = 0.2
    arrival: float = 0.3
    arrival_at_ends: float = 0.5
    meeting: float = 1.0
    fresh: float = 1.05
    glance: float = 0.5
    back: float = 0.4
    pause: float = 2.0
    aside: float = radians(60.0)
    forward: float = 0.5
    past: float = 3.8
    room: float = 0.0
    look_again: float = 1.0
    patience: int = 3
    lane: float = 0.0
    ends: float = inf
    crosses: bool = False
    gap: float = 0.5
    queue: float = 0.5
    queueing: float = 20.0
    claims: bool = False
    unanswered: float = 2.0
    forward_alone: float = 0.9
    company: bool = False
    apart: float = 10.0

    @property
    def beside(self) -> float:
        """How much more than its body needs there must be on either side of a path, lanes included (m)."""
        return max(self.room, self.lane + LANE_MARGIN if self.lane and self.ends == inf else self.lane)


def nearest_first(line: Sequence[Point], here: Point) -> list[int]:
    """The points of a robot's way, the nearest one first: their indices."""
    return sorted(range(len(line)), key=lambda index: dist(line[index], here))


def points_ahead(ahead: Sequence[Point], here: Point, past: float) -> list[int]:
    """The points to which a robot may go on that has made way, the best one first: their indices.

    Args:
        ahead: the points of its way that come next
        here: where it is
        past: so far it wants to go (m)
    """
    farthest = next((index for index, point in enumerate(ahead) if dist(point, here) >= past), len(ahead) - 1)
    return list(range(farthest, -1, -1))


def way_over(old: Waypoints, new: Waypoints, here: Point, direction: int) -> tuple[list[int], int]:
    """How to come from an old path to a new one: a piece that a robot is in is left where it ends.

    Args:
        here: where the robot is
        direction: in which it goes

    Returns:
        indices of the points that are left of the old piece, up to a place that both have; and the index of the point
        of the new path that comes then
    """
    to = lengths_to(old)
    mine = min(along(old, to, here))[1]
    ahead: list[tuple[float, int]] = []
    for index, point in enumerate(new):
        found = [way for off, way in along(old, to, point) if off <= 10.0 * SAME]
        ahead += [(way * direction, index) for way in found if (way - mine) * direction >= -SAME]
    if not ahead:
        return [], nearest_index(new, here)
    leave, index = min(ahead, key=lambda each: (each[0], each[1] * direction))
    leave *= direction
    inner = [k for k, way in enumerate(to) if (way - mine) * direction > SAME and (leave - way) * direction > SAME]
    return inner[::direction], index


def towards(here: Point, heading: float, there: Point) -> float:
    """Bearing of a place (rad), from -pi to pi."""
    angle = atan2(there[1] - here[1], there[0] - here[0]) - heading
    return atan2(sin(angle), cos(angle))


def seen_from_beside(off: Point, start: Point, places: Sequence[Point]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How ways from a place to others lie to a robot that looks in their directions from beside that place.

    Args:
        off: from the robot to where the ways begin (m)
        start: where they begin
        places: where they end

    Returns:
        how far to its left each way is (m; empty: it is there), and how far ahead of it each begins (m)
    """
    dx, dy = off
    if not (dx or dy):
        return (), (0.0,) * len(places)
    angles = [atan2(y - start[1], x - start[0]) for x, y in places]
    units = [(cos(angle), sin(angle)) for angle in angles]
    return tuple(ux * dy - uy * dx for ux, uy in units), tuple(ux * dx + uy * dy for ux, uy in units)


def turn_to(here: Point, heading: float, there: Point) -> float:
    """By how much a robot turns to go to a place (rad): by nothing, where that is straight ahead."""
    turn = towards(here, heading, there)
    return turn if abs(turn) > STRAIGHT else 0.0
