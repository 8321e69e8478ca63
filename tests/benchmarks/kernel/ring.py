"""The sparse ring: one token goes round, so that in each step one model is imminent and one receives.

The same ring three times: with declared ports, for xdevs, and as SimPy processes.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from simpy import Environment, Event, Store
from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, Coupled, In, Out

HOLD_S = 1.0
Root = TypeVar("Root", bound=XdevsCoupled)


class Holding:
    """What a station does, whatever its ports are."""

    came: Any
    sent: Any
    has_token = False

    def initialize(self: Any) -> None:
        if self.has_token:
            self.hold_in("holding", HOLD_S)

    def exit(self) -> None:
        pass

    def lambdaf(self) -> None:
        self.sent.add(0)

    def deltint(self: Any) -> None:
        self.passivate()

    def deltext(self: Any, e: float) -> None:
        self.hold_in("holding", HOLD_S)


class Station(Holding, Atomic):
    came = In(int)
    sent = Out(int)


class XdevsStation(Holding, XdevsAtomic):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.came = XdevsPort(int, "came")
        self.sent = XdevsPort(int, "sent")
        self.add_in_port(self.came)
        self.add_out_port(self.sent)


def ring_of(stations: int) -> Coupled:
    """The ring with declared ports."""
    return _closed(Coupled("ring"), [Station(f"station{i}") for i in range(stations)])


def xdevs_ring_of(stations: int) -> XdevsCoupled:
    """The ring as an xdevs user writes it."""
    return _closed(XdevsCoupled("ring"), [XdevsStation(f"station{i}") for i in range(stations)])


def _closed(ring: Root, stations: list[Any]) -> Root:
    stations[0].has_token = True
    for station in stations:
        ring.add_component(station)
    for station, following in zip(stations, stations[1:] + stations[:1], strict=True):
        ring.add_coupling(station.sent, following.came)
    return ring


Process = Generator[Event, Any, None]


def simpy_ring_of(stations: int, environment: Environment) -> list[Process]:
    """The ring as SimPy processes that have yet to be started."""
    inboxes = [Store(environment) for _ in range(stations)]
    tokens = [0, *[None] * (stations - 1)]
    return [
        _station(environment, inbox, following, token)
        for inbox, following, token in zip(inboxes, inboxes[1:] + inboxes[:1], tokens, strict=True)
    ]


def _station(environment: Environment, inbox: Store, following: Store, token: int | None) -> Process:
    if token is None:
        token = yield inbox.get()
    while True:
        yield environment.timeout(HOLD_S)
        following.put(token)
        token = yield inbox.get()
