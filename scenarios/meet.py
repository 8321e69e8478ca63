"""Robots meet by radio: a case study of proximity and messages, with a real robot among virtual ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import inf, nan, radians
from typing import Any, ClassVar

from msgspec import Struct

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Out, Port, Ranges, Sense, Sensor, Stream
from devs_robotics.models.half_way import APART, LOOK, SHORTEST, half_of_the_way, problems_of, seeing_around
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Factor,
    Frame,
    Heard,
    Length,
    Mark,
    Radio,
    Say,
    Shown,
    TimedTransducer,
    Transducer,
    VirtualRadio,
    metric,
    shapes,
)

HELLO, GREETING = "hello", "greeting"
"""What robots say: that they are here, to all; and, to the one that said so, that it was heard."""


class Met(Struct, frozen=True):
    """A robot tells that it has met another one.

    Attributes:
        other: number of the other one
    """

    other: int


class Mingle(Atomic):
    """The decision model: it wanders, says hello on its way, greets whom it hears, and turns away from him.

    =========  ===================  =====================================  =========================================
    phase      time advance         output                                 next phase
    =========  ===================  =====================================  =========================================
    looking    `LOOK`               radio: a hello; infrared: question;    waiting
                                    a greeting, if a hello came; met
    waiting    ∞; 0 after a hello   radio: a greeting; met: the other one  waiting; moving, when the ranges come
    moving     0                    motor: command                         under way
    under way  ∞; 0 after a hello   radio: a greeting; met: the other one  under way; looking, when the motor reports
    =========  ===================  =====================================  =========================================

    It goes half of the way that is free ahead: the other half is for whoever comes the other way, and decides alike.
    It does not know its number. Its hellos carry a word of its own, a number by chance; a greeting repeats the word of
    the hello that it answers, so that robots in range know whom it is for.

    Ports:
        motor: steps and turns, and the reports of their ends
        infrared: a question before each motion, and the ranges
        radio: hellos and greetings, its own and those of others
        met: whom it has met

    Args:
        stream: of random numbers, for turns and for its word
        step: the longest way ahead (m)
        clearance: so much stays free between the robot and all that it sees (m)
        pause: for so long after a meeting it does not meet the same robot again (s)
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)
    radio = Actuator(Say, Heard)
    met = Out(Met)

    def __init__(self, name: str, stream: Stream, step: float, clearance: float, pause: float) -> None:
        super().__init__(name)
        self.stream, self.step, self.clearance, self.pause = stream, step, clearance, pause
        self.word = stream.uniform()
        self.time = 0.0
        self.last: dict[int, float] = {}
        """By robot: when it was met (s)."""
        self.turning = False
        """Whether it still has to turn away from somebody."""
        self.command = Drive()
        self._greetings: list[Say] = []
        self._meetings: list[Met] = []

    def initialize(self) -> None:
        """Look."""
        self.hold_in("looking", LOOK)

    def lambdaf(self) -> None:
        """Greet; and ask, or command."""
        for greeting in self._greetings:
            self.radio.ask.add(greeting)
        for meeting in self._meetings:
            self.met.add(meeting)
        if self.phase == "looking":
            self.radio.ask.add(Say(HELLO, (self.word,)))
            self.infrared.ask.add(Sense())
        elif self.phase == "moving":
            self.motor.ask.add(self.command)

    def deltint(self) -> None:
        """Wait for the answer, or for the end of the motion."""
        self.time += self.sigma
        self._greetings.clear()
        self._meetings.clear()
        if self.phase == "looking":
            self.passivate("waiting")
        elif self.phase == "moving":
            self.passivate("under way")
        else:
            self.sigma = inf

    def deltext(self, e: float) -> None:
        """Hear others; decide by the ranges; look again when a motion has ended, or something stopped it."""
        self.time += e
        self.continuef(e)
        for heard in self.radio.answer.values:
            self._hear(heard)
        for ranges in self.infrared.answer.values:
            if self.phase == "waiting":
                self._decide(half_of_the_way(min(ranges.values, default=inf), self.clearance))
        if self.motor.answer and self.phase == "under way":
            self.hold_in("looking", LOOK)
        if self._greetings and self.phase != "looking":
            self.sigma = 0.0

    def _hear(self, heard: Heard) -> None:
        """Greet who says hello; whoever greets this robot, has met it, and tells so himself."""
        greeted = heard.text == GREETING and heard.numbers == (self.word,)
        if not (greeted or heard.text == HELLO) or self.time - self.last.get(heard.sender, -inf) < self.pause:
            return
        self.last[heard.sender] = self.time
        self.turning = True
        if not greeted:
            self._greetings.append(Say(GREETING, heard.numbers))
            self._meetings.append(Met(heard.sender))

    def _decide(self, way: float) -> None:
        """Turn away from whom it has met; go ahead, half of the way that is free (m); else turn by chance."""
        chance = self.stream.uniform()
        if self.turning:
            self.command = Drive(turn=radians(180.0 + 60.0 * chance))
        else:
            free = way >= SHORTEST
            self.command = Drive(distance=min(self.step, way)) if free else Drive(turn=radians(180.0) * chance)
        self.turning = False
        self.activate("moving")


