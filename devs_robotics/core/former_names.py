"""Names that the project had before: methods of users' classes, and classes that users import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from warnings import warn

CLASS_STATEMENT = 4
"""Frames from `accept_former_name` up to a class statement: `__init_subclass__` and ABCMeta are between them."""

ASKER = 2
"""Frames from a module's `__getattr__` up to who asks for the name."""


def accept_former_name(cls: type, former: str, name: str) -> None:
    """Let a class have one method by two names, so that others, and its derived classes, find it by either.

    A DeprecationWarning tells of a class that defines it by the former name alone.

    Args:
        cls: that is being defined; called by `__init_subclass__` of its base
        former: the name that the method had
        name: the name that it has
    """
    own = vars(cls)
    if name in own:
        setattr(cls, former, own[name])
    elif former in own:
        warn(f"`{former}` of {cls.__name__} is now called `{name}`: rename it", DeprecationWarning, CLASS_STATEMENT)
        setattr(cls, name, own[former])


def former_classes(module: str, renamed: Mapping[str, type]) -> Callable[[str], type]:
    """A `__getattr__` of a module, by which its classes are still found by former names, with a DeprecationWarning.

    Args:
        module: its name
        renamed: its classes, by the names that they had
    """

    def found(name: str) -> type:
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        cls = renamed[name]
        warn(f"`{name}` of {module} is now called `{cls.__name__}`: rename it", DeprecationWarning, ASKER)
        return cls

    return found
