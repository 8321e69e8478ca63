"""Tables and pictures in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

WIDTH = 118
"""Of lines of text."""

WHOLE: Any = {"break_long_words": False, "break_on_hyphens": False}


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table.

    Args:
        heads: of the columns
        rows: as many cells each
        numbers: columns that stand to the right
    """
    rule = ["---:" if place in numbers else "---" for place in range(len(heads))]
    return "\n".join("| " + " | ".join(map(_cell, cells)) + " |" for cells in (heads, rule, *rows)) + "\n"


def paragraph(text: str) -> str:
    """A text in lines that are not too long."""
    return fill(" ".join(text.split()), WIDTH, **WHOLE) + "\n"


def bullets(*texts: str) -> str:
    """A list."""
    lines = [" ".join(("-", *text.split())) for text in texts]
    return "\n".join(fill(line, WIDTH, subsequent_indent="  ", **WHOLE) for line in lines) + "\n"


def picture(what: str, path: str) -> str:
    """A picture, and what is to be seen in it for who cannot see it."""
    return f"![{what}]({path})\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
