"""A generator: what the floor does to robots' motions (Hu & Zeigler, Fig. 6)."""

from __future__ import annotations

from math import inf, radians

from devs_robotics import Atomic, In, Out, Stream
from devs_robotics.models.environment import Disturbance, Motion


class MotionNoise(Atomic):
    """Disturbs each drive: its length, and the heading at its end, both uniformly and independently.

    Each robot has a stream of its own, and each of its drives takes two numbers from it, whatever the factors are.

    Args:
        robots: how many there are
        seed: of the run
        dnf: distance noise factor: largest distance error as a share of the distance
        anf: angle noise factor: largest change of heading, in degrees per centimetre of distance
    """

    motion = In(Motion)
    disturbance = Out(Disturbance)

    def __init__(self, name: str, robots: int, seed: int, dnf: float, anf: float) -> None:
        super().__init__(name)
        self.stretch = dnf
        self.swerve = radians(anf * 100.0)
        self._streams = [Stream(seed, robot, "motion") for robot in range(1, robots + 1)]
        self._pending: list[Disturbance] = []

    def deltext(self, e: float) -> None:
        """Draw for each drive that begins; a rotation about the centre is exact."""
        for motion in self.motion.values:
            if motion.distance:
                stream = self._streams[motion.robot - 1]
                stretch, swerve = self.stretch * stream.uniform(), self.swerve * stream.uniform()
                if stretch or swerve:
                    self._pending.append(Disturbance(motion.robot, stretch, swerve))
        self.sigma = 0.0 if self._pending else inf

    def lambdaf(self) -> None:
        """Send the disturbances."""
        for disturbance in self._pending:
            self.disturbance.add(disturbance)

    def deltint(self) -> None:
        """Wait for the next drive."""
        self._pending.clear()
        self.sigma = inf
