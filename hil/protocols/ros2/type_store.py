"""Message types of ROS 2: their texts, hashes, and what writes and reads their bytes (CDR), by rosbags."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import needed

if TYPE_CHECKING:
    from rosbags.typesys.store import Typestore

NEEDS = "robots of ROS 2 need"
"""Who needs packages of the extra ros2, and the verb."""

DISTROS = ("humble", "iron", "jazzy", "kilted")
"""Releases of ROS 2 whose message types are known."""

DISTRO = "jazzy"
"""The one whose types are taken where nothing else is said."""

LARGEST = 1 << 20
"""Size above which a message is not read (bytes)."""

LONGEST = 1 << 18
"""Number of elements above which a sequence is not read."""


FURTHER = {
    "irobot_create_msgs/msg/HazardDetection": (
        "uint8 BACKUP_LIMIT=0\nuint8 BUMP=1\nuint8 CLIFF=2\nuint8 STALL=3\nuint8 WHEEL_DROP=4\n"
        "uint8 OBJECT_PROXIMITY=5\nstd_msgs/Header header\nuint8 type\n"
    ),
    "irobot_create_msgs/msg/HazardDetectionVector": (
        "std_msgs/Header header\nirobot_create_msgs/HazardDetection[] detections\n"
    ),
}
"""Types of no release: of irobot_create_msgs (iRobot, BSD 3-Clause)."""


class Ros2Error(DevsRoboticsError):
    """Something of ROS 2 cannot be used here."""


class MessageError(Ros2Error):
    """Bytes are no message of their type, or one whose values cannot be."""


@cache
def type_store(distro: str = DISTRO) -> Typestore:
    """The types of a release.

    Raises:
        Ros2Error: rosbags is not installed, or the release is not known
    """
    if distro not in DISTROS:
        raise Ros2Error(f"there is no release {distro!r} of ROS 2 here: choose {', '.join(DISTROS)}")
    with needed(NEEDS, Ros2Error):
        from rosbags.typesys import Stores, get_types_from_msg, get_typestore
    store = get_typestore(Stores[f"ROS2_{distro.upper()}"])
    store.max_sequence_length = LONGEST
    _correct_identifiers(store)
    for name, text in FURTHER.items():
        store.register(get_types_from_msg(text, name))
    return store


def _correct_identifiers(store: Typestore) -> None:
    """A ``char`` is a uint8 in ROS 2, as the hash of a type that has one says, too; rosbags takes it for another."""
    from rosbags.interfaces import Nodetype

    length: Any = store.fielddefs["rmw_dds_common/msg/Gid"][1][0][1][1][1]
    octets = Nodetype.ARRAY, ((Nodetype.BASE, ("uint8", 0)), length)
    store.fielddefs["rmw_dds_common/msg/Gid"] = [], [("data", octets)]  # type: ignore[list-item]


@cache
def type_hash(name: str, distro: str = DISTRO) -> str:
    """The hash of a type (REP 2016), which endpoints announce: ``RIHS01_...``.

    Args:
        name: of the type, such as ``geometry_msgs/msg/Twist``
        distro: release
    """
    return str(type_store(distro).hash_rihs01(name))


def write(name: str, message: object, distro: str = DISTRO) -> bytes:
    """The bytes of a message, little endian, with their header of four bytes.

    Args:
        name: of its type
        message: an object of `type_store(distro).types[name]`
        distro: release
    """
    return bytes(type_store(distro).serialize_cdr(message, name))


def read(name: str, data: bytes, distro: str = DISTRO) -> Any:
    """The message that bytes say, of whatever byte order.

    Raises:
        MessageError: they say none
    """
    if len(data) > LARGEST:
        raise MessageError(f"a message of {name} has {len(data)} bytes: at most {LARGEST} are read")
    store = type_store(distro)
    try:
        return store.deserialize_cdr(data, name)
    except Exception as error:  # what a library says of bytes from outside: whatever it raises, they are no message
        raise MessageError(f"bytes are no message of {name}: {error}") from error
