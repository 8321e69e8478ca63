"""What a population declares in its class body: arrays and values that it takes from the ordinary models.

``angle = Column(float)`` gives every population an array of that name, in which each robot's value is at first the
attribute of that name of its ordinary model.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic
from devs_robotics.core.population.alike import Alike
from devs_robotics.core.population.draws import Draw, DrawArray
from devs_robotics.core.population.rows import Places
from devs_robotics.core.streams import Stream


class Declared(ABC):
    """What stands in the class body of a population; each object gets what `made` makes of it."""

    name = ""
    whose = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.whose = name, owner.__name__

    @abstractmethod
    def made(self, members: Sequence[Atomic]) -> Any:
        """What a population of these models has in its place."""

    def values(self, members: Sequence[Atomic]) -> list[Any]:
        """The models' attributes of this name.

        Raises:
            ModelError: a model has none
        """
        try:
            return [getattr(member, self.name) for member in members]
        except AttributeError:
            raise ModelError(
                f"{self.whose}.{self.name}: {type(members[0]).__name__} has no attribute {self.name!r} from which each "
                "robot's value could be taken: give it one in __init__"
            ) from None


class Column(Declared):
    """An array with one value for each robot.

    Args:
        kind: of the values, as numpy takes it: `float`, `int`, `bool`, or ``"U8"`` for texts of up to 8 letters
    """

    def __init__(self, kind: Any) -> None:
        self.kind = np.dtype(kind)

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type) -> NDArray[Any]: ...

    def made(self, members: Sequence[Atomic]) -> NDArray[Any]:
        """The array.

        Raises:
            ModelError: a value is of another kind
        """
        values = self.values(_told_apart(members))
        try:
            found = np.array(values, self.kind)
        except (TypeError, ValueError):
            raise ModelError(f"{self.whose}.{self.name} cannot hold all of {values[:3]!r}: give its kind") from None
        if found.tolist() != values and found.tolist() != list(map(float, map(_number, values))):
            raise ModelError(
                f"{self.whose}.{self.name} holds {self.kind.name} and would change some of {values[:3]!r}: give a "
                "kind that holds them"
            )
        return np.repeat(found, members.counts) if isinstance(members, Alike) else found


class Common(Declared):
    """A value that is the same for all robots, as it stands in their models: a size, a table of numbers."""

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type) -> Any: ...

    def made(self, members: Sequence[Atomic]) -> Any:
        """The value.

        Raises:
            ModelError: two robots differ in it
        """
        first, *others = self.values(_told_apart(members))
        if any(other is not first and other != first for other in others):
            raise ModelError(f"{self.whose}.{self.name} is not the same for all robots: make it a Column")
        return first


class Draws(Declared):
    """Random numbers of each robot, of the `Draw` that its model has under this name; called with robots' places."""

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type) -> DrawArray: ...

    def made(self, members: Sequence[Atomic]) -> DrawArray:
        """The numbers.

        Raises:
            ModelError: the models have something else there
        """
        draws = self.values(_told_apart(members))
        if not all(isinstance(draw, Draw) and draw.what == draws[0].what and not draw.drawn for draw in draws):
            raise ModelError(f"{self.whose}.{self.name} must be a fresh Draw of one purpose in each robot's model")
        return DrawArray(draws, members.counts if isinstance(members, Alike) else None)


class Streams(Declared):
    """Random numbers of each robot, of the `Stream` that its model has under this name; `Draws` are cheaper."""

    if TYPE_CHECKING:

        def __get__(self, instance: object, owner: type) -> StreamArray: ...

    def made(self, members: Sequence[Atomic]) -> StreamArray:
        """The numbers.

        Raises:
            ModelError: the models have something else there
        """
        streams = self.values(members)
        if not all(isinstance(stream, Stream) for stream in streams):
            raise ModelError(f"{self.whose}.{self.name} must be a Stream in each robot's model")
        return StreamArray(streams)


class StreamArray:
    """The streams of many robots."""

    def __init__(self, streams: list[Stream]) -> None:
        self._streams = streams

    def uniform(self, who: Places) -> NDArray[np.float64]:
        """The next number of each of these robots, uniform in [-1, 1)."""
        return np.array([self._streams[place].uniform() for place in who.tolist()], np.float64)


def _told_apart(members: Sequence[Atomic]) -> Sequence[Atomic]:
    """The models that have to be looked at: all, or one of each group whose models are alike."""
    return members.firsts if isinstance(members, Alike) else members


def _number(value: Any) -> Any:
    return value if isinstance(value, int | float) else float("nan")
