"""Files that are either whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: str | bytes | Iterable[str]) -> None:
    """Write a file, so that a crash at any moment leaves the old file, or none, under its final name.

    Text is written as UTF-8; what is no character, in the name of a file for instance, as backslashes and numbers.
    A text that is too long for memory is given in pieces.

    Raises:
        OSError: the folder cannot be written to, or the disk is full; no partial file is left
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                pieces = [content] if isinstance(content, str) else content
                file.writelines(piece.encode(errors="backslashreplace") for piece in pieces)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
