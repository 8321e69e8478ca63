"""Bags as other programs read them: rosbags, and mcap-ros2-support."""

from __future__ import annotations

from math import atan2
from pathlib import Path
from typing import Any

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader

Message = tuple[str, int, Any]
"""Topic, time (ns), and what it says."""


def by_rosbags(path: Path) -> list[Message]:
    """All messages of a bag."""
    with AnyReader([path]) as reader:
        return [
            (connection.topic, time, reader.deserialize(data, connection.msgtype))
            for connection, time, data in reader.messages()
        ]


def by_mcap(path: Path) -> list[Message]:
    """The same, by another reader, which knows types by the texts in the file alone."""
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        return [(channel.topic, each.log_time, said) for _, channel, each, said in reader.iter_decoded_messages()]


def of(messages: list[Message], topic: str) -> list[tuple[int, Any]]:
    """Those of one topic."""
    return [(time, message) for name, time, message in messages if name == topic]


def seconds(stamp: Any) -> float:
    """A stamp, in s."""
    return float(stamp.sec + 1e-9 * stamp.nanosec)


def heading(turn: Any) -> float:
    """The turn that a quaternion says, about a vertical axis."""
    assert abs(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w - 1.0) < 1e-9
    assert turn.x == turn.y == 0.0
    return 2.0 * atan2(turn.z, turn.w)
