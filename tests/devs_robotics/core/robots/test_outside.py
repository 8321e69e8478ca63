"""What robots outside hear, as it is written down."""

from __future__ import annotations

import msgspec
import pytest

from devs_robotics.core.robots.outside import RobotJoined, RobotLeft, SensorAnswer, ToOutside


@pytest.mark.parametrize(
    ("said", "tag"),
    [
        (SensorAnswer(3, True, "distance", (), 0.1), "Reads"),
        (RobotJoined(3, False), "Came"),
        (RobotLeft(3), "Gone"),
    ],
)
def test_what_traces_call_a_message_has_not_changed(said: ToOutside, tag: str) -> None:
    text = msgspec.json.encode(said)
    assert msgspec.json.decode(text)["type"] == tag
    assert msgspec.json.decode(text, type=type(said)) == said
