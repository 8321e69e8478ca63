"""What looks at the lab from outside: a tracking system, and a record of the true poses."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import IO

import msgspec
from msgspec.structs import replace

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.randomness import ErrorStream
from devs_robotics.hil.robot_protocol import Fix

TRUTH_PERIOD = 0.05
"""Time between two records of the true poses (s of the lab's time)."""


class TrackingSystem:
    """A tracking system, such as a camera above the arena; it tells all poses once per period, and some time later.

    Where it takes time, its fixes say how old they are; one look is told after the other.

    Args:
        laboratory: with the robots
        publish: gets each fix
    """

    def __init__(self, laboratory: Laboratory, publish: Callable[[bytes], None]) -> None:
        self._publish = publish
        plan = self._plan = laboratory.plan
        self._agenda = laboratory.agenda
        self._delays = ErrorStream(plan.seed, 0, "tracking delay")
        self._told = 0.0
        self._watched = [
            (robot.robot, body, ErrorStream(plan.seed, robot.robot, "tracking"))
            for robot, body in zip(plan.robots, laboratory.bodies, strict=True)
        ]
        laboratory.agenda.every(plan.tracking_period, self._look)

    def _look(self) -> None:
        noise, turned, seen = self._plan.tracking_noise, self._plan.tracking_heading_noise, self._agenda.now
        fixes = []
        for robot, body, stream in self._watched:
            x, y = body.x + stream.normal(noise), body.y + stream.normal(noise)
            fixes.append(Fix(robot, x, y, body.heading + stream.normal(turned)))
        delay = self._plan.tracking_delay + self._delays.up_to(self._plan.tracking_jitter)
        if not delay:
            self._tell(fixes)
            return
        self._told = max(self._told, seen + delay)
        self._agenda.at(self._told, lambda: self._tell([replace(fix, age=self._agenda.now - seen) for fix in fixes]))

    def _tell(self, fixes: list[Fix]) -> None:
        for fix in fixes:
            self._publish(msgspec.json.encode(fix))


class Truth:
    """Writes where every robot really is, one JSON object per line: robot, t (the lab's), unix, x, y, heading, speed.

    Args:
        laboratory: with the robots
        file: to be written to; when it cannot be any more, what steps the laboratory raises DevsRoboticsError
    """

    def __init__(self, laboratory: Laboratory, file: IO[str]) -> None:
        self._laboratory = laboratory
        self._file = file
        laboratory.agenda.every(TRUTH_PERIOD, self._write)

    def _write(self) -> None:
        now, unix, lines = self._laboratory.agenda.now, time.time(), []
        for robot, body in zip(self._laboratory.plan.robots, self._laboratory.bodies, strict=True):
            line = {"robot": robot.robot, "t": now, "unix": unix}
            line |= {"x": body.x, "y": body.y, "heading": body.heading, "speed": body.speed}
            lines.append(json.dumps(line))
        try:
            self._file.write("".join(f"{line}\n" for line in lines))
            self._file.flush()
        except OSError as error:
            raise DevsRoboticsError(unwritable(self._file.name, error)) from error


def unwritable(name: str, error: OSError) -> str:
    """What to say of a file for the true poses that cannot be written."""
    return f"the true poses cannot be written to {name} ({error.strerror}): choose another file"
