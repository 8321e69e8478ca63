"""Runs a simulation in step with a clock, and with what comes from outside."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from xdevs.models import Port as XdevsPort

from devs_robotics.bridge import Bridge
from devs_robotics.clock import Clock, FastClock
from devs_robotics.lateness import Lateness
from devs_robotics.simulator import Simulator

BATCH = 500
"""Steps between two looks at anything else, where nothing is sent and nothing is measured."""

HORIZON = 0.1
"""A wait is this long at most (simulated s), so that an interruption is noticed."""


class Run:
    """A simulation, its clock, and its bridge to the outside.

    Args:
        simulator: of a root model
        clock: which starts when `until` is first called
        bridge: to transports; none means that nothing comes from outside
        lateness: measures each step; none means that none is measured
        patience: how long the start may wait for the links of the bridge (s of real time)
    """

    def __init__(
        self,
        simulator: Simulator,
        clock: Clock | None = None,
        bridge: Bridge | None = None,
        lateness: Lateness | None = None,
        patience: float = 0.0,
    ) -> None:
        self.simulator = simulator
        self.clock = FastClock() if clock is None else clock
        self.bridge = Bridge() if bridge is None else bridge
        self.lateness = lateness
        self.patience = patience

    def until(
        self,
        stop: XdevsPort[Any] | None = None,
        *,
        time: float = inf,
        interrupted: Callable[[], bool] = lambda: False,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        """Run until the root model sends something through `stop`, the time is over, or nothing more can happen.

        The bridge is open meanwhile, and is closed however the run ends, with its last words.

        Args:
            stop: an output port of the root model, or None
            time: of the last events to be handled (s)
            interrupted: asked now and then whether to end early
            report: called now and then

        Raises:
            ModelError, ObserverError: as `Simulator.run` does
            LatenessError: an event was handled too late
        """
        try:
            self.bridge.open(self.clock)
            self.bridge.settle(self.patience)
            self.clock.start(self.simulator.time)
            while not (stop or interrupted()) and self._go_on(stop, time):
                report()
        finally:
            self.bridge.close()

    def _go_on(self, stop: XdevsPort[Any] | None, until: float) -> bool:
        """Do what is due, or wait for it; returns whether there is anything to go on for."""
        simulator, bridge = self.simulator, self.bridge
        now = self.clock.now()
        bridge.collect(simulator, now)
        due = simulator.next_time
        if due > until or (due == inf and not bridge.connected):
            return now < until < inf and self._wait(until, now)
        if due <= now:
            self._step(stop, min(now, until))
            return True
        return self._wait(min(due, until), now)

    def _wait(self, until: float, now: float) -> bool:
        self.clock.wait(min(until, now + HORIZON))
        return True

    def _step(self, stop: XdevsPort[Any] | None, until: float) -> None:
        """Take one step if it must be looked at, or many."""
        simulator = self.simulator
        if self.lateness is None and not self.bridge.connected:
            simulator.run(until=until, max_steps=BATCH, stop=stop)
            return
        due = simulator.next_time
        simulator.run(until=until, max_steps=1, stop=stop)
        self.bridge.dispatch()
        if self.lateness is not None:
            self.lateness.record(due, max(0.0, self.clock.now() - due))
