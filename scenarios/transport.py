"""Swarm transportation: robots find a path, smooth it, share it, and carry items along it (Pansuriya 2023)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import cos, dist, inf, pi, radians, sin
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from devs_robotics import ModelError
from devs_robotics.experimental_frames.report.sections import Section
from devs_robotics.experimental_frames.transport.acceptor import DeliveryAcceptor
from devs_robotics.experimental_frames.transport.sections import (
    items_section,
    over_time_section,
    published_section,
    time_section,
)
from devs_robotics.experimental_frames.transport.shortest import shortest_path
from devs_robotics.experimental_frames.transport.transportation import DeliveryLog, PathMap, Transportation
from devs_robotics.models.activities import VirtualPositioning, VirtualSonar, VirtualTransceiver
from devs_robotics.models.environment import Air, Pose
from devs_robotics.models.environment.shapes import Polygon
from devs_robotics.models.transport.explorer import Explorer, Exploring
from devs_robotics.models.transport.messages import Delivered, Returned, Route
from devs_robotics.models.transport.path import length
from devs_robotics.models.transport.path_book import PathBook
from devs_robotics.models.transport.talker import Talker
from devs_robotics.models.transport.talking import Talking
from devs_robotics.models.transport.traveller import Traveller
from devs_robotics.models.transport.travelling import Travelling
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.settings.tables import SettingsTable
from devs_robotics.study import (
    Angle,
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

TRAFFIC = ("keep_right", "claims", "ends", "company", "digests")
"""What robots may do about traffic."""

TRIES = 10_000
"""Number of places that are tried for one robot before it is said that there is no room for it."""

ShareOfOne = Annotated[Factor, Field(ge=0, le=1)]


class TransportTable(SettingsTable):
    """Robots, their task, and how they go about it."""

    mode: Literal["full", "partial", "none"] = "full"
    """Who exchanges paths: all; who has none with who has one; nobody."""
    robots: Count = 15
    traffic: str = "none"
    """What is done about traffic: "none", or some of "keep_right", "claims", "ends", "company" and "digests", joined by
    "+"."""
    items: Count = 100
    """A run ends when so many are delivered."""
    source: tuple[Length, Length] = (4.45, 1.10)
    destination: tuple[Length, Length] = (40.93, 21.02)
    starts_within: Length = 4.0
    """Robots begin at places so near to the source (m)."""
    ban: Duration = 900.0
    """Before that, nobody talks (s)."""
    again: Duration = 600.0
    """Two robots do not talk again so long after an exchange (s)."""
    reach: Length = 2.0
    """How far a robot is heard, from centre to centre (m)."""
    latency: Duration = 0.032
    """Time from sending to hearing (s)."""
    loss: ShareOfOne = 0.0
    """ShareOfOne of messages that a robot in range does not hear."""
    queue: Count = 100
    """How many messages can be under way to one robot; more drop the oldest."""
    step: Annotated[Length, Field(ge=0.01)] = 1.0
    """Of exploring, and between points of a path (m)."""
    sight: Length = 4.0
    """From so far the destination is seen (m)."""
    vision: Length = 6.0
    """A path is cut short to points that are no further (m)."""
    sonar_reach: Annotated[Length, Field(le=20)] = 5.0
    sonar_noise: Factor = 0.0
    """Errors of readings, as a share of those of a Pioneer 3-DX; 0: none."""
    sonar_cone: bool = False
    """Whether faces that a sound meets at more than 22.5 degrees from their normal return none."""
    arrival: Length = 0.3
    """A robot that was stopped is at a point of its path where it is so near (m)."""
    arrival_at_ends: Length = 0.5
    """The same for source and destination (m)."""
    meeting: Length = 1.0
    """Somebody so near ahead is met (m)."""
    back: Length = 0.4
    """Who meets somebody goes back so far (m), in the time `pause` (s) ..."""
    pause: Duration = 2.0
    aside: Angle = radians(60.0)
    """... and then turns left by that (rad), and goes ahead so far (m)."""
    forward: Length = 0.5
    room: Length = 0.5
    """So much more room than its body needs there must be on either side of where a robot explores, and of a chord, so
    that robots can make way for each other (m)."""
    lane: Length = 0.5
    """Who keeps right does so by that (m); then there must be room for both lanes and 0.15 m, if that is more."""
    ends: Length = 3.0
    """Who keeps right at the ends of the path only does so where the path is not longer than this to its end (m)."""
    queueing: Duration = 20.0
    """In lanes, who waits for who is ahead makes way after so long (s); 30 robots need longer, such as 90 s."""
    price: Length = 2.4
    """Where company has a price, a path counts as so much longer for each time that one comes upon another robot on it
    in a round trip (m): half of the way that one goes in 8 s."""
    path: tuple[tuple[Length, Length], ...] = ()
    """All robots have this path from the beginning, of points from the source to the destination (m); none: they look
    for one."""


class Transporting(CaseStudy):
    """Robots find a path, smooth and share it, and carry items along it."""

    transport: TransportTable = TransportTable()

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 50.0,
        "field.height": 50.0,
        "run.duration": 10800.0,
        "robot.radius": 0.31,
        "robot.speed": 0.6,
        "robot.turn_rate": 0.59,
    }
    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {1: {}, 2: {}}
    stand_ins: ClassVar[Mapping[str, str]] = {
        "sonar": "devs_robotics.scenarios.transport_stand_ins:PlayedSonar",
        "positioning": "devs_robotics.scenarios.transport_stand_ins:PlayedPositioning",
        "transceiver": "devs_robotics.scenarios.transport_stand_ins:PlayedRadio",
    }

    def build(self, system: CaseSystem) -> None:
        """Robots near the source, each with four decision models; air that carries what they say."""
        wanted = self.transport
        kind = robots.round_differential(reach=wanted.sonar_reach, continuous=True, called="a Pioneer 3-DX")
        poses = self._starts(system, system.radius_of(kind))
        self.obstacles = [shape.corners for shape in system.field.obstacles if isinstance(shape, Polygon)]
        self.air = system.add(Air("air", poses, system.seed, wanted.reach, wanted.latency, wanted.loss, wanted.queue))
        for pose in poses:
            robot = system.add_robot(pose, kind)
            robot.equip(VirtualPositioning("positioning"))
            robot.equip(
                VirtualSonar("sonar", system.seed, wanted.sonar_reach, wanted.sonar_noise, cone=wanted.sonar_cone)
            )
            robot.equip(VirtualTransceiver("transceiver"))
            self._decide(system, robot)

    def _decide(self, system: CaseSystem, robot: Robot) -> None:
        """The decision models of a robot, one layer above the other, and its path book."""
        wanted = self.transport
        traffic = self._traffic()
        keeps_right, has_ends = "keep_right" in traffic, "ends" in traffic
        travelling = Travelling(
            vision=wanted.vision,
            reach=wanted.sonar_reach,
            arrival=wanted.arrival,
            arrival_at_ends=wanted.arrival_at_ends,
            meeting=wanted.meeting,
            back=wanted.back,
            pause=wanted.pause,
            aside=wanted.aside,
            forward=wanted.forward,
            room=wanted.room,
            lane=wanted.lane if keeps_right or has_ends else 0.0,
            ends=inf if keeps_right else wanted.ends,
            queueing=wanted.queueing,
            crosses=has_ends,
            claims="claims" in traffic,
            company="company" in traffic,
        )
        exploring = Exploring(step=wanted.step, sight=wanted.sight, beside=travelling.beside)
        talking = Talking(wanted.mode, wanted.ban, wanted.again, digests="digests" in traffic)
        number = robot.number
        toll = wanted.price if "company" in traffic else 0.0
        book = PathBook("path_book", number, wanted.source, wanted.destination, wanted.step, wanted.path, toll)
        talker = robot.decide(Talker("talker", number, talking))
        traveller = robot.decide(Traveller("traveller", number, travelling), motor=robot.equipment.motor.override)
        explorer = robot.decide(Explorer("explorer", system.stream(robot, "explorer"), wanted.destination, exploring))
        robot.add_component(book)
        robot.decisions.append(book)
        for layer in (talker, traveller, explorer):
            robot.add_coupling(book.route, layer.route)
        for layer in (traveller, explorer):
            robot.add_coupling(talker.hold, layer.held)
            robot.add_coupling(talker.resume, layer.resumed)
        robot.add_coupling(explorer.visited, book.visited)
        robot.add_coupling(traveller.shortcut, book.shortcut)
        robot.add_coupling(talker.offered, book.offered)
        for model in (talker, book):
            robot.add_coupling(traveller.company, model.company)

    def acceptor(self, duration: float) -> DeliveryAcceptor:
        """A run ends when all is delivered."""
        return DeliveryAcceptor("acceptor", self.transport.items, duration)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Deliveries, paths, talk and meetings; and each robot's path."""
        wanted, acceptor = self.transport, frame.acceptor
        assert isinstance(acceptor, DeliveryAcceptor)
        path = partial(shortest_path, system.field, wanted.source, wanted.destination, system.field.radius[0])
        measured = Transportation(
            "transport", wanted.robots, wanted.items, acceptor.duration, lambda: length(path()) or float("nan")
        )
        frame.add(measured)
        log = frame.add(DeliveryLog("delivery_log", acceptor.duration))
        paths = frame.add(PathMap("paths", wanted.robots, acceptor.duration))
        for robot in system.robots:
            frame.couple(robot.traveller.delivered, measured.delivered)
            frame.couple(robot.traveller.delivered, acceptor.delivered)
            frame.couple(robot.traveller.delivered, log.delivered)
            frame.couple(robot.traveller.returned, measured.returned)
            frame.couple(robot.traveller.yielded, measured.yielded)
            frame.couple(robot.traveller.waited, measured.waited)
            frame.couple(robot.talker.exchanged, measured.exchanged)
            frame.couple(robot.path_book.found, measured.found)
            frame.couple(robot.path_book.taken, measured.taken)
            frame.couple(robot.path_book.route, paths.routes[robot.number])
            for service in (robot.equipment.motor.drive, robot.equipment.motor.override):
                frame.couple(service.answer, acceptor.driven)

    def marks(self, system: CaseSystem) -> Iterator[tuple[str, Mark] | Shown]:
        """Source and destination, the robots' paths, and the items that they carry."""
        for name, colour in (("source", "blue"), ("destination", "green")):
            x, y = getattr(self.transport, name)
            yield name, Mark(shapes.Disc(x, y, self.transport.arrival_at_ends), name, colour=colour)
        for robot in system.robots:
            number = robot.number
            yield Shown(robot.path_book.route, partial(_path, number))
            yield Shown(robot.traveller.returned, partial(_carried, number))
            yield Shown(robot.traveller.delivered, partial(_carried, number))

    def sections(self, outcome: CaseOutcome) -> Iterator[Section]:
        """What is published beside what came; items of each robot; where time goes."""
        wanted, body, frames = self.transport, self.scenario.robot, outcome.frames
        comparable = (wanted.robots, wanted.items, wanted.traffic) == (15, 100, "none")
        yield published_section(frames, wanted.mode, wanted.items, comparable=comparable)
        log = outcome.tables.get("delivery_log", {})
        yield items_section([int(robot) for robot in log["robot"]] if log else [], wanted.robots)
        yield time_section(frames, wanted.robots, body.speed, body.turn_rate)
        shortest = float(frames["transport"]["path_length"]) / float(frames["transport"]["over_shortest"])
        yield over_time_section(outcome.tables["transport"], outcome.end_s, shortest)

    def laboratory(self) -> Mapping[str, Any]:
        """Its settings, and the corners of the obstacles, which sonars see."""
        corners = [[list(corner) for corner in obstacle] for obstacle in self.obstacles]
        field = self.scenario.field
        return {
            **self.transport.model_dump(mode="json"),
            "obstacles": corners,
            "size": [field.width, field.height],
            "radius": self.scenario.robot.radius,
        }

    def check(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        """Robots can see, hear, go and carry."""
        wanted = self.transport
        yield from self._unseen()
        for name in ("reach", "sight", "vision", "sonar_reach", "meeting"):
            if getattr(wanted, name) <= 0.0:
                yield f"transport.{name}", "must be more than 0 m"
        lengths = ("arrival", "arrival_at_ends", "starts_within", "room", "lane", "ends", "price")
        for name in ("latency", "ban", "again", "sonar_noise", *lengths):
            if getattr(wanted, name) < 0.0:
                yield f"transport.{name}", f"must be at least 0, not {getattr(wanted, name):g}"
        for name in ("back", "pause", "aside", "forward", "queueing"):
            if getattr(wanted, name) <= 0.0:
                yield f"transport.{name}", "must be more than 0: who meets somebody would not make way"
        if wanted.step + 0.2 > wanted.sonar_reach:
            yield (
                ("transport.step", "transport.sonar_reach"),
                "a step leads beyond what it sees: make it shorter",
            )
        if dist(wanted.source, wanted.destination) <= 1.0:
            yield ("transport.source", "transport.destination"), "are one place: put them apart"
        ends = wanted.source, wanted.destination
        if wanted.path and (len(wanted.path) == 1 or (wanted.path[0], wanted.path[-1]) != ends):
            yield "transport.path", "must lead from source to destination: let it begin and end there, or leave it out"
        unknown = [each for each in self._traffic() if each not in TRAFFIC]
        if unknown:
            known = ", ".join(TRAFFIC)
            yield "transport.traffic", f'is "none", or some of {known}, joined by "+", not {wanted.traffic!r}'

    def _unseen(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        reach = self.transport.sonar_reach
        for name in ("room", "lane"):
            if getattr(self.transport, name) > reach:
                most = f"make it at most {reach:g} m, as far as sonars reach"
                yield f"transport.{name}", f"nobody sees whether there is so much room beside a way: {most}"

    def size(self) -> float:
        """As many robots as there are, as long as they need."""
        return float(self.transport.robots)

    def _traffic(self) -> Sequence[str]:
        return () if self.transport.traffic == "none" else self.transport.traffic.split("+")

    def _starts(self, system: CaseSystem, radius: float) -> list[Pose]:
        """Poses near the source, where bodies touch nothing: each robot by random numbers of its own."""
        wanted, field = self.transport, system.field
        found: list[Pose] = []
        for number in range(1, wanted.robots + 1):
            stream = system.stream(None, f"start {number}")
            for _ in range(TRIES):
                way = wanted.starts_within * ((stream.uniform() + 1.0) / 2.0) ** 0.5
                angle, heading = pi * stream.uniform(), pi * stream.uniform()
                x, y = wanted.source[0] + way * cos(angle), wanted.source[1] + way * sin(angle)
                is_inside = min(x, y, field.width - x, field.height - y) > radius
                is_free = is_inside and all(shape.distance(x, y) > radius for shape in field.obstacles)
                if is_free and all(dist((x, y), other[:2]) > 2.0 * radius for other in found):
                    found.append((x, y, heading))
                    break
            else:
                raise ModelError(
                    f"there is no room for robot {number} of {wanted.robots} within {wanted.starts_within:g} m of the "
                    "source: make transport.starts_within larger, or take fewer robots"
                )
        return found


def _path(robot: int, route: Route) -> dict[str, Mark]:
    return {f"path {robot}": Mark(shapes.Polyline(route.points, 0.05), colour="grey")}


def _carried(robot: int, arrived: Delivered | Returned) -> dict[str, Mark | None]:
    """It takes an item at the source, and leaves it at the destination."""
    item = Mark(shapes.Disc(0.0, 0.0, 0.15), colour="orange", filled=True, robot=robot)
    return {f"item of {robot}": item if isinstance(arrived, Returned) else None}
