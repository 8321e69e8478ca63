"""The colours of pages and figures: changed with a page's light or dark.

Blue, green and vermilion are those of Okabe and Ito. Their lighter colours cannot be seen as thin lines on white:
orange is darker here, and brown and violet stand for the rest. Colour-blind people can tell any two apart, and in grey
print marks and dashes do.
"""

from __future__ import annotations

import re
from typing import Any

INK, FAINT, ACCENT, PUBLISHED = "#1f2933", "#9aa5b1", "#0072b2", "#d55e00"
PAPER = "#ffffff"
SERIES: tuple[str, ...] = (ACCENT, INK, "#009e73", "#c98500", "#7a4a1e", "#6048f0")
"""Of lines that stand in one picture; any two differ to people who see no red or no green."""
MARKERS: tuple[str, ...] = ("o", "s", "^", "v", "P", "X")
"""Of the same lines, for who sees no colours at all; published values are diamonds."""
DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
"""As matplotlib takes them."""

_NAMES = {PAPER: "paper", INK: "ink", FAINT: "faint", ACCENT: "accent", PUBLISHED: "published"}
_NAMES |= {colour: f"series-{number}" for number, colour in enumerate(SERIES) if colour not in _NAMES}
"""Variables of the style sheet, by the colour that each has on light ground."""


def themed(svg: str) -> str:
    """A figure to stand inside a page: its colours are variables of the page's style sheet, light or dark."""
    return re.sub(r"(?<=: )#[0-9a-f]{6}\b", lambda found: _variable(found[0]), svg)


def _variable(colour: str) -> str:
    return f"var(--{_NAMES[colour]})" if colour in _NAMES else colour
