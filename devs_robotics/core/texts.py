"""Texts that files and streams in UTF-8 can hold: those without lone halves of surrogate pairs.

Python makes such halves of bytes that are no text, on a command line or in the name of a file.
"""

from __future__ import annotations


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can hold a text."""
    return encodable(text) == text


def encodable(text: str) -> str:
    """The text with what UTF-8 cannot hold written out, as ``\\udcff``."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
