"""What viewers may do to a run: pause it, let it go on, take a step, change its pace."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf, isfinite
from typing import Any

from devs_robotics.core.realtime.clock import PacedClock, WallClock
from devs_robotics.core.realtime.run import Run

SLOWEST, FASTEST = 0.01, 1000.0
"""Bounds of a pace (simulated seconds per real second)."""

REST = 0.02
"""Time between two looks at what viewers want, of a run that waits for them (real s)."""

BEHIND = 0.25
"""Time by which a run that was slowed down may be behind its pace (real s); more is given up."""

STEP = 1 << 20
"""Number of steps after which a step to the next change of a pose is given up."""


def allowed(stage: str, run: Run) -> tuple[tuple[str, ...], str]:
    """What viewers with a token may do to a run, and why they may not pause it, if they may not."""
    if not (run.clock.can_stand or stage == "fast"):
        return (), "the clock of this run is agreed with other processes, and cannot stand: it cannot be paused"
    if stage in ("fast", "realtime") and not run.bridge.connected:
        paced = isinstance(run.clock, WallClock)
        return ("pause", "resume", "step", "pace") if paced else ("pause", "resume", "step"), ""
    return ("pause", "resume"), ""


class Control:
    """Obeys viewers, between two steps of a run.

    Args:
        run: that goes on
        stage: of it
        moved: tells how many poses have changed so far
        sleep: waits so long (real s)
    """

    def __init__(
        self,
        run: Run,
        stage: str,
        moved: Callable[[], Any] = lambda: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.allowed, self.refused = allowed(stage, run)
        self._run = run
        self._moved = moved
        self._sleep = sleep
        self._step_until: tuple[Any, int] | None = None
        """What poses were like when a step to the next change began, and after which step that is given up."""
        self._batch = run.batch
        self._steps = 0
        """Number of the step after which it stands still again."""

    @property
    def pace(self) -> float:
        """Simulated seconds per real second; 0: as fast as the events allow."""
        clock = self._run.clock
        if isinstance(clock, PacedClock):
            return 0.0 if clock.pace == inf else clock.pace
        return clock.rate if clock.is_real else 0.0

    def obey(self, do: str, value: float | str | None) -> str:
        """Do what a viewer wants; returns why not, or nothing."""
        if do not in self.allowed:
            return self.refused or f"this run cannot do {do!r} in its stage"
        run = self._run
        if do == "pause":
            run.stand()
        elif do == "resume":
            self.let_go()
        elif do == "step":
            if not run.stands:
                return "pause the run first, then step"
            run.go_to_next()
            run.batch = 1
            self._steps = run.simulator.steps + 1
            self._step_until = (self._moved(), self._steps + STEP) if value == "pose" else None
        else:
            return self._set_pace(value)
        return ""

    def let_go(self) -> None:
        """Go on, whoever has paused the run."""
        self._run.batch = self._batch
        self._steps = 0
        self._step_until = None
        self._run.go_on()

    def waits(self) -> bool:
        """Whether the run has to wait here; where robots live on, it goes on instead, with a clock that stands."""
        run = self._run
        if not run.stands or (run.bridge.connected and run.clock.is_real):
            return False
        if run.simulator.steps >= self._steps:
            if self._step_until is None:
                return True
            before, last = self._step_until
            if self._moved() != before or run.simulator.steps >= last:
                return True
        elif run.simulator.next_time == inf:
            return True
        run.go_to_next()
        return False

    def rest(self) -> None:
        """Wait a little for what viewers want next."""
        self._sleep(REST)

    def keep_pace(self) -> None:
        """Give up what a run that was slowed down is behind its pace, so that it does not hurry later."""
        clock = self._run.clock
        if isinstance(clock, PacedClock) and clock.pace < inf and not self._run.stands:
            behind = clock.now() - self._run.simulator.next_time
            if behind > BEHIND * clock.pace and isfinite(behind):
                clock.set_back(behind)

    def _set_pace(self, value: float | str | None) -> str:
        clock = self._run.clock
        if isinstance(clock, PacedClock) and value in (0, None):
            clock.set_pace(inf, self._run.simulator.time)
            return ""
        if isinstance(value, str) or value is None or not SLOWEST <= value <= FASTEST:
            return f"a pace is a number from {SLOWEST:g} to {FASTEST:g}, in simulated seconds per real second"
        if isinstance(clock, PacedClock):
            clock.set_pace(float(value), self._run.now)
        elif isinstance(clock, WallClock):
            clock.change_rate(float(value))
        return ""
