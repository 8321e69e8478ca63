"""Contacts of bodies that drive: when a body runs into something, what holds it there, and when it is free again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from math import atan2, cos, floor, hypot, inf, pi, remainder, sin, sqrt, tau

from devs_robotics.models.environment.crossing import (
    first_apart,
    first_contact_shape,
    first_contact_walls,
    first_near,
)
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.instants import PER_SECOND, instant_from
from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.shapes import hit_circle

TOUCH = 1e-6
"""Free distance below which a body that drives is held by what is ahead of it (m)."""

SLACK = 1e-3
"""Distance to which something that held a body must have moved away before the body goes on (m); without it, a body
that pushes a slower one would start and stop without end."""

CLOSE = 0.01
"""Gap above which the contact of bodies on arcs is not worked out, but looked for again when they may be closer (m)."""

STEPS = 8
"""Number of times for which the gap between bodies on arcs is worked out at once."""

SOONEST = 10.0
"""Time for which a body that is held by one on a trajectory looks ahead (s); then it looks again."""

SLOWEST = 1e-15
"""Speed below which two bodies do not come nearer to each other as long as anybody looks (m/s)."""

AGAIN = 0.05
"""How often to look whether bodies that touched when their motions began are clear of each other (s)."""

LATER = 0.1
"""Time for which contacts are foreseen beyond that for which a list of neighbours holds (s)."""

BESIDE = 0.3 / PER_SECOND
"""By how much later than foreseen contacts are looked at (s): those at round times, foreseen from different instants,
would else fall on either of two instants by a rounding error."""

MOMENT = 1e-4
"""Time after which a body that follows a trajectory shows in which direction it goes (s)."""

TILT = 1e-6
"""Angle beyond a right angle to what holds it at which a body that rotates is looked at again (rad); and angle to an
axis below which a direction is that of the axis."""

UNSURE = 1e-4
"""Angle beyond a right angle up to which a body that is not yet free is looked at again and again (rad)."""

ASIDE = 1e-7
"""How far aside it is looked in which direction an obstacle is (m)."""


class Contacts:
    """Which bodies want to drive, which of them are held, and when that will change.

    A body that runs into something stops there and goes on rotating, as long as it would go deeper; one that follows a
    trajectory gives it up. A body that is carried touches nothing. Every wake-up is a time before which nothing can
    change: one that is too early costs a look and nothing else.

    Args:
        field: of the bodies
        nearby: their neighbours

    Attributes:
        wanted: speed that each body wants to have along its heading (m/s)
        held: whether each body is held by something
        holders: of each body that is held, the bodies that it touches
    """

    def __init__(self, field: Field, nearby: Nearby) -> None:
        self.field = field
        self.nearby = nearby
        self.wanted: list[float] = []
        self.held: list[bool] = []
        self.holders: dict[int, set[int]] = {}
        self._wake: list[float] = []
        self._wakes: list[tuple[float, int]] = []
        self.grow()

    def grow(self) -> None:
        """Make room for bodies that have joined."""
        more = len(self.field.x) - len(self.wanted)
        self.wanted += [0.0] * more
        self.held += [False] * more
        self._wake += [inf] * more

    def drives(self, body: int) -> bool:
        """Whether a body wants to go where it may run into something: by its velocity, or on a trajectory."""
        bodies = self.field.bodies
        if body in bodies.paths:
            return body not in bodies.carrier and bodies.speed[body] != 0.0
        return self.wanted[body] != 0.0 and body not in bodies.carrier

    def next_time(self) -> float:
        """When the next body has to be looked at (s)."""
        wakes = self._wakes
        while wakes and self._wake[wakes[0][1]] != wakes[0][0]:
            heappop(wakes)
        return wakes[0][0] if wakes else inf

    def due(self, now: float) -> list[int]:
        """The bodies that are to be looked at now, and those that they may have met, in the order of their numbers."""
        found: set[int] = set()
        while self.next_time() <= now:
            body = heappop(self._wakes)[1]
            self._wake[body] = inf
            found.add(body)
            found.update(other for other in self.nearby.near[body] if self.drives(other) and self._meet(body, other))
        return sorted(found)

    def blocked(self, body: int) -> bool:
        """Whether a body would go deeper into something if it drove now."""
        if not self.drives(body):
            return False
        field, bodies, now = self.field, self.field.bodies, self.field.now
        reach = SLACK if self.held[body] else TOUCH
        x, y, heading = bodies.pose(body, now)
        radius, radii = field.radius[body], field.radius
        if body in bodies.paths:
            ux, uy = self._way(body, x, y)
            if ux == uy == 0.0:
                return False
        else:
            sign = 1.0 if self.wanted[body] > 0.0 else -1.0
            ux, uy = _levelled(sign * cos(heading), sign * sin(heading))
        for other in self.nearby.near[body]:
            if other in bodies.carrier:
                continue
            other_x, other_y, _ = bodies.pose(other, now)
            dx, dy, size = other_x - x, other_y - y, radius + radii[other]
            if dx * dx + dy * dy < (size + reach) ** 2 and hit_circle(dx, dy, ux, uy, size) < reach:
                return True
        if field.free_of_walls(x, y, ux, uy, radius) < reach:
            return True
        shapes = field.obstacles_near(x, y, radius + reach) if field.obstacles else ()
        return any(shape.hit(x, y, ux, uy, radius) < reach for shape in shapes)

    def hold(self, body: int) -> None:
        """Note by whom a body is held now."""
        self.holders[body] = {other for other, _, _ in self._touched(body)}

    def plan(self, bodies: Iterable[int], *, unchanged: bool = False) -> None:
        """Work out when each of these bodies has to be looked at next.

        Where their own motions are `unchanged`, what was planned holds, or is too early: a body that is about to touch
        something would else be taken for one that touches it already, and come a trace deeper, depending on when lists
        are made anew.
        """
        for body in bodies:
            if not self.drives(body):
                self._wake[body] = inf
                continue
            until = self._until_free(body) if self.held[body] else self._until_contact(body)
            if until < self.nearby.expires[body] + LATER:
                wake = max(self.field.now, instant_from(until + BESIDE))
                if unchanged:
                    wake = min(wake, self._wake[body])
                if wake != self._wake[body]:
                    self._wake[body] = wake
                    heappush(self._wakes, (wake, body))
            elif not unchanged:
                self._wake[body] = inf

    def _way(self, body: int, x: float, y: float) -> tuple[float, float]:
        """The direction in which a body goes on along its trajectory from where it is, as a unit vector; or zeros."""
        ahead_x, ahead_y, _ = self.field.bodies.pose(body, self.field.now + MOMENT)
        dx, dy = ahead_x - x, ahead_y - y
        gone = hypot(dx, dy)
        if not gone:
            return 0.0, 0.0
        return _levelled(dx / gone, dy / gone)

    def _meet(self, body: int, other: int) -> bool:
        field = self.field
        x, y, _ = field.pose(body)
        other_x, other_y, _ = field.pose(other)
        return hypot(other_x - x, other_y - y) <= field.radius[body] + field.radius[other] + 2.0 * TOUCH

    def _until_contact(self, body: int) -> float:
        """When a body that drives first goes deeper into something (s); at most `LATER` than its list expires."""
        field, bodies = self.field, self.field.bodies
        now, first = field.now, self.nearby.expires[body] + LATER
        x, y, heading = bodies.pose(body, now)
        radius, speed = field.radius[body], bodies.speed[body]
        assert speed, "a body that wants to drive, and is not held, does"
        speeds, rates, radii, moves = bodies.speed, bodies.turn_rate, field.radius, bodies.trajectory
        vx, vy = speed * cos(heading), speed * sin(heading)
        straight = rates[body] == 0.0
        for other in self.nearby.near[body]:
            if other in bodies.carrier:
                continue
            other_x, other_y, its_heading = bodies.pose(other, now)
            dx, dy, its = other_x - x, other_y - y, speeds[other]
            apart, size = sqrt(dx * dx + dy * dy), radius + radii[other]
            gap, closing = apart - size, abs(speed) + abs(its)
            if gap >= closing * (first - now):
                continue
            on_a_line, deep = straight and (its == 0.0 or rates[other] == 0.0), size
            if gap <= TOUCH:
                began = max(bodies.start[body], bodies.start[other])
                deep = _deeper(size, apart, self._apart(body, other, began))
                if not on_a_line:
                    first = self._parted(lambda time: self._apart(body, other, time) - size, began, first)  # noqa: B023
            if on_a_line:
                wx, wy = its * cos(its_heading) - vx, its * sin(its_heading) - vy
                first = min(first, now + _on_a_line(dx, dy, wx, wy, deep))
            elif (time := self._close(body, other, size, gap, closing, first)) > now:
                first = time
            else:
                first = min(first, first_near(moves(body), moves(other), deep, now, first))
        return self._until_standing(body, first)

    def _until_standing(self, body: int, until: float) -> float:
        """When a body that drives first goes deeper into a wall or an obstacle (s); or `until`."""
        field, bodies = self.field, self.field.bodies
        now, first, moves = field.now, until, bodies.trajectory
        x, y, heading = bodies.pose(body, now)
        radius, speed = field.radius[body], abs(bodies.speed[body])
        reach = radius + speed * (first - now)
        if field.walled and (apart := self._to_walls(x, y)) < reach:
            deep, first = self._depth(body, self._to_walls, apart, radius, first)
            first = min(first, first_contact_walls(moves(body), deep, field.width, field.height, now, first))
        if not field.obstacles:
            return first
        box = x - reach, y - reach, x + reach, y + reach
        if bodies.turn_rate[body] == 0.0:
            way = bodies.speed[body] * (first - now)
            end_x, end_y = x + way * cos(heading), y + way * sin(heading)
            box = min(x, end_x) - radius, min(y, end_y) - radius, max(x, end_x) + radius, max(y, end_y) + radius
        for shape in field.obstacles_in(box):
            if (apart := shape.distance(x, y)) < reach:
                deep, first = self._depth(body, shape.distance, apart, radius, first)
                if deep:  # else its centre was inside
                    first = min(first, first_contact_shape(moves(body), deep, shape, now, first))
        return first

    def _depth(
        self, body: int, distance: Callable[[float, float], float], apart: float, radius: float, until: float
    ) -> tuple[float, float]:
        """Below which distance a body presses on something that stands (m), and until when that holds (s).

        Args:
            distance: of a place from it (m)
            apart: how far the body's centre is from it now (m)
        """
        if apart > radius + TOUCH:
            return radius, until
        bodies = self.field.bodies
        deep = _deeper(radius, apart, distance(bodies.x[body], bodies.y[body]))
        if bodies.turn_rate[body] == 0.0:
            return deep, until

        def gap(time: float) -> float:
            x, y, _ = bodies.pose(body, time)
            return distance(x, y) - radius

        return deep, self._parted(gap, bodies.start[body], until)

    def _parted(self, gap: Callable[[float], float], began: float, until: float) -> float:
        """When to look whether two things that touch are clear of each other (s), for they can touch anew; or `until`.

        Args:
            gap: between them at a time (m)
            began: when their motions did (s); times are counted from there, so that they do not depend on the present
        """
        point = floor((self.field.now - began) / AGAIN) + 1
        while (time := began + point * AGAIN) < until:
            if gap(time) > 2.0 * TOUCH:
                return time
            point += 1
        return until

    def _apart(self, body: int, other: int, time: float) -> float:
        """Distance of two bodies' centres at a time (m)."""
        x, y, _ = self.field.bodies.pose(body, time)
        other_x, other_y, _ = self.field.bodies.pose(other, time)
        return hypot(other_x - x, other_y - y)

    def _to_walls(self, x: float, y: float) -> float:
        """Distance of a point to the nearest wall (m)."""
        return min(x, y, self.field.width - x, self.field.height - y)

    def _close(self, body: int, other: int, size: float, gap: float, closing: float, until: float) -> float:
        """A time before which two bodies on arcs are not close; they are then, or it is `until`; or now."""
        pose, time = self.field.bodies.pose, self.field.now
        for _ in range(STEPS):
            if gap <= CLOSE:
                break
            time += gap / closing
            if time >= until:
                return until
            x, y, _ = pose(body, time)
            other_x, other_y, _ = pose(other, time)
            gap = hypot(other_x - x, other_y - y) - size
        return time

    def _until_free(self, body: int) -> float:
        """The first time at which a held body may be free: it has turned away, or what holds it has moved off (s)."""
        field, bodies = self.field, self.field.bodies
        now, horizon = field.now, self.nearby.expires[body]
        x, y, heading = bodies.pose(body, now)
        radius, rate = field.radius[body], bodies.turn_rate[body]
        ahead = heading if self.wanted[body] > 0.0 else heading + pi
        first, mine = inf, bodies.arc(body)
        for towards in self._holders(x, y, radius, ahead):
            if rate:
                first = min(first, now + _turn_away(ahead - towards, rate))
        for other, dx, dy in self._touched(body):
            if rate:
                first = min(first, now + _turn_away(ahead - atan2(dy, dx), rate))
            if other in bodies.moving:
                until = min(horizon, now + SOONEST) if other in bodies.paths else horizon
                distance = radius + field.radius[other] + SLACK
                time = first_apart(mine, bodies.trajectory(other), distance, now, until)
                first = min(first, time + TOUCH if time < inf or until == horizon else until)
        return first

    def _touched(self, body: int) -> Iterator[tuple[int, float, float]]:
        """The bodies that a body touches, or all but touches, and where their centres are from its own (m)."""
        field, carrier = self.field, self.field.bodies.carrier
        x, y, _ = field.pose(body)
        for other in self.nearby.near[body]:
            if other not in carrier:
                other_x, other_y, _ = field.pose(other)
                dx, dy = other_x - x, other_y - y
                if hypot(dx, dy) <= field.radius[body] + field.radius[other] + SLACK:
                    yield other, dx, dy

    def _holders(self, x: float, y: float, radius: float, ahead: float) -> list[float]:
        """Directions (rad) towards the walls and obstacles that a body touches."""
        field, found = self.field, []
        reach = radius + SLACK
        if field.walled:
            near = ((x, pi), (y, -pi / 2.0), (field.width - x, 0.0), (field.height - y, pi / 2.0))
            found += [towards for distance, towards in near if distance <= reach]
        for shape in field.obstacles_near(x, y, reach):
            distance = shape.distance(x, y)
            if distance <= reach:
                # looked at from both sides, so that it is exact for round ones, too
                down_x = shape.distance(x - ASIDE, y) - shape.distance(x + ASIDE, y)
                down_y = shape.distance(x, y - ASIDE) - shape.distance(x, y + ASIDE)
                found.append(atan2(down_y, down_x) if down_x or down_y else ahead)
        return found


