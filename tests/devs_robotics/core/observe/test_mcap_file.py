"""MCAP traces as other programs see them: through the reader of the mcap package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from mcap.reader import make_reader

from devs_robotics import Atomic, In, Out, Simulator
from devs_robotics.core.observe import Mcap, Sent, Started, read_trace
from tests.devs_robotics.core.observe.pair import observe
from tests.paths import ROOT


def messages(path: Path) -> list[tuple[str, int, Any]]:
    with path.open("rb") as file:
        return [
            (channel.topic, message.log_time, json.loads(message.data))
            for _, channel, message in make_reader(file, validate_crcs=True).iter_messages()
        ]


def schemas(path: Path) -> dict[str, Any]:
    """The schema of each topic."""
    with path.open("rb") as file:
        summary = make_reader(file).get_summary()
        assert summary is not None
        found = {}
        for channel in summary.channels.values():
            schema = summary.schemas[channel.schema_id]
            assert (channel.message_encoding, schema.encoding) == ("json", "jsonschema")
            found[channel.topic] = json.loads(schema.data)
        return found


def test_each_port_and_each_state_has_its_topic_at_simulated_time(tmp_path: Path) -> None:
    path = tmp_path / "trace.mcap"
    observe(Mcap(path), until=3.0)
    assert [(topic, time) for topic, time, _ in messages(path)] == [
        ("/trace", 0),
        ("/world/beacon/call", 2_000_000_000),
        ("/world/beacon/state", 2_000_000_000),
        ("/world/listener/heard", 2_000_000_000),
        ("/world/listener/state", 2_000_000_000),
        ("/world/listener/state", 3_000_000_000),
        ("/trace", 3_000_000_000),
    ]
    state = messages(path)[4][2]
    assert (state["phase"], state["sigma"], state["kind"]) == ("awake", 1.0, "external")
    assert messages(path)[1][2]["values"][1] == {"number": 0, "loudness": 0.5}


def test_schemas_say_what_a_port_carries(tmp_path: Path) -> None:
    path = tmp_path / "trace.mcap"
    observe(Mcap(path))
    found = schemas(path)
    assert all(schema["type"] == "object" for schema in found.values())
    assert found["/world/beacon/call"]["properties"]["values"] == {
        "type": "array",
        "items": {"type": "object", "properties": {"number": {"type": "integer"}, "loudness": {"type": "number"}}},
    }
    assert found["/world/listener/state"]["properties"]["sigma"] == {"type": "number"}


class Awkward(Atomic):
    """Ports of one name in both directions, one named as the state is, and types that no schema knows."""

    same = In(float)
    state: Out[Any] = Out()
    odd = Out(complex)
    several = Out(int | str)

    def __init__(self) -> None:
        super().__init__("awkward")


def test_no_two_channels_have_one_topic(tmp_path: Path) -> None:
    path = tmp_path / "trace.mcap"
    model = Awkward()
    observer = Mcap(path)
    with Simulator(model) as simulator:
        simulator.attach(observer)
        for port, value in ((model.state, "x"), (model.odd, 1j), (model.several, 1)):
            observer.sent(1.0, model, port, (value,))
            observer.received(1.0, model, port, (value,))
        observer.changed(1.0, model, "internal", 1.0)
    found = schemas(path)
    assert sorted(found) == [
        "/awkward/odd", "/awkward/odd.received", "/awkward/several", "/awkward/several.received",
        "/awkward/state", "/awkward/state.changed", "/awkward/state.received", "/trace",
    ]  # fmt: skip
    assert "values" not in found["/awkward/odd"]["properties"]


def test_times_beyond_mcaps_last_are_whole_in_the_message(tmp_path: Path) -> None:
    path = tmp_path / "trace.mcap"
    observer = Mcap(path)
    observer.see(Started(devs_robotics="0", time=0.0, root="", models={}))
    observer.see(Sent(1e12, "a", "b", (1,)))
    observer.ended(1e12)
    assert messages(path)[1][1] == 2**64 - 1
    assert [event.time for event in read_trace(path)] == [0.0, 1e12, 1e12]


def test_mcap_is_loaded_when_it_is_wanted() -> None:
    code = (
        "import sys; from devs_robotics.core import observe; assert 'mcap' not in sys.modules; "
        "observe.Mcap; assert 'mcap' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
