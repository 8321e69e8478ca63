"""The versions of the software that a run depends on."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

from devs_robotics import __version__


def versions() -> dict[str, str]:
    """Of this project, of Python, and of the packages that make a run's numbers."""
    return {
        "devs-robotics": __version__,
        "python": platform.python_version(),
        "platform": sys.platform,
        **{name: version(name) for name in ("xdevs", "numpy")},
    }
