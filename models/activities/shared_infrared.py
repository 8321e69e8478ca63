"""Range sensors in mixed reality: each robot sees what its reality, and a camera above the field, let it see."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, inf, sin

from devs_robotics import Fix, In
from devs_robotics.core.robots.outside import BOTH, Realities
from devs_robotics.models.activities.infrared import VirtualInfrared
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.questions import Cast, Distances
from devs_robotics.models.environment.rays import first_hit, ray_to_circle, ray_to_shape
from devs_robotics.models.environment.sensing.outlook import Outlook
from devs_robotics.models.environment.world import World

REAL: Realities = ("real",)
VIRTUAL: Realities = ("virtual",)

Believed = tuple[int, float, float, float]
"""Number of a robot, and where a camera has seen it: x, y (m), heading (rad)."""


class SharedCast(Cast, frozen=True):
    """How far is the nearest thing along these beams, real or virtual, for a robot that shares its world with others?

    A virtual robot is told of real ones where a camera has seen them, and of all else where it is. A real one has
    sensors of its own for what is real; of what is virtual it is told from where the camera has seen it, which is not
    quite where it is: and it takes the nearer of both.

    Attributes:
        believed: where robots are by the camera; others are where they are
    """

    believed: tuple[Believed, ...] = ()

    def answer(self, world: World) -> Distances:
        """From the edge of the body; infinite where nothing is in reach."""
        field, body = world.field, self.robot - 1
        radius = field.radius[body]
        values = []
        for bearing in self.bearings:
            gap = max(0.0, self._nearest(field, body, bearing) - radius)
            values.append(gap if gap <= self.reach else inf)
        return Distances(self.robot, tuple(values))

    def outlook(self, world: World) -> Outlook:  # type: ignore[override]  # that of beams would not know of fixes
        """Nothing is known of how long an answer holds: fixes come in between."""
        return Outlook(self, world)

    def _nearest(self, field: Field, body: int, bearing: float) -> float:
        """From the middle of the body (m)."""
        x, y, heading = field.pose(body)
        ux, uy = cos(heading + bearing), sin(heading + bearing)
        far = self.reach + field.radius[body]
        if field.bodies.traits[body].reality == "real":
            own = first_hit(field, x, y, ux, uy, far, REAL, body).distance
            return min(own, self._told(field, body, bearing, far))
        seen = {number - 1: (at_x, at_y) for number, at_x, at_y, _ in self.believed}
        if not seen:
            return first_hit(field, x, y, ux, uy, far, BOTH, body).distance
        nearest = first_hit(field, x, y, ux, uy, far, VIRTUAL, body).distance
        for shape, traits in zip(field.obstacles, field.obstacle_traits, strict=True):
            if traits.reality == "real":
                nearest = min(nearest, ray_to_shape(shape, x, y, ux, uy))
        for other, traits in enumerate(field.bodies.traits):
            if traits.reality == "real" and other not in field.bodies.gone:
                at_x, at_y = seen[other] if other in seen else field.pose(other)[:2]
                nearest = min(nearest, ray_to_circle(at_x - x, at_y - y, ux, uy, field.radius[other]))
        return nearest

    def _told(self, field: Field, body: int, bearing: float, far: float) -> float:
        """What a real robot is told of what is virtual, from where it is believed to be (m)."""
        x, y, heading = next((tuple(pose) for number, *pose in self.believed if number == body + 1), field.pose(body))
        hit = first_hit(field, x, y, cos(heading + bearing), sin(heading + bearing), far, VIRTUAL, body)
        return inf if hit.traits is None else hit.distance  # walls round the field are real


class SharedInfrared(VirtualInfrared):
    """Infrared range sensors of a robot in mixed reality, which hears what a camera above the field sees.

    Its states are those of a `VirtualInfrared`.

    Ports, besides those of a `VirtualInfrared`:
        fix: where the camera has seen real robots
    """

    fix = In(Fix)

    def __init__(self, name: str, robot: int, bearings: tuple[float, ...], reach: float, resolution: float) -> None:
        super().__init__(name, robot, bearings, reach, resolution)
        self._believed: dict[int, Believed] = {}

    def deltext(self, e: float) -> None:
        """Ask the environment, take its answer, or note a fix."""
        for fix in self.fix.values:
            self._believed[fix.robot] = fix.robot, fix.x, fix.y, fix.heading
        super().deltext(e)

    def lambdaf(self) -> None:
        """Pass the question on, with what is believed now, or the reading back."""
        if self._asked:
            cast = self._question
            self.world.ask.add(SharedCast(cast.robot, cast.bearings, cast.reach, self._poses(self._believed)))
        if self._reading is not None:
            self.ranging.answer.add(self._reading)

    @staticmethod
    def _poses(believed: dict[int, Believed]) -> tuple[Believed, ...]:
        poses: Iterable[int] = sorted(believed)
        return tuple([believed[robot] for robot in poses])
