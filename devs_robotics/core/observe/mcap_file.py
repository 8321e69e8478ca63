"""A trace file in MCAP, which Foxglove and PlotJuggler open.

Each port has a topic, ``/team/robot3/motor/done``, and so has the state of each model,
``/team/robot3/motor/state``; what concerns the whole simulation is on ``/trace``. A message is the same JSON object
as in a file of JSON Lines, and is logged at the simulated time. A recording has its scene in a metadata record, too,
and may have messages in schemas that others' tools know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from mcap.writer import Writer
from msgspec import UNSET
from xdevs.models import Atomic

from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import Changed, Ended, Event, Failed, Noted, Received, Sent, Started
from devs_robotics.core.observe.jsonl import event_json
from devs_robotics.core.observe.mcap_schema import OWN, Schema, port_schema, state_schema, trace_schema
from devs_robotics.core.observe.output import Output

EVENTS_IN_A_CHUNK = 500
"""Number of events per chunk; no more are lost when the process is killed."""

MCAP_PROFILE = "devs-robotics"
"""Profile in the header of every MCAP trace."""

SCENE = "devs_robotics.scene"
"""Metadata record of a recording: what is drawn of it."""

LAST_NANOSECOND = 2**64 - 1
"""MCAP knows no later time; the messages themselves do."""


class _Counted:
    """A file that tells how much was written to it: a pipe cannot tell where it is."""

    def __init__(self, file: BinaryIO) -> None:
        self._count = 0
        self._file = file
        self.flush = file.flush

    def write(self, data: bytes) -> int:
        self._count += len(data)
        return self._file.write(data)

    def tell(self) -> int:
        return self._count


class Mcap(EventObserver):
    """Writes a trace to an MCAP file; the same run gives the same bytes.

    When the process is killed, all but the last five hundred events are in the file; it then lacks the index at its
    end, and tools that want one can have it made anew (``mcap recover``).

    Raises:
        TraceError: the file cannot be written
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self.name = Path(path).name
        self._output = Output(path)
        self._writer = Writer(_Counted(self._output.file))  # type: ignore[arg-type]  # all that it uses
        self._port_types: dict[tuple[str, str, str], Any] = {}
        """By kind of event, path and port."""
        self._schemas: dict[bytes, int] = {}
        self._others: dict[str, int] = {}
        """Schemas of others' tools, by their names."""
        self._channels: dict[tuple[str, ...], int] = {}
        self._topics: set[str] = set()
        self._count = 0

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """Learn the ports' types, which are the schemas of their topics."""
        super().started(time, models)
        for model in models:
            self._learn_ports(model)

    def joined(self, time: float, model: Atomic) -> None:
        """Learn the types of the new model's ports."""
        super().joined(time, model)
        self._learn_ports(model)

    def go_on_without(self, tell: Callable[[str], None]) -> None:
        """Where the file cannot be written any more, lose the rest, and do not fail."""
        self._output.lost = tell

    def see(self, event: Event) -> None:
        """Write an event."""
        with self._output.writing():
            if self._count == 0:
                self._writer.start(MCAP_PROFILE)
                self._output.at_end(self._writer.finish)
                if isinstance(event, Started) and event.scene is not UNSET:
                    self._writer.add_metadata(SCENE, {"json": msgspec.json.encode(event.scene).decode()})
            self._add(self._channel(event), event.time, event_json(event))
            if isinstance(event, Started | Failed):
                self._writer.flush()
        if isinstance(event, Ended):
            self._output.end()

    def add(self, topic: str, schema_name: str, schema: Schema, time: float, message: object) -> None:
        """Write a message for others' tools, which readers of traces leave out.

        Args:
            topic: with one schema only
            schema_name: as those tools know it
            schema: of it, in JSON
            time: of the message (s)
            message: is written as JSON
        """
        with self._output.writing():
            if schema_name not in self._others:
                data = msgspec.json.encode(schema)
                self._others[schema_name] = self._writer.register_schema(schema_name, "jsonschema", data)
            key = schema_name, topic
            if key not in self._channels:
                self._topics.add(topic)
                self._channels[key] = self._writer.register_channel(topic, "json", self._others[schema_name])
            self._add(self._channels[key], time, msgspec.json.encode(message))

    def _add(self, channel: int, time: float, data: bytes) -> None:
        nanoseconds = min(round(time * 1e9), LAST_NANOSECOND)
        self._writer.add_message(channel, nanoseconds, data, nanoseconds, self._count)
        self._count += 1
        if self._count % EVENTS_IN_A_CHUNK == 0:
            self._writer.flush()

    def _learn_ports(self, model: Atomic) -> None:
        path = self._path(model)
        for kind, ports in (("sent", model.out_ports), ("received", model.in_ports)):
            self._port_types.update({(kind, path, port.name): port.p_type for port in ports})

    def _channel(self, event: Event) -> int:
        """The channel for events such as this, opened when it is the first."""
        kind = str(event.__struct_config__.tag)
        if isinstance(event, Sent | Received):
            key: tuple[str, ...] = (kind, event.model, event.port)
            topic = f"/{event.model}/{event.port}"
        elif isinstance(event, Changed):
            key, topic = (kind, event.model), f"/{event.model}/state"
        elif isinstance(event, Noted):
            key, topic = (kind, event.topic), f"/{kind}/{event.topic}"
        else:
            key, topic = (), "/trace"
        if key not in self._channels:
            self._channels[key] = self._open(event, kind, topic)
        return self._channels[key]

    def _open(self, event: Event, kind: str, topic: str) -> int:
        if topic in self._topics:  # an input and an output of one name, or a port named state
            topic = f"{topic}.{kind}"
        self._topics.add(topic)
        if isinstance(event, Sent | Received):
            schema, name = port_schema(self._port_types.get((kind, event.model, event.port))), "values"
        elif isinstance(event, Changed):
            schema, name = state_schema(), "state"
        else:
            schema, name = trace_schema(), "trace"
        return self._writer.register_channel(topic, "json", self._schema(name, schema))

    def _schema(self, name: str, schema: Schema) -> int:
        data = msgspec.json.encode(schema)
        if data not in self._schemas:
            numbered = f"{OWN}{name}{len(self._schemas)}"  # tools take schemas of one name for the same
            self._schemas[data] = self._writer.register_schema(numbered, "jsonschema", data)
        return self._schemas[data]
