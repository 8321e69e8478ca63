"""What robots do while their sensors are tried: they drive, and ask, watch or do nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from devs_robotics import (
    Actuator,
    Atomic,
    Crossed,
    Encoders,
    Ground,
    Light,
    Obstructed,
    Proximity,
    Sense,
    Sensor,
    TimeOfFlight,
    Watch,
    Wheels,
)
from devs_robotics.core.robots.epuck2.messages import Blobs
from devs_robotics.models.batteries import AskCharge, Charge

Step = tuple[float, Wheels]
"""How long wheels keep their speeds (s), and which."""


class Drives(Atomic):
    """A decision model that gives the wheels one speed after the other, and begins again after the last.

    =========  ==========================  =======================  =========
    phase      time advance                output                   next phase
    =========  ==========================  =======================  =========
    driving    until the first, and then   wheels: the next speeds  driving
               the next speeds; ∞ if
               there are no others
    =========  ==========================  =======================  =========

    Ports:
        wheels: speeds of the two wheels

    Args:
        steps: how long each lasts, and the speeds
        start: of the first of them (s)
    """

    wheels = Actuator(Wheels, Obstructed)

    def __init__(self, name: str, steps: Sequence[Step], start: float = 0.0) -> None:
        super().__init__(name)
        self._start = start
        self._steps = tuple(steps)
        self._next = 0

    def initialize(self) -> None:
        """Wait for the start."""
        self.hold_in("driving", self._start)

    def lambdaf(self) -> None:
        """The next speeds."""
        self.wheels.ask.add(self._steps[self._next][1])

    def deltint(self) -> None:
        """Keep them."""
        seconds = self._steps[self._next][0]
        self._next = (self._next + 1) % len(self._steps)
        self.hold_in("driving", seconds if len(self._steps) > 1 else inf)

    def deltext(self, e: float) -> None:
        """Go on, whatever stands in the way."""
        self.continuef(e)


class Ticks(Atomic):
    """A decision model that wakes at every tick and reads nothing: what a controller costs without sensors.

    ========  ============  ======  =========
    phase     time advance  output  next phase
    ========  ============  ======  =========
    sleeping  a tick                sleeping
    ========  ============  ======  =========

    Args:
        period: of a tick (s)
    """

    def __init__(self, name: str, period: float) -> None:
        super().__init__(name)
        self.period = period

    def initialize(self) -> None:
        """Sleep for a tick."""
        self.hold_in("sleeping", self.period)

    def deltint(self) -> None:
        """Sleep for the next one."""
        self.hold_in("sleeping", self.period)


class Reads(Atomic):
    """A decision model that reads a sensor at every tick; a subclass says which.

    ========  ============  ================  =========
    phase     time advance  output            next phase
    ========  ============  ================  =========
    sleeping  0 at first;   sensor: question  waiting
              then a tick
    waiting   ∞                               sleeping
    ========  ============  ================  =========

    Ports:
        sensor: a question, and what is read

    Args:
        period: of a tick (s)
        keep: whether it remembers what it reads

    Attributes:
        heard: at each tick, if it remembers; otherwise what it has read last
    """

    sensor: Any
    question: Any = Sense()

    def __init__(self, name: str, period: float, *, keep: bool = True) -> None:
        super().__init__(name)
        self.period = period
        self.keep = keep
        self.heard: list[Any] = []

    def initialize(self) -> None:
        """Read at once."""
        self.activate("sleeping")

    def lambdaf(self) -> None:
        """Ask."""
        self.sensor.ask.add(self.question)

    def deltint(self) -> None:
        """Wait for the answer, which comes in the same instant."""
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Take the answer; a battery tells unasked when it is empty."""
        if self.phase != "waiting":
            self.continuef(e)
            return
        if not self.keep:
            self.heard.clear()
        self.heard += self.sensor.answer.values
        self.hold_in("sleeping", self.period)


class ReadsProximity(Reads):
    """Reads proximity sensors."""

    sensor = Sensor(Sense, Proximity)


class ReadsLight(Reads):
    """Reads light sensors."""

    sensor = Sensor(Sense, Light)


class ReadsGround(Reads):
    """Reads ground sensors."""

    sensor = Sensor(Sense, Ground)


class ReadsTimeOfFlight(Reads):
    """Reads a time of flight sensor."""

    sensor = Sensor(Sense, TimeOfFlight)


class ReadsEncoders(Reads):
    """Reads step counters."""

    sensor = Sensor(Sense, Encoders)


class ReadsCamera(Reads):
    """Reads what a camera sees."""

    sensor = Sensor(Sense, Blobs)


class ReadsBattery(Reads):
    """Reads the charge of a battery."""

    sensor = Sensor(AskCharge, Charge)
    question = AskCharge()


class Watches(Atomic):
    """A decision model that has a sensor watched, and hears when what it reads has changed.

    =========  ============  ===============  =========
    phase      time advance  output           next phase
    =========  ============  ===============  =========
    beginning  0             sensor: a watch  waiting
    waiting    ∞
    =========  ============  ===============  =========

    Ports:
        sensor: the watch, and what it tells

    Args:
        watch: that is asked for

    Attributes:
        told: number of messages
    """

    sensor: Any = Sensor(Watch, Crossed)

    def __init__(self, name: str, watch: Any) -> None:
        super().__init__(name)
        self.watch = watch
        self.told = 0

    def initialize(self) -> None:
        """Begin."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Ask for the watch."""
        self.sensor.ask.add(self.watch)

    def deltint(self) -> None:
        """Wait."""
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Hear what is told."""
        self.told += len(list(self.sensor.answer.values))
        self.passivate("waiting")


class WatchesBattery(Watches):
    """Has a level of a battery watched."""

    sensor: Any = Sensor(AskCharge, Charge)
