"""Hashes of sources: whether two models are written alike."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable

from xdevs.models import Component

OURS = ("builtins", "abc", "xdevs", "devs_robotics.core", "typing")
"""Packages whose classes are told apart by their versions."""


def source_hashes(models: Iterable[Component]) -> dict[str, str]:
    """SHA-256 (hexadecimal) of the source of each class of the models and of its bases outside of `OURS`, by name.

    A class without a source, one written at a prompt, is left out.
    """
    classes = {cls for model in models for cls in type(model).__mro__}
    found: dict[str, str] = {}
    for cls in classes:
        if not any(f"{cls.__module__}.".startswith(f"{package}.") for package in OURS):
            try:
                source = inspect.getsource(cls)
            except (OSError, TypeError):
                continue
            found[f"{cls.__module__}.{cls.__qualname__}"] = hashlib.sha256(source.encode()).hexdigest()
    return dict(sorted(found.items()))
