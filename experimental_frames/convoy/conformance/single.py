"""Level 1: tests of one robot's decisions, which play its motor, its sensors, its neighbours and Avoid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct

from devs_robotics import Drive, Driven, Ranges, Simulator
from devs_robotics.core.errors import ModelError
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.derivation import (
    Derived,
    ProtocolTest,
    Step,
    Stimulus,
    derive,
)
from devs_robotics.experimental_frames.convoy.conformance.messages import HEARD_AT
from devs_robotics.experimental_frames.convoy.conformance.protocol import ProtocolMemory, Rule
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole, RobotMonitor
from devs_robotics.experimental_frames.convoy.conformance.violations import RULES
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.convoy.messages import CaughtUp, Inhibit, Release, Sync

Verdict = Literal["conforms", "does not", "not reached"]

PAUSE = 0.5
"""A robot is watched for so long after each thing that it hears (s); the next comes after twice the time."""

_PORTS = {heard: port for port, heard in HEARD_AT.items()}


class Result(Struct, frozen=True):
    """What became of a test.

    Attributes:
        case: the test
        verdict: "not reached": the robot did something else that the protocol allows, before what the test is about
        violations: what the robot did against the protocol there, or afterwards
    """

    case: ProtocolTest
    verdict: Verdict
    violations: tuple[Violation, ...]


class RobotResults(Struct, frozen=True):
    """What became of all tests of a robot.

    Attributes:
        title: which robot
        results: in the order of the tests
        beyond: lines of the protocol that no test reaches with these settings
    """

    title: str
    results: tuple[Result, ...]
    beyond: tuple[Rule, ...]

    @property
    def conforms(self) -> bool:
        """Whether every test was passed."""
        return all(result.verdict == "conforms" for result in self.results)

    def count(self, *, lines: bool) -> tuple[int, int]:
        """How many tests were passed and how many there are, of lines of the table or of what is out of protocol."""
        some = [result for result in self.results if (result.case.rule is not None) == lines]
        return sum(result.verdict == "conforms" for result in some), len(some)


def check_robot(title: str, part: ProtocolRole, build: Callable[[], Member], play: Player) -> RobotResults:
    """Run all tests of a robot.

    Args:
        title: which robot, for people
        part: who it is
        build: makes its decision model, as it is before the start, for each test anew
        play: makes what it hears
    """
    derived: Derived = derive(part.machine, part.sight)
    return RobotResults(title, tuple(_run(case, part, build(), play) for case in derived.cases), derived.beyond)


class Player(Struct, frozen=True):
    """Plays the rest of the world for one robot.

    Attributes:
        part: who the robot is
        beams: of its infrared sensors
        step: that its front robot goes (m)
        aside: angle at which its front robot goes, when it goes aside (rad)
    """

    part: ProtocolRole
    beams: int = 1
    step: float = 0.2
    aside: float = 0.5

    def message(self, stimulus: Stimulus, command: Drive) -> Any:
        """What the robot hears, as a message.

        Args:
            stimulus: what it should mean
            command: the last that the robot gave to its motor
        """
        robot, (heard, detail) = self.part.robot, stimulus
        if heard == "front moved":
            way = {"ahead": (0.0, self.step), "aside": (self.aside, self.step), "not at all": (0.0, 0.0)}[detail]
            return Sync(robot - 1, *way, 0.0)
        if heard == "caught up":
            return CaughtUp(robot + 1)
        if heard == "driven" and detail == "blocked":
            return Driven(command.turn, command.distance / 2.0, blocked=True)
        if heard == "driven":
            return Driven(command.turn, command.distance)
        if heard == "seen":
            return Ranges((self._reading(detail),) * self.beams)
        return Inhibit() if heard == "taken over" else Release(0.0, -0.05)

    def _reading(self, detail: str) -> float:
        if self.part.sight is None:
            return 0.0 if detail == "taken" else 1e3
        reading = self.part.sight.reading(detail)
        assert reading is not None  # otherwise the protocol's tests do not have it
        return reading


def _run(case: ProtocolTest, part: ProtocolRole, model: Member, play: Player) -> Result:
    violations: list[Violation] = []
    monitor = RobotMonitor(part, violations.append)
    planned = [step for step in case.steps if step.stimulus.heard != "begin"]
    at = case.at - (len(case.steps) - len(planned))
    with Simulator(model, zero_time_limit=100) as simulator:
        bench = _Bench(simulator, model, monitor)
        try:
            monitor.begin(0.0)
            bench.settle(0.0)
            for number, step in enumerate(planned):
                if not _is_at(monitor, planned[number - 1].after if number else None):
                    return _ended(case, violations, number - 1, at)
                bench.hear(2.0 * PAUSE * (number + 1), step, play)
                if violations:
                    return _ended(case, violations, number, at)
        except ModelError as exc:
            fault = Violation(
                simulator.time, part.robot, "order", f"robot {part.robot} failed: {exc}", (), RULES["order"]
            )
            return Result(case, "does not", (*violations, fault))
    last = planned[-1].after if planned else None
    return _ended(case, violations, len(planned) if _is_at(monitor, last) else len(planned) - 1, at)


def _is_at(monitor: RobotMonitor, memory: ProtocolMemory | None) -> bool:
    return memory is None or memory in monitor.memories


def _ended(case: ProtocolTest, violations: Sequence[Violation], number: int, at: int) -> Result:
    """What became of a test that went as far as a step of this number."""
    if violations and number >= at:
        return Result(case, "does not", tuple(violations))
    return Result(case, "conforms" if not violations and number > at else "not reached", ())


class _Bench:
    """A robot's decision model on a test bench."""

    def __init__(self, simulator: Simulator, model: Member, monitor: RobotMonitor) -> None:
        self.simulator = simulator
        self.model = model
        self.monitor = monitor
        self.command = Drive()

    def hear(self, time: float, step: Step, play: Player) -> None:
        """Have the robot hear something, and follow what it does until it waits again."""
        name = _PORTS[step.stimulus.heard]
        message = play.message(step.stimulus, self.command)
        self.simulator.inject(self.model.input[name], message, at=time)
        self.simulator.run(time, max_steps=1)
        self.monitor.step(time, {}, {name: [message]}, {name: step.stimulus.detail})
        self.settle(time)

    def settle(self, time: float) -> None:
        """Follow what the robot does at an instant, and whether it does more by itself."""
        while self.simulator.next_time <= time + PAUSE:
            self.simulator.run(max_steps=1)
            said = {port.name: list(port.values) for port in self.model.out_ports if port}
            for command in said.get("motor_ask", ()):
                self.command = command
            self.monitor.step(self.simulator.time, said, {})
        self.monitor.wait(time + PAUSE)
