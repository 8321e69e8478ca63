"""Who is there of the robots whose programs are outside: they join, ask, and are missed when they fall silent.

Such a robot keeps its own pose. It has a body in the world from its first pose on, which is where it says; nothing in
the model stops it. What it asks is asked of the world in its name.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from typing import Any

from msgspec.structs import replace

from devs_robotics import Atomic, Fix, In, Out, Port, Sensor
from devs_robotics.core.robots.colours import Rgb, hexadecimal
from devs_robotics.core.robots.outside import (
    AskedFor,
    AskedForAll,
    Asks,
    AsksWhere,
    Calls,
    Dismissed,
    FromOutside,
    Gathering,
    Glows,
    Hears,
    Introduces,
    IsThere,
    Logs,
    OwnMoved,
    Portrait,
    Pose,
    Reality,
    RobotJoined,
    RobotLeft,
    SensorAnswer,
    Sighting,
    Stands,
    StandsAt,
    ToOutside,
)
from devs_robotics.models.environment.messages import Become, BodyChange, Join, Leave
from devs_robotics.models.environment.questions import Call, Heeded, Look, Question, Seen
from devs_robotics.models.environment.questions.original import LookAsPublished
from devs_robotics.models.environment.traits import Traits
from devs_robotics.models.outsiders.doubles import Doubled, Doubles
from devs_robotics.models.outsiders.rules import USUAL, Rules

UNKNOWN = "an unknown robot"
"""What messages of such a one are counted as."""

BLACK: Rgb = (0, 0, 0)


class _Outsider:
    """What is known of a robot."""

    __slots__ = ("body", "distance", "glow", "heard", "pose", "reality", "robot")

    def __init__(self, robot: int, reality: Reality) -> None:
        self.robot = robot
        self.reality: Reality = reality
        self.body: int | None = None
        self.pose: Pose | None = None
        self.heard = 0.0
        self.glow: Rgb = BLACK
        self.distance: float | None = None

    @property
    def real(self) -> bool:
        return self.reality == "real"


class Presence(Atomic):
    """Keeps the robots whose programs are outside, and speaks for them in the world.

    What comes at one instant is heard in the order of who is there and where, and then what they ask; each in the order
    of the robots' numbers, so that who reports its pose and asks is answered from where it says it is.

    =======  ===========================  ================================  =====================================
    phase    time advance                 output                            next phase
    =======  ===========================  ================================  =====================================
    passive  until the next robot is      none                              saying, if there is something to say
             missed
    saying   0                            what there is to say, to the      passive
                                          world and to the robots
    =======  ===========================  ================================  =====================================

    Ports:
        said: what robots say
        told: what robots, and viewers, are told
        body_change, fix: their bodies, which join and leave, and where they are
        distance, colour, proximity: what they ask, by sensor, and the answers
        call: their calls, and who heeds them
        own_moved: where robots that are models stand, for viewers that ask
        doubled: numbers that two senders seem to use
        logged: what they want to have written down

    Args:
        bodies: how many bodies the world has at the beginning; nobody else lets bodies join
        rules: how they sense, and when they are missed
        own: numbers of robots that are models, about which nobody outside is heard

    Attributes:
        dropped: messages that nobody answers, by what was wrong
        doubles: numbers that two senders seem to have used, and in what they contradicted each other
    """

    said = In(FromOutside)
    told: Out[ToOutside] = Out(ToOutside)
    body_change: Out[BodyChange] = Out(BodyChange)
    fix = Out(Fix)
    distance = Sensor(Question, Seen)
    colour = Sensor(Question, Seen)
    proximity = Sensor(Question, Seen)
    call = Sensor(Question, Heeded)
    own_moved = In(OwnMoved)
    doubled = Out(Doubled)
    logged = Out(Logs)

    def __init__(
        self,
        name: str,
        bodies: int = 0,
        rules: Rules = USUAL,
        own: Collection[int] = (),
    ) -> None:
        super().__init__(name)
        self.rules = rules
        self.own = frozenset(own)
        self.dropped: dict[str, int] = {}
        self.doubles: dict[int, str] = {}
        self.time = 0.0
        self._next_body = bodies + 1
        self._own: dict[int, Portrait] = {}
        """Robots that are models, by their numbers."""
        self._robots: dict[int, _Outsider] = {}
        """By their numbers; who has been silent for longest comes first."""
        self._of_body: dict[int, _Outsider] = {}
        self._doubles = Doubles()
        self._saying: list[tuple[Port[Any], Any]] = []

    @property
    def robots(self) -> list[int]:
        """The numbers of those that are there."""
        return sorted(self._robots)

    def robot_of(self, body: int) -> int | None:
        """The number of the robot whose body it is; None where it is none of theirs, or has left."""
        return self._of_body[body].robot if body in self._of_body else None

    # DEVS functions

    def initialize(self) -> None:
        """Nobody is there yet."""
        self.passivate()

    def deltext(self, e: float) -> None:
        """Hear robots, and what the world answers them."""
        self.time += e
        self._answer()
        for moved in self.own_moved.values:
            self._own.update({each.robot: replace(each, heard=self.time) for each in moved.portraits})
        for said in sorted(self.said.values, key=_turn):
            self._hear(said)
        self._wait()

    def lambdaf(self) -> None:
        """Say what there is to say."""
        for port, value in self._saying:
            port.add(value)

    def deltint(self) -> None:
        """Wait, or take out who has been silent for too long."""
        if self._saying:
            self._saying.clear()
        else:
            self.time = self._next_missed()
            for robot in sorted(each.robot for each in self._robots.values() if self._is_missed(each)):
                self._take_out(robot)
        self._wait()

    def _wait(self) -> None:
        if self._saying:
            self.activate("saying")
        else:
            self.hold_in("passive", max(0.0, self._next_missed() - self.time))

    def _next_missed(self) -> float:
        first = next(iter(self._robots.values()), None)
        return inf if first is None else first.heard + self.rules.silence

    def _is_missed(self, outsider: _Outsider) -> bool:
        return outsider.heard + self.rules.silence <= self.time

    def _say(self, port: Port[Any], value: object) -> None:
        self._saying.append((port, value))

    # what robots say

    def _hear(self, said: FromOutside) -> None:
        if said.robot in self.own and isinstance(said, Introduces | IsThere | Stands | Dismissed):
            return
        match said:
            case Introduces():
                self._introduced(said)
            case IsThere():
                self._is_there(said)
            case Stands():
                self._stands(said)
            case Dismissed():
                self._take_out(said.robot)
            case AskedForAll():
                robots = [*self._own.values(), *map(self._portrait, self._robots.values())]
                self._say(self.told, Gathering(tuple(sorted(robots, key=lambda each: each.robot))))
            case AskedFor() if said.robot in self._own:
                self._say(self.told, self._own[said.robot])
            case _:
                outsider = self._robots.get(said.robot)
                if outsider is None:
                    self.dropped[UNKNOWN] = self.dropped.get(UNKNOWN, 0) + 1
                else:
                    self._wants(outsider, said)

    def _wants(self, outsider: _Outsider, said: FromOutside) -> None:
        """Something that only a robot can want that is there."""
        match said:
            case Asks():
                self._alive(outsider)
                self._ask(outsider, said)
            case AsksWhere():
                if outsider.pose is not None:
                    self._say(self.told, StandsAt(outsider.robot, outsider.real, *outsider.pose))
            case Calls():
                if outsider.body is not None:
                    reach = self.rules.reach if said.reach is None else said.reach
                    self._say(self.call.ask, _call(outsider.body, said, reach))
            case Glows():
                outsider.glow = said.colour
                if self.rules.robots_coloured:
                    self._become(outsider)
            case Logs():
                self._say(self.logged, said)
            case AskedFor():
                self._say(self.told, self._portrait(outsider))

    def _introduced(self, said: Introduces) -> None:
        if said.robot in self._robots:
            return
        outsider = self._join(said.robot, said.reality)
        if said.pose is not None:
            self._place(outsider, said.pose)

    def _is_there(self, said: IsThere) -> None:
        outsider = self._robots.get(said.robot)
        if outsider is None:
            self._join(said.robot, said.reality)
        else:
            self._alive(outsider)

    def _stands(self, said: Stands) -> None:
        doubled = self._doubles.look(said, self.time)
        if doubled is not None:
            self.doubles[doubled.robot] = doubled.what
            self._say(self.doubled, doubled)
        outsider = self._robots.get(said.robot)
        if outsider is None:
            outsider = self._join(said.robot, said.reality)
        else:
            self._alive(outsider)
            if said.reality is not None and said.reality != outsider.reality:
                outsider.reality = said.reality
                self._become(outsider)
        self._place(outsider, (said.x, said.y, said.heading))

    def _join(self, robot: int, reality: Reality | None) -> _Outsider:
        outsider = self._robots[robot] = _Outsider(robot, reality or "virtual")
        outsider.heard = self.time
        self._say(self.told, RobotJoined(robot, outsider.real))
        return outsider

    def _alive(self, outsider: _Outsider) -> None:
        outsider.heard = self.time
        del self._robots[outsider.robot]
        self._robots[outsider.robot] = outsider

    def _place(self, outsider: _Outsider, pose: Pose) -> None:
        outsider.pose = pose
        if outsider.body is not None:
            self._say(self.fix, Fix(outsider.body, *pose))
            return
        body = outsider.body = self._next_body
        self._next_body += 1
        self._of_body[body] = outsider
        self._say(self.body_change, Join(body, *pose, self.rules.radius, self._traits(outsider)))

    def _become(self, outsider: _Outsider) -> None:
        if outsider.body is not None:
            self._say(self.body_change, Become(outsider.body, self._traits(outsider)))

    def _traits(self, outsider: _Outsider) -> Traits:
        colour = hexadecimal(outsider.glow) if self.rules.robots_coloured else ""
        return Traits(colour=colour, reality=outsider.reality)

    def _take_out(self, robot: int) -> None:
        outsider = self._robots.pop(robot, None)
        if outsider is None:  # of whom this is the echo, or the wish of somebody who does not know that
            return
        self._doubles.forget(robot)
        if outsider.body is not None:
            del self._of_body[outsider.body]
            self._say(self.body_change, Leave(outsider.body))
        self._say(self.told, RobotLeft(robot))

    # what they sense

    def _ask(self, outsider: _Outsider, asks: Asks) -> None:
        if outsider.body is None:
            nothing = (Sighting(inf),) * len(asks.bearings)
            self._say(self.told, SensorAnswer(outsider.robot, outsider.real, asks.sensor, nothing, self.rules.radius))
            return
        question: Question
        if self.rules.sensing == "original":
            rules = self.rules
            reach = rules.proximity_colour_reach if asks.sensor == "proximity" else rules.colour_reach
            question = LookAsPublished(outsider.body, asks.bearings, reach, sensor=asks.sensor)
        else:
            half_angle = self.rules.half_angle
            question = Look(outsider.body, asks.bearings, asks.sees, half_angle=half_angle, sensor=asks.sensor)
        self._say(getattr(self, asks.sensor).ask, question)

    def _answer(self) -> None:
        """Tell robots what the world has answered."""
        for sensor, exchange in (
            ("distance", self.distance),
            ("colour", self.colour),
            ("proximity", self.proximity),
        ):
            for seen in exchange.answer.values:
                outsider = self._of_body.get(seen.robot)
                if outsider is not None:
                    if sensor == "distance":
                        outsider.distance = seen.sightings[0].distance
                    read = SensorAnswer(outsider.robot, outsider.real, sensor, seen.sightings, self.rules.radius)  # type: ignore[arg-type]
                    self._say(self.told, read)
        for heeded in self.call.answer.values:
            hearers = [self._of_body[body] for body in heeded.hearers if body in self._of_body]
            for outsider in sorted(hearers, key=lambda each: each.robot):
                self._say(self.told, Hears(outsider.robot, outsider.real, heeded.text, heeded.ahead))

    def _portrait(self, outsider: _Outsider) -> Portrait:
        return Portrait(
            outsider.robot,
            outsider.reality,
            outsider.pose,
            outsider.heard,
            self.rules.radius,
            outsider.distance,
            outsider.glow,
        )


def _call(body: int, said: Calls, reach: float) -> Call:
    return Call(body, said.text, reach, said.ahead, sensor="call")


def _turn(said: FromOutside) -> tuple[bool, int]:
    """In which order messages of one instant are heard: first who is there and where, then what they want."""
    return not isinstance(said, Introduces | IsThere | Stands | Dismissed), said.robot
