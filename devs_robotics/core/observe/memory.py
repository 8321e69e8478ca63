"""A trace in memory."""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from typing import Any

from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import Event, Received, Sent
from devs_robotics.core.observe.selecting import select


class Recorder(EventObserver):
    """Keeps every event; values are the very objects that went through the ports.

    Attributes:
        events: all of them, in the order in which they happened
    """

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []

    def see(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)

    def select(
        self,
        *models: str,
        port: str | None = None,
        kinds: Collection[str] = (),
        start: float = -inf,
        until: float = inf,
    ) -> list[Event]:
        """Those of the events that are meant; see `devs_robotics.core.observe.selecting.select`."""
        return list(select(self.events, *models, port=port, kinds=kinds, start=start, until=until))

    def values(self, *models: str, port: str | None = None, start: float = -inf, until: float = inf) -> list[Any]:
        """The values that went through the ports that are meant, in order: ``recorder.values("robot3/motor.done")``."""
        events = select(self.events, *models, port=port, start=start, until=until)
        return [value for event in events if isinstance(event, Sent | Received) for value in event.values]
