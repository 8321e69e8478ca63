"""Carriers: trays on legs that stand on the floor or ride on robots; what cameras can see of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, remainder, tau

from msgspec import Struct

from devs_robotics import In, Out
from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.messages import BodyChange, Carry, Join, PutDown, TrajectoryChange
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.environment.traits import Traits
from devs_robotics.models.environment.world_model import WorldModel, answers
from devs_robotics.models.logistics.layout import LIFT, RADIUS, TAG_RANGE, CarrierShape, Zones, turned
from devs_robotics.models.logistics.messages import CarrierMoved, LifterMoved, MoveLifter

IN_VIEW = 0.4
"""A carrier further from a robot than a tag is seen, and that, shows it no tag (m): camera, and half a tray."""

CLOSING = 1.2
"""Largest speed at which robot and carrier come nearer to each other, with a margin (m/s)."""

LEGS = 4
"""Of each carrier."""

FLOOR = -1
"""In place of a robot's number: a carrier stands on the floor."""


class CarrierView(Struct, frozen=True):
    """A carrier from a robot's frame: the middle of its tray (m), its yaw (rad), by how much it is raised (m)."""

    carrier: int
    x: float
    y: float
    yaw: float
    height: float


class LookForCarriers(Struct, frozen=True):
    """A question of cameras: which carriers are so near that they may show a tag?"""


class CarriersNear(Struct, frozen=True):
    """The answer.

    Attributes:
        views: the carriers
        quiet: for so long no other will be (s)
    """

    views: tuple[CarrierView, ...]
    quiet: float


class WhereIs(Struct, frozen=True):
    """A question of compass and zone sense: which is the robot's pose, as the localisation would have it?"""


class TruePose(Struct, frozen=True):
    """The answer: x and y in the map, heading (m, m, rad)."""

    x: float
    y: float
    heading: float


