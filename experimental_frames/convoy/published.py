"""What Hu & Zeigler report in section 4.2, as far as its text gives numbers: not the curves of its figures."""

from __future__ import annotations

ROBOTS = 30
"""So many has the convoy of figures 8 to 10."""

NOISE_SETS = ((0.04, 0.04), (0.1, 0.08), (0.2, 0.1))
"""(DNF, ANF) of the three series of figure 10; figures 9 and 11 have the second."""

SIZES = (10, 20, 30, 40)
"""Numbers of robots in figure 11; of its values the text says only that they increase."""

AVERAGE_ERROR = dict(zip(NOISE_SETS, (35.1, 35.7, 36.6), strict=True))
"""By (DNF, ANF), for `ROBOTS` robots. The paper gives no unit; its lengths are centimetres."""


def published_error_cm(robots: int, dnf: float, anf: float) -> float | None:
    """The published average for these settings, or None where the paper reports none."""
    return AVERAGE_ERROR.get((dnf, anf)) if robots == ROBOTS else None
