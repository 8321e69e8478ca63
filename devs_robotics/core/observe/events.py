"""The events of a trace: what happened to which model, and when.

Each kind has a name, `event` in a trace file: a file is a sequence of these, the first of them `Started`.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.observe.observer import TransitionKind

TRACE_FORMAT: Literal["devs-robotics trace"] = "devs-robotics trace"
TRACE_VERSION = 1
"""Raised when traces are written in a way that older versions of this project cannot read."""
RECORDING_VERSION = 2
"""Of traces that are recordings: they have a scene in their heads, and notes, which version 1 knew not."""


class TraceError(DevsRoboticsError):
    """A trace file cannot be written or read; the message names the file and the line."""


class Started(Struct, frozen=True, kw_only=True, tag="started", tag_field="event"):
    """The head of a trace.

    Attributes:
        format: what the file is
        version: of the format
        devs_robotics: version of the package that wrote it
        time: simulated time from which on the trace tells (s)
        root: path of the root of the model tree; empty when no model is watched
        models: class of each atomic model that is watched, by path, in the order of the tree
        scene: of a recording: what is drawn of the run, as plain data; not there in other traces
    """

    format: str = TRACE_FORMAT
    version: int = TRACE_VERSION
    devs_robotics: str
    time: float
    root: str
    models: dict[str, str]
    scene: dict[str, Any] | UnsetType = UNSET


class Sent(Struct, frozen=True, tag="sent", tag_field="event"):
    """An output function put values into a port."""

    time: float
    model: str
    port: str
    values: tuple[Any, ...]


class Received(Struct, frozen=True, tag="received", tag_field="event"):
    """Values came to an input port; the transition of the model comes next."""

    time: float
    model: str
    port: str
    values: tuple[Any, ...]


class Changed(Struct, frozen=True, tag="changed", tag_field="event"):
    """A model made a transition.

    Attributes:
        kind: internal, external or confluent
        elapsed: time since its last transition (s)
        phase: the new one
        sigma: time to the next internal transition (s); infinite in a passive model, which JSON writes as null
    """

    time: float
    model: str
    kind: TransitionKind
    elapsed: float
    phase: str
    sigma: float


class Joined(Struct, frozen=True, tag="joined", tag_field="event"):
    """A model was added to the running simulation."""

    time: float
    model: str
    model_class: str


class Left(Struct, frozen=True, tag="left", tag_field="event"):
    """A model was taken out of the running simulation."""

    time: float
    model: str


class Noted(Struct, frozen=True, tag="noted", tag_field="event"):
    """What a recording keeps beside what models send: where bodies go, for instance.

    Attributes:
        topic: what it is about
        data: plain data
    """

    time: float
    topic: str
    data: Any


class Failed(Struct, frozen=True, tag="failed", tag_field="event"):
    """The simulation broke off; the message says why."""

    time: float
    message: str


class Ended(Struct, frozen=True, tag="ended", tag_field="event"):
    """The simulation was closed, or the observer detached."""

    time: float


class CutShort(Struct, frozen=True, tag="cut short", tag_field="event"):
    """The trace file stops here, neither ended nor failed: its writer was stopped. Never written, only read."""

    time: float


Event = Started | Sent | Received | Changed | Joined | Left | Noted | Failed | Ended | CutShort
"""Anything that a trace tells."""


def model_of(event: Event) -> str | None:
    """Path of the model that an event is about; None when it is about the whole simulation."""
    return getattr(event, "model", None)


def kind_of(event: Event) -> str:
    """What a reader would call an event: ``sent``, ``internal`` ..."""
    return event.kind if isinstance(event, Changed) else str(event.__struct_config__.tag)
