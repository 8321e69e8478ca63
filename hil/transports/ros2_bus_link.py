"""What links over ROS 2 have in common: a bus that is entered again whenever it was lost, and looks at who is there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Event, Thread

from devs_robotics.core.extras import needed
from devs_robotics.core.realtime.transport import Arrived, Counts, Transport
from devs_robotics.hil.addresses import Ros2Address
from devs_robotics.hil.protocols.ros2.type_store import DISTRO, NEEDS, Ros2Error, type_store
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.receiver import Receiver, ReceiverError, reason_of
from devs_robotics.hil.transports.ros2_bus import Ros2Bus, Subscription

LOOK = 1.0
"""Longest time between two looks at who is there (s)."""


def load(address: Ros2Address) -> None:
    """Load what an address needs, which takes a while.

    Raises:
        Ros2Error: it is not installed
    """
    type_store(address.option("distro", DISTRO))
    with needed(NEEDS, Ros2Error):
        if address.host:
            import devs_robotics.hil.transports.zenoh
        else:
            import devs_robotics.hil.transports.dds  # noqa: F401


def bus_at(address: Ros2Address) -> Ros2Bus:
    """The bus of an address: the one of its domain in this process, or a session of its own with its router.

    Raises:
        Ros2Error: what it needs is not installed, or it cannot be reached
    """
    load(address)
    distro = address.option("distro", DISTRO)
    if address.host:
        from devs_robotics.hil.transports.zenoh import ZenohBus

        bridge = address.option("bridge") == "ros2dds"
        return ZenohBus(address.host, address.port, address.domain, distro, bridge=bridge)
    from devs_robotics.hil.transports.dds import dds_bus

    return dds_bus(address.domain, address.option("interface"), address.peers, distro)


class Ros2BusLink(Transport):
    """A link with one channel over a bus, which a thread keeps.

    Whatever is raised in a thread, by the middleware or by the receiver, is a lost link.

    Args:
        address: of the domain or the router

    Raises:
        Ros2Error: what it needs is not installed
    """

    def __init__(self, address: Ros2Address) -> None:
        load(address)
        self.address = str(address)
        self.counts = Counts()
        self._at = address
        self._bridged = address.option("bridge") != ""
        """Whether nobody tells who is there."""
        self._closing, self._changed = Event(), Event()
        self._subscriptions: list[Subscription] = []
        self._fault = ""
        """Why the receiver of a packet has failed, in a thread of the middleware."""
        self._thread: Thread | None = None

    def listen(self, channel: str) -> None:
        """Nothing to do: there is one channel."""

    def open(self, arrived: Arrived) -> None:
        """Begin to look for the other end."""
        self._closing.clear()
        receiver = Receiver(arrived, self._closing)
        self._thread = Thread(target=self._run, args=(receiver,), name=self.address, daemon=True)
        self._thread.start()

    def close(self, timeout: float = 1.0) -> None:
        """Have what was sent delivered, and leave."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self.flush(timeout)
            self._closing.set()
            self._changed.set()
            thread.join(timeout + LOOK)

    # in a thread of the middleware

    def _hand_on(self, receiver: Receiver, packet: bytes) -> None:
        """Hand on what was heard, unless the link is lost."""
        if self._fault:
            return
        self.counts.received += 1
        try:
            receiver.packet("", packet)
        except ReceiverError as error:
            self._fault = reason_of(error)
            self._changed.set()

    # in the thread of the link

    @abstractmethod
    def _subscribe(self, bus: Ros2Bus, receiver: Receiver) -> None:
        """The bus was entered: add what is to be heard to `_subscriptions`."""

    @abstractmethod
    def _look(self, bus: Ros2Bus, receiver: Receiver) -> None:
        """See who is there, and tell when that has changed."""

    @abstractmethod
    def _left(self) -> None:
        """The bus is about to be left."""

    def _run(self, receiver: Receiver) -> None:
        backoff = Backoff()
        while not self._closing.is_set():
            try:
                bus = bus_at(self._at)
            except Exception as error:  # a library may raise more than it says
                receiver.down(str(error) if isinstance(error, Ros2Error) else reason_of(error))
                self._closing.wait(backoff.lost())
                continue
            backoff.up()
            end = bus.watch(self._changed.set)
            try:
                reason = self._stay(bus, receiver)
            except Exception as error:  # of the middleware, or of the receiver
                reason = reason_of(error)
            if reason:
                receiver.down(f"{self.address} was lost ({reason})")
            with suppress(Exception):  # it is given up; there is nothing to be done about it
                self._leave(bus, end)
            self._closing.wait(backoff.lost())

    def _stay(self, bus: Ros2Bus, receiver: Receiver) -> str:
        """Be there until the link is closed, or lost; returns why it is lost, or raises it."""
        self._fault = ""
        self._subscribe(bus, receiver)
        while not (self._closing.is_set() or self._fault or bus.fault):
            self._look(bus, receiver)
            self._changed.wait(LOOK)
            self._changed.clear()
        return self._fault or bus.fault

    def _leave(self, bus: Ros2Bus, end: Callable[[], None]) -> None:
        with ExitStack() as stack:
            stack.callback(bus.close)
            for each in self._subscriptions:
                stack.callback(each.close)
            self._subscriptions.clear()
            stack.callback(self._left)
            stack.callback(end)

    @property
    def _where(self) -> str:
        """Whereto it leads, for people."""
        at = self._at
        return f"by the router {at.host}:{at.port} in domain {at.domain}" if at.host else f"in domain {at.domain}"
