"""The bridge: carries packets between the boundary ports of a model and transports."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from threading import Condition, RLock
from warnings import warn

from msgspec import Struct

from devs_robotics.core.errors import ModelError
from devs_robotics.core.ports import Port, port_path
from devs_robotics.core.realtime.clock import Clock
from devs_robotics.core.realtime.intake import Intake
from devs_robotics.core.realtime.transport import Arrival, HeldLink, Link, LostLink, Packet, Post, Transport
from devs_robotics.core.simulator import Simulator
from devs_robotics.core.user_code import user_code

_logger = logging.getLogger(__name__)

QUEUE_CAPACITY = 10_000
"""Number of arrivals of one link that wait for the simulation at which its transport is held up (back-pressure)."""

BACKPRESSURE_TIMEOUT = 0.5
"""Longest time for which a transport is held up (real s); then the oldest arrival is dropped and counted."""


class _End(Struct, eq=False):
    """Where packets of one pair of boundary ports go to and come from."""

    number: int
    """Of the transport."""
    incoming: Port[Packet | Link]
    transport: Transport
    send_on: str
    stop_message: Callable[[], Iterable[bytes]] | None
    intake: Intake
    by_channel: bool = False
    """Whether its packets say on which channel they come and go."""
    farewell: Callable[[], Iterable[Post]] | None = None
    is_lost: bool = False
    """Whether it is given up for the rest of the run."""


class Bridge:
    """Carries packets between boundary ports of a simulated root model and transports; used by `Run`.

    What comes in waits in one queue for each link, and each link has its turn: one that sends more than this host can
    read holds nobody up but itself. If it has a stop message, that is sent and the link is given up; of the others
    the oldest packets are dropped.

    `hold` and `release` may be called by any thread.

    Args:
        capacity: how many arrivals of one link may wait for the simulation

    Attributes:
        dropped: arrivals that were given up because the simulation did not keep up
    """

    def __init__(self, capacity: int = QUEUE_CAPACITY) -> None:
        self.dropped = 0
        self._capacity = capacity
        self._outgoing: list[tuple[Port[Packet], _End]] = []
        self._incoming: dict[tuple[int, str], _End] = {}
        self._ends: list[_End] = []
        self._transports: list[Transport] = []
        self._users: list[int] = []
        """How many ends each transport serves."""
        self._sending = RLock()
        """So that nothing goes out after the stop message of what is held."""
        self._holds: dict[str, None] = {}
        """Why there is a hold."""
        self._rests = False
        """Whether packets that come are dropped, since the run stands still."""
        self._told: list[tuple[_End, Link]] = []
        """Link messages that come from here, and not from a transport."""
        self._looked_at = 0.0
        """When arrivals were collected for the last time (simulated s)."""
        self._changed = Condition()
        self._waiting: dict[_End, None] = {}
        """Ends for which something has come."""
        self._open = False
        self._up: set[int] = set()
        """Transports whose links are up."""
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
        stop_message: Callable[[], Iterable[bytes]] | None = None,
        last_words: Callable[[], Iterable[bytes]] | None = None,
    ) -> None:
        """Couple a pair of boundary ports of the root model with a transport; several pairs may share one.

        Args:
            transport: not yet open
            outgoing: an output port of the root, or None where nothing is ever sent
            incoming: an input port of the root; it also hears of the link
            send_on, listen_on: channels of the transport
            stop_message: gives what to send when the bridge is closed, however the run ends, and when it is to `hold`:
                what stops a robot, for instance; called by any thread
            last_words: former name of `stop_message`
        """
        if last_words is not None:
            warn("`last_words` of Bridge.connect is now called `stop_message`: rename it", DeprecationWarning, 2)
            stop_message = last_words
        number = self._number(transport)
        intake = Intake(self._capacity, is_stream=transport.is_stream)
        end = _End(number, incoming, transport, send_on, stop_message, intake)
        self._ends.append(end)
        if outgoing is not None:
            self._outgoing.append((outgoing, end))
        self._incoming[number, listen_on] = end
        transport.listen(listen_on)

    def connect_channels(
        self,
        transport: Transport,
        outgoing: Port[Packet],
        incoming: Port[Packet | Link],
        channels: Sequence[str],
        *,
        farewell: Callable[[], Iterable[Post]] | None = None,
    ) -> None:
        """Couple a pair of boundary ports with many channels of a transport: what comes and goes is a `Post`.

        Args:
            transport: not yet open
            outgoing: an output port of the root; packets in it that are no `Post` go to the empty channel
            incoming: an input port of the root; it also hears of the link
            channels: on which it listens
            farewell: what is sent when the bridge is closed, however the run ends
        """
        number = self._number(transport)
        intake = Intake(self._capacity, is_stream=False)
        end = _End(number, incoming, transport, "", None, intake, by_channel=True, farewell=farewell)
        self._ends.append(end)
        self._outgoing.append((outgoing, end))
        for channel in channels:
            self._incoming[number, channel] = end
            transport.listen(channel)

    def _number(self, transport: Transport) -> int:
        """The number of a transport, which has one end more now."""
        if transport not in self._transports:
            self._transports.append(transport)
            self._users.append(0)
        number = self._transports.index(transport)
        self._users[number] += 1
        return number

    @property
    def connected(self) -> bool:
        """Whether anything can arrive."""
        return bool(self._transports)

    @property
    def can_hold(self) -> bool:
        """Whether there is anything that has a stop message."""
        return any(end.stop_message is not None for end in self._ends)

    def open(self, clock: Clock) -> None:
        """Open all transports; what arrives is stamped with the clock's time, and wakes it."""
        self._holds.clear()
        self._rests = False
        self._told.clear()
        self._looked_at = 0.0
        with self._changed:
            self._up.clear()
            self._heard.clear()
            self._waiting.clear()
            for end in self._ends:
                end.intake.clear()
                end.is_lost = False
            self._open = True
        for number, transport in enumerate(self._transports):
            transport.open(lambda arrival, number=number: self._arrived(clock, number, arrival))  # type: ignore[misc]

    def settle(self, patience: float) -> None:
        """Wait until each transport has a link, or says that it has none, but not longer than `patience` (real s)."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._heard) == len(self._transports), patience)

    def collect(self, simulator: Simulator, now: float) -> None:
        """Bring what has arrived by `now` (s) into the model, at the time at which it came; of each link only a bit."""
        if self._told:
            with self._sending:
                told, self._told = self._told, []
            for end, link in told:  # when it was said, so before all that came after it
                simulator.inject(end.incoming, link, at=max(self._looked_at, simulator.time))
        if self._waiting:
            for end in list(self._waiting):
                self._collect_from(end, simulator, now)
        self._looked_at = now

    def dispatch(self) -> None:
        """Send what the last step put into the boundary ports."""
        with self._sending:
            for port, end in self._outgoing:
                if port and not self._is_held(end):
                    for packet in port.values:
                        if isinstance(packet, Post):
                            end.transport.post(packet)
                        else:
                            end.transport.send(end.send_on, packet.data)

    def hold(self, reason: str, *, unseen: float = 0.0) -> bool:
        """Send all stop messages, and take the links that have one as lost until `release`; the rest goes on.

        Args:
            reason: for people; there may be several at once
            unseen: time for which nobody has controlled what is held, and which no clock shows (s)

        Returns:
            whether there is anything that has
        """
        with self._sending:
            is_news = not self._holds
            self._holds[reason] = None
            held = [end for end in self._ends if self._is_held(end)]
            if is_news:
                self._told += [(end, HeldLink(False, reason, unseen)) for end in held]
            _stop_all(held)
        return bool(held)

    def release(self, reason: str = "") -> None:
        """Go on after `hold`, unless it has other reasons than this: links that are up are there again.

        Args:
            reason: the same as that of the hold; every one if it is empty
        """
        with self._sending:
            before = len(self._holds)
            if reason:
                self._holds.pop(reason, None)
            else:
                self._holds.clear()
            if before and not self._holds:
                self._told += [(end, Link(up=True)) for end in self._ends if self._is_there_again(end)]

    def rest(self, reason: str) -> None:
        """Hold, as `hold` does, while the run stands still; packets that come meanwhile are of use to nobody."""
        self.hold(reason)
        self._rests = True

    def wake(self, reason: str) -> None:
        """Release what `rest` holds."""
        self._rests = False
        self.release(reason)

    def flush(self, timeout: float) -> None:
        """Wait until stop messages that were sent have left: for each transport no longer than `timeout` (real s)."""
        for end in self._ends:
            if end.stop_message is not None:
                end.transport.flush(timeout)

    def close(self, timeout: float = 1.0) -> None:
        """Send the stop messages, and close all transports, whatever fails meanwhile."""
        with self._changed:
            self._open = False
            self._changed.notify_all()
        with ExitStack() as stack:
            for transport in self._transports:
                stack.callback(transport.close, timeout)
            for end in self._ends:
                if end.farewell is not None:
                    stack.callback(_bid_farewell, end.transport, end.farewell)
            _stop_all(self._ends)

    def _is_held(self, end: _End) -> bool:
        return bool(self._holds) and end.stop_message is not None

    def _is_there_again(self, end: _End) -> bool:
        """Whether the link of what was held is up; what came before is too old."""
        if end.stop_message is None:
            return False
        with self._changed:
            end.intake.drop()
            self._waiting.pop(end, None)
            self._changed.notify_all()
            return end.number in self._up and not end.is_lost

    def _collect_from(self, end: _End, simulator: Simulator, now: float) -> None:
        with self._sending:  # a hold may come at any time
            if self._is_held(end):
                return
            with self._changed:
                batches = end.intake.take(simulator.time, now)
                if not end.intake:
                    del self._waiting[end]
                self._changed.notify_all()
            for batch in batches:
                simulator.inject(end.incoming, *batch.contents, at=batch.at)
        if end.stop_message is not None and end.intake.is_over_budget:
            self._give_up(end, simulator, now)

    def _give_up(self, end: _End, simulator: Simulator, now: float) -> None:
        """Hear no more of what sends more than can be read."""
        with self._changed:
            stretch = end.intake.stretch
            end.is_lost = True
            end.intake.clear()
            self._waiting.pop(end, None)
        reason = (
            f"sends faster than this program can read ({1e-6 * stretch:.1f} MB without a pause): "
            "see what it sends, and whether somebody else writes in its name"
        )
        simulator.inject(end.incoming, LostLink(up=False, reason=reason), at=max(now, simulator.time))
        _stop_all([end])
        _logger.warning("%s is given up: it %s", port_path(end.incoming), reason)

    def _arrived(self, clock: Clock, number: int, arrival: Arrival) -> None:
        """Take an arrival; called by the transports' threads."""
        at, content = clock.now(), arrival.content
        if self._rests and not isinstance(content, Link):
            return
        with self._changed:
            if isinstance(content, Link):
                ends = [end for end in self._ends if end.number == number]
                (self._up.add if content.up else self._up.discard)(number)
                self._heard.add(number)
                self._changed.notify_all()
            else:
                ends = [end for end in [self._incoming.get((number, arrival.channel))] if end is not None]
                for end in ends:
                    self._make_room(end)
                    if end.by_channel:
                        content = Post(content.data, arrival.channel)
            for end in ends:
                if self._open and not end.is_lost:
                    end.intake.put(at, content)
                    self._waiting[end] = None
        clock.wake()
        if isinstance(content, Link):
            state = "up" if content.up else "down"
            for end in ends:
                _logger.info("the link of %s is %s%s", port_path(end.incoming), state, _because(content))

    def _make_room(self, end: _End) -> None:
        """Hold the transport up while there is no room, if it carries nothing else; then drop what is oldest.

        That of a link which is given up is held up too, so that it reads next to nothing.
        """
        if (end.is_lost or end.intake.is_full) and self._users[end.number] == 1:
            self._changed.wait_for(
                lambda: not self._open or not (end.is_lost or end.intake.is_full), BACKPRESSURE_TIMEOUT
            )
        if self._open:
            self.dropped += end.intake.make_room()


def _because(link: Link) -> str:
    return f": {link.reason}" if link.reason else ""


def _bid_farewell(transport: Transport, farewell: Callable[[], Iterable[Post]]) -> None:
    for post in farewell():
        transport.post(post)


def _stop_all(ends: Iterable[_End]) -> None:
    """Send stop messages; one that fails keeps no other back."""
    with ExitStack() as stack:
        for end in ends:
            stack.callback(_stop, end)


def _stop(end: _End) -> None:
    if end.stop_message is None:
        return
    with user_code(lambda why: ModelError(f"the stop message for {port_path(end.incoming)} failed: {why}")):
        message = list(end.stop_message())
    for data in message:
        end.transport.send(end.send_on, data)
