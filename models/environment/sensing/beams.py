"""Outlook of ray casts: when the first beam will see something."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin, sqrt

from devs_robotics.models.environment.questions.ranging import Cast, Distances
from devs_robotics.models.environment.sensing.level_crossings import next_crossing
from devs_robotics.models.environment.sensing.outlook import Outlook
from devs_robotics.models.environment.shapes import hit_circle
from devs_robotics.models.environment.world import World

Beam = tuple[float, float]
"""Cosine and sine of a beam's bearing."""

BodyInReach = tuple[float, float, float]
"""Where the centre of a body is from that of the robot (m), and its radius (m)."""

ROUNDING = 1e-9
"""Room for rounding where beams are looked for that may meet a body (m)."""


class BeamsOutlook(Outlook):
    """What a watch of a `Cast` needs: distances among the bodies that are near, and times before which nothing is seen.

    A beam sees a body when the body's centre, in the beam's frame, is in a capsule: within the body's radius of the
    beam's part outside of the robot (`crossing.capsule`).
    """

    question: Cast
    holds_at_rest = True

    def __init__(self, question: Cast, world: World) -> None:
        super().__init__(question, world)
        field = world.field
        self._body = question.robot - 1
        self.edge = field.radius[self._body]
        self.far = self.edge + question.reach
        self.beams: tuple[Beam, ...] = tuple((cos(bearing), sin(bearing)) for bearing in question.bearings)
        self.nothing = Distances(question.robot, (inf,) * len(question.bearings))
        self.reach = self.far + field.largest
        self._absent: dict[int, float] = {}
        """By body: until when it cannot come within reach, however anybody drives (s)."""
        self._surprises = field.surprises

    def look(self, near: Sequence[int]) -> Distances:
        """As `Cast.answer`, to the last bit."""
        field, bearings, far = self.world.field, self.question.bearings, self.far
        x, y, heading = field.bodies.pose(self._body, field.now)
        seen = self._in_reach(near, x, y)
        shapes = field.obstacles_near(x, y, far) if field.obstacles else ()
        walls = field.walled and not (far <= x <= field.width - far and far <= y <= field.height - far)
        if not seen and not shapes and not walls:
            return self.nothing
        nearest = [inf] * len(bearings)
        c, s = cos(heading), sin(heading)
        for dx, dy, radius in seen:
            px, py, room = dx * c + dy * s, dy * c - dx * s, radius + ROUNDING
            for index, (beam_c, beam_s) in enumerate(self.beams):
                if -room <= py * beam_c - px * beam_s <= room and px * beam_c + py * beam_s > -ROUNDING:
                    direction = heading + bearings[index]
                    distance = hit_circle(dx, dy, cos(direction), sin(direction), radius)
                    if distance < nearest[index]:
                        nearest[index] = distance
        if walls or shapes:
            width, height = field.width - ROUNDING, field.height - ROUNDING
            for index, (beam_c, beam_s) in enumerate(self.beams):
                if not shapes:  # a beam whose tip is inside the walls meets none
                    tip_x, tip_y = x + far * (c * beam_c - s * beam_s), y + far * (s * beam_c + c * beam_s)
                    if ROUNDING <= tip_x <= width and ROUNDING <= tip_y <= height:
                        continue
                direction = heading + bearings[index]
                ux, uy = cos(direction), sin(direction)
                distance = field.free_of_walls(x, y, ux, uy, 0.0)
                for shape in shapes:
                    distance = min(distance, shape.hit(x, y, ux, uy, 0.0))
                if distance < nearest[index]:
                    nearest[index] = distance
        return self._answer(nearest)

    def _answer(self, nearest: list[float]) -> Distances:
        """What beams read at distances from the middle of the robot."""
        far, edge, reach = self.far, self.edge, self.question.reach
        if min(nearest) > far:
            return self.nothing
        return Distances(
            self.question.robot,
            tuple([max(0.0, each - edge) if each <= far and each - edge <= reach else inf for each in nearest]),
        )

    def _in_reach(self, near: Sequence[int], x: float, y: float) -> list[BodyInReach]:
        """The bodies that are near enough to be seen now."""
        field = self.world.field
        bodies = field.bodies
        pose, now, radii = bodies.pose, field.now, field.radius
        seen: list[BodyInReach] = []
        reach, absent = self.reach, self._absent
        square = reach * reach
        if self._surprises != field.surprises:
            self._surprises = field.surprises
            absent.clear()
        for other in near:
            if other in absent and absent[other] > now:
                continue
            dx, dy, _ = pose(other, now)
            dx -= x
            dy -= y
            apart_2 = dx * dx + dy * dy
            if apart_2 <= square:
                seen.append((dx, dy, radii[other]))
            else:
                absent[other] = now + (sqrt(apart_2) - reach) / (2.0 * bodies.fastest + ROUNDING)
        return seen

    def is_quiet(self, answer: Distances) -> bool:
        """Whether no beam sees anything."""
        return answer is self.nothing or min(answer.values) == inf

    def alone(self, until: float) -> float:
        """When the tip of a beam first reaches a wall, or the robot comes near an obstacle."""
        field, body = self.world.field, self._body
        bodies, now = field.bodies, field.now
        speed, rate = bodies.speed[body], bodies.turn_rate[body]
        if speed == 0.0 and (rate == 0.0 or not (field.walled or field.obstacles)):
            return until
        x, y, heading = bodies.pose(body, now)
        far = self.far
        way = (abs(speed) * (until - now) if speed else 0.0) + far
        first = inf
        if field.walled and not (way <= x <= field.width - way and way <= y <= field.height - way):
            first = self._walls(x, y, heading, speed, rate)
        for shape in field.obstacles_near(x, y, way) if field.obstacles else ():
            room = shape.distance(x, y) - far
            if room < way - far:
                first = min(first, max(0.0, room) / abs(speed) if speed else 0.0)
        return min(until, now + first)

    def _walls(self, x: float, y: float, heading: float, speed: float, rate: float) -> float:
        """How long no tip of a beam can reach a wall (s)."""
        field, far, beams = self.world.field, self.far, self.beams
        c, s = cos(heading), sin(heading)
        ahead = [c * beam_c - s * beam_s for beam_c, beam_s in beams]
        aside = [s * beam_c + c * beam_s for beam_c, beam_s in beams]
        left, right = x + far * min(ahead), field.width - x - far * max(ahead)
        below, above = y + far * min(aside), field.height - y - far * max(aside)
        if rate:
            return max(0.0, min(left, right, below, above) / (abs(speed) + abs(rate) * far))
        first, vx, vy = inf, speed * c, speed * s
        if vx:
            first = right / vx if vx > 0.0 else -left / vx
        if vy:
            first = min(first, above / vy if vy > 0.0 else -below / vy)
        return max(0.0, first)

    def meeting(self, others: Sequence[int], until: float) -> float:
        """A time before which no beam sees another body: exact where both drive straight on, else a bound."""
        field = self.world.field
        bodies, now, body = field.bodies, field.now, self._body
        pose, speeds, rates, radii = bodies.pose, bodies.speed, bodies.turn_rate, field.radius
        mine, rate = speeds[body], rates[body]
        x, y, heading = pose(body, now)
        c, s = cos(heading), sin(heading)
        for other in others:
            its = speeds[other]
            if its == 0.0 and mine == 0.0 and rate == 0.0:
                continue
            other_x, other_y, its_heading = pose(other, now)
            dx, dy, radius = other_x - x, other_y - y, radii[other]
            closing = abs(mine) + abs(its)
            apart, reach = sqrt(dx * dx + dy * dy), self.far + radius
            if apart > reach and (closing == 0.0 or apart - reach > closing * (until - now)):
                continue
            px, py = dx * c + dy * s, dy * c - dx * s
            if rate == 0.0 and (its == 0.0 or rates[other] == 0.0):
                vx, vy = its * cos(its_heading) - mine * c, its * sin(its_heading) - mine * s
                time = self._on_a_line(px, py, vx * c + vy * s, vy * c - vx * s, radius)
            else:
                time = self._bound(px, py, apart, closing, abs(rate), radius)
            if now + time < until:
                until = now + time
        return until

    def crossing(self, levels: Sequence[float], near: Sequence[int], until: float) -> float:
        """When the distance of a beam first crosses a level."""
        return next_crossing(self.world.field, self._body, self.question.bearings, levels, near, until)

    def _bound(self, px: float, py: float, apart: float, closing: float, turning: float, radius: float) -> float:
        """How long a disc cannot meet a beam, however it moves (s).

        Its distance from the beams changes no faster than its centre moves in the robot's frame, which turns.
        """
        gap = self._gap(px, py) - radius
        if gap <= 0.0:
            return 0.0
        curve, along = 0.5 * turning * closing, closing + turning * apart
        return 2.0 * gap / (along + sqrt(along * along + 4.0 * curve * gap))

    def _gap(self, px: float, py: float) -> float:
        """Distance of a point in the robot's frame to the nearest beam (m), which begins at the robot's centre.

        What does not overlap the robot comes to no beam inside of it; what does overlap it is seen there, too.
        """
        far = self.far
        nearest = inf
        for c, s in self.beams:
            a, b = px * c + py * s, py * c - px * s
            if a > far:
                nearest = min(nearest, hypot(a - far, b))
            elif a < 0.0:
                nearest = min(nearest, hypot(a, b))
            else:
                nearest = min(nearest, abs(b))
        return nearest

    def _on_a_line(self, px: float, py: float, vx: float, vy: float, radius: float) -> float:
        """How long until a disc whose centre moves on a line in the robot's frame meets a beam (s); or infinite."""
        reach = self.far + radius
        square = vx * vx + vy * vy
        if square == 0.0:
            return inf
        closing, excess = px * vx + py * vy, px * px + py * py - reach * reach
        if excess > 0.0 and (closing >= 0.0 or closing * closing < square * excess):
            return inf
        far, first = self.far, inf
        for c, s in self.beams:
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
            if 0.0 <= along <= far:
                first = time
                continue
            if along > far:
                a -= far
            inner, room = a * va + b * vb, a * a + b * b - radius * radius
            if room <= 0.0:
                return 0.0
            if inner < 0.0:
                root = inner * inner - square * room
                if root >= 0.0:
                    first = min(first, (-inner - sqrt(root)) / square)
        return first
