"""A device that is reminded of things: when, of what, and what it hears no more once it has given up."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

import pytest

from devs_robotics import Drive, Link, Packet, Port, Sense, Touch
from devs_robotics.hil.drivers.timed import TimedDevice
from tests.models.play import settle, tell

Heard = list[tuple[float, object]]


class Diary(TimedDevice):
    """Notes what it is told, and when; gives up when it hears ``fail``."""

    def __init__(self) -> None:
        super().__init__("diary", 7, "tcp://robot:1")
        self.heard: Heard = []

    def stop_message(self) -> Iterable[bytes]:
        return []

    def arrived(self, content: Packet | Link) -> None:
        self.heard.append((self.time, content))
        if content == Packet(b"fail"):
            self.send(b"last")
            self.fail()
            self.send(b"too late")
            self.tell(self.touch.answer, Touch(True))

    def commanded(self, drive: Drive) -> None:
        self.heard.append((self.time, drive))
        if drive.turn:
            self.fail()

    def asked_ranging(self) -> None:
        self.heard.append((self.time, "ranging"))
        self.fail()

    def asked_touch(self) -> None:
        self.heard.append((self.time, "touch"))

    def due(self, what: str, since: float) -> None:
        self.heard.append((self.time, (what, since)))


def diary(**reminders: float) -> Diary:
    device = Diary()
    for what, at in reminders.items():
        device.reminders.set(what, at)
    device.initialize()
    return device


def test_a_new_one_waits_for_its_first_reminder() -> None:
    device = diary(late=3.0, early=1.5)
    assert (device.time, device.failed, device.sigma) == (0.0, False, 1.5)
    assert diary().sigma == inf


def test_reminders_come_up_in_time_one_after_the_other() -> None:
    device = diary(late=3.0, early=1.5)
    device.deltint()
    assert (device.time, device.sigma) == (1.5, 1.5)
    device.deltint()
    assert (device.time, device.sigma) == (3.0, inf)
    assert device.heard == [(1.5, ("early", 1.5)), (3.0, ("late", 3.0))]


def test_what_was_to_come_up_a_little_earlier_comes_up_at_once_and_says_so() -> None:
    """Times are sums, and rounded: an input may come a trifle later than a reminder was due."""
    device = diary(early=1.5)
    tell(device, (device.touch.ask, Sense()), e=1.625)
    assert device.heard == [(1.625, "touch"), (1.625, ("early", 1.5))]
    device.reminders.set("late", 1.75)
    device.touch.ask.add(Sense())
    device.deltext(0.25)
    assert device.sigma == 0.0


def test_what_is_sent_and_told_leaves_once_and_before_a_reminder_that_is_due() -> None:
    device = diary(tick=0.0)
    device.send(b"one")
    device.send(b"two")
    device.tell(device.touch.answer, Touch(True))
    device.initialize()
    assert device.sigma == 0.0
    device.lambdaf()
    assert list(device.outgoing.values) == [Packet(b"one"), Packet(b"two")]
    assert list(device.touch.answer.values) == [Touch(True)]
    device.deltint()
    assert device.heard == []
    for port in device.out_ports:
        port.clear()
    assert settle(device) == []
    assert device.heard == [(0.0, ("tick", 0.0))]


@pytest.mark.parametrize("report", [True, False])
def test_a_packet_or_a_report_leaves_alone_too(report: bool) -> None:
    device = diary(tick=5.0)
    if report:
        device.tell(device.touch.answer, Touch(True))
    else:
        device.send(b"one")
    device.initialize()
    assert len(settle(device)) == 1
    assert (device.heard, device.sigma) == ([], 5.0)


def test_the_robot_is_heard_before_those_who_use_it() -> None:
    device = diary()
    tell(
        device,
        (device.touch.ask, Sense()),
        (device.motor.ask, Drive()),
        (device.incoming, Packet(b"one")),
        (device.incoming, Packet(b"two")),
        e=2.0,
    )
    assert device.heard == [(2.0, Packet(b"one")), (2.0, Packet(b"two")), (2.0, Drive()), (2.0, "touch")]


@pytest.mark.parametrize(
    ("kind", "heard"),
    [
        ("robot", [Packet(b"fail")]),
        ("drive", [Drive(0.5, 0.0)]),
        ("question", ["ranging"]),
    ],
)
def test_once_it_has_given_up_it_is_told_of_nothing_and_nothing_leaves(kind: str, heard: list[object]) -> None:
    device = diary(tick=5.0)
    everything: list[tuple[Port[Any], Any]] = [
        (device.incoming, Packet(b"after")),
        (device.motor.ask, Drive(0.0, 0.1)),
        (device.ranging.ask, Sense()),
        (device.touch.ask, Sense()),
    ]
    ends: dict[str, tuple[Port[Any], Any]] = {
        "robot": (device.incoming, Packet(b"fail")),
        "drive": (device.motor.ask, Drive(0.5, 0.0)),
        "question": (device.ranging.ask, Sense()),
    }
    begins = list(ends).index(kind)
    said = tell(device, ends[kind], *everything[begins:])
    assert [content for _, content in device.heard] == heard
    assert said == ([("outgoing", Packet(b"last"))] if kind == "robot" else [])
    assert (device.failed, device.sigma) == (True, inf)
    device.reminders.set("stop", 2.0)
    device.initialize()
    device.deltint()
    assert tell(device, *everything) == []
    assert [content for _, content in device.heard] == heard


def test_a_device_that_says_last_words_as_before_still_has_a_stop_message() -> None:
    with pytest.warns(DeprecationWarning, match="`last_words` of Old is now called `stop_message`: rename it") as told:

        class Old(TimedDevice):
            arrived, commanded, due = Diary.arrived, Diary.commanded, Diary.due
            asked_ranging, asked_touch = Diary.asked_ranging, Diary.asked_touch

            def last_words(self) -> Iterable[bytes]:
                return [b"over"]

    assert told[0].filename == __file__
    old = Old("old", 7, "tcp://robot:1")  # type: ignore[abstract]
    assert list(old.stop_message()) == [b"over"]