class Carriers(WorldModel):
    """Carriers: their legs are bodies, which robots run into; a raised one rides on its robot.

    Its phases are those of a `WorldModel`; at the beginning it is answering: the legs join the bodies.

    Ports, besides those of a `WorldModel`:
        trajectory_change: how robots move
        body_change: legs join, are carried, and are put down
        moved_carrier: what was raised or put down, for frames

    Args:
        poses: where robots stand at first, robot 1 first (m, m, rad, in the field)
        places: where the carriers stand at first, carrier 1 first (m, m, rad, in the field)
        shape: of the carriers
        zones: of the arena

    Attributes:
        standing: poses of the carriers on the floor, by their numbers
        riding: by carrier: the robot, and where on it (m, m, rad)
    """

    trajectory_change = In(TrajectoryChange)
    body_change: Out[BodyChange] = Out(BodyChange)
    moved_carrier = Out(CarrierMoved)

    def __init__(
        self, name: str, poses: Sequence[Pose], places: Sequence[Pose], shape: CarrierShape, zones: Zones
    ) -> None:
        super().__init__(name)
        self.shape, self.zones = shape, zones
        self.poses = dict(enumerate(poses, 1))
        self.standing: dict[int, Pose] = dict(enumerate(places, 1))
        self.riding: dict[int, tuple[int, Pose]] = {}
        self._paths: dict[int, Trajectory] = {}

    def initialize(self) -> None:
        """Let the legs join."""
        number = len(self.poses)
        for x, y, yaw in self.standing.values():
            for leg in self.shape.legs:
                number += 1
                dx, dy = turned(*leg, yaw)
                self.send(
                    self.body_change,
                    Join(number, x + dx, y + dy, yaw, self.shape.leg_radius, Traits("leg", height=0.175)),
                )
        self.activate("answering")

    def deltext(self, e: float) -> None:
        """Hear how robots move, and answer."""
        for change in self.trajectory_change.values:
            self._paths[change.robot] = change.trajectory
        super().deltext(e)

    def pose(self, robot: int) -> Pose:
        """Where a robot is now (m, m, rad, in the field)."""
        path = self._paths.get(robot)
        return self.poses[robot] if path is None else path.pose(self.time)

    def place(self, carrier: int) -> Pose:
        """Where a carrier is now (m, m, rad, in the field)."""
        if carrier in self.standing:
            return self.standing[carrier]
        robot, (ahead, left, yaw) = self.riding[carrier]
        x, y, heading = self.pose(robot)
        dx, dy = turned(ahead, left, heading)
        return x + dx, y + dy, heading + yaw

    @answers(LookForCarriers, CarriersNear)
    def look(self, robot: int, question: LookForCarriers) -> CarriersNear:
        """Those within reach, and how long it takes until another may be."""
        x, y, heading = self.pose(robot)
        reach, nearest = TAG_RANGE + IN_VIEW, inf
        views = []
        for carrier in (*self.standing, *self.riding):
            there_x, there_y, yaw = self.place(carrier)
            way = hypot(there_x - x, there_y - y)
            if way < reach:
                ahead, left = turned(there_x - x, there_y - y, -heading)
                height = LIFT if carrier in self.riding else 0.0
                views.append(CarrierView(carrier, ahead, left, remainder(yaw - heading, tau), height))
            else:
                nearest = min(nearest, way)
        return CarriersNear(tuple(views), min(60.0, (nearest - reach) / CLOSING))

    @answers(WhereIs, TruePose)
    def locate(self, robot: int, question: WhereIs) -> TruePose:
        """The exact pose in the map."""
        x, y, heading = self.pose(robot)
        return TruePose(x - self.zones.side / 2.0, y - self.zones.side / 2.0, heading)

    @answers(MoveLifter, LifterMoved)
    def lift(self, robot: int, command: MoveLifter) -> LifterMoved:
        """A platform is up or down now: what is above it rides on it, or is put down."""
        carried = next((carrier for carrier, (by, _) in self.riding.items() if by == robot), None)
        if command.up and carried is None:
            carried = self._above(robot)
            if carried is not None:
                self._raise(carried, robot)
        elif not command.up and carried is not None:
            self._put_down(carried, robot)
            carried = None
        return LifterMoved(carried is not None)

    def _above(self, robot: int) -> int | None:
        """The carrier on the floor whose legs a robot is between, wholly."""
        x, y, _ = self.pose(robot)
        for carrier, (there_x, there_y, yaw) in self.standing.items():
            ahead, left = turned(x - there_x, y - there_y, -yaw)
            free = all(hypot(ahead - lx, left - ly) >= RADIUS + self.shape.leg_radius for lx, ly in self.shape.legs)
            if free and max(abs(ahead), abs(left)) <= self.shape.half - RADIUS:
                return carrier
        return None

    def _raise(self, carrier: int, robot: int) -> None:
        x, y, heading = self.pose(robot)
        there_x, there_y, yaw = self.standing.pop(carrier)
        ahead, left = turned(there_x - x, there_y - y, -heading)
        self.riding[carrier] = robot, (ahead, left, yaw - heading)
        for leg, body in zip(self.shape.legs, self._bodies(carrier), strict=True):
            dx, dy = turned(*leg, yaw - heading)
            self.send(self.body_change, Carry(robot, body, ahead + dx, left + dy, yaw - heading))
        self.send(self.moved_carrier, CarrierMoved(carrier, robot, True, False))

    def _put_down(self, carrier: int, robot: int) -> None:
        x, y, yaw = self.place(carrier)
        del self.riding[carrier]
        self.standing[carrier] = x, y, yaw
        for body in self._bodies(carrier):
            self.send(self.body_change, PutDown(robot, body))
        there = self.zones.zone(x - self.zones.side / 2.0) == "drop"
        self.send(self.moved_carrier, CarrierMoved(carrier, robot, False, there))

    def _bodies(self, carrier: int) -> range:
        """Numbers of the bodies that are a carrier's legs."""
        return leg_bodies(len(self.poses), carrier)


def leg_bodies(robots: int, carrier: int) -> range:
    """Numbers of the bodies that are a carrier's legs, where there are so many robots."""
    first = robots + LEGS * (carrier - 1) + 1
    return range(first, first + LEGS)
