"""Colours of what is drawn, told apart by colour-blind people too; shapes and dashes say the same for all others."""

from __future__ import annotations

import re
from collections.abc import Mapping

from devs_robotics.view.scene import BodyKind

PAPER, INK, SOFT, FAINT, GROUND = "#ffffff", "#1f2933", "#52606d", "#9aa5b1", "#f3f5f7"
OBSTACLE, MARK, CHOSEN, TRACK = "#c3cad2", "#8a6d00", "#e69f00", "#7fa8c4"
KINDS: Mapping[BodyKind, str] = {
    "virtual": "#0072b2",
    "counterpart": "#007a5a",
    "real": "#d55e00",
    "outside": "#a3478a",
}
"""Of bodies."""

NAMED = {
    "black": "#000000", "white": "#ffffff", "grey": "#808080", "gray": "#808080", "red": "#cc3311",
    "orange": "#e69f00", "yellow": "#f0e442", "green": "#009e73", "blue": "#0072b2", "purple": "#a3478a",
    "brown": "#7a4a1e",
}  # fmt: skip
"""Colours that marks may name."""


def rgb(colour: str, otherwise: str) -> tuple[int, int, int]:
    """Red, green and blue, from 0 to 255, of a colour by name or as ``#rrggbb``.

    Args:
        colour: what a scene says
        otherwise: ``#rrggbb`` where it says nothing, or what is no colour here
    """
    found = NAMED.get(colour.strip().lower(), colour.strip())
    if not re.fullmatch("#[0-9a-fA-F]{6}", found):
        found = otherwise
    red, green, blue = (int(found[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue
