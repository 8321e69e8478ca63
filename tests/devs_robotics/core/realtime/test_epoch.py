"""The two clocks of a computer, read one after the other by a process that is held up now and then."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from devs_robotics.core.realtime.epoch import TRIES, unix_epoch


def test_a_reading_between_which_the_process_was_held_up_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for undisturbed in range(TRIES):
        held_up = (0.03 if reading // 3 != undisturbed and reading % 3 == 1 else 1e-6 for reading in range(3 * TRIES))
        clock = _Clock(held_up)
        monkeypatch.setattr(time, "monotonic", clock.monotonic)
        monkeypatch.setattr(time, "time", clock.unix)
        assert unix_epoch() == pytest.approx(1000.0, abs=2e-6)


def test_it_is_that_of_this_computer() -> None:
    assert unix_epoch() == pytest.approx(time.time() - time.monotonic(), abs=1.0)


class _Clock:
    def __init__(self, held_up: Iterator[float]) -> None:
        self.now, self.held_up = 5.0, held_up

    def monotonic(self) -> float:
        self.now += next(self.held_up)
        return self.now

    def unix(self) -> float:
        return self.monotonic() + 1000.0
