"""Messages as they are written down: names of fields in their order, and defaults."""

from __future__ import annotations

from types import ModuleType

from msgspec import NODEFAULT, Struct, structs


def fields_of(kind: type[Struct]) -> str:
    """The fields of a message, as in ``distance, blocked=False``."""
    return ", ".join(
        each.name if each.default is NODEFAULT else f"{each.name}={each.default!r}" for each in structs.fields(kind)
    )


def structs_of(module: ModuleType) -> list[type[Struct]]:
    """The messages that a module defines."""
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Struct) and each.__module__ == module.__name__
    ]
