"""An e-puck's battery: what its voltage means, and when something is told of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.messages import AskCharge, Charge
from devs_robotics.hil.protocols.epuck_battery import BACK, BatteryWatch, charge_of
from tests.approximately import near


@pytest.mark.parametrize(
    ("volts", "charge"), [(3.0, 0.0), (3.4, 0.0), (3.5, 0.125), (3.8, 0.5), (4.2, 1.0), (4.5, 1.0)]
)
def test_a_charge_is_the_share_of_the_way_from_empty_to_full(volts: float, charge: float) -> None:
    assert charge_of(round(819.2 * volts)) == near(charge, within=0.001)


def told(watch: BatteryWatch, *charges: float) -> list[Charge]:
    return [said for charge in charges for said in watch.read(charge)]


def test_what_is_asked_is_answered_as_it_is_now() -> None:
    watch = BatteryWatch(0.75)
    assert watch.asked(AskCharge()) == Charge(0.75, low=False)
    assert told(watch, 0.5) == []
    assert watch.asked(AskCharge((0.5,))) == Charge(0.5, low=True)
    assert watch.asked(AskCharge((0.25,))) == Charge(0.5, low=True), "levels that were named before are still watched"


def test_each_level_is_told_once_when_it_is_reached() -> None:
    watch = BatteryWatch(1.0)
    watch.asked(AskCharge((0.5, 0.25)))
    assert told(watch, 0.51, 0.5, 0.5, 0.4, 0.3) == [Charge(0.5, low=True)]
    assert told(watch, 0.2, 0.1) == [Charge(0.2, low=True)]


def test_two_levels_that_are_passed_at_once_are_one_message() -> None:
    watch = BatteryWatch(1.0)
    watch.asked(AskCharge((0.5, 0.25)))
    assert told(watch, 0.1) == [Charge(0.1, low=True)]


def test_that_it_is_empty_is_told_whatever_is_watched() -> None:
    assert told(BatteryWatch(0.5), 0.1, 0.0, 0.0) == [Charge(0.0, low=True)]


def test_a_level_is_told_again_only_when_the_charge_was_clearly_above_it() -> None:
    watch = BatteryWatch(1.0)
    watch.asked(AskCharge((0.5,)))
    assert told(watch, 0.5, 0.5 + 0.9 * BACK, 0.5) == [Charge(0.5, low=True)]
    assert told(watch, 0.5 + 1.1 * BACK, 0.5) == [Charge(0.5, low=True)]


def test_a_level_that_it_is_below_when_it_is_first_named_is_not_told_again() -> None:
    watch = BatteryWatch(0.4)
    assert watch.asked(AskCharge((0.5, 0.3))) == Charge(0.4, low=True)
    assert told(watch, 0.39) == []
    assert told(watch, 0.3) == [Charge(0.3, low=True)]


def test_that_it_is_full_again_is_told_once() -> None:
    assert told(BatteryWatch(1.0), 1.0) == []
    watch = BatteryWatch(0.9)
    assert told(watch, 0.99, 1.0, 1.0) == [Charge(1.0, low=False)]
    assert told(watch, 1.0 - 0.9 * BACK, 1.0) == []
    assert told(watch, 1.0 - 1.1 * BACK, 1.0) == [Charge(1.0, low=False)]


@given(st.lists(st.floats(0.0, 1.0), max_size=20), st.lists(st.floats(0.0, 1.0), max_size=3).map(tuple))
def test_low_means_not_above_the_highest_level(charges: list[float], levels: tuple[float, ...]) -> None:
    watch = BatteryWatch(1.0)
    watch.asked(AskCharge(levels))
    highest = max(levels, default=0.0)
    for said in told(watch, *charges):
        assert said.low == (said.value <= highest)
