"""Robots wander in a walled field: a case study small enough to be read as an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf, radians
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Ranges, Sense, Sensor, Stream
from devs_robotics.core.population import Common, Population, Streams
from devs_robotics.core.population.rows import Places
from devs_robotics.models.environment import Field
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Frame,
    Length,
    PoseChange,
    Robot,
    Transducer,
    metric,
    robots,
)

LOOK = 0.125
"""So long a robot stands and looks before it moves (s)."""

AROUND = tuple(radians(bearing) for bearing in range(90, -91, -15))
"""Bearings of the range sensors: all ahead of a robot, and beside it, for its body is as wide as that (rad)."""

REACH = 1.0
"""How far they see (m)."""

APART = 0.1
"""Least distance between bodies at first, from edge to edge (m)."""

SHORTEST = 0.05
"""A way of less than this is none (m)."""


class Wander(Atomic):
    """The decision model: it goes half of the way that is free ahead, and turns by chance where there is none.

    The other half is for whoever comes the other way, and decides alike: so nobody runs into anybody.

    =========  ============  ==================  =======================================================
    phase      time advance  output              next phase
    =========  ============  ==================  =======================================================
    looking    `LOOK`        infrared: question  waiting
    waiting    ∞                                 moving, with a step or a turn, when the ranges come
    moving     0             motor: command      under way
    under way  ∞                                 looking, when the motor reports
    =========  ============  ==================  =======================================================

    Ports:
        motor: steps and turns, and the reports of their ends
        infrared: a question before each motion, and the ranges

    Args:
        stream: of random numbers, for turns
        step: the longest way ahead (m)
        clearance: so much stays free between the robot and all that it sees (m)
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)

    def __init__(self, name: str, stream: Stream, step: float, clearance: float) -> None:
        super().__init__(name)
        self.stream, self.step, self.clearance = stream, step, clearance
        self.command = Drive()

    def initialize(self) -> None:
        """Look."""
        self.hold_in("looking", LOOK)

    def lambdaf(self) -> None:
        """Ask, or command."""
        if self.phase == "looking":
            self.infrared.ask.add(Sense())
        else:
            self.motor.ask.add(self.command)

    def deltint(self) -> None:
        """Wait for the answer, or for the end of the motion."""
        self.passivate("waiting" if self.phase == "looking" else "under way")

    def deltext(self, e: float) -> None:
        """Decide by the ranges; look again when a motion has ended, or something stopped it."""
        for ranges in self.infrared.answer.values:
            if self.phase == "waiting":
                self.command = self._decide(min(ranges.values, default=inf))
                self.activate("moving")
        if self.motor.answer and self.phase == "under way":
            self.hold_in("looking", LOOK)

    def _decide(self, nearest: float) -> Drive:
        """Where to go, by the distance to the nearest thing (m)."""
        way = (nearest - self.clearance) / 2.0
        if way < SHORTEST:
            return Drive(turn=radians(180.0) * self.stream.uniform())
        return Drive(distance=min(self.step, way))


class Wanders(Population, of=Wander):
    """The same for all robots at once, in arrays.

    Args:
        members: the ordinary models
        robots: their numbers
    """

    stream = Streams()
    step = Common()
    clearance = Common()

    def initialize(self, who: Places) -> None:
        """Look."""
        self._turn, self._distance = np.zeros(len(self.robots)), np.zeros(len(self.robots))
        self.hold_in(who, "looking", LOOK)

    def lambdaf(self, who: Places) -> None:
        """Ask, or command."""
        looking = self.in_phase(who, "looking")
        self.infrared.ask.send(who[looking], Sense())
        moving = who[~looking]
        self.motor.ask.send(moving, self._turn[moving], self._distance[moving])

    def deltint(self, who: Places) -> None:
        """Wait for the answer, or for the end of the motion."""
        looking = self.in_phase(who, "looking")
        self.passivate(who[looking], "waiting")
        self.passivate(who[~looking], "under way")

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        """Decide by the ranges; look again when a motion has ended, or something stopped it."""
        for some, ranges in self.infrared.answer.each(who):
            waiting = self.in_phase(some, "waiting")
            self._decide(some[waiting], ranges.column("values")[waiting].min(axis=1, initial=inf))
            self.activate(some[waiting], "moving")
        ended = self.motor.answer.has(who) & self.in_phase(who, "under way")
        self.hold_in(who[ended], "looking", LOOK)

    def _decide(self, who: Places, nearest: NDArray[np.float64]) -> None:
        """Where to go, by the distances to the nearest thing (m)."""
        way = (nearest - self.clearance) / 2.0
        turns = way < SHORTEST
        self._distance[who] = np.where(turns, 0.0, np.minimum(self.step, way))
        self._turn[who] = 0.0
        self._turn[who[turns]] = radians(180.0) * self.stream.uniform(who[turns])


