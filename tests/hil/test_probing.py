"""What a probe measures on a base of ROS 2, and that the base stands however the measurement ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.probing import ProbeError, Ros2Probe
from tests.hil.zenoh_base import ZenohBase, zenoh_base

pytestmark = pytest.mark.wall_clock

WITHIN = 20.0


@contextmanager
def probed(base: ZenohBase) -> Iterator[Ros2Probe]:
    address = parse(base.address)
    assert isinstance(address, Ros2Address)
    with Ros2Probe(address) as probe:
        probe.find()
        yield probe


def stands(base: ZenohBase) -> bool:
    """Whether it does, in a moment."""
    until = time.monotonic() + WITHIN
    while base.speed and time.monotonic() < until:
        time.sleep(0.01)
    return base.speed == 0.0


def when_it_goes(base: ZenohBase, then: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: base.speed > 0.0 and then()


def test_it_measures_when_a_base_stops_by_itself() -> None:
    with zenoh_base(watchdog=0.5) as base, probed(base) as probe:
        found = probe.measure()
    assert found is not None
    assert found.stops_after == pytest.approx(0.5, abs=0.3)
    assert found.way < 0.1


def test_one_that_never_does_is_stopped() -> None:
    with zenoh_base() as base, probed(base) as probe:
        found = probe.measure()
        assert stands(base)
    assert found is not None
    assert found.stops_after is None


def test_one_that_is_interrupted_is_stopped_and_nothing_is_told() -> None:
    with zenoh_base() as base, probed(base) as probe:
        assert probe.measure(when_it_goes(base, lambda: True)) is None
        assert stands(base)


def test_in_a_pause_it_stands_and_nothing_is_told() -> None:
    speeds: list[bool] = []
    with zenoh_base() as base, probed(base) as probe:

        def pause() -> bool:
            probe.pause(lambda: speeds.append(stands(base)))
            return False

        with pytest.raises(ProbeError, match=r"^there was a pause, for which the robot was stopped, and nothing was"):
            probe.measure(when_it_goes(base, pause))
        assert stands(base)
    assert speeds == [True]


def test_one_that_falls_silent_is_not_taken_for_one_that_goes_on() -> None:
    with zenoh_base() as base, probed(base) as probe:

        def fall_silent() -> bool:
            base.tells = False
            return False

        with pytest.raises(ProbeError, match="odometry fell silent while it drove"):
            probe.measure(when_it_goes(base, fall_silent))
        assert stands(base)


def test_one_that_does_not_move_is_told() -> None:
    with zenoh_base() as base, probed(base) as probe:
        base.obeys = False
        with pytest.raises(ProbeError, match=r"does not move, though it was told to go 0\.05 m/s for 1 s"):
            probe.measure()
