"""Questions: what a decision model has asked of a sensor, or of other equipment, and is still to be told."""

from __future__ import annotations

from collections import deque

from devs_robotics.core.robots.plain_data import PlainData


class OpenQuestion:
    """Those who ask one kind of sensor; all who had asked before a reading was asked for are answered by it.

    Args:
        what: is asked; the reminder to ask again has the same name

    Attributes:
        tries: how often the robot was asked for the reading that is awaited; 0 while none is
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.tries = 0
        self._waiting = 0
        self._later = 0

    @property
    def title(self) -> str:
        """Who was asked, for people, with the verb."""
        return f"{self.what} sensors were"

    @property
    def them(self) -> str:
        """The same, as a pronoun."""
        return "them"

    def __bool__(self) -> bool:
        """Whether anybody waits for an answer."""
        return bool(self._waiting or self._later)

    def put(self) -> None:
        """One more asks."""
        if self.tries:
            self._later += 1
        else:
            self._waiting += 1

    def answered(self) -> int:
        """The reading has come: how many are to be told."""
        told, self._waiting, self._later, self.tries = self._waiting, self._later, 0, 0
        return told

    def interrupted(self) -> None:
        """The robot cannot be asked any more; it will be, from the start."""
        self._waiting, self._later, self.tries = self._waiting + self._later, 0, 0


class Requests:
    """What is asked of equipment of a robot's own, or what it is to do: one request at a time, in their order.

    Args:
        name: of the equipment

    Attributes:
        name: the same
        what: the reminder to ask again
        tries: how often the robot was asked for the answer that is awaited; 0 while none is
        begun: whether the robot may have heard of the first request
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.what = f"equipment {name}"
        self.tries = 0
        self.begun = False
        self._waiting: deque[PlainData] = deque()

    @property
    def title(self) -> str:
        """Who was asked, for people, with the verb."""
        return f"{self.name} was"

    @property
    def them(self) -> str:
        """The same, as a pronoun."""
        return "it"

    def __bool__(self) -> bool:
        """Whether anybody waits for an answer."""
        return bool(self._waiting)

    @property
    def first(self) -> PlainData:
        """The request that is carried out, or is to be next."""
        return self._waiting[0]

    def put(self, data: PlainData) -> None:
        """One more request."""
        self._waiting.append(data)

    def answered(self) -> None:
        """The first is over; the next one takes its place."""
        self._waiting.popleft()
        self.tries = 0
        self.begun = False

    def interrupted(self) -> None:
        """The robot cannot be asked any more; it will be asked for the same again."""
        self.tries = 0
