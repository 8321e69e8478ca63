"""The watchdog of a run: when the models do not keep up with the clock, robots are told to stand still.

Models are late when they compute for long, when events come faster than they can be handled, and when the process did
not run at all. Whatever it is, two rules hold:

- What is coupled with the outside and has a stop message is held as soon as the models are `LATENESS_LIMIT` behind, by
  a thread of the watchdog's own if the run's thread is busy; and released when they have caught up.
- The clock goes on for `LATENESS_LIMIT` and then stands still until the release, so that nobody's patience ends for
  what the host has lost. A clock by which other processes go cannot stand still: there the time is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

from devs_robotics.core.realtime.bridge import Bridge
from devs_robotics.core.realtime.clock import Clock

LATENESS_LIMIT = 0.35
"""Lateness of the models above which the bridge is held (real s). A stop that is said then is obeyed within 0.5 s."""

LONGEST_LOOK_PERIOD = 0.05
"""Longest time between two looks of the thread (real s)."""

SHORTEST_LOOK_PERIOD = 0.005
"""Shortest time between two looks of the thread (real s)."""

FLUSH_TIMEOUT = 0.5
"""Longest time that stop messages get to leave before a pause (real s)."""

WORTH_TELLING = 1.0
"""Shortest hold that is told of by itself when it is over (real s); shorter ones after the first are added up."""

HELD_UP_REASON = "its link is not back since this program was held up"


class Watchdog:
    """Holds a bridge while the run does not keep up with its clock; its thread runs while it is entered.

    Args:
        clock: of the run
        bridge: of the run
        tell: gets sentences for people

    Attributes:
        behind: by how much the clock has been set back in this hold (simulated s)
        longest: the longest time in which the run was held up (real s)
    """

    def __init__(self, clock: Clock, bridge: Bridge, tell: Callable[[str], None]) -> None:
        self.behind = 0.0
        self.longest = 0.0
        self._clock = clock
        self._bridge = bridge
        self._tell = tell
        self._lock = Lock()
        self._kept_up = inf
        """Simulated time up to which the models had come when they were last asked; infinite while nobody asks."""
        self._stands_at: float | None = None
        """What the clock shows while there is a hold."""
        self._began: float
        """Where the models were when the hold began (simulated s); there is none before the first."""
        self._pause: Callable[[], None] | None = None
        self._untold: list[float] = []
        self._error: Exception | None = None
        self._ended = Event()
        self._thread: Thread | None = None

    def begin(self) -> None:
        """The clock has started: from now on the models have to keep up."""
        with self._lock:
            self._kept_up = self._clock.now()
            if self._stands_at is not None:
                self._stands_at = self._began = self._kept_up

    def end(self) -> None:
        """The models need not keep up any more."""
        with self._lock:
            self._kept_up = inf

    def turn(self) -> float:
        """The run's thread begins a turn; returns what time it is (simulated s)."""
        with self._lock:
            if self._error is not None:
                raise self._error
            self._hold_if_late()
            now = self._clock.now()
            if self._stands_at is not None and now > self._stands_at and self._clock.can_stand:
                self._clock.set_back(now - self._stands_at)
                self.behind += now - self._stands_at
                now = self._stands_at
            return now

    def reached(self, due: float, now: float) -> None:
        """The run's thread has come so far: the next event is due then, at this time of its turn (simulated s)."""
        with self._lock:
            self._kept_up = min(due, now)
            if self._stands_at is None or due < now or self._pause is not None:
                return
            self._stands_at = None
            self._bridge.release(HELD_UP_REASON)
        self._over(now)

    def pause(self, then: Callable[[], None]) -> None:
        """Hold, do something in the watchdog's thread, such as stop the process, and release; returns at once.

        It may be called from a signal handler. Where the watchdog has no thread, it is done at once.
        """
        if self._thread is None:
            then()
        elif self._pause is None:
            self._pause = then  # without a lock: the handler may have interrupted who has it

    def look(self) -> None:
        """Hold if it is time to; called again and again by the watchdog's thread."""
        with self._lock:
            self._hold_if_late()
            pause = self._pause
            if pause is not None and self._stands_at is None:
                self._hold(self._clock.now())
        if pause is not None:
            self._bridge.flush(FLUSH_TIMEOUT)
            pause()
            self._pause = None  # which kept the hold

    def __enter__(self) -> Self:
        if self._clock.is_real and self._bridge.can_hold:
            self._thread = Thread(target=self._watch, name="watchdog", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._stands_at is not None:
            self._over(self._clock.now())
        if self._untold:
            times = "once more" if len(self._untold) == 1 else f"{len(self._untold)} more times"
            self._tell(f"this program was held up {times}, for {sum(self._untold):.1f} s in all")

    def _watch(self) -> None:
        while not self._ended.wait(self._until_next_look()):
            try:
                self.look()
            except Exception as exc:  # of somebody's stop message, for instance: it ends the run, in the run's thread
                self._error = exc
                return

    def _until_next_look(self) -> float:
        left = LATENESS_LIMIT - (self._clock.now() - self._kept_up) / self._clock.rate
        return min(max(left, SHORTEST_LOOK_PERIOD), LONGEST_LOOK_PERIOD)

    def _hold_if_late(self) -> None:
        now = self._clock.now()
        if self._stands_at is None and now - self._kept_up > LATENESS_LIMIT * self._clock.rate:
            self._hold(now)

    def _hold(self, now: float) -> None:
        self._began = min(now, self._kept_up)
        self._stands_at = min(now, self._kept_up + LATENESS_LIMIT * self._clock.rate)
        unseen = (now - self._stands_at) / self._clock.rate if self._clock.can_stand else 0.0
        self._bridge.hold(HELD_UP_REASON, unseen=unseen)
        self._clock.wake()

    def _over(self, now: float) -> None:
        """The hold has ended: tell how long it was, if it was long or the first."""
        held_up = (self.behind + now - self._began) / self._clock.rate
        self.behind = 0.0
        if self.longest and held_up < WORTH_TELLING:
            self._untold.append(held_up)
        else:
            stopped = ": its robots were told to stop meanwhile" if self._bridge.can_hold else ""
            self._tell(f"this program was held up for {held_up:.1f} s{stopped}")
        self.longest = max(self.longest, held_up)
