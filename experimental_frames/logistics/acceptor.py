"""When a run of logistics ends: all carriers are in the drop zone, and all robots out of it; or the time is over."""

from __future__ import annotations

from devs_robotics import In
from devs_robotics.experimental_frames.frame import Acceptor, Verdict
from devs_robotics.models.environment.messages import TrajectoryChange
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.logistics.messages import CarrierMoved

LOOK = 0.05
"""How often it is looked whether all robots are out, once all carriers are there (s)."""


class RetrievalAcceptor(Acceptor):
    """Ends a run when all carriers stand in the drop zone and no robot is in it.

    Its phases are those of an `Acceptor`; when all carriers are there it is looking, each 0.05 s.

    Args:
        carriers: how many there are
        poses: where robots stand at first, robot 1 first (m, m, rad)
        edge: the drop zone is where x is above that (m, in the field)
        duration: longest time (s)
    """

    moved_carrier = In(CarrierMoved)
    trajectory_change = In(TrajectoryChange)

    def __init__(
        self, name: str, carriers: int, poses: dict[int, tuple[float, float, float]], edge: float, duration: float
    ) -> None:
        super().__init__(name, duration)
        self.carriers, self.edge = carriers, edge
        self.retrieved: set[int] = set()
        self.poses = dict(poses)
        self._paths: dict[int, Trajectory] = {}

    def deltext(self, e: float) -> None:
        """Hear of carriers and robots, and see whether all is over."""
        self._hear()
        super().deltext(e)
        self._look_later()

    def deltint(self) -> None:
        """Look again whether all are out; else nothing is left to decide."""
        if self.phase != "looking":
            super().deltint()
            return
        self.time += self.sigma
        if self._is_over():
            self._verdict = Verdict(True, f"{self.carriers} carriers are retrieved, and all robots are out")
            self.activate("deciding")
        else:
            self.hold_in("watching", max(0.0, self.duration - self.time))
            self._look_later()

    def lambdaf(self) -> None:
        """Announce the end."""
        if self.phase != "looking":
            super().lambdaf()

    def share(self, time: float) -> float:
        """Of the time, or of the carriers, whichever is more."""
        return max(super().share(time), len(self.retrieved) / self.carriers)

    def _hear(self) -> None:
        for moved in self.moved_carrier.values:
            if moved.retrieved:
                self.retrieved.add(moved.carrier)
            else:
                self.retrieved.discard(moved.carrier)
        for change in self.trajectory_change.values:
            self._paths[change.robot] = change.trajectory

    def _look_later(self) -> None:
        """Look soon, if all carriers are there."""
        if self.phase == "watching" and len(self.retrieved) == self.carriers:
            left = self.duration - self.time
            if left > LOOK:
                self.hold_in("looking", LOOK)

    def _is_over(self) -> bool:
        places = (
            (self._paths[robot].pose(self.time) if robot in self._paths else pose) for robot, pose in self.poses.items()
        )
        return len(self.retrieved) == self.carriers and all(x <= self.edge for x, _, _ in places)
