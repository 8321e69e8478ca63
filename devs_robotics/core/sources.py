"""Hashes of sources: whether two models are written alike."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable

from xdevs.models import Component

VERSIONED_PACKAGES = ("builtins", "abc", "xdevs", "devs_robotics.core", "typing")
"""Packages whose classes are told apart by their versions."""


def source_hashes(models: Iterable[Component]) -> dict[str, str]:
    """SHA-256 (hexadecimal) of the source of each class of the models and of its bases, by name.

    Classes of `VERSIONED_PACKAGES` are left out. A class without a source, one written at a prompt, is left out too.
    """
    classes = {cls for model in models for cls in type(model).__mro__}
    found: dict[str, str] = {}
    for cls in classes:
        if not any(f"{cls.__module__}.".startswith(f"{package}.") for package in VERSIONED_PACKAGES):
            try:
                source = inspect.getsource(cls)
            except (OSError, TypeError):
                continue
            found[f"{cls.__module__}.{cls.__qualname__}"] = hashlib.sha256(source.encode()).hexdigest()
    return dict(sorted(found.items()))