class Meetings(TimedTransducer):
    """Measures who meets whom. What either of two robots tells within the pause is one meeting.

    Ports:
        one per robot, ``met1``, ``met2`` and so on: whom it has met

    Args:
        robots: how many there are
        pause: for so long no two robots meet again (s)
        duration: of the observation (s)
    """

    def __init__(self, name: str, robots: int, pause: float, duration: float) -> None:
        super().__init__(name, duration)
        self.pause = pause
        self.met = {robot: Port(Met, f"met{robot}") for robot in range(1, robots + 1)}
        for port in self.met.values():
            self.add_in_port(port)
        self.meetings: list[tuple[float, int, int]] = []
        """When (s), and who met whom."""
        self.first: dict[tuple[int, int], float] = {}
        self.last: dict[tuple[int, int], float] = {}
        """By pair, the lower number first: when they met for the first and for the last time (s)."""

    def deltext(self, e: float) -> None:
        """Count the meetings."""
        super().deltext(e)
        for robot, port in self.met.items():
            for meeting in port.values:
                self._count(min(robot, meeting.other), max(robot, meeting.other))

    def _count(self, *pair: int) -> None:
        one, other = pair
        if self.time - self.last.get((one, other), -inf) >= self.pause:
            self.meetings.append((self.time, one, other))
            self.last[one, other] = self.time
            self.first.setdefault((one, other), self.time)

    @metric("meetings per minute", unit="1/min", better="more")
    def meetings_per_s(self) -> float:
        """Of all robots, per time observed."""
        return len(self.meetings) / self.time if self.time else nan

    @metric("pairs that have met", unit="%", digits=0, better="more")
    def pairs(self) -> float:
        """Of all pairs; NaN for a single robot."""
        pairs = list(combinations(self.met, 2))
        return len(self.first) / len(pairs) if pairs else nan

    @metric("time until each has met each", unit="s", better="less")
    def all_met_s(self) -> float:
        """NaN where some have not met."""
        return max(self.first.values()) if self.pairs() == 1.0 else nan

    def series(self) -> Mapping[str, Sequence[float]]:
        """One row per meeting."""
        columns = list(zip(*self.meetings, strict=True)) or [(), (), ()]
        return dict(zip(("time_s", "robot", "other"), columns, strict=True))


