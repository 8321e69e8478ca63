"""The topics of the wire, after the channel, and which of them are listened to."""

from __future__ import annotations

CREATE = "robot/create"
LIVE = "robot/live"
DELETE = "robot/delete"
LOG = "robot/log"
ORDER_ALL = "robot/msg/broadcast"
ORDER = "robot/msg/{}"

POSES = "localization/update"
POSES_WANTED = "localization/update/?"
WHERE = "localization"
WHERE_ANSWER = "localization/{}"
ALL_POSES_WANTED = "localization/data/?"
ALL_POSES = "localization/data"

DISTANCE = "sensor/distance"
COLOUR = "sensor/color"
PROXIMITY = "sensor/proximity"
SENSOR_ANSWER = "sensor/{}/{}"

CALL = "comm/out/simple"
CALL_AHEAD = "comm/out/direct"
HEAR = "comm/in/simple/{}"
HEAR_AHEAD = "comm/in/direct/{}"

GLOW = "output/neopixel"

OBSTACLES_WANTED = "obstacles/?"
OBSTACLES = "obstacles"
OBSTACLES_GONE = "obstacles/delete/all"
ARENA = "config/arena/"

SNAPSHOT_WANTED = "mgt/robots/snapshot"
SNAPSHOT = "mgt/robots/?"
VISUALIZER = "mgt/visualizer"

DISCOVERY = "service/discovery"

LISTENED = (
    CREATE,
    LIVE,
    DELETE,
    LOG,
    POSES,
    WHERE,
    ALL_POSES_WANTED,
    DISTANCE,
    COLOUR,
    PROXIMITY,
    CALL,
    CALL_AHEAD,
    GLOW,
    OBSTACLES_WANTED,
    SNAPSHOT_WANTED,
    DISCOVERY,
)
"""What a server subscribes to."""


def on_channel(channel: str, topic: str) -> str:
    """A topic as the broker knows it."""
    return f"{channel}/{topic}"


def off_channel(channel: str, topic: str) -> str | None:
    """A broker's topic without its channel; None where it is on another channel."""
    own = f"{channel}/"
    return topic[len(own) :] if topic.startswith(own) else None
