"""Runs a simulation in step with a clock, and with what comes from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from xdevs.models import Port as XdevsPort

from devs_robotics.core.garbage import longer_lived_left_alone
from devs_robotics.core.realtime.bridge import Bridge
from devs_robotics.core.realtime.clock import Clock, FastClock
from devs_robotics.core.realtime.lateness import Lateness
from devs_robotics.core.realtime.watchdog import Watchdog
from devs_robotics.core.simulator import Simulator

BATCH = 500
"""Number of steps between two looks at anything else, where nothing is sent and nothing is measured."""

HORIZON = 0.1
"""Longest wait (simulated s); then an interruption is noticed."""

PAUSED = "somebody has paused the run"
"""Why the bridge is held while a run stands still."""


class Run:
    """A simulation, its clock, and its bridge to the outside.

    While the models do not keep up with the clock, a `Watchdog` has robots at the bridge stand still.

    Args:
        simulator: of a root model
        clock: which starts when `until` is called
        bridge: to transports; none means that nothing comes from outside
        lateness: measures each step; none means that none is measured
        patience: how long the start may wait for the links of the bridge (s of real time)
        tell: gets sentences for people: that the run was held up

    Attributes:
        held_up: the longest time in which the run was held up (real s)
        batch: number of steps between two reports, where nothing is sent and nothing is measured
        look_period: longest wait between two reports (real s), if it is less than usual
        stands: whether it stands still
    """

    def __init__(
        self,
        simulator: Simulator,
        clock: Clock | None = None,
        bridge: Bridge | None = None,
        lateness: Lateness | None = None,
        patience: float = 0.0,
        tell: Callable[[str], None] = lambda note: None,
    ) -> None:
        self.simulator = simulator
        self.clock = FastClock() if clock is None else clock
        self.bridge = Bridge() if bridge is None else bridge
        self.lateness = lateness
        self.patience = patience
        self.held_up = 0.0
        self.batch = BATCH
        self.look_period = inf
        self.stands = False
        self._tell = tell
        self._time = simulator.time
        """Simulated time up to which this has run (s)."""
        self._watchdog: Watchdog | None = None

    def until(
        self,
        stop: XdevsPort[Any] | None = None,
        *,
        time: float = inf,
        interrupted: Callable[[], bool] = lambda: False,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        """Run until the root model sends something through `stop`, the time is over, or nothing more can happen.

        The bridge is open meanwhile, and is closed however the run ends, with its stop messages. A second call goes on
        from where the first one ended.

        Args:
            stop: an output port of the root model, or None
            time: of the last events to be handled (s)
            interrupted: asked now and then whether to end early
            report: called now and then

        Raises:
            ModelError, ObserverError: as `Simulator.run` does
            LatenessError: an event was handled too late
        """
        time = self.simulator.end_at(time)
        steps = self.simulator.steps
        self._time = max(self._time, self.simulator.time)
        with longer_lived_left_alone(), self._watched():
            try:
                self.bridge.open(self.clock)
                self.bridge.settle(self.patience)
                self.clock.start(self._time)
                if self._watchdog is not None:
                    self._watchdog.begin()
                # what an earlier step has sent through the port does not count
                while not ((stop and self.simulator.steps > steps) or interrupted()) and self._go_on(stop, time):
                    report()
                self._time = self._come_to(time)
            finally:
                if self._watchdog is not None:
                    self._watchdog.end()
                self.bridge.close()

    def pause(self, then: Callable[[], None]) -> None:
        """Hold the robots at the bridge, do something, such as stop this process, and go on; may come from a signal."""
        if self._watchdog is None:
            then()
        else:
            self._watchdog.pause(then)

    @property
    def now(self) -> float:
        """Simulated time that it is, as far as nothing is still to happen before (s)."""
        now = self.clock.now()
        return self.simulator.time if now == inf else max(self.simulator.time, min(now, self.simulator.next_time))

    def stand(self) -> None:
        """Stand still until `go_on`: the clock stands, and what lives on at the bridge is held, with its stop messages.

        It may be called by `report`. What was due before still happens; the time that passes makes nothing late.

        Raises:
            DevsRoboticsError: the clock cannot stand
        """
        if not self.stands:
            self.clock.stand()
            if self.clock.is_real:  # else what is at the bridge lives by the same clock, and stands too
                self.bridge.rest(PAUSED)
            self.stands = True

    def go_on(self) -> None:
        """Go on after `stand`, with what is left of each motion."""
        if self.stands:
            self.clock.resume()
            self.bridge.wake(PAUSED)
            self.stands = False

    def go_to_next(self) -> None:
        """While it stands: let it be the time of the next event."""
        now, due = self.clock.now(), self.simulator.next_time
        if now < due < inf:
            self.clock.set_back(now - due)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Have a watchdog where something can come from outside, and real time or what is like it goes on meanwhile."""
        if not self.bridge.connected or self.clock.now() == inf:
            yield
            return
        with Watchdog(self.clock, self.bridge, self._tell) as watchdog:
            self._watchdog = watchdog
            try:
                yield
            finally:
                self._watchdog = None
        self.held_up = max(self.held_up, watchdog.longest)

    def _come_to(self, until: float) -> float:
        """Simulated time at which a run has ended that was to last until `until` (s)."""
        now = self.clock.now()
        if now < inf:
            return max(self.simulator.time, min(now, until))
        return until if self.simulator.next_time > until else self.simulator.time

    def _go_on(self, stop: XdevsPort[Any] | None, until: float) -> bool:
        """Do what is due, or wait for it; returns whether there is anything to go on for."""
        simulator, bridge, watchdog = self.simulator, self.bridge, self._watchdog
        now = self.clock.now() if watchdog is None else watchdog.turn()
        bridge.collect(simulator, now if now < inf else self._time)
        due = simulator.next_time
        if watchdog is not None:
            watchdog.reached(due, now)
        if due > until or (due == inf and not bridge.connected):
            return now < until < inf and self._wait(until, now)
        if due <= now and due < inf:  # which it is not where a run without a clock waits for the outside
            self._step(stop, min(now, until))
            return True
        return self._wait(min(due, until), now)

    def _wait(self, until: float, now: float) -> bool:
        self.clock.wait(min(until, now + min(HORIZON, self.look_period * self.clock.rate)))
        return True

    def _step(self, stop: XdevsPort[Any] | None, until: float) -> None:
        """Take one step if it must be looked at, or many."""
        simulator = self.simulator
        if self.lateness is None and not self.bridge.connected:
            simulator.run(until=until, max_steps=self.batch, stop=stop)
            return
        due = simulator.next_time
        simulator.run(until=until, max_steps=1, stop=stop)
        self.bridge.dispatch()
        if self.lateness is not None:
            lost = 0.0 if self._watchdog is None else self._watchdog.behind
            self.lateness.record(due, max(0.0, self.clock.now() + lost - due))