class Traffic(Transducer):
    """Counts the messages that go by radio, by what the robots say and hear.

    Ports:
        sent: what robots say
        received: what robots hear

    Args:
        radio: knows what is lost; None: it is a real one, and nobody knows
    """

    sent = In(Say)
    received = In(Heard)

    def __init__(self, name: str, radio: Radio | None) -> None:
        super().__init__(name)
        self.radio = radio
        self.sent_messages = self.received_messages = 0

    def deltext(self, e: float) -> None:
        """Count them."""
        self.sent_messages += len(list(self.sent.values))
        self.received_messages += len(list(self.received.values))

    @metric("messages said", digits=0)
    def said(self) -> int:
        """Each once."""
        return self.sent_messages

    @metric("messages heard", digits=0)
    def heard(self) -> int:
        """Each once per robot that heard it."""
        return self.received_messages

    @metric("messages lost", digits=0, better="less")
    def lost(self) -> float:
        """Each once per robot in range that did not hear it; NaN where a transceiver is real, since nobody knows."""
        return nan if self.radio is None else self.radio.lost


class Meeting(CaseStudy):
    """Robots wander, and greet by radio whom they come near to."""

    robots: Count = 5
    step: Length = 0.3
    """The longest way ahead (m)."""
    clearance: Length = 0.3
    """So much stays free between a robot and all that it sees (m)."""
    reach: Length = 1.0
    """How far a robot is heard (m)."""
    delay: Duration = 0.05
    """Time from saying to hearing (s)."""
    loss: Factor = 0.1
    """Share of messages that a robot in range does not hear, from 0 to 1."""
    pause: Duration = 10.0
    """For so long after a meeting two robots do not meet again (s)."""

    defaults: ClassVar[Mapping[str, Any]] = {"field.width": 5.0, "field.height": 5.0, "run.duration": 300.0}
    stand_ins: ClassVar[Mapping[str, str]] = {"transceiver": "devs_robotics.scenarios.meet_stand_ins:PlayedTransceiver"}

    def build(self, system: CaseSystem) -> None:
        """Robots at free places, each with a transceiver; one radio channel for all."""
        kind = seeing_around()
        poses = system.free_poses(self.robots, kind, apart=APART)
        self.radio = system.add(Radio("radio", poses, system.seed, self.reach, self.delay, self.loss))
        for pose in poses:
            robot = system.add_robot(pose, kind)
            robot.equip(VirtualRadio("transceiver"))
            robot.decide(Mingle("mingle", system.stream(robot, "mingle"), self.step, self.clearance, self.pause))

    def marks(self, system: CaseSystem) -> Iterator[Shown]:
        """How far a robot is heard, while it speaks."""
        for robot in system.robots:
            yield Shown(robot.mingle.radio.ask, partial(self._heard, robot.number), lasts=0.5)

    def _heard(self, robot: int, said: Say) -> dict[str, Mark]:
        return {f"radio {robot}": Mark(shapes.Disc(0.0, 0.0, self.reach), said.text, robot=robot)}

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Who meets whom, and how many messages that takes."""
        meetings = frame.add(Meetings("meetings", self.robots, self.pause, frame.acceptor.duration))
        for robot in system.robots:
            frame.couple(robot.mingle.met, meetings.met[robot.number])
        modelled = all(isinstance(robot.transceiver, VirtualRadio) for robot in system.robots)
        traffic = frame.add(Traffic("traffic", self.radio if modelled else None))
        for robot in system.robots:
            frame.couple(robot.mingle.radio.ask, traffic.sent)
            frame.couple(robot.transceiver.channel.answer, traffic.received)

    def check(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        """The radio is one, and a step is no more than half of what is seen to be free."""
        if self.step <= 0.0:
            yield "step", "must be more than 0 m: robots would stand still"
        yield from problems_of(self.step, self.clearance)
        if self.reach < 0.0:
            yield "reach", f"must be at least 0 m, not {self.reach:g}"
        for name in ("delay", "pause"):
            if getattr(self, name) < 0.0:
                yield name, f"must be at least 0 s, not {getattr(self, name):g}"
        if not 0.0 <= self.loss <= 1.0:
            yield "loss", f"is a share from 0 to 1, not {self.loss:g}"
