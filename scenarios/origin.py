"""Makes sure that the project's own packages are imported, not a folder of the same name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from devs_robotics import DevsRoboticsError


def check() -> None:
    """See that plain names such as `models` lead to this project.

    Raises:
        DevsRoboticsError: one of them leads elsewhere
    """
    home = Path(__file__).parent.parent
    for name in ("models", "experimental_frames", "hil"):
        spec = find_spec(name)
        places = [Path(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []
        if home / name not in places:
            where = places[0] if places else spec.origin if spec is not None else "nowhere"
            raise DevsRoboticsError(
                f"'import {name}' leads to {where} instead of {home / name}: start in another folder, or rename yours"
            )
