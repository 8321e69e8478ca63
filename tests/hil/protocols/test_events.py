"""What protocols say: fields, in their order, with their defaults."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec import Struct

from devs_robotics.core.robots.messages import Rolled
from devs_robotics.hil.protocols import events
from tests.devs_robotics.core.robots.written_down import fields_of, structs_of

FIELDS = {
    "Moved": "turn, distance",
    "Blocked": "turn, distance",
    "Stopped": "turn, distance, late=False",
    "Ranged": "values",
    "Felt": "touching",
    "Told": "name, data, unasked=False",
    "Busy": "name",
    "Found": "",
    "Lost": "reason",
    "Dropped": "why, count=1",
    "GivenUp": "why",
    "Remind": "what, after",
    "Forget": "what",
}
"""Protocols of others name fields by their places: they do not change."""


@pytest.mark.parametrize("kind", structs_of(events), ids=lambda kind: kind.__name__)
def test_fields_are_as_they_are_written_down(kind: type[Struct]) -> None:
    assert fields_of(kind) == FIELDS[kind.__name__]


def test_a_protocol_may_say_bytes_and_any_of_them() -> None:
    assert set(get_args(events.Event)) == {*structs_of(events), Rolled}
    assert set(get_args(events.Output)) == {bytes, *get_args(events.Event)}
