"""What buses of ROS 2 have in common: qualities of service, who watches, and what fails."""

from __future__ import annotations

import os
import threading

import pytest

from devs_robotics.hil.transports.ros2_bus import COMMAND, EQUIPMENT, LATCHED, READ, Quality, node_name
from tests.hil.transports.hand_bus import HandBus


def test_qualities_are_what_others_can_match() -> None:
    assert Quality() == Quality(reliable=True, latched=False, depth=10)
    assert Quality(reliable=False, latched=False, depth=10) == READ, "it matches every publisher"
    assert Quality(reliable=True, latched=True, depth=100) == LATCHED
    assert Quality(reliable=True, latched=False, depth=1) == COMMAND, "an old command is replaced by the next one"
    assert Quality(reliable=True, latched=False, depth=100) == EQUIPMENT


def test_a_node_is_called_by_its_process() -> None:
    assert node_name() == f"devs_robotics_{os.getpid()}"


def test_who_watches_is_told_of_a_fault_and_the_first_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    bus, told = HandBus(), list[str]()
    ends = [bus.watch(lambda name=name: told.append(f"{name}: {bus.fault}")) for name in "ab"]  # type: ignore[misc]
    assert bus.fault == ""
    bus.fail(OSError(12, "no memory"))
    bus.fail(OSError(28, "no space"))
    assert told == ["a: no memory", "b: no memory"] * 2
    assert shown == []
    for end in ends:
        end()
        end()
    last = ValueError("nobody hears")
    bus.fail(last)
    assert (len(told), bus.fault) == (4, "no memory")
    assert [each.exc_value for each in shown] == [last]


def test_one_who_watches_twice_is_told_twice_and_ends_one_at_a_time() -> None:
    bus, told = HandBus(), list[int]()

    def tell() -> None:
        told.append(1)

    first, second = bus.watch(tell), bus.watch(tell)
    bus.change()
    first()
    bus.change()
    second()
    bus.change()
    assert len(told) == 3
