"""SALib's analyses, imported when the first one is wanted: that takes a second."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal

from devs_robotics.experimental_frames.sweep.reading import SweepError


def salib(method: Literal["morris", "sobol"]) -> Any:
    """The module of one analysis.

    Raises:
        SweepError: SALib is not installed
    """
    try:
        return import_module(f"SALib.analyze.{method}")
    except ImportError:
        raise SweepError(f"the analysis of a {method} sweep needs SALib: pip install SALib") from None
