"""A ring of time-of-flight sensors, each with a field of view, around a round body; with the robot's odometry."""

from __future__ import annotations

from math import cos, inf, pi, sin
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from devs_robotics import Sense, Sensor, Service
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.motion.glide_path import GlidePath
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sectors import SectorRing, views_of
from devs_robotics.models.environment.world import World

if TYPE_CHECKING:
    import numpy as np

SENSORS = 16
"""VL53L1CX, one each 22.5 degrees (arXiv 2203.13809)."""

HALF_VIEW = pi / 180.0 * 11.0
"""Half of a sensor's field of view (rad)."""

NOTHING = -1.0
"""The value of a sensor that sees nothing: wires carry no infinite numbers."""

MEASURED_REACH, SIMULATOR_REACH = 3.2, 1.875
"""The farthest distance that is read (m, from the face); of the published simulator: 2.0 m from the centre."""

SIMULATOR_NEAREST = 0.005
"""The nearest one that the simulator reads (m): 0.13 m from the centre."""

SPREAD = 0.010
"""Standard deviation of readings (m)."""

MULTIPATH, DOUBLE, TRIPLE = 0.25, 0.3, 0.05
"""Below that distance (m) readings are doubled and tripled by chance: these shares give the published mean error."""

BLOCK = 128
"""Number of readings of a ring for which chance is drawn at once."""

RangeModel = Literal["measured", "simulator", "exact"]
"""How readings err: as measured on the robots, as in the published simulator, or not at all."""


class RingScan(Struct, frozen=True, gc=False):
    """What a ring of sensors reads, and where odometry has the robot at that instant.

    Attributes:
        values: from the faces (m), the sensor ahead first, counter-clockwise; `NOTHING` where nothing is in reach
        x, y, heading: of the robot since it was switched on (m, m, rad)
        ahead, left: velocity along the heading and to its left (m/s)
    """

    values: tuple[float, ...]
    x: float
    y: float
    heading: float
    ahead: float
    left: float


class RingView(Struct, frozen=True, gc=False):
    """The world's answer to a `LookRound`: exact distances (m; infinite: nothing), the pose and the velocity (m/s)."""

    robot: int
    distances: tuple[float, ...]
    x: float
    y: float
    heading: float
    vx: float
    vy: float


class LookRound(Question, frozen=True, omit_defaults=True):
    """How far is the nearest thing in each sensor's field of view, from the edge of the body?

    A field of view is a sector of the plane. Walls, obstacles that are round, and bodies are seen, those that are
    carried, too (`sectors.nearest_in_sectors`).

    Attributes:
        sensors: how many, at equal angles, the first ahead
        half_view: half of a field of view (rad)
        reach: from the edge of the body (m)
    """

    sensors: int = SENSORS
    half_view: float = HALF_VIEW
    reach: float = MEASURED_REACH

    def answer(self, world: World) -> RingView:
        """The nearest point of each thing in each sector."""
        field, body = world.field, self.robot - 1
        edge = field.radius[body]
        ring = SectorRing(self.sensors, self.half_view, edge + self.reach)
        values, (x, y, heading) = views_of(world, ring).view(body)
        found = tuple([value - edge for value in values])
        return RingView(self.robot, found, x, y, heading, *_velocity(world, body, field.now, heading))


def _velocity(world: World, body: int, now: float, heading: float) -> tuple[float, float]:
    """Of a body (m/s)."""
    bodies = world.field.bodies
    if body in world.followed:
        return world.followed.velocity(body, now)[:2]
    path = bodies.paths.get(body)
    if path is None:
        speed = bodies.speed[body]
        return speed * cos(heading), speed * sin(heading)
    if isinstance(path, GlidePath):
        speed, along = path.line.speed_at(now), path.line.heading
        return speed * cos(along), speed * sin(along)
    moment = 1e-4
    (x, y, _), (there_x, there_y, _) = path.pose(now), path.pose(now + moment)
    return (there_x - x) / moment, (there_y - y) / moment


class VirtualRangeRing(VirtualActivity):
    """A ring of time-of-flight sensors in the environment model, with the odometry of the robot.

    Its states are those of a `VirtualActivity`. Readings err as measured on the DOTS robots (arXiv 2203.13809,
    section on proximity sensors): multipath doubles or triples some of those below 0.25 m. `simulator` errs as the
    published simulator does: 10 mm, without multipath.

    Ports:
        scanning: what the sensors read
        world: the same question to the environment model

    Args:
        seed: of the run
        errs: how readings err
        reach: how far it sees (m, from the faces); infinite: as far as it is known to
    """

    scanning = Service(Sense, RingScan)
    world = Sensor(LookRound, RingView)

    def __init__(self, name: str, seed: int, errs: RangeModel = "measured", reach: float = inf) -> None:
        super().__init__(name)
        self.reach = min(reach, SIMULATOR_REACH if errs == "simulator" else MEASURED_REACH)
        self.seed, self.errs = seed, errs
        self._generator: np.random.Generator | None = None
        self._block: list[tuple[list[float], list[float]]] = []
        self._start: tuple[float, float, float, float, float] | None = None
        """Pose at first (m, m, rad), with the cosine and the sine of the heading."""
        self._look: LookRound | None = None

    def ask(self, question: Sense) -> LookRound:
        """What the world is asked."""
        if self._look is None:
            self._look = LookRound(self.robot, reach=self.reach, sensor=self.name)
        return self._look

    def answer(self, answer: RingView) -> RingScan:
        """Readings with errors, and odometry."""
        if self._start is None:
            self._start = answer.x, answer.y, answer.heading, cos(answer.heading), sin(answer.heading)
        x0, y0, h0, c, s = self._start
        dx, dy = answer.x - x0, answer.y - y0
        ch, sh = cos(answer.heading), sin(answer.heading)
        return RingScan(
            self._read(answer.distances),
            c * dx + s * dy,
            c * dy - s * dx,
            answer.heading - h0,
            ch * answer.vx + sh * answer.vy,
            ch * answer.vy - sh * answer.vx,
        )

    def _read(self, distances: tuple[float, ...]) -> tuple[float, ...]:
        if self.errs == "exact":
            return tuple([NOTHING if value == inf else value for value in distances])
        errors, chances = self._chance(len(distances))
        if self.errs == "simulator":
            return tuple(
                [
                    NOTHING if value == inf or value < SIMULATOR_NEAREST else max(0.0, value + error)
                    for value, error in zip(distances, errors, strict=True)
                ]
            )
        return tuple(
            [
                NOTHING if value == inf else max(0.0, (value if value >= MULTIPATH else _folded(value, chance)) + error)
                for value, error, chance in zip(distances, errors, chances, strict=True)
            ]
        )

    def _chance(self, count: int) -> tuple[list[float], list[float]]:
        """Errors (m) and uniform numbers for one reading."""
        if not self._block or len(self._block[-1][0]) != count:
            if self._generator is None:
                from zlib import crc32

                from numpy.random import PCG64, Generator, SeedSequence

                key = self.robot, crc32(f"noise of {self.name}".encode())
                self._generator = Generator(PCG64(SeedSequence(self.seed, spawn_key=key)))
            errors = (SPREAD * self._generator.standard_normal((BLOCK, count))).tolist()
            self._block = list(zip(errors, self._generator.random((BLOCK, count)).tolist(), strict=True))
            self._block.reverse()
        return self._block.pop()


def _folded(value: float, chance: float) -> float:
    """A near distance as multipath has it (m), by chance."""
    if chance >= DOUBLE + TRIPLE:
        return value
    return 2.0 * value if chance < DOUBLE else 3.0 * value
