"""Intralogistics: robots on omniwheels find carriers, lift them, and bring them to a drop zone (Jones et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import dist, pi
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from devs_robotics import ModelError
from devs_robotics.experimental_frames.logistics.acceptor import RetrievalAcceptor
from devs_robotics.experimental_frames.logistics.logistics import Logistics
from devs_robotics.models.activities.omniwheels import ROTATION, VirtualOmniwheels
from devs_robotics.models.activities.range_ring import VirtualRangeRing
from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits
from devs_robotics.models.logistics.carriers import Carriers
from devs_robotics.models.logistics.carry import Carry, CarryRules
from devs_robotics.models.logistics.collision_map import CollisionMap, Foresight
from devs_robotics.models.logistics.equipment import VirtualCompass, VirtualLifter, VirtualZoneSense
from devs_robotics.models.logistics.layout import RADIUS, CarrierShape, Zones
from devs_robotics.models.logistics.navigator import Navigator
from devs_robotics.models.logistics.vision import Optics120, VirtualVision
from devs_robotics.scenarios.settings.tables import SettingsTable
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Factor,
    Frame,
    Length,
    Robot,
    Speed,
    robots,
)

TRIES = 10_000
"""Number of places that are tried for one robot or carrier before it is said that there is no room for it."""

APART = 0.5
"""Least distance between carriers' middles and walls, between their edges, and between robots' middles (m)."""

ShareOfTags = Annotated[Factor, Field(ge=0, le=1)]


class LogisticsTable(SettingsTable):
    """Robots, carriers, and what the paper leaves open."""

    robots: Count = 5
    carriers: Count = 5
    ranging: Literal["measured", "simulator", "exact"] = "measured"
    """How the time-of-flight sensors err: as measured on the robots, as in the published simulator, or not at all."""
    vision: Literal["measured", "simulator", "exact"] = "measured"
    """How the cameras err: with latency, misses and errors of poses; as a simulator, at once; or not at all."""
    latency: Duration = 0.0785
    """Mean time from exposure to decision (s)."""
    detection: ShareOfTags = 0.9
    """Share of frames in which a tag in view is found."""
    compass_noise: Factor = 0.1
    """Standard deviation of the compass (rad)."""
    rate: Factor = 50.0
    """Updates of the collision map per second; the rate is a part of the model."""
    lookahead: Duration = 0.5
    threshold: ShareOfTags = 0.15
    """Likelihood from which on a collision is likely."""
    disc: Length = 0.125
    """Radius of what is looked at at the lookahead place (m): the robot's."""
    loaded_disc: Length = 0.255
    """The same of a robot with a carrier (m): half of the tray's diagonal."""
    search_variance: Factor = 3.0
    """Of the direction of exploring in the search zone (rad^2); the paper's 3.0, read as a variance."""
    other_variance: Factor = 1.0
    jerk: Factor = 20.0
    """Limit of jerk (m/s^3)."""
    lifting: Duration = 5.0
    """Time that a lifter takes (s)."""
    drift: Factor = 0.01
    """Standard deviation of the way gone, as a share of what the wheels count."""
    tray: Length = 0.36
    """Side of a carrier (m); 0.33 as printed, with thinner legs."""
    leg_radius: Length = 0.018
    pause: Duration = 5.0
    """After a failed docking a robot looks for no carrier so long (s)."""
    tick: Duration = 0.1
    """Of the behaviour trees (s); 0: they tick at once when something has come."""
    idle_ticks: bool = False
    """Whether trees tick where nothing is new, too; it changes nothing."""


