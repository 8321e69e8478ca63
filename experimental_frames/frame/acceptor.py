"""The acceptor of every frame: a run ends when its time is over, or a robot has failed."""

from __future__ import annotations

from math import inf

from devs_robotics import Atomic, Fault, In, Out
from devs_robotics.experimental_frames.frame.verdict import Verdict


class Acceptor(Atomic):
    """Ends a run: the time is over, a robot or a node has failed, or what a subclass says in `judge`.

    Args:
        duration: simulated time (s); infinite for no limit
    """

    fault = In(Fault)
    verdict = Out(Verdict)

    def __init__(self, name: str, duration: float = inf) -> None:
        super().__init__(name)
        self.duration = duration
        self.time = 0.0
        """Of the last event (s)."""
        self._verdict = Verdict(True, f"the duration of {duration:g} s is over")

    def judge(self) -> Verdict | None:
        """What ends the run now, by what has come in; None as long as it goes on. By default nothing does."""
        return None

    def share(self, time: float) -> float:
        """How much of the run is done at a simulated time (s), from 0 to 1."""
        return time / self.duration

    def initialize(self) -> None:
        """Wait for the end of the time."""
        self.hold_in("watching", self.duration)

    def deltext(self, e: float) -> None:
        """See whether the run is over; a fault comes first."""
        self.continuef(e)
        self.time += e
        if self.phase != "watching":
            return
        faults = [Verdict(False, fault.reason, fault=True) for fault in self.fault.values]
        verdict = faults[0] if faults else self.judge()
        if verdict is not None:
            self._verdict = verdict
            self.activate("deciding")

    def lambdaf(self) -> None:
        """Announce the end."""
        self.verdict.add(self._verdict)

    def deltint(self) -> None:
        """Nothing is left to decide."""
        self.passivate("decided")
