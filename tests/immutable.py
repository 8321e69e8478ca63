"""What passes between models, and what a run is described by, can be changed by nobody."""

from __future__ import annotations

import importlib
import pkgutil

from msgspec import Struct


def changeable(package: str) -> set[str]:
    """Names of the structures in a package's own modules that can be changed after they were made."""
    modules = [
        importlib.import_module(f"{package}.{found.name}")
        for found in pkgutil.iter_modules(importlib.import_module(package).__path__)
        if not found.ispkg
    ]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__
    }
    assert kinds
    return {kind.__name__ for kind in kinds if not kind.__struct_config__.frozen}
