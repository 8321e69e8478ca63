"""Forecast of ray casts: when the first beam will see something."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin, sqrt

from devs_robotics.models.environment.questions.ranging import Cast, Distances
from devs_robotics.models.environment.sensing.forecast import Forecast
from devs_robotics.models.environment.world import World

Beam = tuple[float, float]
"""Cosine and sine of a beam's bearing."""


class BeamsForecast(Forecast):
    """What a watch of a `Cast` needs: distances among the bodies that are near, and times before which nothing is seen.

    A beam sees a body when the body's centre, in the beam's frame, is in a capsule: within the body's radius of the
    beam's part outside of the robot (`crossing.capsule`).
    """

    question: Cast

    def __init__(self, question: Cast, world: World) -> None:
        super().__init__(question, world)
        field = world.field
        self._body = question.robot - 1
        self._edge = field.radius[self._body]
        self._far = self._edge + question.reach
        self._beams: tuple[Beam, ...] = tuple((cos(bearing), sin(bearing)) for bearing in question.bearings)
        self._nothing = Distances(question.robot, (inf,) * len(question.bearings))
        self.reach = self._far + field.largest

    def look(self, near: Sequence[int]) -> Distances:
        """As `Cast.answer`, to the last bit."""
        question, field, body = self.question, self.world.field, self._body
        pose, now, radii = field.bodies.pose, field.now, field.radius
        x, y, heading = pose(body, now)
        seen: list[tuple[float, float, float]] = []
        reach = self.reach
        square = reach * reach
        for other in near:
            dx, dy, _ = pose(other, now)
            dx -= x
            dy -= y
            if dx * dx + dy * dy <= square:
                seen.append((dx, dy, radii[other]))
        far, shapes = self._far, field.obstacles_near(x, y, self._far) if field.obstacles else ()
        walls = field.walled and not (far <= x <= field.width - far and far <= y <= field.height - far)
        if not seen and not shapes and not walls:
            return self._nothing
        values = []
        for bearing in question.bearings:
            direction = heading + bearing
            ux, uy = cos(direction), sin(direction)
            nearest = field.free_of_walls(x, y, ux, uy, 0.0) if walls else inf
            for dx, dy, radius in seen:
                along = dx * ux + dy * uy
                if along > 0.0:
                    across = dx * uy - dy * ux
                    half_2 = radius * radius - across * across
                    if half_2 > 0.0:
                        hit = along - sqrt(half_2)
                        if hit < nearest:
                            nearest = max(0.0, hit)
            for shape in shapes:
                nearest = min(nearest, shape.hit(x, y, ux, uy, 0.0))
            if nearest <= far and nearest - self._edge <= question.reach:
                values.append(max(0.0, nearest - self._edge))
            else:
                values.append(inf)
        return Distances(question.robot, tuple(values))

    def is_quiet(self, answer: Distances) -> bool:
        """Whether no beam sees anything."""
        return min(answer.values) == inf

    def alone(self, until: float) -> float:
        """When the tip of a beam first reaches a wall, or the robot comes near an obstacle."""
        field, body = self.world.field, self._body
        bodies, now = field.bodies, field.now
        speed, rate = bodies.speed[body], bodies.turn_rate[body]
        if speed == 0.0 and (rate == 0.0 or not (field.walled or field.obstacles)):
            return inf
        x, y, heading = bodies.pose(body, now)
        far = self._far
        way = abs(speed) * (until - now) + far
        first = inf
        if field.walled and not (way <= x <= field.width - way and way <= y <= field.height - way):
            first = self._walls(x, y, heading, speed, rate)
        for shape in field.obstacles_near(x, y, way) if field.obstacles else ():
            room = shape.distance(x, y) - far
            if room < way - far:
                first = min(first, max(0.0, room) / abs(speed) if speed else 0.0)
        return now + first

    def _walls(self, x: float, y: float, heading: float, speed: float, rate: float) -> float:
        """How long no tip of a beam can reach a wall (s)."""
        field, far = self.world.field, self._far
        c, s = cos(heading), sin(heading)
        first = inf
        vx, vy = speed * c, speed * s
        fastest = abs(speed) + abs(rate) * far
        for beam_c, beam_s in self._beams:
            tip_x, tip_y = x + far * (c * beam_c - s * beam_s), y + far * (s * beam_c + c * beam_s)
            if rate:
                room = min(tip_x, tip_y, field.width - tip_x, field.height - tip_y)
                first = min(first, room / fastest)
                continue
            if vx > 0.0:
                first = min(first, (field.width - tip_x) / vx)
            elif vx < 0.0:
                first = min(first, -tip_x / vx)
            if vy > 0.0:
                first = min(first, (field.height - tip_y) / vy)
            elif vy < 0.0:
                first = min(first, -tip_y / vy)
        return max(0.0, first)

    def meeting(self, other: int, until: float) -> float:
        """A time before which no beam sees another body: exact where both drive straight on, else a bound."""
        field = self.world.field
        bodies, now, body = field.bodies, field.now, self._body
        mine, its = bodies.speed[body], bodies.speed[other]
        rate, its_rate = bodies.turn_rate[body], bodies.turn_rate[other]
        if its == 0.0 and mine == 0.0 and rate == 0.0:
            return inf
        x, y, heading = bodies.pose(body, now)
        other_x, other_y, its_heading = bodies.pose(other, now)
        dx, dy = other_x - x, other_y - y
        radius = field.radius[other]
        apart, reach = hypot(dx, dy), self._far + radius
        closing = abs(mine) + abs(its)
        if apart > reach:
            soonest = (apart - reach) / closing if closing else inf
            if now + soonest >= until:
                return inf
        else:
            soonest = 0.0
        c, s = cos(heading), sin(heading)
        px, py = dx * c + dy * s, dy * c - dx * s
        if rate == 0.0 and (its_rate == 0.0 or its == 0.0):
            vx, vy = its * cos(its_heading) - mine * c, its * sin(its_heading) - mine * s
            return now + self._on_a_line(px, py, vx * c + vy * s, vy * c - vx * s, radius)
        gap = self._gap(px, py) - radius
        if gap <= 0.0:
            return now
        # a distance to the beams changes no faster than the centre moves in the robot's turning frame
        turning = abs(rate)
        curve, along = 0.5 * turning * closing, closing + turning * apart
        step = 2.0 * gap / (along + sqrt(along * along + 4.0 * curve * gap))
        return now + max(soonest, step)

    def _gap(self, px: float, py: float) -> float:
        """Distance of a point in the robot's frame to the nearest beam (m)."""
        edge, far = self._edge, self._far
        nearest = inf
        for c, s in self._beams:
            a, b = px * c + py * s, py * c - px * s
            if a > far:
                nearest = min(nearest, hypot(a - far, b))
            elif a < edge:
                nearest = min(nearest, hypot(a - edge, b))
            else:
                nearest = min(nearest, abs(b))
        return nearest

    def _on_a_line(self, px: float, py: float, vx: float, vy: float, radius: float) -> float:
        """How long until a disc whose centre moves on a line in the robot's frame meets a beam (s); or infinite."""
        reach = self._far + radius
        square = vx * vx + vy * vy
        if square == 0.0:
            return inf
        closing, excess = px * vx + py * vy, px * px + py * py - reach * reach
        if excess > 0.0 and (closing >= 0.0 or closing * closing < square * excess):
            return inf
        edge, far, first = self._edge, self._far, inf
        for c, s in self._beams:
            a, b, va, vb = px * c + py * s, py * c - px * s, vx * c + vy * s, vy * c - vx * s
            if b > radius:
                time = (radius - b) / vb if vb < 0.0 else inf
            elif b < -radius:
                time = (-radius - b) / vb if vb > 0.0 else inf
            else:
                time = 0.0
            if time >= first:
                continue
            along = a + va * time
            if edge <= along <= far:
                first = time
                continue
            a -= far if along > far else edge
            inner, room = a * va + b * vb, a * a + b * b - radius * radius
            if room <= 0.0:
                return 0.0
            if inner < 0.0:
                root = inner * inner - square * room
                if root >= 0.0:
                    first = min(first, (-inner - sqrt(root)) / square)
        return first
