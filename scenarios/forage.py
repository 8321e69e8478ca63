"""Robots look for items and bring them to a nest: a case study with equipment and a world of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import atan2, dist, hypot, inf, radians, remainder, tau
from typing import Any, ClassVar

from msgspec import Struct

from devs_robotics import Actuator, Atomic, Drive, Driven, ModelError, Out, Ranges, Sense, Sensor, Service, Stream
from devs_robotics.models.environment import Pose
from devs_robotics.models.half_way import APART, LOOK, SHORTEST, half_of_the_way, problems_of, seeing_around
from devs_robotics.scenarios.forage_frame import AllDelivered, Deliveries, Delivery
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Frame,
    Length,
    Mark,
    PoseChange,
    Shown,
    VirtualActivity,
    WorldModel,
    answers,
    shapes,
)

AHEAD, DETOUR = radians(10.0), 2
"""A goal is ahead within this angle (rad); where its way is not free, a robot first makes so many steps aside."""

ITEM = 0.05
"""Radius of an item in pictures (m)."""

WAITING = {"looking": "heading", "checking": "waiting", "moving": "under way", "gripping": "grasping"}
"""The phase in which the decision model waits for what it has asked for, or commanded, in another."""


class Spotted(Struct, frozen=True):
    """The nearest item: its bearing from the heading (rad) and its distance (m); without values, none is in reach."""

    bearing: float = 0.0
    distance: float = inf


class Home(Struct, frozen=True):
    """The centre of the nest: its bearing (rad) and its distance (m), and whether the robot is in the nest."""

    bearing: float
    distance: float
    inside: bool


class Grip(Struct, frozen=True):
    """A command to a gripper: take what is in its reach, or let go."""

    close: bool


class Gripped(Struct, frozen=True):
    """A gripper's report that a command has ended, and whether it holds an item now."""

    holding: bool


class Finder(VirtualActivity):
    """A sensor that sees the nearest item."""

    finding = Service(Sense, Spotted)
    world = Sensor(Sense, Spotted)


class Compass(VirtualActivity):
    """A sensor that knows where the nest is."""

    homing = Service(Sense, Home)
    world = Sensor(Sense, Home)


class Gripper(VirtualActivity):
    """An actuator that holds one item."""

    gripping = Service(Grip, Gripped)
    world = Actuator(Grip, Gripped)


class Items(WorldModel):
    """The items and the nest: it answers finders and compasses, and lets grippers take items and let them go.

    A held item is where its robot is. An item that was let go in the nest is delivered, and nobody sees it any more.

    Args:
        poses: where the robots stand at first, robot 1 first
        places: of the items (m)
        study: says where the nest is, and how far finders and grippers reach

    Attributes:
        lying: where the items lie that are neither held nor delivered, by their numbers, from 0
        held: number of the item, by that of the robot that holds it
    """

    def __init__(self, name: str, poses: Sequence[Pose], places: Sequence[Sequence[float]], study: Foraging) -> None:
        super().__init__(name)
        self.poses = dict(enumerate(poses, 1))
        self.lying = dict(enumerate(places))
        self.held: dict[int, int] = {}
        self.study = study

    def moved(self, change: PoseChange) -> None:
        """Keep where the robot is."""
        self.poses[change.robot] = change.x, change.y, change.heading

    @answers(Sense, Spotted)
    def spot(self, robot: int, question: Sense) -> Spotted:
        """The nearest item that lies in sight."""
        item = self._nearest(robot, self.study.finder_reach)
        return Spotted() if item is None else Spotted(*self._from(robot, self.lying[item]))

    @answers(Sense, Home)
    def home(self, robot: int, question: Sense) -> Home:
        """Where the nest is."""
        bearing, distance = self._from(robot, (self.study.nest_x, self.study.nest_y))
        return Home(bearing, distance, distance <= self.study.nest_radius)

    @answers(Grip, Gripped)
    def handle(self, robot: int, command: Grip) -> Gripped:
        """Take the nearest item in reach of an empty gripper, or let go of what it holds."""
        if command.close and robot not in self.held:
            item = self._nearest(robot, self.study.gripper_reach)
            if item is not None:
                self.held[robot] = item
                del self.lying[item]
        elif not command.close and robot in self.held:
            item = self.held.pop(robot)
            if not self.home(robot, Sense()).inside:
                self.lying[item] = self.poses[robot][:2]
        return Gripped(robot in self.held)

    def _nearest(self, robot: int, reach: float) -> int | None:
        found = [(self._from(robot, place)[1], item) for item, place in self.lying.items()]
        distance, item = min(found, default=(inf, -1))
        return item if distance <= reach else None

    def _from(self, robot: int, place: Sequence[float]) -> tuple[float, float]:
        """Bearing (rad) and distance (m) of a place from a robot."""
        x, y, heading = self.poses[robot]
        there_x, there_y = place[0] - x, place[1] - y
        return remainder(atan2(there_y, there_x) - heading, tau), hypot(there_x, there_y)


