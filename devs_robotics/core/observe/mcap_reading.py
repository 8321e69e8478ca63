"""Reads the messages of an MCAP file, also of one whose writer was killed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mcap.exceptions import InvalidMagic, McapError
from mcap.records import Channel, Message, Schema
from mcap.stream_reader import CRCValidationError, StreamReader
from zstandard import ZstdError

from devs_robotics.core.observe.events import TraceError
from devs_robotics.core.observe.mcap_ros2 import EVENTS, text_of
from devs_robotics.core.observe.mcap_schema import OWN


def read_messages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each event with its place, in the order in which they were written; of a file that is cut short, what is whole.

    Messages in others' schemas, which repeat what events tell for others' tools, are left out.

    Raises:
        TraceError: the file cannot be read, is not MCAP, or is broken
    """
    try:
        with path.open("rb") as file:
            yield from _messages(path, file)
    except OSError as exc:
        raise TraceError(f"cannot read the trace {path}: {exc.strerror or exc}") from exc


def _messages(path: Path, file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    count = 0
    theirs: set[int] = set()
    """Schemas of others, and channels of these: a file numbers each kind of its own."""
    others: set[int] = set()
    texts: set[int] = set()
    """Channels whose messages are texts of ROS with events."""
    try:
        for record in StreamReader(file, validate_crcs=True).records:
            if isinstance(record, Schema) and not record.name.startswith(OWN):
                theirs.add(record.id)
            elif isinstance(record, Channel) and EVENTS.items() <= record.metadata.items():
                texts.add(record.id)
            elif isinstance(record, Channel) and record.schema_id in theirs:
                others.add(record.id)
            elif isinstance(record, Message) and record.channel_id not in others:
                count += 1
                yield f"message {count}", text_of(record.data) if record.channel_id in texts else record.data
    except InvalidMagic as exc:
        raise TraceError(f"{path} is no trace: it is not an MCAP file") from exc
    except (McapError, CRCValidationError, ZstdError, struct.error, UnicodeDecodeError) as exc:
        if file.read(1):  # at the end of the file, the last record is torn
            raise TraceError(f"{path} is broken after message {count}: {exc}") from exc
