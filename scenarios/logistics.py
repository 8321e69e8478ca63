"""Intralogistics: robots on omniwheels find carriers, lift them, and bring them to a drop zone (Jones et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from devs_robotics.experimental_frames.logistics.acceptor import RetrievalAcceptor
from devs_robotics.experimental_frames.logistics.clearance import Clearance
from devs_robotics.experimental_frames.logistics.conduct import Conduct
from devs_robotics.experimental_frames.logistics.logistics import CAUSES, Logistics
from devs_robotics.experimental_frames.logistics.published import bottleneck
from devs_robotics.experimental_frames.logistics.sections import published_section, robots_section
from devs_robotics.experimental_frames.report.sections import Section
from devs_robotics.models.activities.omniwheels import ROTATION, VirtualOmniwheels
from devs_robotics.models.activities.range_ring import VirtualRangeRing
from devs_robotics.models.environment import Pose, box
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits
from devs_robotics.models.logistics.carriers import Carriers
from devs_robotics.models.logistics.carry import CarrierTree
from devs_robotics.models.logistics.collision_map import CollisionMap, Foresight
from devs_robotics.models.logistics.equipment import VirtualCompass, VirtualLifter, VirtualZoneSense
from devs_robotics.models.logistics.layout import CARRY_SPEED, RADIUS, CarrierShape, Zones
from devs_robotics.models.logistics.messages import CarrierMoved
from devs_robotics.models.logistics.navigator import Navigator
from devs_robotics.models.logistics.rules import CarryRules
from devs_robotics.models.logistics.starts import carriers_at_first, robots_at_first
from devs_robotics.models.logistics.vision import Optics120, VirtualVision
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.settings.tables import SettingsTable
from devs_robotics.study import (
    Allowance,
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Factor,
    Frame,
    Length,
    Mark,
    Robot,
    Shown,
    robots,
    shapes,
)

SIDE = 3.7
"""Of the arena in which the published task ran (m)."""

SET_OUT = 0.9
"""Closing speed up to which robots may come nearer to each other than 0.5 s, by runs; head-on it is 1.0 (m/s)."""

ShareOfTags = Annotated[Factor, Field(ge=0, le=1)]

InTheMap = Annotated[Length, Field(le=1)]
"""A radius in a collision map, which is 1 m wide to each side."""


class LogisticsTable(SettingsTable):
    """Robots, carriers, and what the paper leaves open."""

    robots: Count = 5
    carriers: Count = 5
    ranging: Literal["measured", "simulator", "exact"] = "measured"
    """How the time-of-flight sensors err: as measured on the robots, as in the published simulator, or not at all."""
    vision: Literal["measured", "simulator", "exact"] = "measured"
    """How cameras and localisation err: latency, misses, errors of poses; `simulator`: no camera errs; or nothing."""
    latency: Duration = 0.0785
    """Mean time from exposure to decision (s)."""
    detection: ShareOfTags = 0.9
    """Share of frames in which a tag in view is found."""
    compass_noise: Factor = 0.1
    """Standard deviation of the compass (rad)."""
    rate: Annotated[Factor, Field(le=1000)] = 50.0
    """Updates of the collision map per second; the rate is a part of the model."""
    lookahead: Annotated[Duration, Field(le=60)] = 1.1
    threshold: ShareOfTags = 0.15
    """Likelihood from which on a collision is likely."""
    disc: InTheMap = 0.125
    """Radius of what is looked at at the lookahead place (m): the robot's."""
    loaded_disc: InTheMap = 0.255
    """The same of a robot with a carrier (m): half of the tray's diagonal."""
    search_variance: Factor = 3.0
    """Of the direction of exploring in the search zone (rad^2); the paper's 3.0, read as a variance."""
    other_variance: Factor = 1.0
    jerk: Factor = 20.0
    """Limit of jerk (m/s^3)."""
    lifting: Duration = 5.0
    """Time that a lifter takes (s)."""
    tray: Length = 0.36
    """Side of a carrier (m); 0.33 as printed, with thinner legs."""
    leg_radius: Length = 0.018
    pause: Duration = 5.0
    """After a failed docking a robot looks for no carrier so long (s)."""
    places: Literal["row", "published"] = "row"
    """Where carriers are put down: `row`, side by side at the end of the drop zone; or `published`: a robot with one
    goes on in directions drawn by chance about +x, and puts it down as soon as it is in the drop zone."""
    tick: Duration = 0.1
    """Of the behaviour trees (s), a millisecond or more; 0: they tick at once when something has come."""
    idle_ticks: bool = False
    """Whether trees tick where nothing is new, too; it changes nothing."""


