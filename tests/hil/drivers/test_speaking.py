"""What a driver does with a protocol that raises something."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from devs_robotics import Link, Packet, Simulator
from devs_robotics.core.errors import ModelError
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols import Output, Protocol
from devs_robotics.hil.testing.driver_bench import SETTINGS
from tests.hil.drivers.test_driver import Words


class Fickle(Protocol):
    """Cannot say what stops it after a time."""

    begin = Words.begin
    number = 0

    fails = False

    def feed(self, data: bytes) -> Iterable[Output]:
        raise KeyError("x")

    def stop_message(self) -> Iterable[bytes]:
        if self.fails:
            raise ZeroDivisionError("later")
        return [b"S\n"]


def test_what_a_hook_raises_is_told_with_its_name() -> None:
    driver = Driver("driver", "tcp://robot:1", Fickle(7, SETTINGS))
    with Simulator(driver) as simulator:
        simulator.inject(driver.incoming, Link(up=True), at=0.0)
        simulator.inject(driver.incoming, Packet(b"?"), at=1.0)
        with pytest.raises(ModelError, match="`feed` of Fickle failed: KeyError: 'x'"):
            simulator.run(until=2.0)


def test_what_stopped_a_robot_before_stops_it_when_its_protocol_fails() -> None:
    driver = Driver("driver", "tcp://robot:1", fickle := Fickle(7, SETTINGS))
    assert list(driver.stop_message()) == [b"S\n"]
    fickle.fails = True
    assert list(driver.stop_message()) == [b"S\n"]
    ((dropped, times),) = driver.dropped.items()
    place = r"\(\S*test_speaking\.py, line \d+\)"
    assert re.fullmatch(rf"`stop_message` of Fickle failed: ZeroDivisionError: later {place}", dropped)
    assert times == 1
    with pytest.raises(ZeroDivisionError):
        Driver("driver", "tcp://robot:1", fickle).stop_message()
