"""What serial lines and TCP have in common, on a wire that the test holds both ends of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from threading import Event, Thread

import pytest

from devs_robotics.core.realtime.transport import Arrival, Link, Packet
from devs_robotics.hil.transports import stream as stream_module
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.receiver import Receiver
from devs_robotics.hil.transports.stream import POLL
from tests.hil.transports.hand_stream import HandStream, HandWire
from tests.hil.transports.inbox import PATIENCE, Inbox

Opened = Callable[..., tuple[HandStream, Inbox]]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens a stream over wires; it ends with the test, threads and all."""
    made: list[tuple[HandStream, list[Thread], tuple[HandWire | Exception, ...]]] = []

    def open_(*wires: HandWire | Exception, outbox: int = 1000, inbox: Inbox | None = None) -> tuple[HandStream, Inbox]:
        stream, inbox = HandStream(*wires, outbox=outbox), inbox or Inbox()
        stream.open(inbox)
        made.append((stream, list(stream._threads), wires))
        return stream, inbox

    yield open_
    for stream, threads, wires in made:
        for wire in wires:
            if isinstance(wire, HandWire):
                wire.takes.set()
        stream.close()
        assert not any(thread.is_alive() for thread in threads)


def test_what_waited_when_the_link_was_lost_is_never_sent_and_counts_as_dropped(opened: Opened) -> None:
    first, second = HandWire(), HandWire()
    stream, inbox = opened(first, second)
    inbox.wait_for_link(up=True)
    first.takes.clear()
    for number in range(6):
        stream.send("", b"old command %d" % number)
    assert first.begun.wait(PATIENCE)
    first.break_off()
    inbox.wait_for_link(up=True, after=2)
    assert (stream.counts.sent, stream.counts.dropped) == (0, 6)
    stream.send("", b"new command")
    stream.close()
    assert second.written == [b"new command"]
    assert (stream.counts.sent, stream.counts.dropped) == (1, 6)


def test_a_new_link_has_room_for_as_much_as_the_first_had(opened: Opened) -> None:
    first, second = HandWire(), HandWire()
    stream, inbox = opened(first, second, outbox=100)
    inbox.wait_for_link(up=True)
    first.takes.clear()
    stream.send("", b"under way")
    assert first.begun.wait(PATIENCE)
    for _ in range(2):
        stream.send("", bytes(50))
    first.break_off()
    inbox.wait_for_link(up=True, after=2)
    second.takes.clear()
    stream.send("", b"under way")
    assert second.begun.wait(PATIENCE)
    for _ in range(2):
        stream.send("", bytes(50))
    assert not second.cancelled.is_set()
    stream.send("", bytes(1))
    assert second.cancelled.is_set()


def test_what_was_written_makes_room(opened: Opened) -> None:
    wire = HandWire()
    stream, inbox = opened(wire, outbox=100)
    inbox.wait_for_link(up=True)
    for number in range(1, 6):
        wire.takes.clear()
        wire.begun.clear()
        stream.send("", bytes(60))
        assert wire.begun.wait(PATIENCE)
        stream.send("", bytes(60))
        wire.takes.set()
        with stream._changed:
            assert stream._changed.wait_for(stream._idle, PATIENCE)
        assert len(wire.written) == 2 * number
    assert stream.counts.dropped == 0


def test_a_single_packet_may_be_longer_than_the_outbox_and_what_follows_it_may_not(opened: Opened) -> None:
    wire = HandWire()
    stream, inbox = opened(wire, outbox=100)
    inbox.wait_for_link(up=True)
    wire.takes.clear()
    stream.send("", b"under way")
    assert wire.begun.wait(PATIENCE)
    stream.send("", bytes(1000))
    assert stream.counts.dropped == 0
    stream.send("", b"x")
    assert "hand: does not take what is sent" in inbox.wait_for_link(up=False).reason
    assert (stream.counts.sent, stream.counts.dropped) == (0, 3)
    assert wire.written == []


