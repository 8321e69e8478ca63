"""What a command shows to people, as wide as their terminal, and to programs."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any, TextIO

from devs_robotics.core.texts import encodable
from devs_robotics.scenarios.commands.colours import coloured
from devs_robotics.scenarios.commands.standard_streams import failure_of

NARROWEST = 20
"""Columns; a narrower terminal wraps by itself."""

_STEERING = re.compile("(?!\x1b\\[[0-9;]*m)[\x00-\x08\x0b-\x1f\x7f-\x9f]")

COMMAND = "devs-robotics "
"""A line that begins so, after its indentation, is there to be copied, and is not wrapped."""


class Display:
    """Shows lines on standard output; what is called ``show`` in a command.

    Args:
        silent: nothing is shown
    """

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent

    def __call__(self, text: str) -> None:
        """Show some lines, at once."""
        if not self._silent:
            _put(coloured(fitted(readable(text), sys.stdout), sys.stdout))


def nobody_reads() -> bool:
    """Whether standard output has failed, so that there is no use in showing more."""
    return failure_of(sys.stdout) is not None


def complain(text: str) -> None:
    """Tell people what is wrong, on standard error, also where they asked for quiet."""
    sys.stderr.write(f"{coloured(fitted(readable(text), sys.stderr), sys.stderr)}\n")
    sys.stderr.flush()


def show_json(summary: Mapping[str, Any]) -> None:
    """Show a summary to a program, on standard output: one JSON object on one line, with null for NaN."""
    from devs_robotics.scenarios.running.results import without_nan  # slow to load, and most commands show none

    _put(json.dumps(without_nan(summary), allow_nan=False))


def readable(text: str) -> str:
    """The same text with backslashes and numbers for characters that would steer a terminal, but for its colours.

    And for those that no stream can hold, as a byte of a command line that is no text in UTF-8 has become one.
    """
    return _STEERING.sub(lambda found: f"\\x{ord(found[0]):02x}", encodable(text))


def fitted(text: str, stream: TextIO) -> str:
    """The same lines wrapped between words to the width of the terminal that a stream leads to, if it does.

    Lines with colours, and commands to be copied, stay as they are.
    """
    width = columns(stream)
    return text if width is None else "\n".join(_wrapped(line, width) for line in text.split("\n"))


def columns(stream: TextIO) -> int | None:
    """Of the terminal that a stream leads to; None where it leads to none."""
    return max(NARROWEST, shutil.get_terminal_size().columns) if stream.isatty() else None


def _put(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()  # whoever reads a pipe wants to know at once what runs


def _wrapped(line: str, width: int) -> str:
    if len(line) <= width or "\x1b" in line or line.lstrip().startswith(COMMAND):
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
