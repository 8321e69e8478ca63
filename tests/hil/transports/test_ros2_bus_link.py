"""How a link over ROS 2 enters its bus, stays, loses it and leaves, on buses by hand."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from queue import Queue

import pytest

from devs_robotics.core.realtime.transport import Arrival, Packet
from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.protocols.ros2.names import ODOMETRY
from devs_robotics.hil.protocols.ros2.type_store import Ros2Error
from devs_robotics.hil.transports import ros2_bus_link
from devs_robotics.hil.transports.receiver import Receiver
from devs_robotics.hil.transports.ros2_bus import Ros2Bus
from devs_robotics.hil.transports.ros2_bus_link import Ros2BusLink, bus_at
from tests.hil.transports.hand_bus import HandBus
from tests.hil.transports.inbox import PATIENCE, Inbox

TOPIC = "/turtle1/odom"
ADDRESS = "ros2://turtle1?domain=3"


class HandBackoff:
    """Notes what became of the link, and waits for nothing."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def up(self) -> None:
        self.told.append("up")

    def lost(self) -> float:
        self.told.append("lost")
        return 0.0


class Listener(Ros2BusLink):
    """Hears one topic, and says what is done with it."""

    def __init__(self, address: Ros2Address) -> None:
        super().__init__(address)
        self.did: Queue[str] = Queue()
        self.faults: list[Exception] = []
        """What the next looks raise."""
        self.flushed: list[float] = []

    @property
    def where(self) -> str:
        return self._where

    def send(self, channel: str, data: bytes) -> None:
        raise NotImplementedError

    def flush(self, timeout: float) -> None:
        self.flushed.append(timeout)

    def _subscribe(self, bus: Ros2Bus, receiver: Receiver) -> None:
        self.did.put("subscribe")
        heard: Callable[[bytes], None] = lambda data: self._hand_on(receiver, data)  # noqa: E731
        self._subscriptions.append(bus.subscribe(TOPIC, ODOMETRY, heard))

    def _look(self, bus: Ros2Bus, receiver: Receiver) -> None:
        self.did.put("look")
        if self.faults:
            raise self.faults.pop(0)

    def _left(self) -> None:
        self.did.put("left")

    def wait_for(self, *did: str) -> None:
        """What it does next."""
        assert [self.did.get(timeout=PATIENCE) for _ in did] == list(did)


class Entered:
    """A link that is open, the buses that it enters, and what it tells.

    Attributes:
        errors: what the next attempts to enter a bus raise
        spoilt: what is raised when the next packets come
    """

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.spoilt: list[Exception] = []
        self.buses: list[HandBus] = []
        self.backoff = HandBackoff()
        self.inbox = Inbox()
        self.link = listener()

    def bus_at(self, address: Ros2Address) -> HandBus:
        assert str(address) == ADDRESS
        if self.errors:
            raise self.errors.pop(0)
        self.buses.append(HandBus())
        return self.buses[-1]

    @property
    def reasons(self) -> list[str]:
        return [each.reason for each in self.inbox.links]

    def open(self) -> None:
        self.link.open(self._arrived)

    def _arrived(self, arrival: Arrival) -> None:
        if self.spoilt and isinstance(arrival.content, Packet):
            raise self.spoilt.pop(0)
        self.inbox(arrival)


def listener(address: str = ADDRESS) -> Listener:
    at = parse(address)
    assert isinstance(at, Ros2Address)
    return Listener(at)


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> Iterator[Entered]:
    found = Entered()
    monkeypatch.setattr(ros2_bus_link, "bus_at", found.bus_at)
    monkeypatch.setattr(ros2_bus_link, "Backoff", lambda: found.backoff)
    monkeypatch.setattr(ros2_bus_link, "LOOK", PATIENCE)  # it looks when something has changed, and else in a minute
    yield found
    found.link.close()


def test_it_looks_when_it_has_entered_and_whenever_something_has_changed(entered: Entered) -> None:
    entered.open()
    entered.link.wait_for("subscribe", "look")
    assert entered.link.address == ADDRESS
    (bus,) = entered.buses
    assert bus.watched == 1
    for _ in range(3):
        bus.change()
        entered.link.wait_for("look")
    assert entered.link.did.empty()
    bus.of(TOPIC).heard(b"here")
    assert (entered.inbox.packets, entered.link.counts.received) == ([b"here"], 1)
    assert entered.backoff.told == ["up"]


def test_it_looks_again_after_a_while_though_nothing_is_told(entered: Entered, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ros2_bus_link, "LOOK", 0.001)
    entered.open()
    entered.link.wait_for("subscribe", "look", "look", "look")


def test_a_link_that_is_closed_flushes_leaves_at_once_and_hands_nothing_on(entered: Entered) -> None:
    entered.open()
    entered.link.wait_for("subscribe", "look")
    (bus,), threads = entered.buses, threading.active_count()
    heard = bus.of(TOPIC).heard
    entered.link.close(0.25)
    assert threading.active_count() == threads - 1
    assert entered.link.flushed == [0.25]
    entered.link.wait_for("left")
    assert (bus.closed, bus.watched, bus.subscriptions[0].closed) == (True, 0, True)
    heard(b"late")
    assert entered.inbox.arrivals == []
    entered.link.close()
    assert entered.link.flushed == [0.25]
    entered.open()
    entered.link.wait_for("subscribe", "look")
    assert len(entered.buses) == 2


