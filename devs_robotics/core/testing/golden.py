"""Golden traces: files that say what a model did when somebody last looked and found it right."""

from __future__ import annotations

from pathlib import Path

import msgspec

from devs_robotics.core.files import write_atomically
from devs_robotics.core.observe import (
    Event,
    EventObserver,
    Started,
    TraceDifference,
    TraceError,
    first_difference,
    plain_event,
    read_trace,
)
from devs_robotics.core.observe.jsonl import event_json


class GoldenTrace(EventObserver):
    """A trace as a golden file has it: plain data, and no version of this package, which would change the file.

    Values are written down when they are sent, so that a model may change them afterwards.

    Attributes:
        events: all of them
    """

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []

    def see(self, event: Event) -> None:
        """Keep an event."""
        if isinstance(event, Started):
            event = msgspec.structs.replace(event, devs_robotics="")
        self.events.append(plain_event(event))

    def content(self) -> bytes:
        """What a golden file of this trace holds: one JSON object per line."""
        return b"".join(event_json(event) + b"\n" for event in self.events)

    def difference(self, path: Path) -> TraceDifference | None:
        """The first event in which this trace is not that of a golden file; None when they are the same.

        Raises:
            TraceError: the file cannot be read, or is no trace
        """
        return first_difference(read_trace(path), self.events)

    def write(self, path: Path) -> bool:
        """Make this the golden file, unless it is that already; whether it was written.

        Raises:
            TraceError: the file cannot be written
        """
        content = self.content()
        try:
            if path.exists() and path.read_bytes() == content:
                return False
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
        except OSError as exc:
            raise TraceError(f"cannot write the golden trace {path}: {exc.strerror or exc}") from exc
        return True