class Coverage(Transducer):
    """Measures how much of the field the robots have been to, by square cells.

    Args:
        cell: side of a cell (m)
        field: of the robots
    """

    pose_change = In(PoseChange)

    def __init__(self, name: str, cell: float, field: Field) -> None:
        super().__init__(name)
        self.cell = cell
        self.columns = max(1, round(field.width / cell))
        self.rows = max(1, round(field.height / cell))
        self.visited: set[tuple[int, int]] = set()
        self.history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """See which cells are new."""
        self.time += e
        before = len(self.visited)
        for pose in self.pose_change.values:
            column, row = int(pose.x / self.cell), int(pose.y / self.cell)
            self.visited.add((min(column, self.columns - 1), min(row, self.rows - 1)))
        if len(self.visited) > before:
            self.history.append((self.time, self.share()))

    @metric("share of the field covered", unit="%", better="more")
    def share(self) -> float:
        """Cells that some robot's centre has been in at the end of a motion, of all cells."""
        return len(self.visited) / (self.columns * self.rows)

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """The share over time."""
        return {"share": self.history}


class Wandering(CaseStudy):
    """Robots wander in a walled field, and cover it."""

    robots: Count = 5
    """How many there are."""
    step: Length = 0.3
    """The longest way ahead (m)."""
    clearance: Length = 0.3
    """So much stays free between a robot and all that it sees (m)."""
    cell: Length = 0.5
    """Side of the cells in which the field's coverage is counted (m)."""

    defaults: ClassVar[Mapping[str, Any]] = {"field.width": 6.0, "field.height": 6.0, "run.duration": 120.0}

    def build(self, system: CaseSystem) -> None:
        """Robots at free places, each with one decision model."""
        kind = robots.round_differential(beams=AROUND, reach=REACH, continuous=True)  # others see it on its way
        poses = system.free_poses(self.robots, kind, apart=APART)
        system.add_team(poses, kind, lambda robot: self.put_together(robot, system))

    def put_together(self, robot: Robot, system: CaseSystem) -> None:
        """A decision model, which has the robot's motor and range sensors."""
        robot.decide(Wander("wander", system.stream(robot, "wander"), self.step, self.clearance))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Coverage."""
        coverage = frame.add(Coverage("coverage", self.cell, system.field))
        frame.couple(system.pose_change, coverage.pose_change)

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """A step is no more than half of what is seen to be free."""
        longest = (REACH - self.clearance) / 2.0
        if self.step <= 0.0 or self.cell <= 0.0:
            yield ("step", "cell"), "must be more than 0 m: robots would stand still, or cells would have no size"
        elif self.clearance < 0.0:
            yield ("clearance",), "must be at least 0 m: robots would drive into what they see"
        elif longest <= SHORTEST:
            most = REACH - 2.0 * SHORTEST
            sees = f"robots see {REACH:g} m far, and would never find their way free"
            yield ("clearance",), f"{sees}: take less than {most:g} m"
        elif self.step > longest:
            yield (
                ("step", "clearance"),
                f"robots see {REACH:g} m far, and go half of what is free: take {longest:g} m at most",
            )
