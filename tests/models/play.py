"""Plays the rest of the world for a single model: gives it inputs by hand and takes its outputs."""

from __future__ import annotations

from typing import Any

from devs_robotics import Atomic, Port

Said = tuple[str, Any]
"""Port name and value."""


def settle(model: Atomic, within: float = 0.0) -> list[Said]:
    """All that a model sends from now on, in phases that last no longer than so (s)."""
    said: list[Said] = []
    for _ in range(20):
        if not 0.0 <= model.ta() <= within:
            return said
        model.lambdaf()
        for port in model.out_ports:
            said += [(port.name, value) for value in port.values]
            port.clear()
        model.deltint()
    raise AssertionError(f"{model.name} does not settle: {said[-3:]}")


def tell(model: Atomic, *inputs: tuple[Port[Any], Any], e: float = 1.0, within: float = 0.0) -> list[Said]:
    """Give a model values at one instant, `e` after the last, and return what it sends in answer, as `settle` does."""
    for port, value in inputs:
        port.add(value)
    model.deltext(e)
    for port, _ in inputs:
        port.clear()
    return settle(model, within)