class Intralogistics(CaseStudy):
    """Robots find carriers, lift them, and bring them to the drop zone."""

    logistics: LogisticsTable = LogisticsTable()

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 3.7,
        "field.height": 3.7,
        "run.duration": 600.0,
        "robot.radius": RADIUS,
        "robot.speed": 2.0,
        "robot.turn_rate": 3.0,
    }

    def build(self, system: CaseSystem) -> None:
        """Robots in the drop zone, carriers in the search zone."""
        wanted = self.logistics
        self.zones, self.shape = Zones(system.field.width), CarrierShape(
            wanted.tray, wanted.tray / 2.0 - wanted.leg_radius, wanted.leg_radius
        )
        self.foresight = Foresight(
            period=1.0 / wanted.rate,
            lookahead=wanted.lookahead,
            threshold=wanted.threshold,
            disc=wanted.disc,
            loaded_disc=wanted.loaded_disc,
        )
        poses, places = self._starts(system), self._places(system)
        self.world = system.add(Carriers("carriers", poses, places, self.shape, self.zones))
        self.poses, self.places = poses, places
        for pose in poses:
            robot = system.add_robot(pose, robots.round_differential(called="a DOTS robot"))
            self._equip(system, robot)
            self._decide(system, robot)

    def _equip(self, system: CaseSystem, robot: Robot) -> None:
        wanted, seed = self.logistics, system.seed
        optics = Optics120(latency=wanted.latency, detection=wanted.detection)
        if wanted.vision != "measured":
            optics = optics.without_errors()
        exact = wanted.vision == "exact"
        way = MotionLimits(2.0, 2.0, wanted.jerk)
        robot.equip(VirtualOmniwheels("omniwheels", way, ROTATION))
        robot.equip(VirtualRangeRing("ring", seed, wanted.ranging, self.foresight.reach))
        robot.equip(VirtualVision("vision", seed, optics, self.shape))
        robot.equip(VirtualCompass("compass", seed, wanted.compass_noise))
        robot.equip(VirtualZoneSense("zone", seed, self.zones, 0.0 if exact else 0.0223))
        robot.equip(VirtualLifter("lifter", wanted.lifting))

    def _decide(self, system: CaseSystem, robot: Robot) -> None:
        wanted = self.logistics
        rules = CarryRules(wanted.search_variance, wanted.other_variance, pause=wanted.pause)
        stream = system.stream(robot, "carry")
        carry = robot.decide(
            Carry("carry", robot.number, stream, rules, self.shape, tick=wanted.tick, idle_ticks=wanted.idle_ticks)
        )
        navigator = robot.decide(Navigator("navigator"))
        collision_map = robot.decide(CollisionMap("collision_map", self.foresight, self.shape))
        robot.add_coupling(carry.go, navigator.goal)
        robot.add_coupling(carry.go, collision_map.goal)
        robot.add_coupling(navigator.went, carry.went)
        robot.add_coupling(navigator.consider, collision_map.consider)
        robot.add_coupling(collision_map.considered, navigator.considered)
        robot.add_coupling(carry.loaded, collision_map.loaded)
        for hears in (navigator.warning, carry.warning):
            robot.add_coupling(collision_map.warning, hears)

    def acceptor(self, duration: float) -> RetrievalAcceptor:
        """A run ends when all is retrieved and all robots are out of the drop zone."""
        edge = self.zones.drop + self.zones.side / 2.0
        return RetrievalAcceptor("acceptor", self.logistics.carriers, dict(enumerate(self.poses, 1)), edge, duration)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Carriers, time, dockings, warnings."""
        wanted, acceptor = self.logistics, frame.acceptor
        assert isinstance(acceptor, RetrievalAcceptor)
        measured = frame.add(Logistics("logistics", wanted.robots, wanted.carriers, acceptor.duration))
        frame.couple(self.world.moved_carrier, measured.moved_carrier)
        frame.couple(self.world.moved_carrier, acceptor.moved_carrier)
        frame.couple(system.environment.tell_trajectories(), acceptor.trajectory_change)
        for robot in system.robots:
            frame.couple(robot.carry.docking, measured.docking)
            frame.couple(robot.collision_map.warning, measured.warning)
            frame.couple(robot.navigator.wheels.ask, measured.glide[robot.number])
            frame.couple(robot.omniwheels.wheels.answer, measured.glided[robot.number])
            frame.couple(robot.carry.lifter.ask, measured.lift[robot.number])
            frame.couple(robot.lifter.lifter.answer, measured.lifted[robot.number])

    def _starts(self, system: CaseSystem) -> list[Pose]:
        """Poses of robots in the drop zone, apart from each other."""
        side, edge = self.zones.side, self.zones.drop + self.zones.side / 2.0
        room = RADIUS + 0.02
        return self._anywhere(
            system, self.logistics.robots, "robot", (edge + room, side - room), (room, side - room), 2.0 * RADIUS + 0.15
        )

    def _places(self, system: CaseSystem) -> list[Pose]:
        """Poses of carriers in the search zone, apart from each other and from walls."""
        side, room = self.zones.side, self.shape.half_diagonal + APART / 2.0
        edge = self.zones.search + side / 2.0
        return self._anywhere(
            system,
            self.logistics.carriers,
            "carrier",
            (APART, edge - self.shape.half),
            (APART, side - APART),
            self.shape.side + APART if room else 0.0,
        )

    def _anywhere(
        self,
        system: CaseSystem,
        count: int,
        what: str,
        across: tuple[float, float],
        along: tuple[float, float],
        apart: float,
    ) -> list[Pose]:
        found: list[Pose] = []
        for number in range(1, count + 1):
            stream = system.stream(None, f"{what} {number}")
            for _ in range(TRIES):
                share_x, share_y, share = ((stream.uniform() + 1.0) / 2.0 for _ in range(3))
                x, y = across[0] + share_x * (across[1] - across[0]), along[0] + share_y * (along[1] - along[0])
                if all(dist((x, y), other[:2]) >= apart for other in found):
                    found.append((x, y, pi * (2.0 * share - 1.0)))
                    break
            else:
                raise ModelError(
                    f"there is no room for {what} {number} of {count} in its zone: make field.width and field.height "
                    f"larger, or take fewer by logistics.{what}s"
                )
        return found


