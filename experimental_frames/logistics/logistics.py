"""What is measured of logistics: carriers, time, docking, warnings, and how the robots' time is spent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import nan

from devs_robotics import Glide, Glided, In, Port
from devs_robotics.experimental_frames.frame import TimedTransducer, metric
from devs_robotics.models.logistics.messages import (
    CarrierMoved,
    CollisionWarning,
    DockingEnded,
    LifterMoved,
    MoveLifter,
)

CAUSES = ("lost", "blocked", "warned", "missed")
"""Why docking fails: the marker was lost; something stood in the way; a collision was likely; not below the middle."""


class Logistics(TimedTransducer):
    """Measures a run of the task.

    Ports:
        moved_carrier: carriers that were raised or put down
        docking: ends of attempts
        warning: crossings of the threshold
        and for each robot, by its number, commands to its wheels and its lifter, and their ends

    Args:
        robots, carriers: how many there are
        duration: of the observation, unless the run ends before (s)
    """

    moved_carrier = In(CarrierMoved)
    docking = In(DockingEnded)
    warning = In(CollisionWarning)

    def __init__(self, name: str, robots: int, carriers: int, duration: float) -> None:
        super().__init__(name, duration)
        self.robots, self.carriers = robots, carriers
        self.glide = {robot: Port(Glide, f"glide{robot}") for robot in range(1, robots + 1)}
        self.glided = {robot: Port(Glided, f"glided{robot}") for robot in range(1, robots + 1)}
        self.lift = {robot: Port(MoveLifter, f"lift{robot}") for robot in range(1, robots + 1)}
        self.lifted = {robot: Port(LifterMoved, f"lifted{robot}") for robot in range(1, robots + 1)}
        for ports in (self.glide, self.glided, self.lift, self.lifted):
            for port in ports.values():
                self.add_in_port(port)
        self.standing: dict[int, tuple[float, int]] = {}
        """The carriers in the drop zone: since when (s), and by which robot."""
        self.causes: Counter[str] = Counter()
        self.warnings_seen = self.blocks = 0
        self.busy: defaultdict[int, float] = defaultdict(float)
        """By robot: how long its wheels or its lifter were at work (s)."""
        self.carrying: defaultdict[int, float] = defaultdict(float)
        """By robot: how long it carried (s)."""
        self._works: Counter[int] = Counter()
        self._since: dict[int, float] = {}
        self._raised: dict[int, float] = {}
        self.drops: list[tuple[float, int, int]] = []
        """Each carrier put down in the drop zone: when (s), carrier, robot."""

    def deltext(self, e: float) -> None:
        """Count."""
        super().deltext(e)
        for moved in self.moved_carrier.values:
            self._move(moved)
        self.causes.update(ended.cause for ended in self.docking.values)
        self.warnings_seen += sum(warning.likely for warning in self.warning.values)
        for robot in self.glide:
            begun = len(list(self.glide[robot].values)) + len(list(self.lift[robot].values))
            glided = list(self.glided[robot].values)
            over = len(glided) + len(list(self.lifted[robot].values))
            self.blocks += sum(each.blocked for each in glided)
            if begun or over:
                self._work(robot, begun - over)

    def _move(self, moved: CarrierMoved) -> None:
        if moved.raised:
            self._raised[moved.robot] = self.time
        elif moved.robot in self._raised:
            self.carrying[moved.robot] += self.time - self._raised.pop(moved.robot)
        if moved.retrieved:
            self.standing[moved.carrier] = self.time, moved.robot
            self.drops.append((self.time, moved.carrier, moved.robot))
        else:
            self.standing.pop(moved.carrier, None)

    def _work(self, robot: int, more: int) -> None:
        before = self._works[robot]
        self._works[robot] = max(0, before + more)
        if not before and self._works[robot]:
            self._since[robot] = self.time
        elif before and not self._works[robot]:
            self.busy[robot] += self.time - self._since[robot]

    @metric("carriers retrieved", digits=0, better="more", even_rejected=True)
    def carriers_retrieved(self) -> int:
        """In the drop zone, on the floor, at the end."""
        return len(self.standing)

    @metric("time", unit="s", better="less", even_rejected=True)
    def seconds(self) -> float:
        """Until all carriers are in the drop zone and all robots out; else the longest time that a run may take."""
        return self.time

    @metric("time until the last carrier was put down", unit="s", better="less", even_rejected=True)
    def last_drop_s(self) -> float:
        """NaN where some were not."""
        return max(since for since, _ in self.standing.values()) if len(self.standing) == self.carriers else nan

    @metric("most carriers by one robot", digits=0)
    def most_carriers(self) -> int:
        """Of those that stand in the drop zone."""
        return max(self.of_robots(), default=0)

    @metric("robots that brought none", digits=0)
    def without(self) -> int:
        """How many robots have brought no carrier."""
        return self.of_robots().count(0)

    @metric("robots' time standing", unit="%", better="less")
    def idle(self) -> float:
        """Share of the robots' time in which neither wheels nor lifter were at work."""
        busy = sum(self._busy(robot) for robot in self.glide)
        return 1.0 - busy / (self.robots * self.time) if self.time else nan

    @metric("robots' time carrying", unit="%")
    def carrying_share(self) -> float:
        """From when the platform is up until it is down."""
        total = sum(self.carrying.values()) + sum(self.time - since for since in self._raised.values())
        return total / (self.robots * self.time) if self.time else nan

    @metric("dockings", digits=0)
    def docked(self) -> int:
        """Carriers that were raised."""
        return self.causes["docked"]

    @metric("dockings failed, tag or map lost", digits=0, better="less")
    def failed_lost(self) -> int:
        """The marker was not seen for a second."""
        return self.causes["lost"]

    @metric("dockings failed, something in the way", digits=0, better="less")
    def failed_blocked(self) -> int:
        """The robot ran into a leg or another robot."""
        return self.causes["blocked"]

    @metric("dockings failed, collision likely", digits=0, better="less")
    def failed_warned(self) -> int:
        """A warning came on the way to the predock."""
        return self.causes["warned"]

    @metric("dockings failed, not centred", digits=0, better="less")
    def failed_missed(self) -> int:
        """The middle of the tray was not above the robot, or nothing was."""
        return self.causes["missed"]

    @metric("collision warnings", digits=0)
    def warnings(self) -> int:
        """How often the likelihood rose over the threshold."""
        return self.warnings_seen

    @metric("motions that ended at something", digits=0, better="less")
    def contacts(self) -> int:
        """Robots that ran into a wall, a leg or each other, or pressed against it still."""
        return self.blocks

    def of_robots(self) -> list[int]:
        """How many carriers each robot has brought, robot 1 first."""
        by = Counter(robot for _, robot in self.standing.values())
        return [by[robot] for robot in self.glide]

    def series(self) -> Mapping[str, Sequence[float]]:
        """One row per carrier put down in the drop zone."""
        columns = list(zip(*self.drops, strict=True)) or [(), (), ()]
        return dict(zip(("time_s", "carrier", "robot"), columns, strict=True))

    def _busy(self, robot: int) -> float:
        return self.busy[robot] + (self.time - self._since[robot] if self._works[robot] else 0.0)
