"""A battery as a model: what it answers, and at which instant it says that a level is reached."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, nextafter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import ModelError
from devs_robotics.core.observe.events import Changed
from devs_robotics.core.testing.simulations import Simulate, Simulations
from devs_robotics.models.batteries import (
    DISCHARGES,
    AskCharge,
    Battery,
    Charge,
    Discharge,
    Recharge,
    SimpleDischarge,
    WheelSpeed,
    shipped,
)
from tests.approximately import near
from tests.models.batteries.discharges import discharges, speeds

HOUR = 3600.0
LOSING = SimpleDischarge(at_rest=-1e-4, moving=-1e-3)
"""Lasts 10,000 s at rest and 1000 s in motion."""

Told = list[tuple[float, Charge]]


def told(simulate: Callable[..., Any], battery: Battery, until: float, **inputs: list[tuple[float, Any]]) -> Told:
    """What a battery says (time in s, charge), when it hears so much."""
    trace = simulate(battery, until=until, inputs=inputs)
    found: Told = trace.outputs("power_answer")
    return found


def test_a_full_battery_is_empty_when_it_is_said_to_be_and_then_is_silent(simulate: Simulate) -> None:
    for name in DISCHARGES:
        discharge = shipped(name)
        battery = Battery("battery", discharge)
        assert told(simulate, battery, 10 * HOUR, wheel_speed=[(0.0, WheelSpeed(0.133))]) == [
            (near(discharge.seconds_until(1.0, 0.0, 0.133)), Charge(0.0, low=True))
        ]
        assert (battery.ta(), battery.charge) == (inf, 0.0)


def test_levels_are_told_at_their_instants_and_the_first_answer_comes_at_once(simulate: Simulate) -> None:
    question = [(100.0, AskCharge((0.5, 0.2)))]
    assert told(simulate, Battery("battery", LOSING), 20_000.0, power_ask=question) == [
        (100.0, Charge(near(0.99), low=False)),
        (near(5000.0), Charge(0.5, low=True)),
        (near(8000.0), Charge(0.2, low=True)),
        (near(10_000.0), Charge(0.0, low=True)),
    ]


def test_a_level_is_planned_anew_when_the_speed_changes(simulate: Simulate) -> None:
    """2000 s at rest, 200 s in motion, and at rest from then on."""
    moves = [(2000.0, WheelSpeed(0.1)), (2200.0, WheelSpeed(0.0))]
    assert told(
        simulate, Battery("battery", LOSING), 6000.0, power_ask=[(0.0, AskCharge((0.5,)))], wheel_speed=moves
    ) == [(0.0, Charge(1.0)), (near(3200.0), Charge(0.5, low=True))]


def test_a_battery_that_is_below_a_level_already_says_so_at_once(simulate: Simulate) -> None:
    battery = Battery("battery", LOSING, charge=0.1)
    assert told(simulate, battery, 10.0, power_ask=[(0.0, AskCharge((0.2,)))]) == [(0.0, Charge(0.1, low=True))]


def test_one_that_is_charged_is_full_in_time_and_its_levels_are_told_again(simulate: Simulate) -> None:
    """It falls to 0.5 in 5000 s, is charged for 1000 s from 6000 s on, and falls again."""
    charging = [(6000.0, Recharge(1e-3)), (7000.0, Recharge(0.0))]
    found = told(
        simulate, Battery("battery", LOSING), 12_500.0, power_ask=[(0.0, AskCharge((0.5,)))], recharge=charging
    )
    assert found == [
        (0.0, Charge(1.0)),
        (near(5000.0), Charge(0.5, low=True)),
        (near(6600.0), Charge(1.0)),
        (near(12_000.0), Charge(0.5, low=True)),
    ]


def test_an_empty_battery_can_be_charged(simulate: Simulate) -> None:
    battery = Battery("battery", LOSING, charge=0.0)
    asked = [(50.0, AskCharge())]
    assert told(simulate, battery, 10_000.0, recharge=[(0.0, Recharge(0.01))], power_ask=asked) == [
        (50.0, Charge(near(0.5))),
        (near(100.0), Charge(1.0)),
    ]


def test_all_questions_of_an_instant_are_answered_and_changes_of_the_instant_come_first(simulate: Simulate) -> None:
    battery = Battery("battery", LOSING)
    found = told(
        simulate,
        battery,
        300.0,
        power_ask=[(100.0, AskCharge()), (100.0, AskCharge()), (200.0, AskCharge())],
        wheel_speed=[(100.0, WheelSpeed(0.05))],
    )
    assert found == [(100.0, Charge(near(0.99)))] * 2 + [(200.0, Charge(near(0.89)))]


def test_a_question_at_the_very_instant_of_a_level_is_answered_beside_it(simulate: Simulate) -> None:
    battery = Battery("battery", SimpleDischarge(at_rest=-(2.0**-10)), charge=1.0)
    found = told(simulate, battery, 600.0, power_ask=[(0.0, AskCharge((0.5,))), (512.0, AskCharge())])
    assert found[1:] == [(512.0, Charge(0.5, low=True))] * 2


def test_a_level_that_rounding_brings_a_little_early_is_told_once(simulate: Simulate) -> None:
    """The speed changes so shortly before the level that the charge is already there, as far as numbers can tell."""
    level = 0.59375
    short = nextafter(LOSING.seconds_until(1.0, level, 0.0), 0.0)
    assert LOSING.charge_after(1.0, 0.0, short) == level
    question, change = [(0.0, AskCharge((level,)))], [(short, WheelSpeed(0.1))]
    found = told(simulate, Battery("battery", LOSING), 4500.0, power_ask=question, wheel_speed=change)
    assert found == [(0.0, Charge(1.0)), (short, Charge(level, low=True))]


@settings(max_examples=30)
@given(
    discharges,
    st.lists(st.tuples(st.integers(1, 3000).map(float), speeds), min_size=1, max_size=6),
    st.sets(st.integers(1, 31).map(lambda number: number / 32.0), max_size=3),
)
def test_whatever_the_speeds_each_level_is_told_once_at_its_instant(
    discharge: Discharge, way: list[tuple[float, float]], levels: set[float]
) -> None:
    """Held against the charge that is followed by hand, over the same spans."""
    changes, now = [], 0.0
    for seconds, speed in way:
        changes.append((now, WheelSpeed(speed)))
        now += seconds
    simulations = Simulations()
    found = told(
        simulations.run,
        Battery("battery", discharge),
        now,
        wheel_speed=changes,
        power_ask=[(0.0, AskCharge(tuple(levels)))],
    )
    simulations.close()
    expected: Told = [(0.0, Charge(1.0))]
    now, charge = 0.0, 1.0
    for seconds, speed in way:
        after = discharge.charge_after(charge, speed, seconds)
        for level in sorted({0.0, *levels}, reverse=True):
            if after <= level < charge:
                expected.append((now + discharge.seconds_until(charge, level, speed), Charge(level, low=True)))
        charge, now = after, now + seconds
    assert found == [(near(time, within=1e-3), each) for time, each in expected]


@given(st.integers(2, 50))
def test_there_are_no_ticks(moves: int) -> None:
    """One transition per change of the speed, and one per level."""
    counted = Battery("battery", shipped("linear"))
    simulations = Simulations()
    trace = simulations.run(
        counted, until=10.0 * HOUR, inputs={"wheel_speed": [(float(time), WheelSpeed(0.1)) for time in range(moves)]}
    )
    simulations.close()
    assert sum(isinstance(event, Changed) for event in trace.events) == moves + 1


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Battery("battery", LOSING, charge=1.5), "battery 'battery': its charge must be from 0 to 1, not 1.5"),
        (lambda: Battery("battery", LOSING, charge=nan), "battery 'battery': its charge must be from 0 to 1, not nan"),
        (lambda: AskCharge((0.2, 20.0)), r"a battery's charge is from 0 to 1, and AskCharge.below is \(0.2, 20.0\)"),
        (lambda: WheelSpeed(-0.1), "the speed of wheels must be 0 m/s or more, without a sign, not -0.1"),
        (lambda: WheelSpeed(nan), "the speed of wheels must be 0 m/s or more, without a sign, not nan"),
        (lambda: Recharge(-0.1), "Recharge.rate must be 0 or more"),
    ],
)
def test_what_is_no_charge_no_level_no_speed_and_no_rate_is_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ModelError, match=f"^{sentence}"):
        make()
