"""A trace for people to read."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from devs_robotics.core.observe.describing import event_text
from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import CutShort, Ended, Event, Failed, Noted, Started, model_of
from devs_robotics.core.observe.output import Output

TIME_WIDTH = 14
"""Width of the column of times (characters); a longer time moves its line to the right."""

WIDEST_MODEL = 60
"""Largest width of the column of models (characters); a longer path moves its line to the right."""


class TraceText:
    """Lays events out as lines: the time (s) where it is a new one, the model, what happened."""

    def __init__(self) -> None:
        self._width = 0
        self._time: float | None = None

    def line(self, event: Event) -> str:
        """The next event's line, without its end."""
        time = "" if event.time == self._time else f"{event.time:.6f}"
        self._time = event.time
        return f"{time:>{TIME_WIDTH}}  {self._what(event)}".rstrip()

    def _what(self, event: Event) -> str:
        if isinstance(event, Started):
            self._width = min(max(map(len, event.models), default=0), WIDEST_MODEL)
            return (
                f"trace of {event.root or 'nothing'}: {len(event.models)} model{'' if len(event.models) == 1 else 's'}"
            )
        if isinstance(event, Failed):
            return f"failed: {event.message}"
        if isinstance(event, Ended):
            return "ended"
        if isinstance(event, CutShort):
            return "the trace is cut short: its writer was stopped"
        if isinstance(event, Noted):
            return event_text(event)
        return f"{model_of(event):<{self._width}}  {event_text(event)}"


class TextLog(EventObserver):
    """Writes a trace as lines of text, to a file or to a stream that is open; streams are not closed.

    Raises:
        TraceError: the file cannot be written
    """

    def __init__(self, stream_or_path: TextIO | str | Path) -> None:
        super().__init__()
        self._text = TraceText()
        self._output = Output(stream_or_path) if isinstance(stream_or_path, str | Path) else stream_or_path

    def see(self, event: Event) -> None:
        """Write an event's line."""
        line = self._text.line(event) + "\n"
        if not isinstance(self._output, Output):
            self._output.write(line)
            return
        self._output.write(line.encode(), flush=isinstance(event, Started | Failed))
        if isinstance(event, Ended):
            self._output.end()
