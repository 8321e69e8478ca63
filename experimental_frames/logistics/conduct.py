"""Whether robots keep to what the task demands of them, for the safety gate."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics import Glide, In, Port
from devs_robotics.experimental_frames.frame import TimedTransducer
from devs_robotics.models.logistics.layout import CARRY_SPEED
from devs_robotics.models.logistics.messages import CarrierMoved, LifterMoved, MoveLifter

MARGIN = 1e-6
"""By how much a speed may be over a limit (m/s): a rounding error."""


class Conduct(TimedTransducer):
    """Finds robots that go faster than 0.3 m/s with a carrier, or anywhere with an empty lifter up.

    A robot with its lifter up does not fit under a tray (arXiv 2203.13809): with nothing on it, it must not move.

    Ports:
        moved_carrier: carriers that were raised or put down
        and for each robot, by its number, commands to its wheels and its lifter, and reports of the lifter

    Args:
        robots: how many there are
        duration: of the observation, unless the run ends before (s)
    """

    moved_carrier = In(CarrierMoved)

    def __init__(self, name: str, robots: int, duration: float) -> None:
        super().__init__(name, duration)
        self.glide = {robot: Port(Glide, f"glide{robot}") for robot in range(1, robots + 1)}
        self.lift = {robot: Port(MoveLifter, f"lift{robot}") for robot in range(1, robots + 1)}
        self.lifted = {robot: Port(LifterMoved, f"lifted{robot}") for robot in range(1, robots + 1)}
        for ports in (self.glide, self.lift, self.lifted):
            for port in ports.values():
                self.add_in_port(port)
        self._is_up = dict.fromkeys(self.glide, False)
        """By robot: whether its lifter is up, or on its way."""
        self._loaded: set[int] = set()
        self._found: list[str] = []

    def deltext(self, e: float) -> None:
        """Look at each command."""
        super().deltext(e)
        for robot in self.glide:
            for moved in self.lifted[robot].values:
                (self._loaded.add if moved.loaded else self._loaded.discard)(robot)
            for command in self.lift[robot].values:
                self._is_up[robot] = command.up
            for glide in self.glide[robot].values:
                if glide.distance:
                    self._look(robot, glide.speed)
        for moved_carrier in self.moved_carrier.values:
            (self._loaded.add if moved_carrier.raised else self._loaded.discard)(moved_carrier.robot)

    def violations(self) -> Iterator[str]:
        """A sentence about each."""
        yield from self._found

    def _look(self, robot: int, speed: float) -> None:
        if robot in self._loaded and speed > CARRY_SPEED + MARGIN:
            self._found.append(
                f"robot {robot} was told to go at {speed:g} m/s with a carrier at {self.time:.3f} s, where "
                f"{CARRY_SPEED:g} m/s are the most"
            )
        if self._is_up[robot] and robot not in self._loaded:
            self._found.append(
                f"robot {robot} was told to go at {self.time:.3f} s with its lifter up and nothing on it: it does not "
                "fit under a tray"
            )
