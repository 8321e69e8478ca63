"""Another process of a distributed run, as an atomic model in this one."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Mapping
from math import inf, isfinite
from typing import Any

import msgspec

from devs_robotics.core.distribution.delivery import Inbox, Outbox
from devs_robotics.core.distribution.session import Session
from devs_robotics.core.distribution.wire import (
    LARGEST_MESSAGE,
    Beat,
    Codec,
    StepValues,
    UnfitForWireError,
    decode_message,
)
from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic
from devs_robotics.core.ports import In, Out, Port, add_port, component_path
from devs_robotics.core.realtime.transport import Link, Packet
from devs_robotics.core.robots.device import Fault

Fits = Callable[[str, Any], bool]
"""Whether a value is one that may come from the port of this name."""

Bags = list[tuple[Port[Any], tuple[Any, ...]]]


class Peer(Atomic):
    """Takes the values that go to another process, and gives those that come from it.

    What models send in one step crosses as one message and arrives in one step; messages arrive in the order in which
    they were sent. Those that are lost are asked for again; if they cannot be had, or if nothing is heard of the other
    process for the session's patience, there is a `fault`, and nothing more after it.

    Args:
        session: as this process sees it
        there: name of the other process
        title: what the other process is, for people
        sends: what goes there: types by name; each becomes an input port
        receives: what comes from there, likewise; each becomes an output port
        fits: judges each value that comes; it must be picklable if the model is to be

    Attributes:
        sends, receives: these ports, by name
        dropped: what came and was not valid: how many, by what was wrong
        delays: for each message that came, time from its sending to its delivery (s, simulated, by both clocks)
    """

    outgoing = Out(Packet)
    incoming: In[Packet | Link] = In(Packet | Link)
    fault = Out(Fault)

    def __init__(
        self,
        name: str,
        session: Session,
        there: str,
        title: str,
        sends: Mapping[str, Any],
        receives: Mapping[str, Any],
        fits: Fits,
    ) -> None:
        super().__init__(name)
        self.session = session
        self.there = there
        self.title = title
        self.sends = {name: Port(p_type, name) for name, p_type in sends.items()}
        self.receives = {name: Port(p_type, name) for name, p_type in receives.items()}
        self.dropped: dict[str, int] = {}
        self.delays = array("d")
        for port in self.sends.values():
            add_port(self, port, "in")
        for port in self.receives.values():
            add_port(self, port, "out")
        self._writers = {name: Codec(port) for name, port in self.sends.items()}
        self._readers = {name: Codec(port) for name, port in self.receives.items()}
        self._fits = fits
        self._outbox = Outbox(session.keep)
        self._inbox: Inbox[tuple[float, Bags]] = Inbox(session.keep)
        self._packets: list[Packet] = []
        self._deliveries: deque[Bags] = deque()
        self._fault: Fault | None = None
        self._link_fault = ""
        self._now = 0.0
        self._due = 0.0
        """Simulated time at which the next internal event is due."""

    def silence(self, now: float) -> float:
        """How long nothing has been heard of the other process (s, simulated)."""
        return now - self._heard

    def initialize(self) -> None:
        """Say that this process is there, and expect the same of the other."""
        self._heard = 0.0
        self._progress = 0.0
        """When for the last time a message was delivered, or nothing was missing."""
        self._next_beat = 0.0
        self._wait()

    def deltext(self, e: float) -> None:
        """Take what models here send, and what comes from there."""
        self._now += e
        if self.phase == "failed":
            return
        for content in self.incoming.values:
            if isinstance(content, Link):
                self._take_link(content)
            else:
                self._take(content.data)
        bags = {name: self._writers[name].encode(port.values) for name, port in self.sends.items() if port}
        if bags:
            self._send(bags)
        self._wait()

    def lambdaf(self) -> None:
        """Send, deliver one message, or fail."""
        for packet in self._packets:
            self.outgoing.add(packet)
        if self._deliveries:
            for port, values in self._deliveries[0]:
                for value in values:
                    port.add(value)
        if self._fault is not None:
            self.fault.add(self._fault)

    def deltint(self) -> None:
        """Go on to what is due next."""
        self._now = max(self._now, self._due)
        self._packets.clear()
        if self._deliveries:
            self._deliveries.popleft()
        if self._fault is not None:
            self._fault = None
            self.passivate("failed")
            return
        if self._now >= self._next_beat:
            self._beat()
        self._check()
        self._wait()

    def _wait(self) -> None:
        if self._packets or self._deliveries or self._fault is not None:
            self._due = self._now
        else:
            self._due = max(self._now, min(self._next_beat, self._last_moment()))
        self.hold_in("coupled", self._due - self._now)

    def _last_moment(self) -> float:
        """When the other process has failed, unless it is heard of."""
        patience = self.session.patience * self.session.rate
        return min(self._heard, self._progress if self._inbox.incomplete else inf) + patience

    def _check(self) -> None:
        if self._now < self._last_moment():
            return
        patience = f"{self.session.patience:g} s"
        if self._inbox.incomplete and self._heard > self._progress:
            missing = self._inbox.announced - self._inbox.received
            what = "a message" if missing == 1 else f"{missing} messages"
            self._fail(f"{what} of {self.title} did not come in a valid form, although asked for again for {patience}")
        else:
            self._fail(f"{self.title} has not been heard of for {patience}")

    def _fail(self, what: str) -> None:
        why = f" ({self._link_fault})" if self._link_fault else ""
        self._fault = Fault(0, f"{what}: see whether it still runs and can reach the broker{why}")

    def _send(self, bags: dict[str, msgspec.Raw]) -> None:
        session = self.session
        data = msgspec.msgpack.encode(
            StepValues(run=session.run, sender=session.here, number=self._outbox.sent + 1, time=self._now, bags=bags)
        )
        if len(data) > LARGEST_MESSAGE:
            raise ModelError(
                f"{component_path(self)} cannot send {len(data)} bytes at once to {self.title} ({', '.join(bags)}): "
                f"send at most {LARGEST_MESSAGE}"
            )
        self._outbox.add(data)
        self._packets.append(Packet(data))

    def _beat(self) -> None:
        """Tell how far both directions have got, and ask for what is missing."""
        session, inbox = self.session, self._inbox
        beat = Beat(
            run=session.run,
            sender=session.here,
            sent=self._outbox.sent,
            received=inbox.received,
            again=inbox.incomplete,
        )
        self._packets.append(Packet(msgspec.msgpack.encode(beat)))
        self._next_beat = self._now + session.beat * session.rate

    def _take_link(self, link: Link) -> None:
        self._link_fault = "" if link.up else link.reason
        if link.up:
            self._next_beat = self._now

    def _take(self, data: bytes) -> None:
        try:
            message = decode_message(data)
            self._check_origin(message)
            if isinstance(message, Beat):
                self._take_beat(message)
            else:
                self._take_values(message)
        except UnfitForWireError as exc:
            self.dropped[exc.kind] = self.dropped.get(exc.kind, 0) + 1
            return
        self._heard = self._now

    def _check_origin(self, message: StepValues | Beat) -> None:
        if message.run != self.session.run:
            raise UnfitForWireError("run")
        if message.sender != self.there:
            raise UnfitForWireError("sender")

    def _take_beat(self, beat: Beat) -> None:
        if beat.received > self._outbox.sent:
            raise UnfitForWireError("number")
        self._outbox.confirm(beat.received)
        if beat.again:
            missing = self._outbox.after(beat.received)
            if missing is None:
                self._fail(f"{self.title} asks for messages that are no longer kept here")
            else:
                self._packets += [Packet(data) for data in missing]
        self._expect(beat.sent)

    def _take_values(self, message: StepValues) -> None:
        if not isfinite(message.time):
            raise UnfitForWireError("time")
        bags: Bags = []
        for name, raw in message.bags.items():
            if name not in self.receives:
                raise UnfitForWireError("port")
            values = self._readers[name].decode(raw)
            if not all(self._fits(name, value) for value in values):
                raise UnfitForWireError("value")
            bags.append((self.receives[name], values))
        for time, due in self._inbox.take(message.number, (message.time, bags)):
            self.delays.append(self._now - time)
            self._deliveries.append(due)
            self._progress = self._now
        self._expect(message.number)

    def _expect(self, sent: int) -> None:
        """Take note that `sent` messages have been sent; if some of it is news and missing, ask for it at once."""
        complete = not self._inbox.incomplete
        self._inbox.announce(sent)
        if complete:
            self._progress = self._now
            if self._inbox.incomplete:
                self._next_beat = self._now
