"""What a view shows: one run, one recording, or a list of recordings to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.view.replay import Replay
from devs_robotics.view.server.recorded import RecordingHub
from devs_robotics.view.server.viewers import Hub

OPEN = 4
"""Most recordings of a list that are kept in memory; of others only their names."""


class ViewContent:
    """What there is to be seen.

    Args:
        hub: of a run or a recording; None where there is a list
        title: of the list
        names: of its recordings, for people
        read: reads a recording by its number in the list

    Attributes:
        title, names: the same
    """

    def __init__(
        self,
        hub: Hub | None = None,
        title: str = "",
        names: Sequence[str] = (),
        read: Callable[[int], Replay] | None = None,
    ) -> None:
        self.title = title
        self.names = tuple(names)
        self._hub = hub
        self._read = read
        self._open: dict[int, Hub] = {}

    def watch(self, hub: Hub) -> None:
        """Show this."""
        self._hub = hub

    def show(self, replay: Replay) -> None:
        """Show a recording in place of what was shown."""
        self._hub = RecordingHub(replay)

    def hub(self, number: int | None = None) -> Hub | None:
        """What is shown under a number of the list, or, without one, alone; None: there is no such thing."""
        if number is None or self._read is None:
            return self._hub if number is None else None
        if not 0 <= number < len(self.names):
            return None
        if number not in self._open:
            try:
                hub = RecordingHub(self._read(number))
            except DevsRoboticsError:
                return None
            for other in [key for key, known in self._open.items() if not known.viewers][: len(self._open) - OPEN + 1]:
                del self._open[other]
            self._open[number] = hub
        return self._open[number]
