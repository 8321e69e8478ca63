"""The acceptor of the convoy's frame: when a run is over, and whether it counts."""

from __future__ import annotations

from math import inf

from devs_robotics import Atomic, Fault, In, Out
from devs_robotics.experimental_frames.convoy.formation import Parted
from devs_robotics.experimental_frames.frame.verdict import Verdict
from devs_robotics.models.convoy import Lost, RoundDone


class ConvoyAcceptor(Atomic):
    """Ends a run: all rounds are completed, the time is over, a robot has failed, or the convoy has broken up.

    A convoy has broken up for good when a robot has given up, or has parted too far from its front robot: nobody
    behind it can follow the leader any more, and everybody ahead of it will wait for it.

    Args:
        robots: how many there are
        rounds: to be completed by every robot; None for no limit
        duration: simulated time (s); infinite for no limit
    """

    round_done = In(RoundDone)
    lost = In(Lost)
    parted = In(Parted)
    fault = In(Fault)
    verdict = Out(Verdict)

    def __init__(self, name: str, robots: int, rounds: int | None, duration: float = inf) -> None:
        super().__init__(name)
        self.robots = robots
        self.rounds = rounds
        self.duration = duration
        self.robots_lost: dict[int, str] = {}
        """Why each lost robot is lost, by its number."""
        self.lost_at: dict[int, float] = {}
        """When it was lost (s)."""
        self.rounds_done = 0
        """That the last robot has completed."""
        self._time = 0.0
        self._verdict = Verdict(True, f"the duration of {duration:g} s is over")

    def initialize(self) -> None:
        """Wait for the end of the time."""
        self.hold_in("watching", self.duration)

    def deltext(self, e: float) -> None:
        """Watch the last robot's rounds, and whether all are still there."""
        self.continuef(e)
        self._time += e
        if self.phase != "watching":
            return
        for fault in self.fault.values:
            self._decide(Verdict(False, fault.reason, fault=True))
            return
        for lost in self.lost.values:
            self.robots_lost[lost.robot] = lost.reason
        for parted in self.parted.values:
            self.robots_lost[parted.robot] = f"it is {parted.gap:.2f} m behind its front robot"
        if self.robots_lost:
            self.lost_at = dict.fromkeys(self.robots_lost, self._time)
            robot, reason = next(iter(self.robots_lost.items()))
            self._decide(Verdict(False, f"the convoy has broken up: robot {robot} is lost, {reason}"))
            return
        for done in self.round_done.values:
            if done.robot == self.robots:
                self.rounds_done = done.round
                if done.round == self.rounds:
                    self._decide(Verdict(True, f"every robot has completed {self.rounds} rounds"))

    def share(self, time: float) -> float:
        """How much of the run is done at a simulated time (s): of its rounds or of its time, whichever is more."""
        return max(0.0 if self.rounds is None else self.rounds_done / self.rounds, time / self.duration)

    def lambdaf(self) -> None:
        """Announce the end."""
        self.verdict.add(self._verdict)

    def deltint(self) -> None:
        """Nothing is left to decide."""
        self.passivate("decided")

    def _decide(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self.activate("deciding")