class Forage(Atomic):
    """The decision model: it looks for an item, goes there, grips it, brings it to the nest, and lets it go.

    =========  ============  ====================================  =================================================
    phase      time advance  output                                next phase
    =========  ============  ====================================  =================================================
    looking    `LOOK`        finder (compass, if laden): question; heading
                             delivered, after letting go
    heading    ∞                                                   gripping at the goal; moving, to turn to it; else
                                                                   checking
    checking   0             infrared: question                    waiting
    waiting    ∞                                                   moving, when the ranges come
    moving     0             motor: command                        under way
    under way  ∞                                                   looking; checking, on a detour; moving, if blocked
    gripping   0             gripper: command                      grasping
    grasping   ∞                                                   looking
    =========  ============  ====================================  =================================================

    It goes half of the way that is free ahead: the other half is for whoever comes the other way, and decides alike.
    Where its way is not free, or something has stopped it, it turns by chance and makes some steps aside.

    Ports:
        motor: steps and turns, and the reports of their ends
        infrared: a question before each step, and the ranges
        finder: where the nearest item is, asked where it carries none
        compass: where the nest is, asked where it carries an item
        gripper: to take an item, or to let go, and whether it holds one then
        delivered: each item that it has let go in the nest

    Args:
        stream: of random numbers, for turns
        step: the longest way ahead (m)
        clearance: so much stays free between the robot and all that it sees (m)
        gripper_reach: how near an item must be for the gripper, from the robot's centre (m)
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)
    finder = Sensor(Sense, Spotted)
    compass = Sensor(Sense, Home)
    gripper = Actuator(Grip, Gripped)
    delivered = Out(Delivery)

    def __init__(self, name: str, stream: Stream, step: float, clearance: float, gripper_reach: float) -> None:
        super().__init__(name)
        self.stream, self.step, self.clearance, self.gripper_reach = stream, step, clearance, gripper_reach
        self.laden = False
        self.time = self.since = 0.0
        """Now, and when it last took an item (s)."""
        self.delivery: Delivery | None = None
        """What it has still to tell."""
        self.detour = 0
        """Number of steps aside that are left."""
        self.way = inf
        """To the goal, if it sees one (m)."""
        self.command = Drive()

    def initialize(self) -> None:
        """Look."""
        self.hold_in("looking", LOOK)

    def lambdaf(self) -> None:
        """Ask, or command."""
        if self.phase == "looking":
            (self.compass if self.laden else self.finder).ask.add(Sense())
            if self.delivery is not None:
                self.delivered.add(self.delivery)
        elif self.phase == "checking":
            self.infrared.ask.add(Sense())
        elif self.phase == "moving":
            self.motor.ask.add(self.command)
        else:
            self.gripper.ask.add(Grip(not self.laden))

    def deltint(self) -> None:
        """Wait for the answer, or for the end of what was commanded."""
        self.time += self.sigma
        self.delivery = None
        self.passivate(WAITING[self.phase])

    def deltext(self, e: float) -> None:
        """Decide by what has come; what comes at another time than it is asked for is let pass."""
        self.time += e
        if self.phase == "heading":
            for item in self.finder.answer.values:
                self._head_for(item.bearing, item.distance, there=item.distance <= self.gripper_reach)
            for nest in self.compass.answer.values:
                self._head_for(nest.bearing, nest.distance, there=nest.inside)
        elif self.phase == "waiting":
            for ranges in self.infrared.answer.values:
                self._go(min(ranges.values, default=inf))
        elif self.phase == "under way":
            for driven in self.motor.answer.values:
                self.detour = DETOUR if driven.blocked else self.detour
                self.command = self._turn_by_chance()
                if driven.blocked or self.detour:
                    self.activate("moving" if driven.blocked else "checking")
                else:
                    self.hold_in("looking", LOOK)
        elif self.phase == "grasping":
            for gripped in self.gripper.answer.values:
                self._grasp(gripped.holding)
                self.hold_in("looking", LOOK)

    def _head_for(self, bearing: float, distance: float, *, there: bool) -> None:
        """Grip at the goal, turn towards it, or see whether the way is free."""
        self.way = distance
        if there:
            self.activate("gripping")
        elif distance < inf and abs(bearing) > AHEAD:
            self.command = Drive(turn=bearing)
            self.activate("moving")
        else:
            self.activate("checking")

    def _go(self, seen: float) -> None:
        """Go on where nothing is too near, and else turn aside."""
        goal = inf if self.detour else self.way
        free = half_of_the_way(seen, self.clearance)
        if free >= SHORTEST:
            self.command = Drive(distance=min(self.step, goal, free))
            self.detour = max(0, self.detour - 1)
        else:
            self.command = self._turn_by_chance()
            self.detour = DETOUR
        self.activate("moving")

    def _grasp(self, holding: bool) -> None:
        """It has an item now, or none any more: it lets go in the nest only."""
        if holding and not self.laden:
            self.since = self.time
        elif self.laden and not holding:
            self.delivery = Delivery(self.time - self.since)
        self.laden = holding

    def _turn_by_chance(self) -> Drive:
        return Drive(turn=radians(180.0) * self.stream.uniform())


class Foraging(CaseStudy):
    """Robots look for items, and bring them to a nest."""

    robots: Count = 4
    items: Count = 12
    finder_reach: Length = 1.5
    """How far a robot sees items, from its centre (m)."""
    gripper_reach: Length = 0.2
    """How far its gripper reaches, from its centre (m)."""
    step: Length = 0.3
    """The longest way ahead (m)."""
    clearance: Length = 0.3
    """So much stays free between a robot and all that it sees (m)."""
    nest_x: Length = 3.0
    nest_y: Length = 3.0
    nest_radius: Length = 0.7

    defaults: ClassVar[Mapping[str, Any]] = {"field.width": 6.0, "field.height": 6.0, "run.duration": 600.0}
    stand_ins: ClassVar[Mapping[str, str]] = {
        name: f"devs_robotics.scenarios.forage_stand_ins:Played{name.title()}"
        for name in ("finder", "compass", "gripper")
    }

    def build(self, system: CaseSystem) -> None:
        """Robots at free places, each with a finder, a compass and a gripper; items at free places outside the nest."""
        kind = seeing_around()
        poses = system.free_poses(self.robots, kind, apart=APART)
        room = system.radius_of(kind) + self.clearance + 2.0 * SHORTEST  # so that robots come to them
        x, y, radius = self.nest_x, self.nest_y, self.nest_radius
        if not (0.0 <= x <= system.field.width and 0.0 <= y <= system.field.height):
            raise ModelError(f"the nest at ({x:g}, {y:g}) m is outside of the walls: move it by nest_x and nest_y")
        self.places = system.free_places(self.items, "item", room, lambda *place: dist(place, (x, y)) > radius)
        self.world = system.add(Items("items", poses, self.places, self))
        for pose in poses:
            robot = system.add_robot(pose, kind)
            for equipment in (Finder("finder"), Compass("compass"), Gripper("gripper")):
                robot.equip(equipment)
            stream = system.stream(robot, "forage")
            robot.decide(Forage("forage", stream, self.step, self.clearance, self.gripper_reach))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Throughput; the run ends when all items are delivered."""
        deliveries = frame.add(Deliveries("deliveries", self.items, frame.acceptor.duration))
        everything = frame.add(AllDelivered("all_delivered", self.items))
        for robot in system.robots:
            for port in (deliveries.delivered, everything.delivered):
                frame.couple(robot.forage.delivered, port)

    def marks(self, system: CaseSystem) -> Iterator[tuple[str, Mark] | Shown]:
        """The nest, the items, and what robots hold."""
        yield "nest", Mark(shapes.Disc(self.nest_x, self.nest_y, self.nest_radius), "nest")
        yield from self._lying().items()
        for robot in system.robots:
            yield Shown(robot.gripper.gripping.answer, partial(self._gripped, robot.number))

    def _lying(self) -> dict[str, Mark]:
        return {
            f"item {item}": Mark(shapes.Disc(place[0], place[1], ITEM), colour="orange", filled=True)
            for item, place in self.world.lying.items()
        }

    def _gripped(self, robot: int, gripped: Gripped) -> dict[str, Mark | None]:
        """All items anew, and what this robot holds: a real gripper does not say which item it is."""
        gone = {f"item {item}": None for item in range(len(self.places)) if item not in self.world.lying}
        held = Mark(shapes.Disc(0.0, 0.0, ITEM), colour="orange", filled=True, robot=robot)
        return {**gone, **self._lying(), f"held by {robot}": held if gripped.holding else None}

    def laboratory(self) -> Mapping[str, Any]:
        """Where items lie there: in the same places."""
        return {**super().laboratory(), "places": self.places}

    def check(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        """Robots can see, grip and bring items, and a step is no more than half of what is seen to be free."""
        for name in ("finder_reach", "gripper_reach", "step", "nest_radius"):
            if getattr(self, name) <= 0.0:
                yield name, "must be more than 0 m: no robot would bring an item to the nest"
        yield from problems_of(self.step, self.clearance)
        if self.gripper_reach > self.finder_reach:
            yield ("finder_reach", "gripper_reach"), "it would grip what it cannot see: make finder_reach as large"
