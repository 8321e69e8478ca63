"""A trace file in MCAP, which Foxglove and PlotJuggler open.

Each port has a topic, ``/team/robot3/motor/done``, and so has the state of each model,
``/team/robot3/motor/state``; what concerns the whole simulation is on ``/trace``. A message is the same JSON object
as in a file of JSON Lines, and is logged at the simulated time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from mcap.writer import Writer
from xdevs.models import Atomic

from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import Changed, Ended, Event, Failed, Received, Sent, Started
from devs_robotics.core.observe.jsonl import event_json
from devs_robotics.core.observe.mcap_schema import Schema, port_schema, state_schema, trace_schema
from devs_robotics.core.observe.output import Output

EVENTS_IN_A_CHUNK = 500
"""Number of events per chunk; no more are lost when the process is killed."""

MCAP_PROFILE = "devs-robotics"
"""Profile in the header of every MCAP trace."""

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
        self._output = Output(path)
        self._writer = Writer(_Counted(self._output.file))  # type: ignore[arg-type]  # all that it uses
        self._port_types: dict[tuple[str, str, str], Any] = {}
        """By kind of event, path and port."""
        self._schemas: dict[bytes, int] = {}
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

    def see(self, event: Event) -> None:
        """Write an event."""
        with self._output.writing():
            if self._count == 0:
                self._writer.start(MCAP_PROFILE)
                self._output.at_end(self._writer.finish)
            nanoseconds = min(round(event.time * 1e9), LAST_NANOSECOND)
            self._writer.add_message(self._channel(event), nanoseconds, event_json(event), nanoseconds, self._count)
            self._count += 1
            if self._count % EVENTS_IN_A_CHUNK == 0 or isinstance(event, Started | Failed):
                self._writer.flush()
        if isinstance(event, Ended):
            self._output.end()

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
            numbered = f"devs_robotics.{name}{len(self._schemas)}"  # tools take schemas of one name for the same
            self._schemas[data] = self._writer.register_schema(numbered, "jsonschema", data)
        return self._schemas[data]
