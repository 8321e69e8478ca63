"""The battery on the wire."""

from __future__ import annotations

import pytest

from devs_robotics.core.robots.epuck2.battery import LOW_RAW, OFF_RAW
from devs_robotics.core.robots.epuck2.sensing.battery import percent, raw, smoothed
from tests.approximately import near


@pytest.mark.parametrize(("volts", "value", "full"), [(4.2, 3441, 100.0), (3.4, 2785, 0.0), (4.0, 3277, 75.0)])
def test_volts_are_raw_values_and_percent(volts: float, value: int, full: float) -> None:
    assert (raw(volts), percent(volts)) == (value, near(full))


def test_raw_values_have_12_bits_and_the_limits_are_as_in_the_firmware() -> None:
    assert [raw(volts) for volts in (-1.0, 0.0, 5.2)] == [0, 0, 4095]
    assert [raw(volts) < LOW_RAW for volts in (3.53, 3.55)] == [True, False]
    assert [raw(volts) < OFF_RAW for volts in (3.17, 3.18)] == [True, False]


def test_a_new_value_counts_for_a_fifth() -> None:
    value = 3000.0
    for _ in range(3):
        value = smoothed(value, 2000.0)
    assert value == near(2000.0 + 1000.0 * 0.8**3)
