"""What is in the world beside bodies and obstacles: lamps, a floor, and what robots show or send, by its type."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Thing(Struct, frozen=True):
    """Something in the world that sensors look up by its type; a subclass says what it is.

    It is put there by ``system.add(Lamp(1.0, 2.0))``, and stays as it is.
    """


class Things:
    """All that is there, by type; nothing in the environment has to know which types there are.

    What belongs to nobody is added. What a robot carries for others to sense, the colours of its LEDs for instance, it
    is given; it has one of each type, and another takes its place.
    """

    def __init__(self) -> None:
        self._nobodys: dict[type, list[Any]] = {}
        self._robots: dict[type, dict[int, Any]] = {}

    def add(self, thing: object) -> None:
        """Put something there that belongs to nobody."""
        self._nobodys.setdefault(type(thing), []).append(thing)

    def of(self, kind: type[T]) -> list[T]:
        """What there is of a type and belongs to nobody, in the order in which it was added."""
        return list(self._nobodys.get(kind, ()))

    def give(self, robot: int, thing: object) -> None:
        """Give a robot something, in the place of what it had of this type."""
        self._robots.setdefault(type(thing), {})[robot] = thing

    def with_robots(self, kind: type[T]) -> dict[int, T]:
        """What robots have of a type, by their numbers, the smallest first."""
        return dict(sorted(self._robots.get(kind, {}).items()))
