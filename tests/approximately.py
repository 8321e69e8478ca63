"""Numbers that are equal up to rounding, for use inside messages."""

from __future__ import annotations

from typing import Any

import pytest


def near(value: float, within: float = 1e-9) -> Any:
    """What compares equal to numbers within `within` of `value`, and may stand where a float is wanted."""
    return pytest.approx(value, abs=within, rel=1e-9)
