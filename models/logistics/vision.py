"""The cameras of a robot, in the environment model: tags and marker maps, by chance, late and with errors."""

from __future__ import annotations

from heapq import heappop, heappush
from math import atan2, cos, erf, hypot, inf, pi, remainder, sin, sqrt, tau
from typing import TYPE_CHECKING

from msgspec import Struct

from devs_robotics import Activity, Sensor, Service
from devs_robotics.models.environment.instants import raster
from devs_robotics.models.logistics.carriers import CarriersNear, CarrierView, LookForCarriers
from devs_robotics.models.logistics.layout import (
    CAMERA_AHEAD,
    CAMERAS,
    FACING,
    HALF_VIEW,
    MAP_RANGE,
    SHAPE,
    SIDES,
    TAG_RANGE,
    UP,
    CarrierShape,
)
from devs_robotics.models.logistics.messages import AskTags, TagsSeen

if TYPE_CHECKING:
    import numpy as np

PLACES = tuple((bearing, CAMERA_AHEAD * cos(bearing), CAMERA_AHEAD * sin(bearing)) for bearing in CAMERAS)
"""Bearing of each camera around (rad), and where it is in the robot's frame (m)."""

LEAST_FACING = cos(FACING)
"""Cosine of the largest angle between a tag's normal and the line to the camera."""

MOST = 8
"""Number of tags that are told of one frame, the nearest first."""

BLOCK = 64
"""Number of detections for which chance is drawn at once."""


