"""The code blocks of the project's documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.S | re.M)

TITLED = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', flags=re.S | re.M)


class Example(Struct):
    """A block of Python, and what the document says that it prints; None where it says nothing."""

    code: str
    output: str | None


def examples(path: Path) -> list[Example]:
    """The Python of a document in order, each with the text block that follows it at once."""
    found: list[Example] = []
    text, last = path.read_text(), -1
    for match in FENCE.finditer(text):
        kind, block = match.groups()
        if kind == "python":
            found.append(Example(block, None))
        elif kind == "text" and last >= 0 and not text[last : match.start()].strip():
            found[-1].output = block
        last = match.end() if kind == "python" else -1
    return found


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """The blocks of a document in order: their language, their title, and what is in them."""
    for match in TITLED.finditer(text):
        kind, title, block = match.groups()
        yield kind, title or "", block


def program(path: Path, mark: str) -> str:
    """A document's Python as one program, which prints `mark` after each block."""
    return "\n".join(f"{example.code}\nprint({mark!r}, flush=True)" for example in examples(path))
