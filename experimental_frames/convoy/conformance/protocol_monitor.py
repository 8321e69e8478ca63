"""A frame's part that holds a running team against the protocol, coupled by taps to what its robots say and hear."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from devs_robotics import Atomic, Out, Port
from devs_robotics.core.ports import add_port
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.messages import HEARD_AT, TYPES, ValuesByPort
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import TeamMonitor
from devs_robotics.experimental_frames.frame import CaseExperiment, Verdict, tap
from devs_robotics.models.convoy.member import Member

GRACE = 1e-6
"""What is due at one instant is missed when so much time has passed (s)."""


class ProtocolWatch(Atomic):
    """Transducer and acceptor: tells each violation when it happens, and may end the run at the first.

    It has an input for each port of each robot's decision model, such as ``robot2_motor_ask``. At one instant it takes
    what a robot says before what it hears, as the robot's confluent transition does.

    Args:
        parts: who the robots are, the leader first
        stops: whether the first violation ends the run

    Attributes:
        monitor: what it has found
    """

    violation = Out(Violation)
    verdict = Out(Verdict)

    def __init__(self, name: str, parts: Sequence[ProtocolRole], *, stops: bool = False) -> None:
        super().__init__(name)
        self.monitor = TeamMonitor(parts)
        self.stops = stops
        self._time = 0.0
        self._told = 0
        self._ports: dict[int, dict[str, Port[Any]]] = {}
        for part in parts:
            self._ports[part.robot] = {port: Port(kind, f"robot{part.robot}_{port}") for port, kind in TYPES.items()}
            for port in self._ports[part.robot].values():
                add_port(self, port, "in")

    def couple(self, experiment: CaseExperiment) -> None:
        """Join an experiment, with taps on its robots."""
        experiment.add_component(self)
        robots = {robot.number: robot for robot in experiment.system.robots}
        for number, ports in self._ports.items():
            robot, front, back = robots[number], robots.get(number - 1), robots.get(number + 1)
            sources: dict[str, Port[Any]] = {
                "inhibited": robot.avoid.inhibit,
                "released": robot.avoid.release,
                "motor_answer": robot.equipment.motor.drive.answer,
                "infrared_answer": robot.equipment.infrared.ranging.answer,
                **{port: _output(robot.convoy, port) for port in robot.convoy.output if port in TYPES},
            }
            if front is not None:
                sources["f_ready_in"] = front.convoy.f_ready_out
            if back is not None:
                sources["b_ready_in"] = _output(back.convoy, "b_ready_out")
            for port, source in sources.items():
                tap(experiment, source, ports[port])
        if self.stops:
            experiment.add_coupling(self.verdict, experiment.verdict)

    def initialize(self) -> None:
        """The simulation starts."""
        self.monitor.begin()
        self._wait()

    def deltext(self, e: float) -> None:
        """Follow what the robots say and hear."""
        self._time += e
        said: dict[int, ValuesByPort] = {}
        heard: dict[int, ValuesByPort] = {}
        for robot, ports in self._ports.items():
            values = {name: list(port.values) for name, port in ports.items() if port}
            if values:
                heard[robot] = {name: values.pop(name) for name in list(values) if name in HEARD_AT}
                said[robot] = values
        self.monitor.step(self._time, said, heard)
        self._wait()

    def lambdaf(self) -> None:
        """Tell what was found."""
        for violation in self.monitor.violations[self._told :]:
            self.violation.add(violation)
            if self.stops:
                self.verdict.add(Verdict(False, violation.sentence))

    def deltint(self) -> None:
        """See what was missed when the grace is over; wait for what comes next."""
        self._time += self.sigma
        if self.sigma:
            self.monitor.wait(self._time)
        else:
            self._told = len(self.monitor.violations)
        self._wait()

    def _wait(self) -> None:
        if self._told < len(self.monitor.violations):
            self.sigma = 0.0
        else:
            self.sigma = GRACE if self.monitor.is_due else inf


def _output(model: Member, name: str) -> Port[Any]:
    port = model.output[name]
    assert isinstance(port, Port)
    return port
