"""A trace file of JSON Lines: one event per line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import Ended, Event, Failed, Started
from devs_robotics.core.observe.output import Output
from devs_robotics.core.observe.plain import plain_event

_encode = msgspec.json.Encoder().encode


def event_json(event: Event) -> bytes:
    """An event as a JSON object, its values as `plain` has them."""
    return _encode(plain_event(event))


class JsonLines(EventObserver):
    """Writes a trace to a file, one JSON object per line; the first is the head of the trace.

    The same run gives the same bytes. When the process is killed, all but the last hundred events are in the file.

    Raises:
        TraceError: the file cannot be written
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self.name = Path(path).name
        self._output = Output(path)

    def go_on_without(self, tell: Callable[[str], None]) -> None:
        """Where the file cannot be written any more, lose the rest, and do not fail."""
        self._output.lost = tell

    def see(self, event: Event) -> None:
        """Write an event."""
        self._output.write(event_json(event) + b"\n", flush=isinstance(event, Started | Failed))
        if isinstance(event, Ended):
            self._output.end()
