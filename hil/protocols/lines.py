"""Lines of text out of a stream of bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENDS = re.compile(rb"[\r\n]")


class Lines:
    """Puts lines together from the pieces in which they come; they end with CR, LF or both.

    Args:
        longest: of a longer line only this many bytes are kept, and one more, so that it can be told
    """

    def __init__(self, longest: int = 256) -> None:
        self._kept = longest + 1
        self._line = bytearray()

    def take(self, data: bytes) -> Iterator[bytes]:
        """The lines that are complete with these bytes, without their ends; empty ones are left out."""
        *ended, rest = _ENDS.split(data)
        for part in ended:
            self._add(part)
            line = bytes(self._line)
            self._line.clear()
            if line:
                yield line
        self._add(rest)

    def clear(self) -> None:
        """Forget the beginning of a line."""
        self._line.clear()

    def _add(self, part: bytes) -> None:
        self._line += part[: self._kept - len(self._line)]
