"""What comes towards a robot, by what its range sensors have read in the last moments.

The collision map takes it that what it has seen stays where it is. A robot that comes from the side is not in the way
then until it is near. So how fast the nearest things come nearer is found from successive readings, and a robot brakes
where the room is about to be less than both need to stop.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from math import cos, inf, sin, sqrt, tau
from operator import neg

from msgspec import Struct

from devs_robotics.models.activities.range_ring import MULTIPATH, SENSORS, SPREAD, RingScan
from devs_robotics.models.environment.motion.jerk_limited import stopping_way
from devs_robotics.models.logistics.layout import SEARCH_SPEED

PER_ANGLE = SENSORS / tau
"""Number of sensors in an angle (1/rad)."""

FEWEST = 4
"""Number of readings from which on a rate is found."""

MOST = 0.75
"""Share of a span that readings must be spread over."""

SAME = cos(1.5 * tau / SENSORS)
"""Cosine of the angle within which what moves is the same thing."""

STILL_THERE = 0.01
"""What has not come nearer by so much since the oldest reading has not come nearer (m)."""

LAST, MOST_OF_LAST = 5, 3
"""Of so many readings so many say that something is beside the robot."""

AWAY, ALONG = -0.3, 0.1
"""Cosines of the least angle between a way and the direction to something, for who goes away from that, or along it."""

AMID_MULTIPATH, LONG = 0.3, 0.2
"""Where readings may be of multipath, something moves from that speed on (m/s), by readings of so long a time (s), none
of which is left out."""

STRAY = 2.5 * SPREAD
"""A reading that is so much further than the others say is one of multipath (m)."""

SCATTER = 2.0 * SPREAD
"""Readings that scatter more than that about a line are not of one thing (m)."""

OFF_AXIS = 0.19
"""Sine of half a field of view: by that share of a robot's own speed across a sensor's axis rates may be wrong."""


class Braking(Struct, frozen=True):
    """What a robot takes account of when it decides whether to brake for something that moves.

    Attributes:
        deceleration, jerk: with which robots brake (m/s^2, m/s^3)
        reaction: time before a robot begins to brake (s)
        contact: least time to contact (s)
        spare: of the clearance (m)
        late: time by which it is early, as robots gain speed (s)
        spans: how long readings are looked at (s), with the speed from which on something moves then (m/s); the
            longest last
        near: what moves further away does not matter (m)
        beside: who goes along something, or up to it, and faster than `slow`, brakes where that is nearer (m)
        slow: (m/s)
        fresh: how long something counts on the way after it was found to move (s)
        keeps: how long before a robot sets out (s)
    """

    deceleration: float = 2.0
    jerk: float = 20.0
    reaction: float = 0.12
    contact: float = 0.5
    spare: float = 0.04
    late: float = 0.05
    spans: tuple[tuple[float, float], ...] = ((0.11, 0.4), (0.23, 0.15))
    near: float = 0.7
    beside: float = 0.05
    slow: float = 0.15
    fresh: float = 0.1
    keeps: float = 1.0

    def way(self, speed: float) -> float:
        """On which a robot comes to rest from a speed (m/s) at the soonest (m)."""
        return stopping_way(speed, self.deceleration, self.jerk)

    def room(self, own: float, other: float) -> float:
        """The clearance at which a robot has to brake (m).

        Args:
            own, other: how much the robot, and what it comes near to, contribute to the closing speed (m/s, positive)
        """
        closing = own + other
        stopping = closing * self.reaction + self.way(own) + self.way(other)
        return max(stopping, closing * self.contact) + closing * self.late + self.spare


class Moving(Struct, frozen=True):
    """Something that comes nearer.

    Attributes:
        towards: where it is, from the robot's heading when it was switched on (rad)
        clearance: from edge to edge (m)
        speed: at which it comes nearer by itself (m/s)
        since: when that was found (s)
    """

    towards: float
    clearance: float
    speed: float
    since: float


Looked = tuple[float, list[float], list[float], RingScan]
"""When the sensors were read (s), what they read, the nearest of each and its neighbours (m), and odometry."""


class MovingNearby:
    """Finds what comes nearer by itself: of each nearest thing, the robot's own way is taken off, and the rest is its.

    What is nearest in three sensors side by side counts, and only where the middle one has it: so what passes from one
    sensor to the next is one thing. Multipath, which makes readings longer, is left out.

    Args:
        braking: what it goes by
    """

    def __init__(self, braking: Braking) -> None:
        self.braking = braking
        self.moving: list[Moving] = []
        self.beside: list[float] = []
        """Directions to what is beside the robot, as `Moving.towards` (rad)."""
        self._scans: deque[Looked] = deque()
        self._since: _Since | None = None
        """All of them from where the robot is now, once somebody has asked."""
        self._now = 0.0

    def see(self, now: float, scan: RingScan, values: list[float]) -> None:
        """Take readings.

        Args:
            now: time (s)
            scan: which has them, for its odometry
            values: of the sensors (m); infinite where nothing is that counts
        """
        scans, longest = self._scans, self.braking.spans[-1][0]
        self._now = now
        self._since = None
        nearest = list(map(min, values, values[1:] + values[:1], values[-1:] + values[:-1]))
        scans.append((now, values, nearest, scan))
        while now - scans[0][0] > longest:
            scans.popleft()
        if self.moving:
            self.moving = [each for each in self.moving if now - each.since <= self.braking.keeps]
        least, near = min(values), self.braking.near
        self.beside = list(self._beside(scan)) if least < self.braking.beside else []
        if len(scans) < FEWEST or least >= near:
            return
        for sensor, value in enumerate(values):
            if value < near and value == nearest[sensor]:
                found = self._rate(sensor)
                if found is not None:
                    self.moving = [each for each in self.moving if cos(each.towards - found.towards) < SAME]
                    self.moving.append(found)

    @property
    def looks(self) -> list[list[float]]:
        """The readings that are remembered (m), the last one last."""
        return [values for _, values, _, _ in self._scans]

    def bars(self, towards: float, speed: float) -> bool:
        """Whether a robot that goes somewhere (rad, as `Moving.towards`) at a speed (m/s) has to brake."""
        return any(
            (own := speed * cos(each.towards - towards)) > 0.0 and each.clearance < self.braking.room(own, each.speed)
            for each in self.moving
            if self._now - each.since <= self.braking.fresh
        )

    def scrapes(self, towards: float, least: float = AWAY) -> bool:
        """Whether who goes in a direction does not go away from what is beside it; or along it, by `ALONG`."""
        return any(cos(each - towards) > least for each in self.beside)

    def _beside(self, scan: RingScan) -> Iterator[float]:
        last = self.looks[-LAST:]
        for sensor in range(SENSORS):
            if sum(values[sensor] < self.braking.beside for values in last) >= MOST_OF_LAST:
                yield scan.heading + sensor * tau / SENSORS

    def bars_from_rest(self, towards: float) -> bool:
        """Whether a robot that stands must not set out in a direction: something moves there, and may come nearer."""
        room = self.braking.room(SEARCH_SPEED, SEARCH_SPEED)
        return any(cos(each.towards - towards) > 0.0 and each.clearance < room for each in self.moving)

    def _rate(self, sensor: int) -> Moving | None:
        """How fast the nearest thing about a sensor's axis comes nearer by itself, if it does."""
        now, values, _, scan = self._scans[-1]
        axis = scan.heading + sensor * tau / SENSORS
        ahead, aside = cos(axis), sin(axis)
        if self._first(sensor, scan, ahead, aside) - values[sensor] < STILL_THERE:
            return None
        since = self._since = self._since or _Since(self._scans)
        points = since.points(sensor, ahead, aside)
        best: Moving | None = None
        for span, least in self.braking.spans:
            count = since.within(span)
            ages = since.ages[:count]
            line = _line(ages, points[:count], span)
            if line is None:
                continue
            rate, there, kept = line
            is_amid = there < MULTIPATH
            if is_amid and (kept < count or span < LONG):
                continue
            oldest = self._scans[-count][3]
            across = abs((oldest.x - scan.x) * aside - (oldest.y - scan.y) * ahead) / -ages[-1]
            moves = max(least, AMID_MULTIPATH) if is_amid else least
            if -rate > moves + OFF_AXIS * across and (best is None or -rate > best.speed):
                best = Moving(axis, max(0.0, there), -rate, now)
        return best

    def _first(self, sensor: int, here: RingScan, ahead: float, aside: float) -> float:
        """What a sensor would have read first, as `_Since.points` has it (m)."""
        _, _, nearest, then = self._scans[0]
        turned = round((here.heading - then.heading) * PER_ANGLE)
        return nearest[(sensor + turned) % SENSORS] + (then.x - here.x) * ahead + (then.y - here.y) * aside


