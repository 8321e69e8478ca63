"""What is measured of swarm transportation: deliveries, paths, exchanges, meetings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import nan

from devs_robotics import In, Port
from devs_robotics.experimental_frames.frame import TimedTransducer, metric
from devs_robotics.models.environment.shapes import point_to_segment
from devs_robotics.models.transport.messages import (
    GIVEN,
    SHARED,
    Delivered,
    Exchanged,
    PathFound,
    PathTaken,
    Returned,
    Route,
    Waited,
    Yielded,
)
from devs_robotics.models.transport.path import Waypoints, length

APART = 1.0
"""Two paths that are nowhere further apart than this are one (m)."""


class Transportation(TimedTransducer):
    """Measures how items are carried, how paths come about, and what robots lose by talking and making way.

    Ports:
        delivered: items at the destination
        returned: arrivals at the source
        found: who has found the destination
        taken: how long paths were and are
        exchanged: talks
        yielded: who has made way
        waited: who has waited for others

    Args:
        robots: how many there are
        items: how many there are to be delivered
        duration: of the observation, unless the run ends before (s)
        shortest: says how long the shortest path is (m)
    """

    delivered = In(Delivered)
    returned = In(Returned)
    found = In(PathFound)
    taken = In(PathTaken)
    exchanged = In(Exchanged)
    yielded = In(Yielded)
    waited = In(Waited)

    def __init__(
        self, name: str, robots: int, items: int, duration: float, shortest: Callable[[], float] = lambda: nan
    ) -> None:
        super().__init__(name, duration)
        self.robots, self.items, self.shortest = robots, items, shortest
        self.deliveries_at: list[tuple[float, int]] = []
        self.returns_at: list[tuple[float, int]] = []
        """When (s), and which robot."""
        self.paths_at: list[tuple[float, int, str]] = []
        """When a robot had its first path (s), which one, and how it came by it."""
        self.lengths: dict[int, float] = {}
        self.finds: list[tuple[float, int, float]] = []
        self.exchanges: list[tuple[float, int, int]] = []
        self.attempts = 0
        self.talked_s = self.yielded_s = self.waited_s = 0.0
        self.meetings_at: list[float] = []
        """When a robot had made way for another one (s)."""
        self.meetings = self.obstacles = 0
        self.shares = {"shorter": 0, "same": 0, "longer": 0}
        self.length_at: list[tuple[float, float]] = []

    def deltext(self, e: float) -> None:
        """Count."""
        super().deltext(e)
        self.deliveries_at += [(self.time, each.robot) for each in self.delivered.values]
        self.returns_at += [(self.time, each.robot) for each in self.returned.values]
        self.finds += [(self.time, each.robot, each.length) for each in self.found.values]
        for taken in self.taken.values:
            self._take(taken)
        for talk in self.exchanged.values:
            self.attempts += 1
            self.talked_s += talk.seconds
            if talk.completed and talk.robot < talk.partner:
                self.exchanges.append((self.time, talk.robot, talk.partner))
        for way in self.yielded.values:
            self.yielded_s += way.seconds
            self.meetings += way.met
            self.meetings_at += [self.time] if way.met else []
            self.obstacles += not way.met
        self.waited_s += sum(wait.seconds for wait in self.waited.values)

    def _take(self, taken: PathTaken) -> None:
        if not taken.before:
            self.paths_at.append((self.time, taken.robot, taken.by))
        if taken.by == SHARED:
            change = taken.after - taken.before
            self.shares["same" if abs(change) < 1e-6 else "shorter" if change < 0.0 else "longer"] += 1
        self.lengths[taken.robot] = taken.after
        mean = sum(self.lengths.values()) / len(self.lengths)
        if not self.length_at or self.time > self.length_at[-1][0]:
            self.length_at.append((self.time, mean))
        else:
            self.length_at[-1] = self.time, mean

    @metric("items delivered", digits=0, better="more", even_rejected=True)
    def deliveries(self) -> int:
        """Arrivals at the destination with an item."""
        return len(self.deliveries_at)

    @metric("minutes until all are delivered", better="less", even_rejected=True)
    def minutes(self) -> float:
        """In minutes; where they are not, the longest time that a run may take."""
        return self._until(self.deliveries_at, self.items) / 60.0

    @metric("minutes until as many arrivals at the source", better="less", even_rejected=True)
    def minutes_by_returns(self) -> float:
        """The same by the other count, as the published program has it, in minutes."""
        return self._until(self.returns_at, self.items) / 60.0

    @metric("minutes until as many arrivals at both ends together", better="less", even_rejected=True)
    def minutes_by_trips(self) -> float:
        """The same by trips either way, in minutes."""
        return self._until(sorted(self.deliveries_at + self.returns_at), self.items) / 60.0

    @metric("arrivals at the source", digits=0, better="more")
    def returns(self) -> int:
        """Of all robots, the first after the destination was found included."""
        return len(self.returns_at)

    @metric("robots with a path", digits=0, better="more")
    def with_path(self) -> int:
        """In the end."""
        return len(self.paths_at)

    @metric("robots that found the destination", digits=0)
    def found_by_themselves(self) -> int:
        """The others with a path were given one."""
        return len(self.paths_at) - sum(by == GIVEN for _, _, by in self.paths_at)

    @metric("robots with a path when talk begins, at 15 min", digits=0)
    def with_path_at_15(self) -> float:
        """By themselves, as long as nobody talks before; not a number where a run is over before."""
        return sum(time <= 900.0 for time, _, _ in self.paths_at) if self.time >= 900.0 else nan

    @metric("fewest items of a robot", digits=0)
    def fewest(self) -> int:
        """That one robot has delivered."""
        return min(self.per_robot())

    @metric("most items of a robot", digits=0)
    def most(self) -> int:
        """That one robot has delivered."""
        return max(self.per_robot())

    @metric("length of a path", unit="m", better="less")
    def path_length(self) -> float:
        """In the end: mean over the robots that have one."""
        return sum(self.lengths.values()) / len(self.lengths) if self.lengths else nan

    @metric("length of a path over the shortest", digits=2, better="less")
    def over_shortest(self) -> float:
        """The same, over the length of the shortest path that there is."""
        return self.path_length() / self.shortest() if self.lengths else nan

    @metric("round trip", unit="s", digits=0, better="less")
    def round_trip_s(self) -> float:
        """From delivery to delivery of the same robot: mean."""
        times: defaultdict[int, list[float]] = defaultdict(list)
        for time, robot in self.deliveries_at:
            times[robot].append(time)
        trips = sum(len(each) - 1 for each in times.values())
        return sum(each[-1] - each[0] for each in times.values()) / trips if trips else nan

    @metric("exchanges", digits=0)
    def completed(self) -> int:
        """Completed by both robots, as far as they know; each counts once."""
        return len(self.exchanges)

    @metric("time of an attempt to talk", unit="s", digits=2, better="less")
    def talk_s(self) -> float:
        """That a robot stood for it; mean over completed and failed ones."""
        return self.talked_s / self.attempts if self.attempts else nan

    @metric("time of talk", unit="%", digits=2, better="less")
    def talking(self) -> float:
        """Of the time of all robots."""
        return self.talked_s / (self.robots * self.time) if self.time else nan

    @metric("paths taken from others that changed something", unit="%")
    def changing(self) -> float:
        """Of those that a robot with a path of its own was sent."""
        all_shares = sum(self.shares.values())
        return 1.0 - self.shares["same"] / all_shares if all_shares else nan

    @metric("meetings", digits=0, better="less")
    def met(self) -> int:
        """How often a robot has made way for another one."""
        return self.meetings

    @metric("times that an obstacle stopped a robot", digits=0, better="less", rare=True)
    def stopped(self) -> int:
        """Where it had heard nobody."""
        return self.obstacles

    @metric("time of making way", unit="%", better="less")
    def yielding(self) -> float:
        """Of the time of all robots."""
        return self.yielded_s / (self.robots * self.time) if self.time else nan

    @metric("time of waiting for who is ahead", unit="%", better="less")
    def waiting(self) -> float:
        """Of the time of all robots; without traffic management nobody waits, but makes way."""
        return self.waited_s / (self.robots * self.time) if self.time else nan

    @metric("meetings per metre of path and hour", digits=2, better="less")
    def meetings_per_metre(self) -> float:
        """Times that robots made way, over the mean length of a path in the end."""
        hours = self.time / 3600.0
        return self.meetings / (self.path_length() * hours) if self.lengths and hours else nan

    def per_robot(self) -> list[int]:
        """How many items each robot has delivered, robot 1 first."""
        counts = dict.fromkeys(range(1, self.robots + 1), 0)
        for _, robot in self.deliveries_at:
            counts[robot] += 1
        return list(counts.values())

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """Over time: items delivered, robots with a path, the mean length of paths, exchanges, and meetings."""
        return {
            "delivered": _counted([time for time, _ in self.deliveries_at]),
            "with_path": _counted([time for time, _, _ in self.paths_at]),
            "path_length": self.length_at,
            "exchanges": _counted([time for time, _, _ in self.exchanges]),
            "meetings": _counted(self.meetings_at),
        }

    def _until(self, arrivals: Sequence[tuple[float, int]], number: int) -> float:
        return arrivals[number - 1][0] if len(arrivals) >= number else self.duration


class DeliveryLog(TimedTransducer):
    """Keeps who has delivered each item, and when.

    Ports:
        delivered: items at the destination
    """

    delivered = In(Delivered)

    def __init__(self, name: str, duration: float) -> None:
        super().__init__(name, duration)
        self.rows: list[tuple[float, int, int]] = []

    def deltext(self, e: float) -> None:
        """Write it down."""
        super().deltext(e)
        self.rows += [(self.time, each.robot, each.number) for each in self.delivered.values]

    def series(self) -> dict[str, Sequence[float]]:
        """One row an item: when (s), which robot, and its how many it was."""
        columns = list(zip(*self.rows, strict=True)) or [(), (), ()]
        return dict(zip(("time_s", "robot", "number"), columns, strict=True))


class PathMap(TimedTransducer):
    """Keeps each robot's path as it is in the end, and how many there are that are not alike.

    Ports:
        one per robot, ``route1``, ``route2`` and so on: its path

    Args:
        robots: how many there are
        duration: of the observation (s)
    """

    def __init__(self, name: str, robots: int, duration: float) -> None:
        super().__init__(name, duration)
        self.routes = {robot: Port(Route, f"route{robot}") for robot in range(1, robots + 1)}
        for port in self.routes.values():
            self.add_in_port(port)
        self.paths: dict[int, Waypoints] = {}

    def deltext(self, e: float) -> None:
        """Keep the last one."""
        super().deltext(e)
        for robot, port in self.routes.items():
            for route in port.values:
                self.paths[robot] = route.points

    @metric("distinct paths in the end", digits=0)
    def distinct(self) -> int:
        """Two are one where they are nowhere more than 1 m apart."""
        kept: list[Waypoints] = []
        for _, path in sorted(self.paths.items()):
            if not any(alike(path, other) for other in kept):
                kept.append(path)
        return len(kept)

    @metric("shortest path of a robot", unit="m", better="less")
    def least(self) -> float:
        """In the end."""
        return min(map(length, self.paths.values()), default=nan)


def alike(one: Waypoints, other: Waypoints) -> bool:
    """Whether each point of either path is within 1 m of the other one."""
    return all(
        min(_from_way(point, start, end) for start, end in pairwise(path)) <= APART
        for points, path in ((one, other), (other, one))
        for point in points
    )


def _from_way(place: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    return point_to_segment(*place, *start, *end)


def _counted(times: Sequence[float]) -> list[tuple[float, float]]:
    return [(0.0, 0.0), *((time, float(number)) for number, time in enumerate(times, 1))]
