"""The average position errors that Hu & Zeigler report in section 4.2, for 30 robots."""

from __future__ import annotations

ROBOTS = 30
AVERAGE_ERROR = {(0.04, 0.04): 35.1, (0.1, 0.08): 35.7, (0.2, 0.1): 36.6}
"""By (DNF, ANF). The paper gives no unit; its lengths are centimetres."""


def published_error_cm(robots: int, dnf: float, anf: float) -> float | None:
    """The published average for these settings, or None where the paper reports none."""
    return AVERAGE_ERROR.get((dnf, anf)) if robots == ROBOTS else None
