"""Stand-ins in laboratories of their own, and where they really are, whatever becomes of the host."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from msgspec import Struct, structs

from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.lab.launch import LabProcess
from devs_robotics.hil.robot_protocol import SILENCE
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up
from tests.real_components import PATIENCE

BUSY = 0.15
"""A busy machine may take so much longer (s)."""

STOPPED_WITHIN = SILENCE + BUSY
"""Of the last heartbeat, or of the loss of a link (s)."""

PAIR = (
    "convoy.robots=2",
    "run.rounds=3",
    "frame.transient_rounds=0",
    "noise.dnf=0",
    "robot.speed=16 cm/s",
    "real.1.protocol=json",
    "real.1.infrared=virtual",
    "real.2.protocol=json",
    "real.2.infrared=virtual",
)
"""Two real robots, either of which sees its surroundings in the environment model; a move takes more than a second."""


class Record(Struct, frozen=True):
    """Where a robot really was: `t` in the lab's time, `unix` in ours."""

    robot: int
    t: float
    unix: float
    x: float
    y: float
    heading: float
    speed: float

    @property
    def pose(self) -> tuple[float, float, float]:
        return self.x, self.y, self.heading


class Truth:
    """What a lab writes of one robot while it runs."""

    def __init__(self, file: Path, robot: int) -> None:
        self.file = file
        self.robot = robot

    def records(self) -> list[Record]:
        """All that are there by now."""
        lines = self.file.read_text().splitlines(keepends=True) if self.file.exists() else []
        found = [Record(**json.loads(line)) for line in lines if line.endswith("\n")]
        return [record for record in found if record.robot == self.robot]

    def moving(self) -> list[Record]:
        """Those at which it moves, or has moved since the one before."""
        every = self.records()
        return [now for before, now in pairwise(every) if now.speed or now.pose != before.pose]

    def moves(self) -> bool:
        """Whether it does."""
        every = self.records()
        return bool(every) and every[-1].speed != 0.0

    def moved_at(self, unix: float) -> bool:
        """Whether it moved at a time, more or less."""
        return any(abs(record.unix - unix) < BUSY for record in self.moving())

    def still_after(self, unix: float, until: float) -> bool:
        """Whether it stood still between two times; waits until it is known."""
        wait_for(lambda: self.records()[-1].unix > until)
        return not [record for record in self.moving() if unix < record.unix <= until]


class Labs:
    """A laboratory for each real robot of a scenario, so that each can be killed alone.

    Attributes:
        scenario: the same, which knows where they are
        processes, truths: by robot
    """

    def __init__(self, scenario: ConvoyScenario, broker: str, folder: Path) -> None:
        scenario = resolve(scenario)
        self.scenario = scenario
        self.processes: dict[int, LabProcess] = {}
        self.truths: dict[int, Truth] = {}
        setup = set_up(scenario, "loop")
        for number in setup.real:
            self.truths[number] = Truth(folder / f"truth{number}.jsonl", number)
            plan = laboratory_plan(setup, broker, 1.0, str(self.truths[number].file))
            alone = tuple(robot for robot in plan.robots if robot.robot == number)
            self.processes[number] = LabProcess(structs.replace(plan, robots=alone, tracking=""))

    @contextmanager
    def running(self) -> Iterator[Labs]:
        """Start them, and tell the scenario their addresses."""
        try:
            for process in self.processes.values():
                process.start()
            self.scenario = addressed(self.scenario, {number: self.address(number) for number in self.processes})
            yield self
        finally:
            for process in self.processes.values():
                process.stop()

    def address(self, robot: int) -> str:
        """Where a robot is."""
        return self.processes[robot].addresses[robot]


def pair(*settings: str) -> ConvoyScenario:
    """The scenario of two real robots."""
    return load("convoy", [*PAIR, *settings])


def set_to(*settings: str) -> list[str]:
    """The same on a command line."""
    return [word for setting in settings for word in ("--set", setting)]


def addressed(scenario: ConvoyScenario, addresses: dict[int, str]) -> ConvoyScenario:
    """A scenario that knows where its real robots are."""
    real = {
        number: robot.model_copy(update={"address": addresses.get(int(number))})
        for number, robot in scenario.real.items()
    }
    return scenario.model_copy(update={"real": real})


def is_driven(experiment: CaseExperiment, robot: int) -> bool:
    """Whether a robot has been told to move, and has not answered."""
    device = experiment.system.robots[robot - 1].equipment.device
    return isinstance(device, Driver) and device.now.under_way is not None


def wait_for(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Wait for something that nobody can tell of, such as a file that grows."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)
