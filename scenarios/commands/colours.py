"""Colours on terminals: of how something ended, of warnings, and of who complains."""

from __future__ import annotations

import os
import re
from typing import TextIO

RED, GREEN, YELLOW, RESET = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"

_MEANINGS = (
    (GREEN, re.compile(r"^ *(accepted|conforms|no violation)\b(?=[: ])", re.M)),
    (YELLOW, re.compile(r"^ *(rejected|interrupted|cancelled|warning)(?=:)", re.M)),
    (RED, re.compile(r"^ *(failed|refused|broken off|devs-robotics)(?=:)", re.M)),
    (RED, re.compile(r"\b(DOES NOT PASS|VIOLATION)\b")),
)


def has_colours(stream: TextIO) -> bool:
    """Whether a stream leads to a terminal that shows colours, and nobody has asked for none.

    ``NO_COLOR`` (https://no-color.org), where it is not empty, and ``TERM=dumb`` ask for none; ``FORCE_COLOR``, where
    it is not empty, asks for them wherever the stream leads, but for NO_COLOR.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def coloured(text: str, stream: TextIO) -> str:
    """The same lines with colours where they help, if the stream shows them; lines that have some stay as they are."""
    if not has_colours(stream):
        return text
    return "\n".join(line if "\x1b" in line else _coloured_line(line) for line in text.split("\n"))


def _coloured_line(line: str) -> str:
    for colour, pattern in _MEANINGS:
        line = pattern.sub(lambda found, colour=colour: _painted(found, colour), line)  # type: ignore[misc]
    return line


def _painted(found: re.Match[str], colour: str) -> str:
    before = found[0][: len(found[0]) - len(found[1])]
    return f"{before}{colour}{found[1]}{RESET}"
