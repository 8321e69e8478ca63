"""Reads the messages of an MCAP file, also of one whose writer was killed."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mcap.exceptions import InvalidMagic, McapError
from mcap.records import Message
from mcap.stream_reader import CRCValidationError, StreamReader
from zstandard import ZstdError

from devs_robotics.core.observe.events import TraceError


def read_messages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each message with its place, in the order in which they were written; of a file that is cut short, what is whole.

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
    try:
        for record in StreamReader(file, validate_crcs=True).records:
            if isinstance(record, Message):
                count += 1
                yield f"message {count}", record.data
    except InvalidMagic as exc:
        raise TraceError(f"{path} is no trace: it is not an MCAP file") from exc
    except (McapError, CRCValidationError, ZstdError, struct.error) as exc:
        if file.read(1):  # at the end of the file, the last record is torn
            raise TraceError(f"{path} is broken after message {count}: {exc}") from exc
