"""What models say to each other: fields in their order, with their defaults; and who has it cannot change it."""

from __future__ import annotations

import pytest
from msgspec import Struct

from devs_robotics import ModelError
from devs_robotics.core.robots import messages
from devs_robotics.core.robots.messages import AskCharge
from tests.devs_robotics.core.robots.written_down import fields_of, structs_of
from tests.immutable import changeable

FIELDS = {
    "Drive": "turn=0.0, distance=0.0",
    "Driven": "turn, distance, blocked=False",
    "Glide": "direction=0.0, distance=0.0, turn=0.0, speed=inf",
    "Glided": "distance, turn, blocked=False, under_way=False",
    "Sense": "",
    "Ranges": "values",
    "Touch": "touching",
    "Proximity": "values",
    "Light": "values",
    "Ground": "values",
    "AskCharge": "below=()",
    "Charge": "value, low=False",
    "TimeOfFlight": "range_mm",
    "Encoders": "left, right",
    "Inertial": "acceleration, rotation",
    "Wheels": "left=0.0, right=0.0",
    "Obstructed": "obstructed",
    "Rolled": "left, right",
    "Watch": "levels=(), period=0.0, offset=0.0",
    "Crossed": "values, element=-1, level=0.0, rising=False",
    "Asked": "name, question",
    "Answered": "name, answer",
    "Fix": "robot, x, y, heading, exposed=None",
    "TrackChange": "robot, sure",
    "PoseChange": "robot, x, y, heading",
}
"""Models name fields by their places, and traces and wires by their names: neither changes."""


@pytest.mark.parametrize("kind", structs_of(messages), ids=lambda kind: kind.__name__)
def test_fields_are_as_they_are_written_down(kind: type[Struct]) -> None:
    assert fields_of(kind) == FIELDS[kind.__name__]


def test_only_what_counts_and_what_is_put_together_can_be_changed() -> None:
    found = [changeable(f"devs_robotics.core{package}") for package in ("", ".realtime", ".robots")]
    assert set().union(*found) == {"Counts", "Batch", "_End"}


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_a_level_of_a_battery_is_a_share(level: float) -> None:
    assert AskCharge((level,)).below == (level,)


@pytest.mark.parametrize("level", [-0.01, 1.01, float("nan")])
def test_anything_else_is_refused(level: float) -> None:
    with pytest.raises(ModelError, match=r"a battery's charge is from 0 to 1, and AskCharge\.below is \(0\.5, "):
        AskCharge((0.5, level))
