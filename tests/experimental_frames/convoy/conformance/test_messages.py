"""Messages in the protocol's words, at and beside every bound."""

from __future__ import annotations

from math import inf, isinf

import msgspec
import pytest

from devs_robotics import Drive, Driven, Ranges
from devs_robotics.core.observe.plain import FLOAT
from devs_robotics.experimental_frames.convoy.conformance.messages import (
    HEARD_AT,
    SAID_AT,
    TYPES,
    Sight,
    driven_detail,
    fits,
    typed,
)
from devs_robotics.experimental_frames.convoy.conformance.protocol import Limits, ProtocolMemory, Rule
from devs_robotics.experimental_frames.convoy.conformance.single import Player
from devs_robotics.models.convoy import Sync
from tests.devs_robotics.core.robots.written_down import fields_of
from tests.immutable import changeable

SIGHT = Sight(offset=0.25, nearest=0.375, farthest=0.75, too_close=0.5, spacing=0.625)
"""All of them exact in binary."""


def test_fields_are_as_they_are_written_down() -> None:
    assert {kind.__name__: fields_of(kind) for kind in (Limits, ProtocolMemory, Rule, Player)} == {
        "Limits": "looks=0, recoveries=0, back_ups=2, centres='always', turns=0",
        "ProtocolMemory": "state, looks=0, recoveries=0, back_ups=0, centred=False, turns=0, swung=False, way=''",
        "Rule": "state, heard, detail, does, then, only_if=(), sets=(), sought=True",
        "Player": "part, beams=1, step=0.2, aside=0.5",
    }


def test_what_was_derived_and_what_became_of_it_cannot_be_changed() -> None:
    assert changeable("devs_robotics.experimental_frames.convoy.conformance") == set()


@pytest.mark.parametrize(
    ("gap", "detail"),
    [
        (0.37, "nothing"), (0.375, "too close"), (0.49, "too close"), (0.5, "in place"), (0.75, "in place"),
        (0.76, "nothing"), (inf, "nothing"),
    ],
)  # fmt: skip
def test_what_a_reading_means(gap: float, detail: str) -> None:
    assert SIGHT.detail(gap - 0.25) == detail


@pytest.mark.parametrize("detail", ["in place", "too close", "nothing"])
def test_a_reading_that_means_something_is_seen_as_that(detail: str) -> None:
    reading = SIGHT.reading(detail)
    assert reading is not None
    assert SIGHT.detail(reading) == detail
    assert msgspec.structs.replace(SIGHT, too_close=0.375).reading("too close") is None


def test_a_motion_that_was_cut_short_or_led_nowhere_was_blocked() -> None:
    assert driven_detail(Driven(0.1, 0.2)) == "all the way"
    assert driven_detail(Driven(0.1, 0.2, blocked=True)) == "blocked"
    assert driven_detail(Driven(0.1, 0.0)) == "blocked"


@pytest.mark.parametrize(
    ("drive", "names"),
    [
        (Drive(0.1, 0.0), {"turn", "go on", "drive"}),
        (Drive(0.0, 0.2), {"move", "go on", "drive"}),
        (Drive(0.0, -0.2), {"move", "back up", "drive"}),
        (Drive(0.1, 0.2), {"go on", "drive"}),
        (Drive(0.1, -0.2), {"drive"}),
        (Drive(0.0, 0.0), {"turn", "move", "go on", "drive"}),
    ],
)
def test_what_a_command_may_be_called(drive: Drive, names: set[str]) -> None:
    words = ("turn", "move", "back up", "go on", "drive", "look", "inform", "give up", "")
    assert {word for word in words if fits(word, drive)} == names


def test_plain_values_become_the_messages_that_they_were_also_where_json_has_no_number() -> None:
    assert typed("f_ready_in", {"robot": 1, "alpha": 0.0, "distance": 0.2, "beta": 0.0}) == Sync(1, 0.0, 0.2, 0.0)
    read = typed("infrared_answer", {"values": [0.3, {FLOAT: "inf"}]})
    assert isinstance(read, Ranges)
    assert read.values[0] == 0.3
    assert isinf(read.values[1])
    with pytest.raises(msgspec.ValidationError):
        typed("f_ready_in", {"robot": 1})


def test_every_port_is_heard_at_or_said_at() -> None:
    assert {*HEARD_AT, *SAID_AT} == set(TYPES)
    assert not HEARD_AT.keys() & set(SAID_AT)