def test_it_closes_when_all_is_written_and_not_before(opened: Opened) -> None:
    wire = HandWire()
    stream, inbox = opened(wire)
    inbox.wait_for_link(up=True)
    wire.takes.clear()
    stream.send("", b"first")
    stream.send("", b"last words")
    assert wire.begun.wait(PATIENCE)
    closing = Thread(target=stream.close, args=(PATIENCE,))
    closing.start()
    closing.join(2 * POLL)
    assert closing.is_alive()
    wire.takes.set()
    closing.join(PATIENCE)
    assert wire.written == [b"first", b"last words"]
    assert wire.closed.is_set()
    assert not wire.cancelled.is_set()


def test_it_gives_up_what_is_not_taken_in_time_when_it_closes(opened: Opened) -> None:
    wire = HandWire()
    stream, inbox = opened(wire)
    inbox.wait_for_link(up=True)
    wire.takes.clear()
    stream.send("", b"first")
    stream.send("", b"last words")
    assert wire.begun.wait(PATIENCE)
    stream.close(timeout=0.0)
    assert wire.cancelled.is_set()
    assert wire.closed.is_set()
    assert wire.written == []


LOST = "the connection to hand: was lost (it was pulled)"

FAULTS = [TypeError("'NoneType' object cannot be interpreted as an integer"), OSError("it was pulled"), ValueError()]


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_whatever_a_read_raises_is_a_lost_link_with_its_reason(opened: Opened, fault: Exception) -> None:
    first, second = HandWire(), HandWire()
    stream, inbox = opened(first, second)
    inbox.wait_for_link(up=True)
    first.says.put(b"words")
    first.says.put(fault)
    reason = inbox.wait_for_link(up=False).reason
    assert reason.startswith("the connection to hand: was lost (")
    assert (str(fault) or type(fault).__name__) in reason
    inbox.wait_for_link(up=True, after=2)
    assert inbox.packets == [b"words"]
    assert stream.counts.received == 1


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_whatever_a_write_raises_is_a_lost_link_with_its_reason(opened: Opened, fault: Exception) -> None:
    first, second = HandWire(), HandWire()
    stream, inbox = opened(first, second)
    inbox.wait_for_link(up=True)
    first.refuses = fault
    stream.send("", b"words")
    reason = inbox.wait_for_link(up=False).reason
    assert reason.startswith("hand: could not be written to (")
    assert (str(fault) or type(fault).__name__) in reason
    assert first.cancelled.is_set()
    inbox.wait_for_link(up=True, after=2)
    stream.send("", b"again")
    stream.close()
    assert second.written == [b"again"]
    assert (stream.counts.sent, stream.counts.dropped) == (1, 1)


def test_whatever_a_connection_raises_is_a_link_that_is_down_and_tried_again(opened: Opened) -> None:
    _, inbox = opened(OSError("hand: is not there: bring it"), NotImplementedError("not that"), HandWire())
    inbox.wait_for_link(up=True)
    assert inbox.links == [
        Link(up=False, reason="hand: is not there: bring it"),
        Link(up=False, reason="hand: cannot be opened (NotImplementedError: not that): correct the address"),
        Link(up=True),
    ]


def test_a_wire_that_cannot_be_closed_is_replaced_all_the_same(opened: Opened) -> None:
    first = HandWire()
    first.spoilt = ValueError("file descriptor cannot be a negative integer (-1)")
    _, inbox = opened(first, HandWire())
    inbox.wait_for_link(up=True)
    first.says.put(OSError("it was pulled"))
    inbox.wait_for_link(up=True, after=2)
    assert [link.up for link in inbox.links] == [True, False, True]


def test_a_reason_is_told_once_and_again_after_the_link_was_up(opened: Opened) -> None:
    wire, gone = HandWire(), [OSError("it is not there") for _ in range(3)]
    _, inbox = opened(*gone[:2], wire, gone[2], HandWire())
    inbox.wait_for_link(up=True)
    wire.says.put(ConnectionError("it is not there"))
    inbox.wait_for_link(up=True, after=4)
    reasons = [link.reason for link in inbox.links]
    assert reasons == [
        "it is not there",
        "",
        "the connection to hand: was lost (it is not there)",
        "it is not there",
        "",
    ]


class Failing(Inbox):
    """Raises something at the first arrival of a kind, and collects the others."""

    def __init__(self, fault: BaseException, fails_at: Callable[[Arrival], bool]) -> None:
        super().__init__()
        self.fault: BaseException | None = fault
        self.fails_at = fails_at

    def __call__(self, arrival: Arrival) -> None:
        if self.fault is not None and self.fails_at(arrival):
            fault, self.fault = self.fault, None
            raise fault
        super().__call__(arrival)