def test_a_bus_that_cannot_be_entered_is_told_and_tried_again(entered: Entered) -> None:
    entered.errors += [Ros2Error("no network"), Ros2Error("no network"), OSError(12, "no memory"), KeyError("x")]
    entered.open()
    entered.link.wait_for("subscribe", "look")
    assert entered.reasons == ["no network", "no memory", "KeyError: 'x'"]
    assert entered.backoff.told == ["lost"] * 4 + ["up"]


def test_a_bus_that_has_failed_is_left_and_entered_anew(entered: Entered) -> None:
    entered.open()
    entered.link.wait_for("subscribe", "look")
    entered.buses[0].fail(OSError(12, "no memory"))
    entered.link.wait_for("left", "subscribe", "look")
    assert entered.reasons == [f"{ADDRESS} was lost (no memory)"]
    assert [each.closed for each in entered.buses] == [True, False]
    assert entered.backoff.told == ["up", "lost", "up"]
    entered.buses[1].of(TOPIC).heard(b"here")
    assert entered.inbox.packets == [b"here"]


def test_what_a_look_raises_is_a_lost_link(entered: Entered) -> None:
    entered.link.faults.append(ValueError("not ours"))
    entered.open()
    entered.link.wait_for("subscribe", "look", "left", "subscribe", "look")
    assert entered.reasons == [f"{ADDRESS} was lost (ValueError: not ours)"]


def test_what_a_receiver_raises_is_a_lost_link_that_comes_back(entered: Entered) -> None:
    entered.spoilt.append(ValueError("no room"))
    entered.open()
    entered.link.wait_for("subscribe", "look")
    heard = entered.buses[0].of(TOPIC).heard
    heard(b"first")
    entered.link.wait_for("left", "subscribe", "look")
    assert entered.reasons == [f"{ADDRESS} was lost (what came could not be handled here: ValueError: no room)"]
    entered.buses[1].of(TOPIC).heard(b"second")
    assert entered.inbox.packets == [b"second"]


def test_after_a_receiver_has_failed_what_comes_until_the_bus_is_left_is_dropped() -> None:
    link, handed = listener(), list[Arrival]()

    def fails(arrival: Arrival) -> None:
        handed.append(arrival)
        raise ValueError("no room")

    receiver = Receiver(fails, threading.Event())
    for data in (b"first", b"second"):
        link._hand_on(receiver, data)
    assert len(handed) == 1
    assert link.counts.received == 1


def test_all_is_left_though_leaving_fails(entered: Entered) -> None:
    entered.open()
    entered.link.wait_for("subscribe", "look")
    (bus,) = entered.buses
    bus.subscriptions[0].fault = RuntimeError("gone already")
    bus.fail(OSError(12, "no memory"))
    entered.link.wait_for("left", "subscribe", "look")
    assert (bus.closed, bus.watched) == (True, 0)
    assert entered.reasons == [f"{ADDRESS} was lost (no memory)"]


def test_where_it_leads_is_named() -> None:
    assert listener().where == "in domain 3"
    assert listener("ros2+zenoh://127.0.0.1:7447/turtle1?domain=4").where == "by the router 127.0.0.1:7447 in domain 4"


def at(address: str) -> Ros2Address:
    parsed = parse(address)
    assert isinstance(parsed, Ros2Address)
    return parsed


def test_an_address_leads_to_its_router_or_into_its_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[tuple[object, ...]] = []

    def zenoh_bus(*how: object, bridge: bool) -> HandBus:
        entered.append((*how, bridge))
        return HandBus()

    def dds_bus(*how: object) -> HandBus:
        entered.append(how)
        return HandBus()

    monkeypatch.setattr("devs_robotics.hil.transports.zenoh.ZenohBus", zenoh_bus)
    monkeypatch.setattr("devs_robotics.hil.transports.dds.dds_bus", dds_bus)
    for address in (
        "ros2+zenoh://127.0.0.1:7448/turtle1?domain=4&distro=kilted",
        "ros2+zenoh://127.0.0.1:7448/turtle1?bridge=ros2dds",
        "ros2://turtle1?domain=5&interface=lo&peers=192.0.2.7",
    ):
        bus_at(at(address))
    assert entered == [
        ("127.0.0.1", 7448, 4, "kilted", False),
        ("127.0.0.1", 7448, 0, "jazzy", True),
        (5, "lo", ("192.0.2.7",), "jazzy"),
    ]


@pytest.mark.parametrize(("address", "module"), [("ros2+zenoh://h:7447/a", "zenoh"), ("ros2://a", "cyclonedds")])
def test_what_is_not_installed_is_told_with_the_remedy(
    address: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"devs_robotics.hil.transports.{'zenoh' if module == 'zenoh' else 'dds'}")
    for use in (bus_at, Listener):
        with pytest.raises(Ros2Error, match="robots of ROS 2 need"):
            use(at(address))
