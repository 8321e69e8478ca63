"""Clocks: how simulated time keeps step with another time, or with none.

The simulator knows no clock, and a clock knows no model: fast and real-time runs differ in their clock alone.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf, isfinite
from threading import Event
from typing import Any

from devs_robotics.core.errors import DevsRoboticsError

LONGEST_WAIT = 0.1
"""Longest wait on a clock (real s), whatever the rate; then a run can be ended."""


class Clock(ABC):
    """What tells a run how far it may go, and lets it wait.

    Attributes:
        rate: simulated seconds per real second
        is_real: whether it goes on by itself, as real time does
        can_stand: whether `set_back` works, since no other process uses this time
    """

    rate: float = 1.0
    is_real: bool = False
    can_stand: bool = False

    @abstractmethod
    def start(self, time: float = 0.0) -> None:
        """The run begins now, at this simulated time (s)."""

    @abstractmethod
    def now(self) -> float:
        """Simulated time up to which events are due (s)."""

    @abstractmethod
    def wait(self, until: float) -> None:
        """Wait until a simulated time (s), or until `wake` is called, or not at all if it was called before.

        A clock may end the wait earlier.
        """

    @abstractmethod
    def wake(self) -> None:
        """End a wait; may be called by any thread."""

    def set_back(self, by: float) -> None:
        """Set the clock back (simulated s): what was lost of the time does not count."""
        raise DevsRoboticsError(f"a {type(self).__name__} cannot be set back")

    def stand(self) -> None:
        """Show the same time from now on, until `resume`; what passes meanwhile does not count."""
        raise DevsRoboticsError(f"a {type(self).__name__} cannot stand still")

    def resume(self) -> None:
        """Go on after `stand`; a clock that has not stood still is left alone."""
        return


class FastClock(Clock):
    """No waiting: everything is due at once, and only what comes from outside is waited for."""

    def __init__(self) -> None:
        self._woken = Event()

    def start(self, time: float = 0.0) -> None:
        """Nothing to do."""

    def now(self) -> float:
        """Infinite: every event is due."""
        return inf

    def wait(self, until: float) -> None:
        """Wait until woken, whatever the time, but no longer than `LONGEST_WAIT`."""
        if self._woken.wait(LONGEST_WAIT):
            self._woken.clear()

    def wake(self) -> None:
        """End the wait."""
        self._woken.set()


class WallClock(Clock):
    """Real time, from the start of the run on; its deadlines are absolute, so that it never drifts.

    Args:
        rate: simulated seconds per real second

    Raises:
        DevsRoboticsError: the rate is not a positive number
    """

    is_real = True
    can_stand = True

    def __init__(self, rate: float = 1.0) -> None:
        given: Any = rate
        if not (isinstance(given, int | float) and 0.0 < given < inf):
            raise DevsRoboticsError(f"a clock cannot run at the rate {given!r}: give a positive number")
        self.rate = float(given)
        self._woken = Event()
        self._zero = time.monotonic()
        self._stands: float | None = None
        """Simulated time that it shows while it stands (s)."""

    def start(self, time: float = 0.0) -> None:
        """The run begins now, at this simulated time (s)."""
        self.start_at(_monotonic(), time)

    def start_at(self, monotonic: float, time: float = 0.0) -> None:
        """The run began, or begins, when `time.monotonic()` is `monotonic`, at a simulated time (s)."""
        self._zero = monotonic - time / self.rate

    def now(self) -> float:
        """Simulated time that it is now (s)."""
        stands = self._stands
        return (time.monotonic() - self._zero) * self.rate if stands is None else stands

    def wait(self, until: float) -> None:
        """Wait until a simulated time, or until woken, but no longer than `LONGEST_WAIT`."""
        left = (until - self.now()) / self.rate
        if self._woken.wait(min(max(0.0, left), LONGEST_WAIT)):
            self._woken.clear()

    def wake(self) -> None:
        """End the wait."""
        self._woken.set()

    def set_back(self, by: float) -> None:
        """Set it back; its deadlines come later by that."""
        if self._stands is None:
            self._zero += by / self.rate
        else:
            self._stands -= by

    def stand(self) -> None:
        """Show the same time until `resume`."""
        self._stands = self.now()

    def resume(self) -> None:
        """Go on from the time that it has shown."""
        if self._stands is not None:
            self.start(self._stands)  # other threads still see it stand
            self._stands = None

    def change_rate(self, rate: float) -> None:
        """Go on at another rate (simulated seconds per real second)."""
        now = self.now()
        self.rate = rate
        if self._stands is None:
            self.start(now)


class PacedClock(WallClock):
    """A clock of runs that wait for nobody, but may be slowed down so that people can follow; nothing is ever late.

    Args:
        pace: simulated seconds per real second; infinite: as fast as the events allow

    Attributes:
        pace: the same
    """

    is_real = False

    def __init__(self, pace: float = inf) -> None:
        super().__init__(1.0 if pace == inf else pace)
        self.pace = pace
        self._is_standing = False

    def now(self) -> float:
        """Simulated time that it is now (s); infinite while nothing slows it down."""
        return inf if self.pace == inf else super().now()

    def set_pace(self, pace: float, time: float) -> None:
        """Go on at another pace, at a simulated time (s)."""
        self.pace = pace
        if pace < inf:
            self.rate, self._stands = pace, None
            self.start(time)
            if self._is_standing:
                super().stand()

    def stand(self) -> None:
        """Show the same time until `resume`."""
        self._is_standing = True
        if self.pace < inf:
            super().stand()

    def resume(self) -> None:
        """Go on from the time that it has shown."""
        self._is_standing = False
        super().resume()


class HandClock(Clock):
    """A clock that a test drives: waiting takes no time, and what was planned happens on the way.

    Args:
        oversleep: how much later than asked each wait ends (s)
    """

    can_stand = True

    def __init__(self, oversleep: float = 0.0) -> None:
        self.oversleep = oversleep
        self._now = 0.0
        self._numbers = count()
        self._plan: list[tuple[float, int, Callable[[], None]]] = []
        self._woken = False
        self._stands: float | None = None
        """Simulated time that it shows while it stands (s); what was planned goes on to happen."""

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Have something happen at a simulated time (s), such as a packet arriving; in order, and once."""
        heappush(self._plan, (time, next(self._numbers), action))

    def start(self, time: float = 0.0) -> None:
        """The run begins at this simulated time (s)."""
        self._now = time

    def now(self) -> float:
        """Where the waits have led to (s)."""
        return self._now if self._stands is None else self._stands

    def wait(self, until: float) -> None:
        """Go on to the time, or to the first planned action that wakes, whichever comes first."""
        until += 0.0 if self._stands is None else self._now - self._stands
        while self._plan and self._plan[0][0] <= until and not self._woken:
            time, _, action = heappop(self._plan)
            self._now = max(self._now, time)
            action()
        if not self._woken and isfinite(until):
            self._now = max(self._now, until + self.oversleep)
        self._woken = False

    def wake(self) -> None:
        """End the wait in which a planned action was carried out."""
        self._woken = True

    def set_back(self, by: float) -> None:
        """Set it back (s)."""
        if self._stands is None:
            self._now -= by
        else:
            self._stands -= by

    def stand(self) -> None:
        """Show the same time until `resume`."""
        self._stands = self._now

    def resume(self) -> None:
        """Go on from the time that it has shown."""
        if self._stands is not None:
            self._now, self._stands = self._stands, None

    def go_on(self, by: float) -> None:
        """Have time pass (s) in which the run did not: in an action, this is a host that is held up."""
        self._now += by


_monotonic = time.monotonic
"""Under a name of its own where a parameter is called `time`."""
