"""Observers: what is told of a simulation while it runs, and what they make of it."""

from typing import TYPE_CHECKING, Any

from devs_robotics.core.observe.comparing import TraceDifference, first_difference
from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import (
    Changed,
    CutShort,
    Ended,
    Event,
    Failed,
    Joined,
    Left,
    Noted,
    Received,
    Sent,
    Started,
    TraceError,
)
from devs_robotics.core.observe.jsonl import JsonLines
from devs_robotics.core.observe.memory import Recorder
from devs_robotics.core.observe.observer import Observer, TransitionKind
from devs_robotics.core.observe.observer_files import trace_file
from devs_robotics.core.observe.plain import plain, plain_event
from devs_robotics.core.observe.selecting import select
from devs_robotics.core.observe.text import TextLog
from devs_robotics.core.observe.trace_files import read_trace

if TYPE_CHECKING:
    from devs_robotics.core.observe.mcap_file import Mcap

__all__ = [
    "Changed",
    "CutShort",
    "Ended",
    "Event",
    "EventObserver",
    "Failed",
    "Joined",
    "JsonLines",
    "Left",
    "Mcap",
    "Noted",
    "Observer",
    "Received",
    "Recorder",
    "Sent",
    "Started",
    "TextLog",
    "TraceDifference",
    "TraceError",
    "TransitionKind",
    "first_difference",
    "plain",
    "plain_event",
    "read_trace",
    "select",
    "trace_file",
]


if not TYPE_CHECKING:  # type checkers would take any name for one that it knows

    def __getattr__(name: str) -> Any:
        """`Mcap` is loaded when it is asked for, since its library is not needed otherwise."""
        if name == "Mcap":
            from devs_robotics.core.observe.mcap_file import Mcap

            return Mcap
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