class Intralogistics(CaseStudy):
    """Robots find carriers, lift them, and bring them to the drop zone."""

    logistics: LogisticsTable = LogisticsTable()

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": SIDE,
        "field.height": SIDE,
        "run.duration": 600.0,
        "robot.radius": RADIUS,
        "robot.speed": 2.0,
        "robot.turn_rate": 3.0,
    }

    allows: ClassVar[tuple[Allowance, ...]] = (
        Allowance(
            ("too near", "fast approach", "not stoppable"),
            "robots go between the legs of a carrier, 19 mm from them, at 0.3 m/s, to pick it up and away from it",
            up_to=CARRY_SPEED + 0.01,
            things=("leg",),
            engaged=True,
        ),
        Allowance(
            ("fast approach",),
            "robots that set out at the same time are 0.2 s on their way before either finds that the other one moves",
            up_to=SET_OUT,
            things=("robot",),
        ),
    )

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {
        number: {"equipment": {"omniwheels": "real"}} for number in (1, 2)
    }
    stand_ins: ClassVar[Mapping[str, str]] = {
        name: f"devs_robotics.scenarios.logistics_stand_ins:{player}"
        for name, player in {
            "omniwheels": "PlayedOmniwheels",
            "ring": "PlayedRing",
            "vision": "PlayedVision",
            "compass": "PlayedMapCompass",
            "zone": "PlayedZone",
            "lifter": "PlayedLifter",
        }.items()
    }

    def build(self, system: CaseSystem) -> None:
        """Robots in the drop zone, carriers in the search zone."""
        wanted = self.logistics
        self.foresight = Foresight(
            period=1.0 / wanted.rate,
            lookahead=wanted.lookahead,
            threshold=wanted.threshold,
            disc=wanted.disc,
            loaded_disc=wanted.loaded_disc,
        )
        poses, places = self.poses, self.places
        self.world = system.add(Carriers("carriers", poses, places, self.shape, self.zones))
        for pose in poses:
            robot = system.add_robot(pose, robots.round_differential(called="a DOTS robot"))
            self._equip(system, robot)
            self._decide(system, robot)

    @property
    def zones(self) -> Zones:
        """Of the arena."""
        return Zones(self.scenario.field.width or SIDE)

    @property
    def shape(self) -> CarrierShape:
        """Of the carriers."""
        tray, leg = self.logistics.tray, self.logistics.leg_radius
        return CarrierShape(tray, tray / 2.0 - leg, leg)

    @property
    def poses(self) -> list[Pose]:
        """Where robots are at first."""
        return robots_at_first(self.scenario.run.seed, self.logistics.robots, self.zones)

    @property
    def places(self) -> list[Pose]:
        """Where carriers are at first."""
        return carriers_at_first(self.scenario.run.seed, self.logistics.carriers, self.zones, self.shape)

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
        rules = CarryRules(wanted.search_variance, wanted.other_variance, pause=wanted.pause, places=wanted.places)
        stream = system.stream(robot, "carry")
        carry = robot.decide(
            CarrierTree(
                "carry", robot.number, stream, rules, self.shape, tick=wanted.tick, idle_ticks=wanted.idle_ticks
            )
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
        conduct = frame.add(Conduct("conduct", wanted.robots, acceptor.duration))
        poses, side = dict(enumerate(self.poses, 1)), self.zones.side
        clearance = frame.add(Clearance("clearance", poses, RADIUS, side, acceptor.duration))
        moving = system.environment.tell_trajectories()
        frame.couple(moving, clearance.trajectory_change)
        frame.couple(moving, acceptor.trajectory_change)
        modelled = any(isinstance(robot.lifter, VirtualLifter) for robot in system.robots)
        for moved in [self.world.moved_carrier] if modelled else [robot.carry.moved_carrier for robot in system.robots]:
            frame.couple(moved, measured.moved_carrier)
            frame.couple(moved, acceptor.moved_carrier)
            frame.couple(moved, conduct.moved_carrier)
        for robot in system.robots:
            frame.couple(robot.carry.docking, measured.docking)
            frame.couple(robot.collision_map.warning, measured.warning)
            frame.couple(robot.navigator.wheels.ask, measured.glide[robot.number])
            frame.couple(robot.navigator.wheels.ask, conduct.glide[robot.number])
            frame.couple(robot.carry.go, conduct.go[robot.number])
            frame.couple(robot.omniwheels.wheels.answer, measured.glided[robot.number])
            for part in (measured, conduct):
                frame.couple(robot.carry.lifter.ask, part.lift[robot.number])
                frame.couple(robot.lifter.lifter.answer, part.lifted[robot.number])

    def sections(self, outcome: CaseOutcome) -> Iterator[Section]:
        """The published times beside this one; carriers and dockings."""
        wanted, measured = self.logistics, outcome.frames["logistics"]
        seconds, retrieved = float(measured["seconds"]), int(measured["carriers_retrieved"])
        comparable = (wanted.robots, wanted.carriers) == (5, 5)
        yield published_section(seconds, retrieved, wanted.carriers, self.bound(), comparable=comparable)
        drops = outcome.tables.get("logistics", {})
        by = [int(robot) for robot in drops["robot"]] if drops else []
        brought = [by.count(number) for number in range(1, wanted.robots + 1)]
        yield robots_section(brought, {cause: int(measured[f"failed_{cause}"]) for cause in CAUSES})

    def bound(self) -> float:
        """The least time of the layout of a run (s)."""
        edge = self.zones.drop + self.zones.side / 2.0
        poses, places = ([pose[:2] for pose in each] for each in (self.poses, self.places))
        return bottleneck(poses, places, edge, self.logistics.jerk)

    def marks(self, system: CaseSystem) -> Iterator[tuple[str, Mark] | Shown]:
        """The zones, and the carriers, which ride."""
        side, drop = self.zones.side, self.zones.drop + self.zones.side / 2.0
        search = self.zones.search + side / 2.0
        yield "search", Mark(_outline(search / 2.0, side / 2.0, search, side), "search zone", colour="blue")
        width = side - drop
        yield "drop", Mark(_outline(drop + width / 2.0, side / 2.0, width, side), "drop zone", colour="green")
        for carrier, (x, y, yaw) in enumerate(self.places, 1):
            yield f"carrier {carrier}", self._tray(x, y, yaw)
        yield Shown(self.world.moved_carrier, self._moved)

    def _moved(self, moved: CarrierMoved) -> dict[str, Mark]:
        name = f"carrier {moved.carrier}"
        if moved.raised and moved.carrier in self.world.riding:
            robot, (ahead, left, yaw) = self.world.riding[moved.carrier]
            return {name: self._tray(ahead, left, yaw, robot)}
        return {name: self._tray(*self.world.place(moved.carrier))}

    def _tray(self, x: float, y: float, yaw: float, robot: int = 0) -> Mark:
        return Mark(_outline(x, y, self.shape.side, self.shape.side, yaw), colour="orange", robot=robot)

    def laboratory(self) -> Mapping[str, Any]:
        """Its settings, and where the carriers stand at first."""
        told = self.logistics.model_dump(mode="json")
        return {**told, "side": self.zones.side, "places": [list(place) for place in self.places]}

    def check(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        """Robots fit under carriers, into the arena, and can see and stop."""
        wanted = self.logistics
        if wanted.tray / 2.0 - 2.0 * wanted.leg_radius - RADIUS <= 0.0:
            yield (
                ("logistics.tray", "logistics.leg_radius"),
                "no robot of 250 mm fits between the legs: make the tray larger, or its legs thinner",
            )
        for name in ("rate", "lookahead", "jerk", "disc", "loaded_disc", "tray", "leg_radius", "search_variance"):
            if getattr(wanted, name) <= 0.0:
                yield f"logistics.{name}", "must be more than 0"
        for name in ("latency", "compass_noise", "lifting", "pause", "other_variance", "tick"):
            if getattr(wanted, name) < 0.0:
                yield f"logistics.{name}", f"must be at least 0, not {getattr(wanted, name):g}"
        if 0.0 < wanted.tick < 0.001:
            yield "logistics.tick", f"must be 0, or at least 0.001, not {wanted.tick:g}"
        if wanted.idle_ticks and not wanted.tick:
            yield ("logistics.tick", "logistics.idle_ticks"), "there are no idle ticks without a grid: leave them out"
        field = self.scenario.field
        if field.width is None or field.width != field.height:
            yield ("field.width", "field.height"), "the arena is a square: make both the same"
        elif field.width < 3.5:
            yield ("field.width", "field.height"), "the drop zone begins 1.25 m from the middle: make it 3.5 m or more"


def _outline(x: float, y: float, width: float, height: float, heading: float = 0.0) -> shapes.Outline:
    return shapes.Outline(box(x, y, width, height, heading).corners)
