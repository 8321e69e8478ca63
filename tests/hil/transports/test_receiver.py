"""Whoever gets what comes in: he may raise anything, and is told nothing twice."""

from __future__ import annotations

import threading
from threading import Event

import pytest

from devs_robotics.core.realtime.transport import Arrival, Link, Packet
from devs_robotics.hil.transports.receiver import Receiver, ReceiverError, reason_of, show


class Told:
    """Who is told, and what he raises."""

    def __init__(self, fault: BaseException | None = None) -> None:
        self.fault = fault
        self.all: list[Arrival] = []
        self.closing = Event()
        self.receiver = Receiver(self, self.closing)

    def __call__(self, arrival: Arrival) -> None:
        self.all.append(arrival)
        if self.fault is not None:
            raise self.fault


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[threading.ExceptHookArgs]:
    """What users are shown of exceptions in threads."""
    found: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    return found


def test_packets_and_word_of_the_link_are_handed_on() -> None:
    told = Told()
    told.receiver.up()
    told.receiver.packet("a", b"x")
    told.receiver.down("gone")
    assert told.all == [
        Arrival("", Link(up=True)),
        Arrival("a", Packet(b"x")),
        Arrival("", Link(up=False, reason="gone")),
    ]


def test_a_reason_is_told_once_until_it_is_another_one_or_the_link_was_up() -> None:
    told = Told()
    for reason in ("a", "a", "b", "b", "a"):
        told.receiver.down(reason)
    told.receiver.up()
    told.receiver.down("a")
    words = [each.content.reason for each in told.all if isinstance(each.content, Link)]
    assert words == ["a", "b", "a", "", "a"]


def test_who_has_closed_is_told_nothing() -> None:
    told = Told(ValueError("no"))
    told.closing.set()
    told.receiver.up()
    told.receiver.packet("", b"x")
    told.receiver.down("gone")
    assert told.all == []


@pytest.mark.parametrize("fault", [ValueError("no room"), SystemExit(3), KeyboardInterrupt()], ids=repr)
def test_whatever_he_raises_is_one_error_with_what_it_was(fault: BaseException) -> None:
    told = Told(fault)
    for hand in (told.receiver.up, lambda: told.receiver.packet("", b"x")):
        with pytest.raises(ReceiverError, match=r"^what came could not be handled here: ") as caught:
            hand()
        assert caught.value.__cause__ is fault
        assert type(fault).__name__ in str(caught.value)


def test_what_he_raises_when_the_link_is_down_is_shown_and_goes_no_further(
    shown: list[threading.ExceptHookArgs],
) -> None:
    told = Told(ValueError("no room"))
    told.receiver.down("gone")
    (args,) = shown
    assert isinstance(args.exc_value, ReceiverError)
    assert args.exc_type is ReceiverError
    assert args.exc_traceback is args.exc_value.__traceback__ is not None
    assert args.thread is threading.current_thread()


def test_what_was_never_raised_can_be_shown_too(shown: list[threading.ExceptHookArgs]) -> None:
    error = OSError("full")
    show(error)
    assert [(each.exc_value, each.exc_traceback) for each in shown] == [(error, None)]


class QuietError(OSError):
    """Has no words."""


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ReceiverError("what came could not be handled here: x"), "what came could not be handled here: x"),
        (OSError(12, "no memory"), "no memory"),
        (OSError("no strerror"), "no strerror"),
        (QuietError(), "QuietError"),
        (ValueError("no"), "ValueError: no"),
        (SystemExit(3), "SystemExit: 3"),
    ],
    ids=repr,
)
def test_what_was_raised_is_said_to_people(error: BaseException, reason: str) -> None:
    assert reason_of(error) == reason
