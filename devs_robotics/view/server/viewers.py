"""Those who look, and what they look at: a hub is one run or one recording."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from devs_robotics.view.server.flow import Flow
from devs_robotics.view.server.messages import ControlRequest, Want


class Viewer:
    """One who looks.

    Attributes:
        flow: what waits for him
        wake: is set when something does
        may_control: whether he has shown the token
        leaving: why his connection is to be closed: a code and a reason
    """

    def __init__(self) -> None:
        self.flow = Flow()
        self.wake = asyncio.Event()
        self.may_control = False
        self.leaving: tuple[int, str] | None = None

    def leave(self, code: int, reason: str) -> None:
        """Close the connection."""
        self.leaving = code, reason
        self.wake.set()


class Hub(ABC):
    """One run, or one recording, and its viewers.

    Attributes:
        viewers: who looks at it
    """

    def __init__(self) -> None:
        self.viewers: dict[Viewer, None] = {}

    def join(self, viewer: Viewer) -> None:
        """Somebody looks from now on: he is told what there is."""
        self.viewers[viewer] = None
        for text in self.opening(viewer):
            viewer.flow.say(text)
        viewer.flow.tell_status(self.status(viewer))
        viewer.wake.set()
        self.changed()

    def leave(self, viewer: Viewer) -> None:
        """Somebody looks no longer."""
        self.viewers.pop(viewer, None)
        self.changed()

    def want(self, viewer: Viewer, want: Want) -> None:
        """A viewer wants something else from now on."""
        had = viewer.flow.want
        viewer.flow.take_want(want, self.latest)
        if want.metrics and not had.metrics:
            viewer.flow.tell_metrics(*self.history())
        if want.pictures and not had.pictures and self.latest_picture is not None:
            viewer.flow.show_picture(self.latest_picture)
        viewer.wake.set()
        self.changed()

    @property
    def latest(self) -> bytes | None:
        """The newest state, if there is one."""
        return None

    @property
    def latest_picture(self) -> bytes | None:
        """The newest picture of a camera, if there is one."""
        return None

    def history(self) -> tuple[float, dict[str, list[tuple[float, float]]]]:
        """Simulated time, and the values over time so far."""
        return 0.0, {}

    def changed(self) -> None:
        """What viewers want has changed; by default nobody is told."""
        return

    @abstractmethod
    def hello(self, viewer: Viewer) -> str:
        """The first message to a viewer."""

    @abstractmethod
    def opening(self, viewer: Viewer) -> list[str]:
        """The first messages to a viewer, `hello` among them."""

    @abstractmethod
    def status(self, viewer: Viewer) -> str:
        """The message `status` to a viewer."""

    @abstractmethod
    def chunk(self, number: int) -> bytes | None:
        """A chunk of a timeline; None: there is none of this number."""

    async def obey(self, ask: ControlRequest) -> str:
        """Do what a viewer wants; returns why not, or nothing."""
        return "this is a recording: there is nothing to control"

    def tell_status(self) -> None:
        """Tell all viewers how it is."""
        for viewer in self.viewers:
            viewer.flow.tell_status(self.status(viewer))
            viewer.wake.set()

    def send_away(self, code: int, reason: str) -> None:
        """Close all connections."""
        for viewer in list(self.viewers):
            viewer.leave(code, reason)


class Thinned:
    """Values over time in bounded memory: with twice as many as fit, every other one is left out.

    Args:
        most: number of values
    """

    def __init__(self, most: int = 2000) -> None:
        self.values: list[tuple[float, float]] = []
        self._most = most
        self._each = 1
        self._count = 0

    def extend(self, values: list[tuple[float, float]]) -> None:
        """More values."""
        for value in values:
            if self._count % self._each == 0:
                self.values.append(value)
                if len(self.values) >= 2 * self._most:
                    del self.values[1::2]
                    self._each *= 2
            self._count += 1
