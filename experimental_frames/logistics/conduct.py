"""Whether robots keep to what the task demands of them, for the safety gate."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from devs_robotics import Glide, In, Port
from devs_robotics.experimental_frames.frame import TimedTransducer
from devs_robotics.experimental_frames.instruments.safety import Engagement
from devs_robotics.models.logistics.carriers import leg_bodies
from devs_robotics.models.logistics.layout import CARRY_SPEED
from devs_robotics.models.logistics.messages import CarrierMoved, Go, LifterMoved, MoveLifter

MARGIN = 1e-6
"""By how much a speed may be over a limit (m/s): a rounding error."""


class Conduct(TimedTransducer):
    """Finds robots that go faster than 0.3 m/s with a carrier, or anywhere with an empty lifter up.

    A robot with its lifter up does not fit under a tray (arXiv 2203.13809): with nothing on it, it must not move.

    Ports:
        moved_carrier: carriers that were raised or put down
        and for each robot, by its number, its goals, commands to its wheels and its lifter, and reports of the lifter

    Args:
        robots: how many there are
        duration: of the observation, unless the run ends before (s)
    """

    moved_carrier = In(CarrierMoved)

    def __init__(self, name: str, robots: int, duration: float) -> None:
        super().__init__(name, duration)
        self.glide = {robot: Port(Glide, f"glide{robot}") for robot in range(1, robots + 1)}
        self.go = {robot: Port(Go, f"go{robot}") for robot in range(1, robots + 1)}
        self.lift = {robot: Port(MoveLifter, f"lift{robot}") for robot in range(1, robots + 1)}
        self.lifted = {robot: Port(LifterMoved, f"lifted{robot}") for robot in range(1, robots + 1)}
        for ports in (self.go, self.glide, self.lift, self.lifted):
            for port in ports.values():
                self.add_in_port(port)
        self._is_up = dict.fromkeys(self.glide, False)
        """By robot: whether its lifter is up, or on its way."""
        self._loaded: set[int] = set()
        self._found: list[str] = []
        self._under: dict[int, tuple[int, float]] = {}
        """By robot: the carrier between whose legs it goes, and since when (s)."""
        self._engagements: list[Engagement] = []

    def deltext(self, e: float) -> None:
        """Look at each command."""
        super().deltext(e)
        for robot in self.glide:
            for goal in self.go[robot].values:
                if goal.directions and goal.under != self._under.get(robot, (0, 0.0))[0]:
                    self._end(robot)
                    if goal.under:
                        self._under[robot] = goal.under, self.time
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

    def engagements(self) -> Iterator[Engagement]:
        """When robots went between the legs of a carrier: to pick it up, or away from it."""
        yield from self._engagements
        for robot in self._under:
            yield from self._engaged(robot, inf)

    def _end(self, robot: int) -> None:
        """It does so no more."""
        if robot in self._under:
            self._engagements += self._engaged(robot, self.time)
            del self._under[robot]

    def _engaged(self, robot: int, end: float) -> list[Engagement]:
        carrier, since = self._under[robot]
        return [Engagement(robot, f"leg {leg}", since, end) for leg in leg_bodies(len(self.glide), carrier)]

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
