"""Which observer writes which file."""

from __future__ import annotations

from pathlib import Path

from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import TraceError
from devs_robotics.core.observe.jsonl import JsonLines
from devs_robotics.core.observe.text import TextLog


def trace_file(path: str | Path) -> EventObserver:
    """The observer that writes a trace to a file of this name: .jsonl, .mcap, or .txt or .log for people.

    Raises:
        TraceError: the name ends otherwise, or the file cannot be written
    """
    suffix = Path(path).suffix
    if suffix == ".jsonl":
        return JsonLines(path)
    if suffix == ".mcap":
        from devs_robotics.core.observe.mcap_file import Mcap

        return Mcap(path)
    if suffix in (".txt", ".log"):
        return TextLog(path)
    raise TraceError(f"cannot tell what kind of trace {path} is to be: let its name end in .jsonl, .mcap, .txt or .log")
