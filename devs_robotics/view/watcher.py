"""The observers of a run that viewers have: of what robots say, see and touch, and of fixes of a tracking system.

They are attached when the first viewer wants them, and detached with the last. What they hear stays in a ring: who
looks too seldom misses the oldest, which are counted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from xdevs.models import Atomic, Port

from devs_robotics.core.observe import Observer
from devs_robotics.core.robots.messages import Fix

KEPT = 1000
"""Number of events that wait."""

Item = tuple[object, ...]
"""A kind, a time (s), and what it is, as it was sent; the view makes words of it."""


class Listened(Struct, frozen=True, eq=False):
    """A port whose values viewers are told.

    Attributes:
        port: an output of an atomic model
        told: makes an item of a time (s) and a value; None: nothing is to be told of it
    """

    port: Port[Any]
    told: Callable[[float, Any], Item | None]


class Watcher(Observer):
    """Keeps what was sent through some ports; what it is to people is worked out when somebody takes it.

    Args:
        listened: the ports; who has several hearers is there once for each of them

    Attributes:
        heard: number of values that have come, once for each hearer
    """

    def __init__(self, listened: Iterable[Listened]) -> None:
        self.heard = 0
        self._told: dict[int, list[Callable[[float, Any], Item | None]]] = {}
        for each in listened:
            self._told.setdefault(id(each.port), []).append(each.told)
        self._waiting: deque[tuple[float, Callable[[float, Any], Item | None], Any]] = deque(maxlen=KEPT)
        self._keep = self._waiting.append
        self._taken = 0

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep the values."""
        for told in self._told.get(id(port), ()):
            self.heard += len(values)
            for value in values:
                self._keep((time, told, value))

    def take(self) -> tuple[list[Item], int]:
        """What was heard since this was called last, the oldest first, and how many values are missing."""
        skipped = self.heard - self._taken - len(self._waiting)
        self._taken = self.heard
        items = [item for time, told, value in self._waiting if (item := told(time, value)) is not None]
        self._waiting.clear()
        return items, skipped


class FixWatcher(Observer):
    """Keeps the last fix of each robot.

    Attributes:
        fixes: when it came (s), and the fix, by number of the robot
    """

    def __init__(self) -> None:
        self.fixes: dict[int, tuple[float, Fix]] = {}

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep the fixes."""
        for fix in values:
            if isinstance(fix, Fix):
                self.fixes[fix.robot] = time, fix