class Optics120(Struct, frozen=True):
    """What the five cameras are like; latency is published, errors and rates of detection are not.

    Attributes:
        period: between frames (s)
        latency, latency_spread, least_latency: from exposure to the decision model: mean, standard deviation, least (s)
        detection: share of frames in which a tag that is in view is found
        place_spread, yaw_spread: standard deviations of a tag's pose (m, rad)
        map_spread, map_yaw_spread: of a marker map's (m, rad)
    """

    period: float = 1.0 / 30.0
    latency: float = 0.0785
    latency_spread: float = 0.0115
    least_latency: float = 0.033
    detection: float = 0.9
    place_spread: float = 0.010
    yaw_spread: float = 0.05
    map_spread: float = 0.003
    map_yaw_spread: float = 0.01

    def without_errors(self) -> Optics120:
        """The same, exact, sure, and at once."""
        return Optics120(self.period, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


OPTICS = Optics120()
"""At 30 frames per second, with five cameras."""


class Sighted(Struct, frozen=True):
    """A tag in view: the camera, the carrier, its exact pose (m, m, rad), height (m), and the way from the camera."""

    way: float
    camera: int
    carrier: int
    x: float
    y: float
    yaw: float
    height: float


class VirtualVision(Activity):
    """Four cameras around and one that looks up.

    A frame in which nothing can be seen is not looked at: the world says for how long that is so, and each frame has
    random numbers only where something is in view.

    ========  =========================  ============================  ==========================================
    phase     time advance               output                        next phase
    ========  =========================  ============================  ==========================================
    off       ∞                                                        running, when it is asked
    running   until the next frame, or   world: a question; tags:      running
              until one is told          what was seen
    ========  =========================  ============================  ==========================================

    Ports:
        sight: what is seen, once it is asked
        world: which carriers are near

    Args:
        seed: of the run
        optics: what the cameras are like
        shape: of the carriers
    """

    sight = Service(AskTags, TagsSeen)
    world = Sensor(LookForCarriers, CarriersNear)

    robot: int = 0

    def __init__(self, name: str, seed: int, optics: Optics120 = OPTICS, shape: CarrierShape = SHAPE) -> None:
        super().__init__(name)
        self.seed, self.optics, self.shape = seed, optics, shape
        self.initialize()

    def initialize(self) -> None:
        """Wait until it is asked."""
        self.now = 0.0
        self._frame = inf
        """When the next frame is (s)."""
        self._asked = False
        self._coming: list[tuple[float, int, TagsSeen]] = []
        """When it is told (s), a number, and what."""
        self._frames = 0
        self._generator: np.random.Generator | None = None
        self._numbers: list[float] = []
        self.passivate("off")

    def deltext(self, e: float) -> None:
        """Begin, or take what the world says."""
        self.now += e
        for asked in self.sight.ask.values:
            if not asked.wanted:
                self._frame = inf
            elif self._frame == inf:
                self._frame = raster(self.optics.period, 0.0).reached(self.now, self.now)
        for near in self.world.answer.values:
            self._asked = False
            if self._frame == inf:
                continue
            self._frame = raster(self.optics.period, 0.0).after(self.now)
            seen = [] if not near.views else self._in_view(near)
            if seen:
                self._expose(seen)
            elif not near.views:
                self._frame = raster(self.optics.period, 0.0).reached(self.now, self.now + near.quiet)
        self._wait()

    def lambdaf(self) -> None:
        """Look, and tell what is due."""
        now = self.now + self.sigma
        if now >= self._frame and not self._asked:
            self.world.ask.add(LookForCarriers())
        for due, _, seen in self._coming:
            if due <= now:
                self.sight.answer.add(seen)

    def deltint(self) -> None:
        """Wait for what comes next."""
        self.now += self.sigma
        if self.now >= self._frame:
            self._asked = True
        while self._coming and self._coming[0][0] <= self.now:
            heappop(self._coming)
        self._wait()

    def _wait(self) -> None:
        due = min(inf if self._asked else self._frame, self._coming[0][0] if self._coming else inf)
        if due == inf:
            self.passivate("off" if self._frame == inf else "running")
        else:
            self.hold_in("running", max(0.0, due - self.now))

    def _in_view(self, near: CarriersNear) -> list[Sighted]:
        """Tags that cameras have in view, nearest first."""
        found = [each for view in near.views for each in tags_in_view(view, self.shape)]
        return sorted(found, key=lambda each: (each.way, each.camera, each.carrier))

    def _expose(self, seen: list[Sighted]) -> None:
        optics = self.optics
        kept: list[Sighted] = []
        for each in seen:
            chance, *errors = self._next_numbers(5)
            if 0.5 * (1.0 + erf(chance / sqrt(2.0))) >= optics.detection:
                continue
            place, yaw = (
                (optics.map_spread, optics.map_yaw_spread)
                if each.camera == UP
                else (optics.place_spread, optics.yaw_spread)
            )
            kept.append(
                Sighted(
                    each.way,
                    each.camera,
                    each.carrier,
                    each.x + place * errors[0],
                    each.y + place * errors[1],
                    remainder(each.yaw + yaw * errors[2], tau),
                    each.height + place * errors[3],
                )
            )
        if not kept:
            return
        kept = kept[:MOST]
        latency = max(optics.least_latency, optics.latency + optics.latency_spread * self._next_numbers(1)[0])
        told = TagsSeen(
            latency,
            tuple([float(each.camera) for each in kept]),
            tuple([float(each.carrier) for each in kept]),
            tuple([each.x for each in kept]),
            tuple([each.y for each in kept]),
            tuple([each.yaw for each in kept]),
            tuple([each.height for each in kept]),
        )
        self._frames += 1
        heappush(self._coming, (self.now + latency, self._frames, told))

    def _next_numbers(self, count: int) -> list[float]:
        """The next normal numbers."""
        numbers = self._numbers
        if len(numbers) >= count:
            return [numbers.pop() for _ in range(count)]
        if self._generator is None:
            from zlib import crc32

            from numpy.random import PCG64, Generator, SeedSequence

            key = self.robot, crc32(f"noise of {self.name}".encode())
            self._generator = Generator(PCG64(SeedSequence(self.seed, spawn_key=key)))
        self._numbers = self._generator.standard_normal(BLOCK).tolist()
        first = numbers[::-1]
        return first + self._next_numbers(count - len(first))


def tags_in_view(view: CarrierView, shape: CarrierShape) -> list[Sighted]:
    """The tags of a carrier that cameras have in view; the robot is in the origin and looks along the x axis."""
    found = []
    if hypot(view.x, view.y) <= MAP_RANGE:
        way = hypot(view.x, view.y)
        found.append(Sighted(way, UP, view.carrier, view.x, view.y, view.yaw, view.height))
    for side in range(SIDES):
        normal = view.yaw + side * pi / 2.0
        nx, ny = cos(normal), sin(normal)
        x, y = view.x + shape.half * nx, view.y + shape.half * ny
        if nx * x + ny * y > CAMERA_AHEAD:
            continue  # its back is turned to all cameras
        for camera, (bearing, ahead, left) in enumerate(PLACES):
            from_x, from_y = x - ahead, y - left
            way = hypot(from_x, from_y)
            if way > TAG_RANGE or way < 1e-9 or -(nx * from_x + ny * from_y) < LEAST_FACING * way:
                continue
            if abs(remainder(atan2(from_y, from_x) - bearing, tau)) <= HALF_VIEW:
                found.append(Sighted(way, camera, view.carrier, x, y, remainder(normal, tau), view.height))
    return found
