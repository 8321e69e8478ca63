"""Two senders with one number: reports that contradict each other give them away."""

from __future__ import annotations

from math import hypot

from msgspec import Struct

from devs_robotics.core.robots.outside import Reality, Stands

WITHIN = 2.0
"""Reports that are farther apart than this contradict each other no more (s)."""

FASTEST = 1.0
"""No such robot drives faster (m/s)."""

LEEWAY = 0.15
"""Reports of one robot may differ by so much more (m): it tells whole centimetres, and not always at once."""


class Doubled(Struct, frozen=True):
    """Two senders seem to use one robot's number.

    Attributes:
        robot: its number
        what: in which they contradict each other
    """

    robot: int
    what: str


class _Report(Struct, frozen=True):
    time: float
    x: float
    y: float
    reality: Reality | None

    def agrees(self, other: _Report) -> bool:
        """Whether one robot can have been in both places."""
        way = hypot(other.x - self.x, other.y - self.y)
        return way <= LEEWAY + FASTEST * abs(other.time - self.time)


class Doubles:
    """Looks at one report after the other; each number is told once.

    A robot that jumps once may have been put elsewhere, or have begun anew. Who jumps to and fro is two. A reality that
    is told changes seldom, and so one change within `WITHIN` is enough.
    """

    def __init__(self) -> None:
        self._reports: dict[int, tuple[_Report | None, _Report]] = {}
        self._told: dict[int, None] = {}

    def look(self, said: Stands, time: float) -> Doubled | None:
        """What a report gives away."""
        report = _Report(time, said.x, said.y, said.reality)
        earlier, last = self._reports.get(said.robot, (None, None))
        self._reports[said.robot] = last, report
        if last is None or said.robot in self._told or time - last.time > WITHIN:
            return None
        what = ""
        if None not in (last.reality, report.reality) and last.reality != report.reality:
            what = f"one says that it is {last.reality}, and the other that it is {report.reality}"
        elif not report.agrees(last) and earlier is not None and time - earlier.time <= WITHIN:
            what = "it is told to be in two places" if report.agrees(earlier) and not last.agrees(earlier) else ""
        if not what:
            return None
        self._told[said.robot] = None
        return Doubled(said.robot, what)

    def forget(self, robot: int) -> None:
        """A robot has left; who comes with its number is another one."""
        self._reports.pop(robot, None)
        self._told.pop(robot, None)
