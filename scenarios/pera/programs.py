"""Robots' programs as DEVS models on the wire: they sleep as the published ones do, in simulated time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics import Atomic, Coupled, In, Link, Out, Packet, Port, Post, Simulator, Stream
from devs_robotics.core.ports import add_port
from devs_robotics.experimental_frames.pera.results import CallRoundTrip, SensingDelay
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile
from devs_robotics.scenarios.serving.world import ServedWorld


class RobotProgram(Atomic):
    """Base of programs that speak with a served world.

    Ports:
        heard: packets for it and others
        said: its own packets
        measured: what it has timed

    Args:
        robot: its number
        reality: R or V
        place: x, y (cm) and heading (deg)
        channel: first level of all topics
    """

    heard = In(Packet)
    said = Out(Packet)

    def __init__(self, robot: int, reality: str, place: Sequence[float], channel: str = "v1") -> None:
        super().__init__(f"program{robot}")
        self.robot, self.reality, self.channel = robot, reality, channel
        self.time = 0.0
        self.begun = False
        self._place = tuple(place)

    @property
    def pose(self) -> Post:
        """Where it is."""
        x, y, heading = self._place
        pose = {"id": self.robot, "x": x, "y": y, "heading": heading, "reality": self.reality}
        return self.post("localization/update", [pose])

    def post(self, topic: str, content: object) -> Post:
        """A packet of its own."""
        return Post(msgspec.json.encode(content), f"{self.channel}/{topic}")

    def texts(self, topic: str) -> list[str]:
        """What has come on a topic just now."""
        wanted = f"{self.channel}/{topic}/{self.robot}"
        return [post.data.decode() for post in self.heard.values if isinstance(post, Post) and post.channel == wanted]


class SensingProgram(RobotProgram):
    """A program that reads its distance sensor over and over: it asks, sleeps, and then looks whether it was answered.

    =========  ==================  ==========================  =====================================
    phase      time advance        output                      next phase
    =========  ==================  ==========================  =====================================
    asking     0                   said: the question          sleeping
    sleeping   `sleep`, and then   measured, if it was         asking, if it was answered; sleeping
               `again`             answered
    =========  ==================  ==========================  =====================================

    Args, besides those of a `RobotProgram`:
        sleep: before it looks (s)
        again: where it was not answered yet (s)
    """

    measured = Out(SensingDelay)

    def __init__(
        self, robot: int, reality: str, place: Sequence[float], sleep: float, again: float = 0.1, trial: int = 0
    ) -> None:
        super().__init__(robot, reality, place)
        self.sleep, self.again, self.trial = sleep, again, trial
        self.asked_at = 0.0
        self.answered = False

    def initialize(self) -> None:
        """Tell where it is, and ask."""
        self.activate("asking")

    def lambdaf(self) -> None:
        """Ask, or tell how long the reading took."""
        if self.phase == "asking":
            if not self.begun:
                self.said.add(self.pose)
            self.said.add(self.post("sensor/distance", {"id": self.robot, "reality": "M"}))
        elif self.answered:
            self.measured.add(SensingDelay("program", self.reality, self.trial, self.time + self.sigma - self.asked_at))

    def deltint(self) -> None:
        """Sleep, or ask anew."""
        self.time += self.sigma
        if self.phase == "asking":
            self.begun, self.asked_at, self.answered = True, self.time, False
            self.hold_in("sleeping", self.sleep)
        elif self.answered:
            self.activate("asking")
        else:
            self.hold_in("sleeping", self.again)

    def deltext(self, e: float) -> None:
        """What comes while it sleeps is seen when it wakes up."""
        self.time += e
        self.answered = self.answered or bool(self.texts("sensor/distance"))
        self.continuef(e)


class CallingProgram(RobotProgram):
    """A program that sends requests to all near, and acknowledges those of others.

    The published library's looks at its messages once a second; the firmware's handles each as it comes, and blinks its
    LED for 200 ms before it does anything else.

    ========  ===================================  ======================================  =======
    phase     time advance                         output                                  next
    ========  ===================================  ======================================  =======
    waiting   until the next look, or until the    said: requests and acknowledgements;    waiting
              first message is handled, or until   measured: round trips
              its next request
    ========  ===================================  ======================================  =======

    Args, besides those of a `RobotProgram`:
        requests: when it sends one (s); a program that looks does so at its next look
        period: between two looks (s); 0: it handles each message as it comes
        phase: of the first look (s)
        takes: time that it takes to handle one message (s)
        realities: of all robots, by their numbers
    """

    measured = Out(CallRoundTrip)

    def __init__(
        self,
        robot: int,
        place: Sequence[float],
        realities: dict[int, str],
        requests: Iterable[float],
        *,
        period: float,
        first: float,
        takes: float,
    ) -> None:
        super().__init__(robot, realities[robot], place)
        self.realities, self.period, self.takes = realities, period, takes
        self.requests = deque(sorted(requests))
        self.next_look = first if period else inf
        self.sent: list[float] = []
        """When each of its requests went out (s)."""
        self.inbox: deque[tuple[float, str]] = deque()
        """Messages, and from when on they can be handled (s)."""
        self._outputs: tuple[list[Post], list[CallRoundTrip]] = ([], [])

    def initialize(self) -> None:
        """Tell where it is."""
        self.activate("waiting")

    @property
    def due(self) -> float:
        """When it acts next (s)."""
        if not self.begun:
            return self.time
        if self.period:
            return self.next_look
        handled = self.inbox[0][0] if self.inbox else inf
        return min(handled, self.requests[0] if self.requests else inf)

    def lambdaf(self) -> None:
        """Say what there is to say."""
        if not self.begun:
            self.said.add(self.pose)
            return
        posts, trips = self._act(self.due)
        for post in posts:
            self.said.add(post)
        for trip in trips:
            self.measured.add(trip)

    def deltint(self) -> None:
        """Go on."""
        now = self.due
        if self.begun:
            while self.inbox and (self.period or self.inbox[0][0] <= now):
                self.inbox.popleft()
            while self.requests and self.requests[0] <= now:
                self.requests.popleft()
                self.sent.append(now)
            if self.period:
                self.next_look += self.period
        self.begun, self.time = True, now
        self._wait()

    def deltext(self, e: float) -> None:
        """Messages come."""
        self.time += e
        for text in self.texts("comm/in/simple"):
            free = max(self.time, self.inbox[-1][0] if self.inbox else 0.0)
            self.inbox.append((free + self.takes, text))
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", max(0.0, self.due - self.time))

    def _act(self, now: float) -> tuple[list[Post], list[CallRoundTrip]]:
        """What is said, and measured, at a time; nothing changes."""
        posts, trips = [], []
        for ready, text in self.inbox:
            if not self.period and ready > now:
                break
            words = text.split()
            if words[-1] == "REQ":
                posts.append(self._call(f"{words[0]} {self.robot} {words[1]} ACK"))
            elif words[0] == str(self.robot):
                responder, number = int(words[1]), int(words[2])
                pair = self.reality + self.realities[responder]
                trips.append(CallRoundTrip("program", self.robot, responder, pair, number, now - self.sent[number]))
        for number, when in enumerate(self.requests, len(self.sent)):
            if when <= now:
                posts.append(self._call(f"{self.robot} {number} REQ"))
        return posts, trips

    def _call(self, text: str) -> Post:
        return self.post("comm/out/simple", {"id": self.robot, "msg": text, "dist": 500})


class Programs(Coupled):
    """A served world, and programs in it.

    Args:
        file: the arena
        programs: of the robots
        measures: type of what they measure

    Ports:
        link: word of the broker
        measured: what programs have timed
    """

    link = In(Link)

    def __init__(self, file: ArenaFile, programs: Sequence[SensingProgram | CallingProgram], measures: Any) -> None:
        super().__init__("programs")
        self.world = ServedWorld("world", file)
        self.measured: Port[Any] = Port(measures, "measured")
        add_port(self, self.measured, "out")
        self.add_component(self.world)
        self.add_coupling(self.link, self.world.incoming)
        for program in programs:
            self.add_component(program)
            self.add_coupling(self.world.outgoing, program.heard)
            self.add_coupling(program.said, self.world.incoming)
            self.add_coupling(program.measured, self.measured)


def play(model: Programs, until: float) -> list[Any]:
    """Let programs run in simulated time; returns what they have measured."""
    found: list[Any] = []
    with Simulator(model) as simulator:
        simulator.inject(model.link, Link(up=True), at=0.0)
        while simulator.next_time <= until:
            simulator.run(max_steps=1)
            found += model.measured.values
    return found


def sensing(file: ArenaFile, sleeps: dict[str, float], robots: int, seconds: float, trial: int) -> list[SensingDelay]:
    """Robots of each reality read their sensors.

    Args:
        sleeps: before a program looks (s), by reality
        robots: of each
    """
    programs: list[SensingProgram] = []
    for reality, sleep in sleeps.items():
        for _ in range(robots):
            number = len(programs) + 1
            programs.append(SensingProgram(number, reality, (15.0 * number - 80.0, 0.0, 90.0), sleep, trial=trial))
    return play(Programs(file, programs, SensingDelay), seconds)


LOOKS = 1.0
"""Between two looks of the published library at its messages (s)."""

BLINK = 0.2
"""In which the firmware does nothing else, at each message (s)."""

GAP = 5.0
"""Between two requests of any robots (s)."""


def calling(file: ArenaFile, realities: str, rounds: int, seed: int) -> list[CallRoundTrip]:
    """Robots send requests in turn, so many rounds, and acknowledge those of others.

    Args:
        realities: of the robots, such as "RVRVRV"
    """
    of = dict(enumerate(realities, 1))
    programs: list[CallingProgram] = []
    for robot, reality in of.items():
        stream = Stream(seed, robot, "programs of experiment 3")
        begins = [GAP * (len(of) * number + robot) + stream.uniform() for number in range(rounds)]
        period, takes = (LOOKS, 0.0) if reality == "V" else (0.0, BLINK)
        first = LOOKS * (stream.uniform() + 1.0) / 2.0
        place = (15.0 * robot - 60.0, 0.0, 90.0)
        programs.append(CallingProgram(robot, place, of, begins, period=period, first=first, takes=takes))
    return play(Programs(file, programs, CallRoundTrip), GAP * (len(of) * rounds + 3))


class Sleeps(Struct, frozen=True):
    """How long programs sleep before they look for a reading (s): as published, and as the library has it now."""

    published_virtual: float = 0.254
    published_real: float = 0.300
    library: float = 0.350
