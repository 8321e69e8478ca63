"""The field: walls round it, obstacles in it, and the bodies of the robots, with exact sensing and motion."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import cos, hypot, inf, sin

from devs_robotics import ModelError
from devs_robotics.models.environment.bodies import Bodies
from devs_robotics.models.environment.crowd import Crowd
from devs_robotics.models.environment.grid import BESIDE, Bounds, Grid
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory
from devs_robotics.models.environment.shapes import Shape, hit_circle
from devs_robotics.models.environment.things import Things
from devs_robotics.models.environment.traits import OBSTACLE, Traits

__all__ = ["Field", "Pose"]

Ray = tuple[float, float, float, float]
"""Where it begins (m), and its direction as a unit vector."""

Disc = tuple[float, float, float, float]
"""How far it surely is from the centre of who looks, where its own centre is, and its radius (m)."""

BEHIND = 2.0
"""How long the index may be behind bodies that move (s); then it is told where all of them are."""


class Field:
    """A rectangle from (0, 0) to (width, height), walled or open, with obstacles and round bodies in it.

    Bodies are solid: a motion ends where its body first touches a wall, an obstacle or another body. A body that is
    carried is seen, but touches nothing.

    Args:
        width, height: size (m)
        obstacles: what stands in it and does not move
        cell: side of a cell of the index that finds what is near (m)
        walled: whether there are walls round it; without them bodies can leave it
        obstacle_traits: what each obstacle is; none: all are `OBSTACLE`

    Attributes:
        bodies: where all bodies are, at every instant
        crowds: bodies in arrays, whose numbers follow on those of all others; a `GridSpace` alone knows them
        things: what else is there, by its type
        now: the time for which questions are answered (s)
        surprises: how often a body was put elsewhere, or became faster than any before
        drift: largest distance that a body may have gone since the index was told where it is (m)
    """

    def __init__(
        self,
        width: float,
        height: float,
        obstacles: Sequence[Shape] = (),
        cell: float = 0.5,
        *,
        walled: bool = True,
        obstacle_traits: Sequence[Traits] = (),
    ) -> None:
        self.width = width
        self.height = height
        self.walled = walled
        self.obstacles = tuple(obstacles)
        self.obstacle_traits = tuple(obstacle_traits) or (OBSTACLE,) * len(self.obstacles)
        if len(self.obstacle_traits) != len(self.obstacles):
            raise ModelError(
                f"a field of {len(self.obstacles)} obstacles was given traits of {len(self.obstacle_traits)}: "
                "give it those of each, or none"
            )
        self.bodies = Bodies()
        self.crowds: list[Crowd] = []
        self.things = Things()
        self.now = 0.0
        self.drift = 0.0
        self.surprises = 0
        self.x, self.y, self.heading, self.radius = (
            self.bodies.x,
            self.bodies.y,
            self.bodies.heading,
            self.bodies.radius,
        )
        self.largest = 0.0
        self._entered: list[tuple[float, float]] = []
        """Where the index has each body."""
        self._roaming: dict[int, None] = {}
        """The bodies that have moved since the index was told where they are."""
        self._indexed_until = 0.0
        self._discs_at = -inf, 0
        """The time (s), and the number of changes of bodies, for which `_discs_found` holds."""
        self._discs_found: dict[tuple[int, float, float], list[Disc]] = {}
        self.index_by(cell)

    def add_body(self, x: float, y: float, heading: float, radius: float, traits: Traits | None = None) -> int:
        """Put a round body into the field; returns its number, from 0.

        Raises:
            ModelError: there is a crowd already
        """
        if self.crowds:
            raise ModelError("robots that are alike are added last, for their numbers follow on those of all others")
        body = self.bodies.add(x, y, heading, radius, traits)
        self.largest = max(self.largest, radius)
        self._grid.put_body(body, x, y)
        self._entered.append((x, y))
        return body

    def add_crowd(self, crowd: Crowd) -> int:
        """Put many round bodies into the field; returns the number of the first, from 0."""
        first = len(self.bodies) + sum(len(each) for each in self.crowds)
        self.crowds.append(crowd)
        self.largest = max(self.largest, crowd.radius)
        return first

    def pose(self, body: int) -> Pose:
        """Where a body is now."""
        return self.bodies.pose(body, self.now)

    def cast(self, body: int, bearing: float, reach: float) -> float:
        """Ray cast: distance (m) along a beam from the edge of a body to the nearest thing; infinite beyond `reach`."""
        x, y, heading = self.bodies.pose(body, self.now)
        direction = heading + bearing
        ux, uy = cos(direction), sin(direction)
        edge = self.radius[body]
        distance = self._free(body, x, y, ux, uy, edge + reach, 0.0) - edge
        return max(0.0, distance) if distance <= reach else inf

    def free_distance(self, body: int, sign: float, reach: float, turn: float = 0.0) -> float:
        """Free distance (m): how far a body can go forward (`sign` 1) or backward (-1) until its first contact.

        Infinite when there is nothing within `reach`.
        """
        x, y, heading = self.bodies.pose(body, self.now)
        heading += turn
        return self._free(body, x, y, sign * cos(heading), sign * sin(heading), reach, self.radius[body])

    def free_ways(
        self, body: int, bearings: Sequence[float], reach: float, beside: float = 0.0, asides: Sequence[float] = ()
    ) -> list[float]:
        """Free distances (m) of a body in some directions; infinite where there is nothing within `reach`.

        Args:
            body: its number
            bearings: from its heading (rad)
            reach: how far to look (m)
            beside: room that there must be beside the body (m)
            asides: how far to its left each way begins (m); empty: where it is
        """
        x, y, heading = self.bodies.pose(body, self.now)
        rays: list[Ray] = []
        for bearing, aside in zip(bearings, asides or repeat(0.0, len(bearings)), strict=True):
            ux, uy = cos(heading + bearing), sin(heading + bearing)
            rays.append((x - aside * uy, y + aside * ux, ux, uy))
        return self._free_along(body, rays, reach, self.radius[body] + beside, max(map(abs, asides), default=0.0))

    def normal_at(self, x: float, y: float, body: int) -> tuple[float, float]:
        """The direction from the nearest thing to a place, as a unit vector; `body` is no such thing."""
        step = 1e-6
        here = self._to_nearest(x, y, body)
        dx, dy = self._to_nearest(x + step, y, body) - here, self._to_nearest(x, y + step, body) - here
        size = hypot(dx, dy)
        return (dx / size, dy / size) if size else (0.0, 0.0)

    def go(self, body: int, speed: float, turn_rate: float) -> None:
        """Put a body on another arc from now on: `speed` along its heading (m/s), which turns at `turn_rate` (rad/s).

        What it then meets is not looked for here.
        """
        fastest = self.bodies.fastest
        self.bodies.go(body, self.now, speed, turn_rate)
        if self.bodies.fastest > fastest:
            self.surprises += 1
            self._let_roam()
        if self.bodies.carrier:
            self._roaming.update(dict.fromkeys(self.bodies.with_cargo((body,))))
        else:
            self._roaming[body] = None

    def follow(self, body: int, trajectory: Trajectory) -> None:
        """Put a body on any trajectory from now on; what it then meets is not looked for here."""
        self.bodies.follow(body, trajectory, self.now)
        self.surprises += 1
        self._enter_with_cargo(body)

    def carry(self, body: int, carrier: int, ahead: float, left: float, heading: float) -> None:
        """Let a body be carried by another one from now on, as `Bodies.carry` says."""
        self.bodies.carry(body, carrier, ahead, left, heading, self.now)
        self.surprises += 1
        self._enter_with_cargo(body)

    def put_down(self, body: int) -> None:
        """Let a body that is carried rest where it is now."""
        self.bodies.put_down(body, self.now)
        self.surprises += 1
        self._enter_with_cargo(body)

    def leave(self, body: int) -> None:
        """Take a body, and what it carries, out of the field: from now on nothing sees or touches it."""
        for each in self.bodies.with_cargo((body,)):
            self._grid.remove_body(each, *self._entered[each])
            self._roaming.pop(each, None)
        self.bodies.leave(body, self.now)
        self.surprises += 1

    def turn(self, body: int, angle: float) -> None:
        """Rotate a body about its centre (rad); it stands still then."""
        bodies = self.bodies
        if bodies.speed[body] or bodies.turn_rate[body]:
            bodies.go(body, self.now, 0.0, 0.0)
        if angle:
            bodies.turned[body] += angle
            self._shift(body, self.x[body], self.y[body], self.heading[body] + angle)

    def advance(self, body: int, distance: float) -> None:
        """Move a body along its heading (m, negative: backward), without regard to contacts; it stands still then."""
        bodies = self.bodies
        if bodies.speed[body] or bodies.turn_rate[body]:
            bodies.go(body, self.now, 0.0, 0.0)
        x, y, heading = self.x[body], self.y[body], self.heading[body]
        bodies.went[body] += distance
        self._shift(body, x + distance * cos(heading), y + distance * sin(heading), heading)

    def place(self, body: int, x: float, y: float, heading: float) -> None:
        """Put a body elsewhere, whatever is there; a motion on an arc goes on from there."""
        self.bodies.place(body, x, y, heading, self.now)
        self.surprises += 1
        self._enter_with_cargo(body)

    def clearance(self, body: int) -> float:
        """Clearance (m): distance from the edge of a body to the nearest other thing; negative where they overlap.

        Bodies that are carried, and those that have left, are no things that it could touch.
        """
        x, y, _ = self.pose(body)
        return self._to_nearest(x, y, body) - self.radius[body]

    def near(self, x: float, y: float, distance: float) -> list[int]:
        """The bodies whose centre may be within a distance (m) of a point now; all that are, and some others."""
        if self._roaming and self.now >= self._indexed_until:
            self._index_anew()
        distance += self.drift
        found: list[int] = []
        for residents in self._grid.bodies((x - distance, y - distance, x + distance, y + distance)):
            found += residents
        return found

    def index_by(self, cell: float) -> None:
        """Look bodies and obstacles up in cells of another side (m)."""
        self._grid = Grid(cell)
        for number, obstacle in enumerate(self.obstacles):
            self._grid.put_obstacle(number, obstacle.bounds())
        for body, (x, y) in enumerate(self._entered):
            if body not in self.bodies.gone:
                self._grid.put_body(body, x, y)

    def obstacles_near(self, x: float, y: float, distance: float) -> list[Shape]:
        """The obstacles that may reach within a distance (m) of a point; all that do, and some others."""
        return [self.obstacles[number] for number in self.obstacle_numbers_near(x, y, distance)]

    def obstacles_in(self, bounds: Bounds) -> list[Shape]:
        """The obstacles that may reach into a box; all that do, and some others."""
        return [self.obstacles[number] for number in self._grid.obstacles(bounds)]

    def obstacle_numbers_near(self, x: float, y: float, distance: float) -> list[int]:
        """The same, by their numbers from 0, ascending."""
        return self._grid.obstacles((x - distance, y - distance, x + distance, y + distance))

    def free_of_walls(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Free distance (m) of a disc at (x, y) along the unit vector (ux, uy) up to the walls round the field."""
        if not self.walled:
            return inf
        along_x = inf if ux == 0.0 else ((self.width - radius - x) / ux if ux > 0.0 else (radius - x) / ux)
        along_y = inf if uy == 0.0 else ((self.height - radius - y) / uy if uy > 0.0 else (radius - y) / uy)
        return max(0.0, min(along_x, along_y))

    def _to_nearest(self, x: float, y: float, body: int) -> float:
        nearest = min(x, y, self.width - x, self.height - y) if self.walled else inf
        for obstacle in self.obstacles:
            nearest = min(nearest, obstacle.distance(x, y))
        for other in range(len(self.x)):
            if other != body and other not in self.bodies.carrier and other not in self.bodies.gone:
                other_x, other_y, _ = self.pose(other)
                nearest = min(nearest, hypot(other_x - x, other_y - y) - self.radius[other])
        return nearest

    def _free(self, body: int, x: float, y: float, ux: float, uy: float, reach: float, radius: float) -> float:
        """Free distance (m) of a disc of `radius` from (x, y) along (ux, uy), past the body itself."""
        return self._free_along(body, [(x, y, ux, uy)], reach, radius)[0]

    def _free_along(
        self, body: int, rays: Sequence[Ray], reach: float, radius: float, aside: float = 0.0
    ) -> list[float]:
        """The same along some rays that begin at most `aside` from its centre (m)."""
        discs, found = self._discs(body, reach + aside, radius), [self.free_of_walls(*ray, radius) for ray in rays]
        shapes: Sequence[Shape] = ()
        if self.obstacles:
            shapes = self.obstacles_in(_swept(rays, [min(reach, nearest) for nearest in found], radius))
        for number, (x, y, ux, uy) in enumerate(rays):
            nearest = found[number]
            for gap, other_x, other_y, size in discs:
                if gap > nearest + aside:
                    break
                distance = hit_circle(other_x - x, other_y - y, ux, uy, size)
                if distance < nearest:
                    nearest = distance
            for shape in shapes:
                nearest = min(nearest, shape.hit(x, y, ux, uy, radius))
            found[number] = nearest if nearest <= reach else inf
        return found

    def _discs(self, body: int, reach: float, radius: float) -> list[Disc]:
        """The other bodies within reach of one, the nearest first; who looks again at once finds the same.

        A point meets each disc where a disc of `radius` meets the body.
        """
        if self._discs_at != (self.now, self.bodies.changes):
            self._discs_at = self.now, self.bodies.changes
            self._discs_found.clear()
        key = body, reach, radius
        if key in self._discs_found:
            return self._discs_found[key]
        x, y, _ = self.bodies.pose(body, self.now)
        found: list[Disc] = []
        xs, ys, radii, now = self.x, self.y, self.radius, self.now
        moving, pose = self.bodies.moving, self.bodies.pose
        passed = self.bodies.carrier if radius else ()  # a disc passes what is carried, a ray does not
        for other in self.near(x, y, reach + radius + self.largest):
            if other != body and other not in passed:
                if other in moving:
                    other_x, other_y, _ = pose(other, now)
                else:
                    other_x, other_y = xs[other], ys[other]
                size = radii[other] + radius
                gap = hypot(other_x - x, other_y - y) - size - BESIDE
                if gap <= reach:
                    found.append((gap, other_x, other_y, size))
        if len(found) > 1:
            found.sort()
        self._discs_found[key] = found
        return found

    def _shift(self, body: int, x: float, y: float, heading: float) -> None:
        """Put a body that stands still elsewhere; most moves of all are such."""
        self.surprises += 1
        if self.bodies.carrier:
            self.place(body, x, y, heading)
            return
        self.bodies.stand(body, x, y, heading, self.now)
        entered = self._entered[body]
        if entered != (x, y):
            self._grid.move_body(body, *entered, x, y)
            self._entered[body] = x, y

    def _enter_with_cargo(self, body: int) -> None:
        self._let_roam()
        for each in self.bodies.with_cargo((body,)) if self.bodies.carrier else (body,):
            self._enter(each)
            self._roaming[each] = None

    def _enter(self, body: int) -> None:
        """Tell the index where a body is now."""
        x, y, _ = self.bodies.pose(body, self.now)
        self._grid.move_body(body, *self._entered[body], x, y)
        self._entered[body] = x, y

    def _let_roam(self) -> None:
        """Bodies may be faster than before."""
        self.drift = self.bodies.fastest * BEHIND

    def _index_anew(self) -> None:
        """Tell the index where those are now that have moved."""
        for body in self._roaming:
            self._enter(body)
        moving = self.bodies.moving
        self._roaming = {body: None for body in self._roaming if body in moving}
        self._indexed_until = self.now + BEHIND


def _swept(rays: Sequence[Ray], reaches: Sequence[float], margin: float) -> Bounds:
    """A box round some rays, each of its own length (m)."""
    xs, ys = [x for x, _, _, _ in rays], [y for _, y, _, _ in rays]
    xs += [x + reach * ux for (x, _, ux, _), reach in zip(rays, reaches, strict=True)]
    ys += [y + reach * uy for (_, y, _, uy), reach in zip(rays, reaches, strict=True)]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin
