"""The bridge: carries packets between the boundary ports of a model and transports."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from threading import Condition
from typing import Any

from msgspec import Struct

from devs_robotics.clock import Clock
from devs_robotics.errors import ModelError
from devs_robotics.ports import Port, port_path
from devs_robotics.simulator import Simulator
from devs_robotics.transport import Arrival, Link, Packet, Transport
from devs_robotics.user_code import user_code

CAPACITY = 10_000
"""So many arrivals may wait for the simulation before their transports are held up."""

PATIENCE = 0.5
"""A transport is held up for so long at most (s of real time); then the oldest arrival is dropped and counted."""


class _End(Struct, frozen=True):
    """Where packets of one pair of boundary ports go to and come from."""

    incoming: Port[Packet | Link]
    transport: Transport
    send_on: str
    listen_on: str
    last_words: Callable[[], Iterable[bytes]] | None


class Bridge:
    """Carries packets between boundary ports of a simulated root model and transports; used by `Run`.

    Args:
        capacity: how many arrivals may wait for the simulation

    Attributes:
        dropped: arrivals that were given up because the simulation did not keep up
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self.dropped = 0
        self._capacity = capacity
        self._outgoing: list[tuple[Port[Packet], _End]] = []
        self._incoming: dict[tuple[int, str], _End] = {}
        self._ends: list[_End] = []
        self._holds = False
        self._told: list[tuple[Port[Packet | Link], Link]] = []
        """Word of links that comes from here, and not from a transport."""
        self._up: set[int] = set()
        """Transports whose links are up."""
        self._transports: list[Transport] = []
        self._inbox: deque[tuple[float, int, Arrival]] = deque()
        self._changed = Condition()
        self._open = False
        self._heard: set[int] = set()
        """Transports whose links have come up, or have been reported as down."""

    def connect(
        self,
        transport: Transport,
        outgoing: Port[Packet] | None,
        incoming: Port[Packet | Link],
        *,
        send_on: str = "",
        listen_on: str = "",
        last_words: Callable[[], Iterable[bytes]] | None = None,
    ) -> None:
        """Couple a pair of boundary ports of the root model with a transport; several pairs may share one.

        Args:
            transport: not yet open
            outgoing: an output port of the root, or None where nothing is ever sent
            incoming: an input port of the root; it also hears of the link
            send_on, listen_on: channels of the transport
            last_words: what to send when the bridge is closed, however the run ends, and when it is to `hold`: to stop
                a robot, for instance
        """
        end = _End(incoming, transport, send_on, listen_on, last_words)
        if transport not in self._transports:
            self._transports.append(transport)
        self._ends.append(end)
        if outgoing is not None:
            self._outgoing.append((outgoing, end))
        self._incoming[self._transports.index(transport), listen_on] = end
        transport.listen(listen_on)

    @property
    def connected(self) -> bool:
        """Whether anything can arrive."""
        return bool(self._transports)

    def open(self, clock: Clock) -> None:
        """Open all transports; what arrives is stamped with the clock's time, and wakes it."""
        self._open = True
        for number, transport in enumerate(self._transports):
            transport.open(lambda arrival, number=number: self._arrived(clock, number, arrival))  # type: ignore[misc]

    def settle(self, patience: float) -> None:
        """Wait until each transport has a link, or says that it has none, but not longer than `patience` (real s)."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._heard) == len(self._transports), patience)

    def collect(self, simulator: Simulator, now: float) -> None:
        """Bring what has arrived by `now` (s) into the model, at the time at which it came."""
        for _ in range(len(self._inbox)):  # what comes meanwhile has to wait: a flood must not hold up the models
            with self._changed:
                at, number, arrival = self._inbox.popleft()
                self._changed.notify()
            if isinstance(arrival.content, Link):
                (self._up.add if arrival.content.up else self._up.discard)(number)
            for port in self._ports(number, arrival):
                simulator.inject(port, arrival.content, at=max(min(at, now), simulator.time))
        for port, link in self._told:
            simulator.inject(port, link, at=max(now, simulator.time))
        self._told.clear()

    def dispatch(self) -> None:
        """Send what the last step put into the boundary ports."""
        for port, end in self._outgoing:
            if not self._is_held(end):
                for packet in port.values:
                    end.transport.send(end.send_on, packet.data)

    def hold(self, reason: str) -> bool:
        """Have all that has last words say them, and take its link as lost until `release`; the rest goes on.

        Returns:
            whether there is anything that has
        """
        self._holds = True
        held = [end for end in self._ends if self._is_held(end)]
        for end in held:
            _say(end)
        self._told += [(end.incoming, Link(up=False, reason=reason)) for end in held]
        return bool(held)

    def release(self) -> None:
        """Go on after `hold`: links that are up are there again."""
        self._told += [
            (end.incoming, Link(up=True))
            for (number, _), end in self._incoming.items()
            if self._is_held(end) and number in self._up
        ]
        self._holds = False

    def close(self, timeout: float = 1.0) -> None:
        """Send the last words, and close all transports, whatever fails meanwhile."""
        with self._changed:
            self._open = False
            self._changed.notify_all()
        with ExitStack() as stack:
            for transport in self._transports:
                stack.callback(transport.close, timeout)
            for end in self._ends:
                stack.callback(_say, end)

    def _is_held(self, end: _End) -> bool:
        return self._holds and end.last_words is not None

    def _ports(self, number: int, arrival: Arrival) -> list[Port[Any]]:
        """The boundary ports that an arrival concerns; word of a link concerns all that use it."""
        if isinstance(arrival.content, Link):
            ends = [end for (transport, _), end in self._incoming.items() if transport == number]
        else:
            ends = [end for end in [self._incoming.get((number, arrival.channel))] if end is not None]
        return [end.incoming for end in ends if not self._is_held(end)]

    def _arrived(self, clock: Clock, number: int, arrival: Arrival) -> None:
        """Take an arrival; called by the transports' threads."""
        at = clock.now()
        with self._changed:
            if len(self._inbox) >= self._capacity:
                self._changed.wait_for(lambda: len(self._inbox) < self._capacity or not self._open, PATIENCE)
                if len(self._inbox) >= self._capacity:
                    self._inbox.popleft()
                    self.dropped += 1
            if not self._open:
                return
            self._inbox.append((at, number, arrival))
            if isinstance(arrival.content, Link):
                self._heard.add(number)
                self._changed.notify_all()
        clock.wake()


def _say(end: _End) -> None:
    if end.last_words is None:
        return
    with user_code(lambda why: ModelError(f"the last words for {port_path(end.incoming)} failed: {why}")):
        said = list(end.last_words())
    for words in said:
        end.transport.send(end.send_on, words)
