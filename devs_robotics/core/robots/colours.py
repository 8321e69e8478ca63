"""Colours as texts: "#rrggbb" or a name, and as red, green and blue."""

from __future__ import annotations

import re
from typing import TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

NAMED: dict[str, Rgb] = {
    "black": (0, 0, 0),
    "silver": (192, 192, 192),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "white": (255, 255, 255),
    "maroon": (128, 0, 0),
    "red": (255, 0, 0),
    "purple": (128, 0, 128),
    "fuchsia": (255, 0, 255),
    "magenta": (255, 0, 255),
    "green": (0, 128, 0),
    "lime": (0, 255, 0),
    "olive": (128, 128, 0),
    "yellow": (255, 255, 0),
    "orange": (255, 165, 0),
    "navy": (0, 0, 128),
    "blue": (0, 0, 255),
    "teal": (0, 128, 128),
    "aqua": (0, 255, 255),
    "cyan": (0, 255, 255),
}
"""The basic colours of CSS, and a few that people write as well."""

_HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")


def rgb(colour: str) -> Rgb | None:
    """Red, green and blue of a colour; None where the text names none."""
    digits = _HEX.fullmatch(colour)
    if digits is None:
        return NAMED.get(colour.lower())
    red, green, blue = (int(each, 16) for each in digits.groups())
    return red, green, blue


def hexadecimal(colour: Rgb) -> str:
    """A colour as "#RRGGBB"."""
    return "#{:02X}{:02X}{:02X}".format(*colour)
