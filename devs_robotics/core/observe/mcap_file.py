"""A trace file in MCAP, which Foxglove and PlotJuggler open.

Each port has a topic, ``/team/robot3/motor/done``, and so has the state of each model,
``/team/robot3/motor/state``; what concerns the whole simulation is on ``/trace``. A message is the same JSON object
as in a file of JSON Lines, and is logged at the simulated time. A recording has its scene in a metadata record, too,
and may have messages in schemas that others' tools know.

With the encoding of ROS 2 the same topics are below ``/trace``, and the JSON objects are the texts of messages
``std_msgs/msg/String``: then it is a bag that ROS's tools read, and still a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec
from mcap.writer import Writer
from msgspec import UNSET, Struct
from xdevs.models import Atomic

from devs_robotics.core.observe.event_observer import EventObserver
from devs_robotics.core.observe.events import Changed, Ended, Event, Failed, Noted, Received, Sent, Started
from devs_robotics.core.observe.jsonl import event_json
from devs_robotics.core.observe.mcap_ros2 import EVENTS, PROFILE, TEXT, ros_topic, text_message
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


Encoding = Literal["json", "ros2"]
"""How the messages of an MCAP trace are written."""


class OtherTopic(Struct, frozen=True):
    """A topic for others' tools, which readers of traces leave out.

    Attributes:
        name: of the topic
        schema: its name, as those tools know it
        text: of the schema
        schema_encoding, message_encoding: as MCAP calls them
        metadata: further facts for those tools
    """

    name: str
    schema: str
    text: bytes
    schema_encoding: str = "jsonschema"
    message_encoding: str = "json"
    metadata: dict[str, str] = {}


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

    Args:
        path: of the file
        encoding: of its messages

    Attributes:
        encoding: the same

    Raises:
        TraceError: the file cannot be written
    """

    def __init__(self, path: str | Path, encoding: Encoding = "json") -> None:
        super().__init__()
        self.encoding = encoding
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
                self._writer.start(MCAP_PROFILE if self.encoding == "json" else PROFILE)
                self._output.at_end(self._writer.finish)
                if isinstance(event, Started) and event.scene is not UNSET:
                    self._writer.add_metadata(SCENE, {"json": msgspec.json.encode(event.scene).decode()})
            data = event_json(event)
            self._add(self._channel(event), event.time, data if self.encoding == "json" else text_message(data))
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
        if (schema_name, topic) not in self._channels:
            self._open_other(OtherTopic(topic, schema_name, msgspec.json.encode(schema)))
        self.add_bytes(schema_name, topic, time, msgspec.json.encode(message))

    def open_topic(self, topic: OtherTopic) -> None:
        """Make a topic for others' tools, if there is none of this name and schema yet."""
        if (topic.schema, topic.name) not in self._channels:
            self._open_other(topic)

    def add_bytes(self, schema_name: str, topic: str, time: float, data: bytes) -> None:
        """Write a message of a topic that was made.

        Args:
            schema_name, topic: of it
            time: of the message (s)
            data: the message
        """
        with self._output.writing():
            self._add(self._channels[schema_name, topic], time, data)

    def _open_other(self, topic: OtherTopic) -> None:
        with self._output.writing():
            if topic.schema not in self._others:
                schema = self._writer.register_schema(topic.schema, topic.schema_encoding, topic.text)
                self._others[topic.schema] = schema
            self._topics.add(topic.name)
            self._channels[topic.schema, topic.name] = self._writer.register_channel(
                topic.name, topic.message_encoding, self._others[topic.schema], topic.metadata
            )

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
        if self.encoding == "ros2":
            return self._open_text(kind, ros_topic(topic))
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

    def _open_text(self, kind: str, topic: str) -> int:
        if topic in self._topics:
            topic = f"{topic}_{kind}"
        while topic in self._topics:  # names that differ only in what ROS does not allow in one
            topic = f"{topic}_"
        self._topics.add(topic)
        if TEXT.schema not in self._others:
            self._others[TEXT.schema] = self._writer.register_schema(TEXT.schema, TEXT.encoding, TEXT.text)
        return self._writer.register_channel(topic, "cdr", self._others[TEXT.schema], {**TEXT.metadata, **EVENTS})

    def _schema(self, name: str, schema: Schema) -> int:
        data = msgspec.json.encode(schema)
        if data not in self._schemas:
            numbered = f"{OWN}{name}{len(self._schemas)}"  # tools take schemas of one name for the same
            self._schemas[data] = self._writer.register_schema(numbered, "jsonschema", data)
        return self._schemas[data]
