"""A small model that uses every kind of transition, and its trace."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from devs_robotics import Atomic, Coupled, In, Out, Simulator
from devs_robotics.core.observe import Event, Observer, Recorder


class Call(Struct, frozen=True):
    """What a beacon says."""

    number: int
    loudness: float


class Beacon(Atomic):
    """Calls every two seconds, twice each time."""

    call = Out(Call)
    count = 0

    def initialize(self) -> None:
        self.hold_in("silent", 2.0)

    def lambdaf(self) -> None:
        self.call.add(Call(self.count, inf))
        self.call.add(Call(self.count, 0.5))

    def deltint(self) -> None:
        self.count += 1
        self.hold_in("silent", 2.0)


class Listener(Atomic):
    """Hears, and wakes every three seconds."""

    heard = In(Call)

    def initialize(self) -> None:
        self.hold_in("awake", 3.0)

    def deltint(self) -> None:
        self.hold_in("awake", 3.0)


class Faulty(Listener):
    """Breaks the second time it wakes."""

    woken = 0

    def deltint(self) -> None:
        self.woken += 1
        if self.woken == 2:
            raise ValueError("broken")
        super().deltint()


def pair(listener: type[Listener] = Listener) -> Coupled:
    """A beacon and a listener in a `world`."""
    world, beacon, hears = Coupled("world"), Beacon("beacon"), listener("listener")
    world.add_component(beacon)
    world.add_component(hears)
    world.add_coupling(beacon.call, hears.heard)
    return world


def observe(*observers: Observer, until: float = 12.0) -> None:
    """Run a pair under these observers."""
    with Simulator(pair()) as simulator:
        for observer in observers:
            simulator.attach(observer)
        simulator.run(until=until)


def recorded(until: float = 12.0) -> list[Event]:
    """The trace of a pair."""
    recorder = Recorder()
    observe(recorder, until=until)
    return recorder.events
