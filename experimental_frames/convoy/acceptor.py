"""The acceptor of the convoy's frame: when a run is over, and whether it counts."""

from __future__ import annotations

from math import inf

from devs_robotics import In
from devs_robotics.experimental_frames.convoy.formation import Parted
from devs_robotics.experimental_frames.frame.acceptor import Acceptor
from devs_robotics.experimental_frames.frame.verdict import Verdict
from devs_robotics.models.convoy import RoundDone, WayLost


class ConvoyAcceptor(Acceptor):
    """Ends a run: all rounds are completed, the time is over, a robot has failed, or the convoy has broken up.

    A convoy has broken up for good when a robot has given up, or has parted too far from its front robot: nobody
    behind it can follow the leader any more, and everybody ahead of it will wait for it.

    Args:
        robots: how many there are
        rounds: to be completed by every robot; None for no limit
        duration: simulated time (s); infinite for no limit
    """

    round_done = In(RoundDone)
    lost = In(WayLost)
    parted = In(Parted)

    def __init__(self, name: str, robots: int, rounds: int | None, duration: float = inf) -> None:
        super().__init__(name, duration)
        self.robots = robots
        self.rounds = rounds
        self.robots_lost: dict[int, str] = {}
        """Why each lost robot is lost, by its number."""
        self.lost_at: dict[int, float] = {}
        """When it was lost (s)."""
        self.rounds_done = 0
        """That the last robot has completed."""

    def share(self, time: float) -> float:
        """Of the rounds or of the time, whichever is nearer to the end."""
        return max(0.0 if self.rounds is None else self.rounds_done / self.rounds, super().share(time))

    def judge(self) -> Verdict | None:
        """See whether all robots are still there, and count the last robot's rounds."""
        for lost in self.lost.values:
            self.robots_lost[lost.robot] = lost.reason
        for parted in self.parted.values:
            self.robots_lost[parted.robot] = f"it is {parted.gap:.2f} m behind its front robot"
        if self.robots_lost:
            self.lost_at = dict.fromkeys(self.robots_lost, self.time)
            robot, reason = next(iter(self.robots_lost.items()))
            return Verdict(False, f"the convoy has broken up: robot {robot} is lost, {reason}")
        for done in self.round_done.values:
            if done.robot == self.robots:
                self.rounds_done = done.round
                if done.round == self.rounds:
                    return Verdict(True, f"every robot has completed {self.rounds} rounds")
        return None
