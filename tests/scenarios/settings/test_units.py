"""What reports are told of settings, held against the schema."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.settings.loading import known_keys
from devs_robotics.scenarios.settings.units import unit_of, usual_settings

UNITS = {
    "leader.step": "m",
    "follower.scan_step": "rad",
    "robot.speed": "m/s",
    "robot.turn_rate": "rad/s",
    "run.duration": "s",
    "field.width": "m",
    "noise.dnf": "",
    "convoy.robots": "",
    "infrared.leader_beams": "",
    "frame.parts.mine.limit": "",
    "there.is.no.such.key": "",
}


@pytest.mark.parametrize(("key", "unit"), UNITS.items())
def test_a_key_has_the_unit_of_its_quantity(key: str, unit: str) -> None:
    assert unit_of(key) == unit


def test_a_quantity_is_in_the_unit_that_is_told() -> None:
    """A text with the unit says the same as the number, for each key that has one."""
    keys = [key for key in known_keys() if unit_of(key)]
    assert len(keys) > 20
    for key in keys:
        table, name = key.split(".")
        value = getattr(getattr(load("convoy"), table), name)
        if value is not None:
            text = load("convoy", [f"{key}={value!r} {unit_of(key)}"])
            assert getattr(getattr(text, table), name) == pytest.approx(value)


@pytest.mark.parametrize("settings", [[], ["convoy.robots=12", "convoy.distance=0.4"], ["run.duration=90"]])
def test_usual_settings_are_those_of_a_convoy_of_which_nothing_else_is_said(settings: list[str]) -> None:
    given = resolve(load("convoy", settings)).model_dump(mode="json")
    usual = usual_settings(given)
    assert {**usual, "title": given["title"]} == given


def test_settings_that_are_no_scenarios_of_today_have_usual_ones() -> None:
    assert usual_settings({"convoy": {"robots": "many"}})["convoy"]["robots"] == 30