def _levelled(ux: float, uy: float) -> tuple[float, float]:
    """A direction, as a unit vector, that leads along an axis if it all but does: who goes along a wall is not held."""
    return ux if abs(ux) > TILT else 0.0, uy if abs(uy) > TILT else 0.0


def _on_a_line(dx: float, dy: float, vx: float, vy: float, distance: float) -> float:
    """How long until something that moves on a line, seen from here, comes within a distance (s); or infinite."""
    closing, square = dx * vx + dy * vy, vx * vx + vy * vy
    if closing >= 0.0 or square < SLOWEST * SLOWEST:
        return inf
    excess = dx * dx + dy * dy - distance * distance
    root = closing * closing - square * excess
    return inf if root < 0.0 else max(0.0, (-closing - sqrt(root)) / square)


def _deeper(size: float, apart: float, before: float) -> float:
    """The distance (m) below which two things press on each other that touch at `size`, or all but touch.

    Those that touched when their motions began have to come closer than they were then: who leaves, or slides along, is
    not stopped. Then, and not now, so that it does not matter when this is worked out.

    Args:
        apart: what it is now
        before: what it was then
    """
    deep = size if before > size + TOUCH else before - TOUCH
    return max(0.0, deep if apart > deep else apart - TOUCH)


def _turn_away(angle: float, rate: float) -> float:
    """How long a body rotates until its way leads along or away from something (s).

    Args:
        angle: of its way from the direction towards it (rad)
        rate: of its rotation (rad/s)
    """
    angle = remainder(angle, tau) * (1.0 if rate > 0.0 else -1.0)
    if not -(pi / 2.0 + TILT) <= angle <= pi / 2.0 + UNSURE:
        return inf
    left = (pi / 2.0 + TILT) - angle
    return (left if left >= 0.0 else TILT) / abs(rate)  # not yet free: what holds it is round there
