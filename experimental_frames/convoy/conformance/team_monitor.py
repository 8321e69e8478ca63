"""Holds what all robots of a team say and hear against the protocol, as it happens or out of a trace."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

from devs_robotics.core.observe import Changed, Event, EventObserver, Received, Sent, Started
from devs_robotics.core.ports import component_path
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.deliveries import MessageDeliveries
from devs_robotics.experimental_frames.convoy.conformance.messages import ValuesByPort
from devs_robotics.experimental_frames.convoy.conformance.protocol import HELD, WAITING
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole, RobotMonitor
from devs_robotics.experimental_frames.frame import CaseExperiment

_PATH = re.compile(r"(?:^|/)robot(\d{1,9})/convoy$")


class TeamMonitor:
    """Follows every robot of a team by its protocol, and holds their rounds against each other.

    Args:
        parts: who the robots are, the leader first

    Attributes:
        robots: their monitors, by number
        violations: in the order in which they were found
        time: simulated, of the last messages (s)
    """

    def __init__(self, parts: Sequence[ProtocolRole]) -> None:
        self.violations: list[Violation] = []
        self.robots = {part.robot: RobotMonitor(part, self.violations.append) for part in parts}
        self.time = 0.0
        self._deliveries = MessageDeliveries(self.robots)

    def begin(self, time: float = 0.0) -> None:
        """The simulation starts."""
        for robot in self.robots.values():
            robot.begin(time)

    def step(self, time: float, said: Mapping[int, ValuesByPort], heard: Mapping[int, ValuesByPort]) -> None:
        """What the robots said, and then heard, at one step of the simulation."""
        self.time = time
        self._deliveries.step(time, said, heard)
        for number in sorted(said.keys() | heard.keys()):
            robot = self.robots[number]
            rested, found = robot.state in WAITING or robot.state in HELD, len(self.violations)
            robot.step(time, said.get(number, {}), heard.get(number, {}))
            if rested and said.get(number) and robot.state not in WAITING and len(self.violations) == found:
                self._check_neighbours(number)

    def wait(self, time: float) -> None:
        """Time passes, and with it the instant at which something was due."""
        self._deliveries.move_on(time)
        for robot in self.robots.values():
            robot.wait(time)

    def finish(self, time: float = inf) -> None:
        """The simulation is over: at `time` (s), or since no robot has anything left to do."""
        if time < inf:
            self.time = time
        self._deliveries.move_on(time)
        self._deliveries.end()
        self.wait(time)

    @property
    def is_due(self) -> bool:
        """Whether a robot has to do something at once."""
        return any(robot.is_due for robot in self.robots.values())

    @property
    def messages(self) -> int:
        """How many were followed."""
        return sum(robot.messages for robot in self.robots.values())

    @property
    def rounds(self) -> int:
        """How many all robots have completed together."""
        return sum(robot.rounds for robot in self.robots.values())

    def waits(self) -> str:
        """What each robot is doing, for people."""
        return "; ".join(f"robot {number} {_as_verb(robot.state)}" for number, robot in self.robots.items())

    def _check_neighbours(self, number: int) -> None:
        """A robot sets off on a round: its front robot must have completed it, and its back robot the one before."""
        robot, front, back = (self.robots.get(number + step) for step in (0, -1, 1))
        assert robot is not None
        if front is not None and front.rounds < robot.rounds + 1:
            robot.tell(
                "front", f"set off on round {robot.rounds + 1}, and its front robot has completed {front.rounds}"
            )
        if back is not None and back.rounds < robot.rounds:
            robot.tell("back", f"set off on round {robot.rounds + 1}, and its back robot has completed {back.rounds}")


class TeamObserver(EventObserver):
    """A `TeamMonitor` as an observer of a simulation, attached `of_decision_models`; or fed with a trace's events.

    Args:
        monitor: of the team

    Attributes:
        models: path of each robot's decision model
    """

    def __init__(self, monitor: TeamMonitor) -> None:
        super().__init__()
        self.monitor = monitor
        self.models: dict[str, int] = {}
        self._messages: dict[str, tuple[dict[str, list[Any]], dict[str, list[Any]]]] = defaultdict(_nothing)

    def see(self, event: Event) -> None:
        """Take a robot's messages, and follow them when it makes its transition."""
        if isinstance(event, Started):
            self.models = dict(decision_models(event.models))
            self.monitor.begin(event.time)
        elif isinstance(event, Sent | Received) and event.model in self.models:
            said, heard = self._messages[event.model]
            (said if isinstance(event, Sent) else heard).setdefault(event.port, []).extend(event.values)
        elif isinstance(event, Changed) and event.model in self.models:
            said, heard = self._messages.pop(event.model, ({}, {}))
            robot = self.models[event.model]
            if robot in self.monitor.robots:
                self.monitor.step(event.time, {robot: said}, {robot: heard})


def of_decision_models(experiment: CaseExperiment) -> list[str]:
    """What to attach a `TeamObserver` to: the robots' decision models."""
    return [component_path(robot.convoy) for robot in experiment.system.robots]


def decision_models(paths: Iterable[str]) -> Iterable[tuple[str, int]]:
    """Those of the models that decide for a robot, each with the robot's number."""
    for path in paths:
        match = _PATH.search(path)
        if match:
            yield path, int(match.group(1))


def _nothing() -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    return {}, {}


def _as_verb(state: str) -> str:
    return state if state in WAITING else f"is {state}"
