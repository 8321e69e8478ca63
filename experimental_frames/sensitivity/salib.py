"""SALib's analyses, imported when the first one is wanted: that takes a second."""

from __future__ import annotations

from typing import Any, Literal

from devs_robotics.core.extras import load
from devs_robotics.experimental_frames.sweep.reading import SweepError


def salib(method: Literal["morris", "sobol"]) -> Any:
    """The module of one analysis.

    Raises:
        SweepError: SALib is not installed
    """
    return load(f"SALib.analyze.{method}", f"the analysis of a {method} sweep needs", SweepError)
