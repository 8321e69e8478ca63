"""How watches are looked at: whichever way, what they tell is the same."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from heapq import heappop, heappush
from math import inf
from typing import ClassVar

from devs_robotics import Port
from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.sensing.kinds import kind_of
from devs_robotics.models.environment.sensing.watch import Noticed, StrategyName, Watched
from devs_robotics.models.environment.world import World

Notices = list[tuple[Port[Noticed], Noticed]]


class Strategy(ABC):
    """Looks at watches when it has to.

    Args:
        world: that is watched
        nearby: the neighbours of the bodies; by default, lists of its own

    Attributes:
        nearby: these
        watches: by body, in the order in which they began
        looks: how often a watch was looked at
        needed: how often one had to be looked at, for something might be seen
    """

    name: ClassVar[StrategyName]

    def __init__(self, world: World, nearby: Nearby | None = None) -> None:
        self.world = world
        self.nearby = Nearby(world.field, 2.0 * world.field.largest) if nearby is None else nearby
        self.watches: dict[int, list[Watched]] = {}
        self.looks = 0
        self.needed = 0
        self._due: dict[float, list[Watched]] = {}
        self._times: list[float] = []

    def add(self, watched: Watched) -> Notices:
        """Begin a watch: look at once."""
        self.watches.setdefault(watched.body, []).append(watched)
        return self.look_at([watched])

    def reach(self, watched: Watched) -> float:
        """How far lists of neighbours have to reach for a watch, which may begin now (m)."""
        return watched.outlook.reach

    def take_over(self, watched: Watched) -> None:
        """Go on with a watch that another strategy has begun."""
        self.watches.setdefault(watched.body, []).append(watched)
        watched.wake, watched.quiet = inf, False

    def in_arrays(self, watched: Watched) -> bool:
        """Whether arrays may look at a watch."""
        return kind_of(watched) is not None

    def remove(self, watched: Watched) -> None:
        """End a watch."""
        self.watches[watched.body].remove(watched)
        watched.wake = inf

    def of(self, body: int) -> list[Watched]:
        """The watches of a body."""
        return list(self.watches.get(body, ()))

    def grow(self) -> None:
        """Make room for bodies that have joined; `jumped` then tells where they are."""
        self.nearby.grow()

    def look_out_anew(self) -> list[Watched]:
        """Let all watches look as far as they must for the largest body that there is now; returns them."""
        watches = self.all()
        for watched in watches:
            watched.outlook = watched.watching.question.outlook(self.world)
        return watches

    def all(self) -> list[Watched]:
        """All watches."""
        return [watched for each in self.watches.values() for watched in each]

    def next_time(self) -> float:
        """When the next look is due (s)."""
        times, due = self._times, self._due
        while times:
            time = times[0]
            for watched in due[time]:
                if watched.wake == time:
                    return time
            heappop(times)
            del due[time]
        return inf

    def look(self) -> Notices:
        """Look at all watches that are due now; returns what is told."""
        now = self.world.field.now
        if not self._times or self._times[0] > now:
            return []
        found: list[Watched] = []
        while self._times and self._times[0] <= now:
            time = heappop(self._times)
            found += [watched for watched in self._due.pop(time) if watched.wake == time]
        unique = list(dict.fromkeys(found))
        unique.sort(key=by_order)
        for watched in unique:
            watched.wake = inf
        return self.look_at(unique)

    @abstractmethod
    def look_at(self, watches: list[Watched]) -> Notices:
        """Look at these watches now, and plan their next looks; returns what is told."""

    @abstractmethod
    def changed(self, bodies: Iterable[int]) -> None:
        """These bodies move otherwise from now on."""

    @abstractmethod
    def jumped(self, bodies: Iterable[int]) -> None:
        """These bodies are elsewhere now, or are near to one that is or was."""

    @abstractmethod
    def relisted(self, bodies: Iterable[int]) -> None:
        """The lists of neighbours of these bodies were made anew."""

    def wake(self, watched: Watched, time: float) -> None:
        """Plan the next look at a watch (s); infinite: none. A look that is due now is never put off."""
        if time == watched.wake or watched.wake <= self.world.field.now:
            return
        watched.wake = time
        if time < inf:
            due = self._due.get(time)
            if due is None:
                self._due[time] = [watched]
                heappush(self._times, time)
            else:
                due.append(watched)


def by_order(watched: Watched) -> tuple[int, int]:
    """In which watches are looked at."""
    return watched.order
