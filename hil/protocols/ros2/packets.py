"""Packets: what passes between the driver of a ROS 2 robot and its transport: a topic, NUL, and bytes.

The topic is what it is to the driver (`CMD_VEL`, `ODOM`, ...), whatever it is called in ROS; the bytes are a message's
(CDR). Only `GRAPH` carries JSON: what the transport has found out about the robot (`graph.Matched`).
"""

from __future__ import annotations

CMD_VEL, ODOM, SCAN, BATTERY, TF, GRAPH = "cmd_vel", "odom", "scan", "battery", "tf", "graph"
HAZARDS = "hazards"
"""What a Create 3 tells of its bumper, and of cliffs."""

TF_STATIC = "tf_static"
"""Transforms that do not change: where sensors are on the body."""

ASK, TOLD = "ask", "told"
"""What equipment of the robot's own is asked, and what it tells: JSON texts."""

RANGE = "range"
"""Topics of single range sensors are called ``range0``, ``range1``, ... from left to right."""


def pack(topic: str, data: bytes) -> bytes:
    """A packet."""
    return topic.encode() + b"\0" + data


def unpack(packet: bytes) -> tuple[str, bytes]:
    """Topic and bytes; the topic is empty where a packet is malformed."""
    topic, nul, data = packet.partition(b"\0")
    return (topic.decode(errors="replace"), data) if nul else ("", packet)
