"""The transducer of charging docks: how long robots wait, and how long they are charged."""

from __future__ import annotations

from math import nan

from devs_robotics import In
from devs_robotics.experimental_frames.frame import TimedTransducer, metric
from devs_robotics.models.batteries.docks import DockUse


class DockUsage(TimedTransducer):
    """Measures how charging docks are used.

    Args:
        robots: how many may come
        docks: how many there are
        duration: of the observation (s)
    """

    use = In(DockUse)

    def __init__(self, name: str, robots: int, docks: int, duration: float) -> None:
        super().__init__(name, duration)
        self.robots, self.docks = robots, docks
        self._state: dict[int, str] = {}
        self._spent = {"waiting": 0.0, "docked": 0.0, "charging": 0.0}
        self._turns = 0
        self.longest = 0
        self._history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """See who comes, has a turn, is charged, and leaves."""
        super().deltext(e)
        for use in self.use.values:
            self._turns += use.state == "docked"
            self._state[use.robot] = use.state
        self.longest = max(self.longest, self._count("waiting"))
        if self._history[-1][1] != self._count("waiting"):
            self._history.append((self.time, float(self._count("waiting"))))

    def passed(self, seconds: float) -> None:
        """Add it up."""
        for state in self._spent:
            self._spent[state] += seconds * self._count(state)

    def _count(self, state: str) -> int:
        return sum(each == state for each in self._state.values())

    @metric("time at a dock, being charged", unit="%")
    def charging_share(self) -> float:
        """Of the time of all robots."""
        return self._spent["charging"] / (self.robots * self.time) if self.time else nan

    @metric("docks taken", unit="%")
    def taken_share(self) -> float:
        """Of the time of all docks."""
        return (self._spent["charging"] + self._spent["docked"]) / (self.docks * self.time) if self.time else nan

    @metric("wait for a dock", unit="s", better="less")
    def wait_s(self) -> float:
        """Mean over the turns that robots had; who still waits counts in the time, and not in the turns."""
        return self._spent["waiting"] / self._turns if self._turns else nan

    @metric("most robots that wait for a dock", digits=0, better="less")
    def longest_queue(self) -> float:
        """At once."""
        return self.longest

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """How many wait, over time."""
        return {"waiting": self._history}
