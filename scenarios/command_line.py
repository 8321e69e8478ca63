"""Commands as they are to be typed again, in reports and in sentences."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from devs_robotics.core.texts import encodable


def command_line(words: Iterable[str]) -> str:
    """Words of a command, quoted for a shell; with backslashes for a byte that is no text, which no file can hold."""
    return encodable(shlex.join(words))
