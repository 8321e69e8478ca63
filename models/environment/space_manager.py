"""SpaceManager: where everything is (Hu & Zeigler, Fig. 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar

from devs_robotics import Atomic, Fix, In, Out, Port
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.messages import (
    Cast,
    Contact,
    Distances,
    Disturbance,
    Feel,
    Motion,
    MotionEnded,
    PoseChange,
    Probe,
    Room,
)
from devs_robotics.models.environment.time_manager import Pace

M = TypeVar("M")
_robot = attrgetter("robot")


class SpaceManager(Atomic):
    """Keeps the poses of all robots, moves them, and answers their sensors; all within zero time.

    What comes at one instant is handled in the order disturbances, motions, those of counterparts, fixes, questions,
    and each in the order of the robots' numbers, so that the result does not depend on the order in a bag.

    =========  ============  =========================================  ==========================================
    phase      time advance  output                                     next phase
    =========  ============  =========================================  ==========================================
    passive    ∞                                                        answering, if an input has an answer
    answering  0             moved, distances, felt, room, pose_change  passive
    =========  ============  =========================================  ==========================================

    Ports:
        motion: motions of virtual motors that have ended in time, to be made now
        counterpart: motions that real robots have made
        fix: where a tracking system sees a real robot
        probe: a question whether there is room for a motion
        disturbance: what the floor does to a robot's next motion
        cast: a question of range sensors
        feel: a question of whiskers
        pose_change: where a robot stands, after each change
        moved, distances, felt, room: the answers, one output port per robot: ``moved1``, ``moved2`` and so on

    Args:
        field: with one body for each robot, robot k being body k - 1
        whisker_reach: how far whiskers stick out ahead of a body (m)
        pace: of virtual motors, for those who ask how long a motion takes; without it, none does
        own: pace of robots that move at another one, by their numbers
    """

    motion = In(Motion)
    counterpart = In(Motion)
    fix = In(Fix)
    probe = In(Probe)
    disturbance = In(Disturbance)
    cast = In(Cast)
    feel = In(Feel)
    pose_change = Out(PoseChange)

    def __init__(
        self,
        name: str,
        field: Field,
        whisker_reach: float,
        pace: Pace | None = None,
        own: Mapping[int, Pace] = MappingProxyType({}),
    ) -> None:
        super().__init__(name)
        self.field = field
        self.whisker_reach = whisker_reach
        self.pace = pace
        self.own = dict(own)
        robots = range(1, len(field.x) + 1)
        self.moved = self._one_port_per_robot("moved", MotionEnded, robots)
        self.distances = self._one_port_per_robot("distances", Distances, robots)
        self.felt = self._one_port_per_robot("felt", Contact, robots)
        self.room = self._one_port_per_robot("room", Room, robots)
        self._disturbances: dict[int, Disturbance] = {}
        self._touching = [False] * len(field.x)
        self._answers: list[tuple[Port[Any], Any]] = []
        self._handlers: tuple[tuple[Port[Any], Callable[[Any], None]], ...] = (
            (self.disturbance, self._disturb),
            (self.motion, self._move),
            (self.counterpart, self._follow),
            (self.fix, self._place),
            (self.probe, self._probe),
            (self.cast, self._cast),
            (self.feel, self._answer_feel),
        )

    def _one_port_per_robot(self, name: str, kind: type[Any], robots: Iterable[int]) -> list[Port[Any]]:
        ports = [Port(kind, f"{name}{robot}") for robot in robots]
        for port in ports:
            self.add_out_port(port)
        return ports

    def deltext(self, e: float) -> None:
        """Carry out the motions and answer the questions of this instant."""
        for port, handle in self._handlers:
            if port:
                for message in _in_order(port.values):
                    handle(message)
        if self._answers:
            self.activate("answering")

    def lambdaf(self) -> None:
        """Send all answers."""
        for port, answer in self._answers:
            port.add(answer)

    def deltint(self) -> None:
        """Wait."""
        self._answers.clear()
        self.passivate()

    def _say(self, ports: list[Port[Any]], robot: int, answer: Any) -> None:
        self._answers.append((ports[robot - 1], answer))

    def _disturb(self, disturbance: Disturbance) -> None:
        self._disturbances[disturbance.robot] = disturbance

    def _answer_feel(self, feel: Feel) -> None:
        self._say(self.felt, feel.robot, Contact(feel.robot, self._touching[feel.robot - 1]))

    def _cast(self, question: Cast) -> None:
        body = question.robot - 1
        values = tuple([self.field.cast(body, bearing, question.reach) for bearing in question.bearings])
        self._say(self.distances, question.robot, Distances(question.robot, values))

    def _move(self, motion: Motion) -> None:
        robot, field = motion.robot, self.field
        body = robot - 1
        field.turn(body, motion.turn)
        gone, blocked = motion.distance, False
        if gone:
            disturbance = self._disturbances.pop(robot, None)
            gone, blocked = self._drive(body, gone, disturbance)
        if motion.turn or gone:
            self._tell_pose(body)
        if gone > 0.0 or self._touching[body]:
            self._feel_ahead(body)
        self._say(self.moved, robot, MotionEnded(robot, motion.turn, gone if blocked else motion.distance, blocked))

    def _drive(self, body: int, distance: float, disturbance: Disturbance | None) -> tuple[float, bool]:
        """Drive a body, noise included, up to a contact; returns the distance gone (m), and whether there was one."""
        field = self.field
        wanted = distance if disturbance is None else distance * (1.0 + disturbance.stretch)
        room = field.free_distance(body, 1.0 if wanted > 0.0 else -1.0, abs(wanted))
        blocked = room < abs(wanted)
        gone = (room if wanted > 0.0 else -room) if blocked else wanted
        field.advance(body, gone)
        if disturbance is not None:
            field.turn(body, disturbance.swerve * abs(gone))
        return gone, blocked

    def _follow(self, motion: Motion) -> None:
        """Move the counterpart of a real robot, which has been there already: nothing in the model can stop it."""
        body = motion.robot - 1
        self.field.turn(body, motion.turn)
        if motion.distance:
            self.field.advance(body, motion.distance)
        if motion.turn or motion.distance:
            self._tell_pose(body)
        if motion.distance > 0.0 or self._touching[body]:
            self._feel_ahead(body)
        self._say(self.moved, motion.robot, MotionEnded(motion.robot, motion.turn, motion.distance, False))

    def _place(self, fix: Fix) -> None:
        body = fix.robot - 1
        self.field.place(body, fix.x, fix.y, fix.heading)
        self._tell_pose(body)
        self._feel_ahead(body)

    def _probe(self, probe: Probe) -> None:
        sign = 1.0 if probe.distance > 0.0 else -1.0
        way = self.field.free_distance(probe.robot - 1, sign, abs(probe.distance), probe.turn)
        pace = self.own.get(probe.robot, self.pace)
        duration = 0.0 if pace is None else pace.duration(probe.turn, probe.distance)
        self._say(self.room, probe.robot, Room(probe.robot, way, duration))

    def _tell_pose(self, body: int) -> None:
        field = self.field
        self._answers.append(
            (self.pose_change, PoseChange(body + 1, field.x[body], field.y[body], field.heading[body]))
        )

    def _feel_ahead(self, body: int) -> None:
        touching = self.field.free_distance(body, 1.0, self.whisker_reach) < inf
        if touching != self._touching[body]:
            self._touching[body] = touching
            self._say(self.felt, body + 1, Contact(body + 1, touching))


def _in_order(messages: Iterable[M]) -> list[M]:
    ordered = list(messages)
    if len(ordered) > 1:
        ordered.sort(key=_robot)
    return ordered
