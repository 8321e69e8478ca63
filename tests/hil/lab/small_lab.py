"""A small lab whose time a test drives, and what its robots say."""

from __future__ import annotations

from math import inf
from typing import Any

import msgspec

from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.plan import LabPlan, StandIn
from devs_robotics.hil.robot_protocol import Command, Heartbeat, Move, Moved, Report

REPORTS: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)


def stand_in(robot: int = 1, protocol: str = "json", **changes: Any) -> StandIn:
    """A perfect robot, unless the changes say otherwise."""
    perfect = StandIn(
        robot=robot,
        protocol=protocol,
        address="",
        x=1.0,
        y=1.0,
        heading=0.0,
        radius=0.05,
        speed=0.5,
        turn_rate=2.0,
        acceleration=inf,
        beams=(0.0,),
        reach=0.6,
        resolution=0.0,
        whisker_reach=0.0,
        stretch=0.0,
        swerve=0.0,
        range_noise=0.0,
        latency=0.0,
        jitter=0.0,
    )
    return msgspec.structs.replace(perfect, **changes)


def lab_plan(*robots: StandIn, **changes: Any) -> LabPlan:
    """A lab of 4 m by 3 m without obstacles, unless the changes say otherwise."""
    empty = LabPlan(width=4.0, height=3.0, discs=(), polygons=(), robots=robots)
    return msgspec.structs.replace(empty, **changes)


class SmallLab:
    """A laboratory that has been started; `heard` keeps what each robot has sent, with the lab's time."""

    def __init__(self, *robots: StandIn, **changes: Any) -> None:
        self.laboratory = Laboratory(lab_plan(*robots, **changes))
        self.heard: dict[int, list[tuple[float, bytes]]] = {}
        for number, core in self.laboratory.robots.items():
            said = self.heard[number] = []
            core.send = lambda data, said=said: said.append((self.now, data))  # type: ignore[misc]
        self.laboratory.start()
        self.wait(0.0)

    @property
    def now(self) -> float:
        return self.laboratory.agenda.now

    def wait(self, time: float) -> None:
        """Let the lab's time go on."""
        self.laboratory.advance(self.now + time)

    def tell(self, data: bytes, robot: int = 1) -> None:
        """Bytes arrive at a robot, and what is due at once happens."""
        self.laboratory.robots[robot].receive(data)
        self.wait(0.0)

    def say(self, command: Command) -> None:
        """A command arrives at the robot that it is for."""
        self.tell(msgspec.json.encode(command), command.robot)

    def attend(self, time: float, robot: int = 1) -> None:
        """Let the lab's time go on, with a host whose heartbeats are heard."""
        end = self.now + time
        while self.now < end:
            self.say(Heartbeat(robot, 0))
            self.wait(min(0.1, end - self.now))

    def bytes_of(self, robot: int = 1) -> bytes:
        """All that a robot has said, and forget it."""
        said = b"".join(data for _, data in self.heard[robot])
        self.heard[robot].clear()
        return said

    def reports(self, *kinds: type[Any], robot: int = 1) -> list[Any]:
        """The messages of these kinds that a robot has sent."""
        every = [REPORTS.decode(data) for _, data in self.heard[robot]]
        return [report for report in every if isinstance(report, kinds)]

    def moved(self, robot: int = 1) -> list[Moved]:
        return self.reports(Moved, robot=robot)

    def pose(self, robot: int = 1) -> tuple[float, float, float]:
        return tuple(self.laboratory.robots[robot].surroundings.body.pose)  # type: ignore[return-value]

    def speed(self, robot: int = 1) -> float:
        return self.laboratory.robots[robot].surroundings.body.speed


def move(number: int, turn: float = 0.0, distance: float = 0.0, **changes: Any) -> Move:
    """A move of robot 1."""
    values = {"robot": 1, "speed": 0.5, "turn_rate": 2.0, "deadline": 100.0} | changes
    return Move(id=number, turn=turn, distance=distance, **values)
