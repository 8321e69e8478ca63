"""Attachments: what rmw_zenoh sends with each message.

33 bytes since rmw_zenoh 0.2.4: sequence number (int64), time (int64, ns), length of the identifier (16), identifier of
the publisher. Before, 77 bytes, with a label in front of each. All is little endian.
"""

from __future__ import annotations

import struct

from msgspec import Struct

from devs_robotics.hil.protocols.ros2.type_store import MessageError

_PLAIN = struct.Struct("<qqB16s")
_LABELS = (b"sequence_number", b"source_timestamp", b"source_gid")
GID = 16
"""Length of a publisher's identifier (bytes)."""


class Attachment(Struct, frozen=True):
    """What goes with a message.

    Attributes:
        sequence: number of the message, from 1
        time: at which it was sent (ns since 1970)
        gid: identifier of the publisher, 16 bytes
    """

    sequence: int
    time: int
    gid: bytes


def write_attachment(attachment: Attachment) -> bytes:
    """The 33 bytes: a peer that cannot read what goes with a message ends its process."""
    return _PLAIN.pack(attachment.sequence, attachment.time, GID, attachment.gid)


def read_attachment(data: bytes) -> Attachment:
    """What 33 or 77 bytes say.

    Raises:
        MessageError: they say nothing
    """
    plain = data if len(data) == _PLAIN.size else _without_labels(data)
    if plain is None or plain[16] != GID:
        raise MessageError(f"{len(data)} bytes are no attachment of rmw_zenoh")
    sequence, time, _, gid = _PLAIN.unpack(plain)
    return Attachment(sequence, time, gid)


def _without_labels(data: bytes) -> bytes | None:
    """The same bytes without labels, each of which has its length in front; None if they do not stand there."""
    rest, kept = data, b""
    for label, size in zip(_LABELS, (8, 8, 1 + GID), strict=True):
        head = bytes((len(label),)) + label
        if not rest.startswith(head) or len(rest) < len(head) + size:
            return None
        kept += rest[len(head) : len(head) + size]
        rest = rest[len(head) + size :]
    return None if rest else kept