class _Since:
    """The last readings as they would be from where the robot is now, the newest first; for all sensors at once.

    Args:
        scans: the readings, the newest last

    Attributes:
        ages: of the readings, negative (s)
    """

    def __init__(self, scans: deque[Looked]) -> None:
        now, _, _, here = scans[-1]
        x, y, heading = here.x, here.y, here.heading
        self._looked = [
            (nearest, round((heading - then.heading) * PER_ANGLE), then.x - x, then.y - y)
            for _, _, nearest, then in scans
        ]
        self._looked.reverse()
        self.ages = [each[0] - now for each in scans]
        self.ages.reverse()

    def within(self, span: float) -> int:
        """How many readings are not older than a time (s)."""
        return bisect_right(self.ages, span, key=neg)

    def points(self, sensor: int, ahead: float, aside: float) -> list[float]:
        """What it would have read each time (m).

        Args:
            sensor: which looks there now
            ahead, aside: its axis, as a unit vector
        """
        return [
            nearest[(sensor + turned) % SENSORS] + dx * ahead + dy * aside for nearest, turned, dx, dy in self._looked
        ]


def _line(ages: list[float], values: list[float], span: float) -> tuple[float, float, int] | None:
    """A line through points: slope, value at 0, and through how many; none where they are too few, or scatter."""
    if inf in values:
        ages = [age for age, value in zip(ages, values, strict=True) if value < inf]
        values = [value for value in values if value < inf]
    fewest = max(FEWEST, 2 * len(ages) // 3)
    while len(ages) >= fewest and ages[0] - ages[-1] >= MOST * span:
        count = len(ages)
        x, y, xx, xy = 0.0, 0.0, 0.0, 0.0
        for age, value in zip(ages, values, strict=True):
            x += age
            y += value
            xx += age * age
            xy += age * value
        slope = (count * xy - x * y) / (count * xx - x * x)
        there = (y - slope * x) / count
        off = [value - there - slope * age for age, value in zip(ages, values, strict=True)]
        if sqrt(sum([each * each for each in off]) / count) <= SCATTER:
            return slope, there, count
        if max(off) < STRAY:
            return None
        ages = [age for age, by in zip(ages, off, strict=True) if by < STRAY]
        values = [value for value, by in zip(values, off, strict=True) if by < STRAY]
    return None