@pytest.mark.parametrize("fault", [RuntimeError("no room"), SystemExit(3)], ids=repr)
@pytest.mark.parametrize("kind", [Packet, Link])
def test_a_receiver_that_fails_loses_the_link_with_a_reason(opened: Opened, fault: BaseException, kind: type) -> None:
    first, second = HandWire(), HandWire()
    first.says.put(b"words")
    _, inbox = opened(first, second, inbox=Failing(fault, lambda arrival: isinstance(arrival.content, kind)))
    lost = inbox.wait_for_link(up=False)
    assert lost.reason == (
        f"the connection to hand: was lost (what came could not be handled here: {type(fault).__name__}: {fault})"
    )
    inbox.wait_for_link(up=True, after=inbox.links.index(lost) + 1)
    second.says.put(b"more words")
    inbox.wait_for(lambda: inbox.packets == [b"more words"])


def test_a_receiver_that_fails_when_it_is_told_of_a_lost_link_is_told_of_the_next_one(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    first, second = HandWire(), HandWire()
    failing = Failing(RuntimeError("never mind"), lambda arrival: arrival.content == Link(up=False, reason=LOST))
    _, inbox = opened(first, second, inbox=failing)
    first.says.put(OSError("it was pulled"))
    inbox.wait_for(lambda: inbox.links == [Link(up=True), Link(up=True)])
    assert "RuntimeError: never mind" in str(shown[0].exc_value)


def test_waits_go_by_how_long_the_link_lasted(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Noting(Backoff):
        def up(self) -> None:
            told.append("up")

        def lost(self) -> float:
            told.append("lost")
            return 0.01

    monkeypatch.setattr(stream_module, "Backoff", Noting)
    first = HandWire()
    _, inbox = opened(OSError("it is not there"), first, OSError("it is not there"), HandWire())
    inbox.wait_for_link(up=True)
    first.says.put(OSError("it was pulled"))
    inbox.wait_for_link(up=True, after=3)
    assert told == ["lost", "up", "lost", "lost", "up"]


def test_what_is_sent_between_a_fault_and_its_end_is_dropped(opened: Opened) -> None:
    first = HandWire()
    stream, inbox = opened(first, HandWire())
    inbox.wait_for_link(up=True)
    inbox.gate.clear()
    first.says.put(b"words")
    assert inbox.held.wait(PATIENCE)  # the thread that would end the link
    first.refuses = OSError("the cable was pulled")
    first.takes.clear()
    stream.send("", b"lost")
    stream.send("", b"queued")
    assert first.begun.wait(PATIENCE)
    first.takes.set()
    assert first.cancelled.wait(PATIENCE)
    stream.send("", b"too late")
    assert stream.counts.dropped == 2
    inbox.gate.set()
    reason = inbox.wait_for_link(up=False).reason
    assert reason == "hand: could not be written to (the cable was pulled)"
    inbox.wait_for_link(up=True, after=2)
    assert first.tried == [b"lost"]
    assert (stream.counts.sent, stream.counts.dropped) == (0, 3)


def test_a_wire_is_not_closed_while_something_is_written_to_it(opened: Opened) -> None:
    first, second = HandWire(), HandWire()
    stream, inbox = opened(first, second)
    inbox.wait_for_link(up=True)
    first.takes.clear()
    stream.send("", b"under way")
    assert first.begun.wait(PATIENCE)
    first.says.put(OSError("it was pulled"))
    assert not first.closed.wait(2 * POLL)
    stream.send("", b"too late")
    assert stream.counts.dropped == 1
    first.takes.set()
    inbox.wait_for_link(up=True, after=2)
    assert first.closed.is_set()
    assert second.tried == []
    assert (stream.counts.sent, stream.counts.dropped) == (1, 1)


def test_nothing_is_handed_on_once_it_is_closing() -> None:
    inbox, closing = Inbox(), Event()
    receiver = Receiver(inbox, closing)
    receiver.up()
    closing.set()
    receiver.packet("", b"too late")
    receiver.down("it was closed")
    assert inbox.arrivals == [Arrival("", Link(up=True))]
