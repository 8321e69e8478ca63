"""Methods of users' classes that may still have the name that the project gave them before."""

from __future__ import annotations

from warnings import warn

CLASS_STATEMENT = 4
"""Frames from `accept_former_name` up to a class statement: `__init_subclass__` and ABCMeta are between them."""


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
