"""A generator that has something touch robots' whiskers now and then, so that Avoid has to act."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics import Atomic, Port, Stream, Touch
from devs_robotics.core.ports import add_port
from devs_robotics.experimental_frames.frame import CaseExperiment, drive


class Touches(Atomic):
    """Touches one robot after the other, at random times that are uniform between none and twice the mean.

    Args:
        robots: their numbers
        seed: of the run
        mean: time between two touches (s)
    """

    def __init__(self, name: str, robots: Sequence[int], seed: int, mean: float) -> None:
        super().__init__(name)
        self.mean = mean
        self._stream = Stream(seed, 0, "touches")
        self._turn = 0
        self._ports: list[tuple[int, Port[Touch]]] = [(robot, Port(Touch, f"robot{robot}")) for robot in robots]
        for _, port in self._ports:
            add_port(self, port, "out")

    def couple(self, experiment: CaseExperiment) -> None:
        """Join an experiment, and drive its robots' layer Avoid."""
        experiment.add_component(self)
        robots = {robot.number: robot for robot in experiment.system.robots}
        for robot, port in self._ports:
            drive(experiment, robots[robot].avoid.whiskers.answer, port)

    def initialize(self) -> None:
        """Wait for the first time."""
        self._wait()

    def lambdaf(self) -> None:
        """Touch the robot whose turn it is."""
        self._ports[self._turn][1].add(Touch(True))

    def deltint(self) -> None:
        """Wait for the next time."""
        self._turn = (self._turn + 1) % len(self._ports)
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", self.mean * (1.0 + self._stream.uniform()))
