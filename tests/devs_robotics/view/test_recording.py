"""Recordings: JSON Lines and MCAP of one run are the same replay, which is that of its outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from mcap.reader import make_reader

from devs_robotics.core.observe import Sent, Started, TraceError, read_trace, trace_file
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.view.posing import Posing
from devs_robotics.view.recording import RecordingError, read
from devs_robotics.view.replay import Replay
from devs_robotics.view.scene import Scene
from tests.devs_robotics.view.recorded import RUNS, Recorded


def told(replay: Replay) -> Any:
    """All that a replay says, so that no numbers are equal to themselves."""
    return msgspec.json.encode(replay)


@pytest.mark.parametrize("name", RUNS)
def test_both_kinds_of_file_give_the_replay_of_the_run(recorded: Recorded, name: str) -> None:
    for kind in ("jsonl", "mcap"):
        path, replay = recorded(name, kind)
        assert told(read(path)) == told(replay)
    assert replay.timeline.changes


def test_marks_follow_the_messages(recorded: Recorded) -> None:
    _, replay = recorded("forage", "jsonl")
    assert {"nest", "item 0", "item 11"} <= set(replay.scene.marks)
    names = {change.name for change in replay.marks}
    assert any(name.startswith("held by ") for name in names)
    assert any(name.startswith("item ") for name in names)
    times = [change.time for change in replay.marks]
    assert times == sorted(times)


def test_who_joins_is_known_from_then_on(recorded: Recorded) -> None:
    """The legs of carriers: they are no robots of the scene in the head."""
    path, replay = recorded("logistics", "jsonl")
    legs = [body for body in replay.scene.bodies if body.is_thing]
    assert len(legs) == 20
    assert {body.name.split()[0] for body in legs} == {"leg"}
    assert {body.radius for body in legs} == {0.018}
    head = next(read_trace(path))
    assert isinstance(head, Started)
    assert isinstance(head.scene, dict)
    assert len(head.scene["bodies"]) == len(replay.scene.bodies) - 20
    poses = Posing(replay.scene, replay.timeline).at(0.01)
    assert not np.isnan(poses).any()


def test_a_recording_has_what_robots_do_and_say(recorded: Recorded) -> None:
    path, replay = recorded("convoy_in_the_loop", "mcap")
    sent = (event for event in read_trace(path) if isinstance(event, Sent))
    found = {(event.model.split("/")[-1], event.port) for event in sent}
    for seen in (
        ("space", "pose_change"), ("convoy", "motor_ask"), ("infrared", "ranging_answer"), ("convoy", "f_ready_out"),
    ):  # fmt: skip
        assert seen in found, sorted(found)
    assert any(port == "fix" for _, port in found)
    assert any("error" in name and "(" in name for name in replay.series)
    assert {body.kind for body in replay.scene.bodies} == {"virtual", "counterpart", "real"}


def test_the_head_of_a_file_has_the_scene_for_others_too(recorded: Recorded) -> None:
    path, replay = recorded("battery", "mcap")
    with path.open("rb") as file:
        records = {record.name: record.metadata for record in make_reader(file).iter_metadata()}
    assert msgspec.json.decode(records["devs_robotics.scene"]["json"], type=Scene) == replay.scene


def test_a_trace_without_a_scene_is_told_with_the_command_that_makes_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    run(resolve(load("wander", ["run.duration=1"])), Means(), Hooks(observers=[(trace_file(path), ())]))
    assert json.loads(path.read_text().splitlines()[0])["version"] == 1
    with pytest.raises(RecordingError, match=r"devs-robotics run SCENARIO --record old\.mcap"):
        read(path)
    with pytest.raises(TraceError, match="cannot read the trace"):
        read(tmp_path / "none.jsonl")


def test_a_recording_whose_writer_was_stopped_is_shown_as_far_as_it_goes(tmp_path: Path, recorded: Recorded) -> None:
    source, replay = recorded("forage", "jsonl")
    lines = source.read_bytes().splitlines(keepends=True)
    path = tmp_path / "stopped.jsonl"
    path.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:10])
    part = read(path)
    whole, shorter = Posing(replay.scene, replay.timeline), Posing(part.scene, part.timeline)
    assert 0.0 < part.timeline.end < replay.timeline.end
    at = part.timeline.end
    np.testing.assert_allclose(shorter.at(0.5 * at), whole.at(0.5 * at))


@pytest.mark.parametrize(
    ("topic", "data"),
    [
        ("poses", [[1.0, 0, 1.0]]),
        ("poses", "x"),
        ("mark", [1]),
        ("begin", [[1.0]]),
        ("poses", [[1.0, 0.5, "x", 0.0, 0.0]]),
        ("poses", [[1.0, -1, 0.0, 0.0, 0.0]]),
        ("poses", [[1.0, 3e8, 0.0, 0.0, 0.0]]),
        ("poses", [[1.0, 0, 1e300, 0.0, 0.0]]),
        ("poses", [[1.0]]),
        ("poses", [[1e300, 0, 1.0, 0.0, 0.0]]),
        ("series", ["it", [0.0, 1e300], [1.0, 2.0]]),
        ("mark", ["it", {"shape": {"shape": "circle", "x": 1e308, "y": 0.0, "radius": 1.0}}]),
        ("mark", ["it", {"shape": {"shape": "line", "points": []}}]),
    ],
)
def test_what_is_no_note_is_told(tmp_path: Path, recorded: Recorded, topic: str, data: Any) -> None:
    source, _ = recorded("line_following", "jsonl")
    path = tmp_path / "broken.jsonl"
    head = source.read_bytes().splitlines(keepends=True)[0]
    note = {"event": "noted", "time": 1.0, "topic": topic, "data": data}
    path.write_bytes(head + json.dumps(note).encode() + b"\n")
    with pytest.raises(RecordingError, match="broken as a recording"):
        read(path)


@pytest.mark.parametrize("time", [1e300, 1e10, -1.0])
def test_a_time_that_cannot_be_is_told(tmp_path: Path, recorded: Recorded, time: float) -> None:
    source, _ = recorded("line_following", "jsonl")
    lines = source.read_bytes().splitlines(keepends=True)
    path = tmp_path / "late.jsonl"
    path.write_bytes(b"".join(lines[:-1]) + json.dumps({"event": "ended", "time": time}).encode() + b"\n")
    with pytest.raises(RecordingError) as told:
        read(path)
    assert f"broken as a recording (a time of {time!r} s)" in str(told.value)


@pytest.mark.parametrize(
    "wrong",
    [{"width": 0.0}, {"height": 1e300}, {"bodies": [{"slot": 3, "robot": 1, "name": "x"}]}, {"radius": 1e300}],
    ids=["flat", "endless", "slots", "large"],
)
def test_a_scene_that_cannot_be_drawn_is_told(tmp_path: Path, recorded: Recorded, wrong: dict[str, Any]) -> None:
    source, _ = recorded("line_following", "jsonl")
    head = json.loads(source.read_bytes().splitlines()[0])
    for body in head["scene"]["bodies"]:
        body["radius"] = wrong.get("radius", body["radius"])
    head["scene"] |= {key: value for key, value in wrong.items() if key != "radius"}
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(json.dumps(head).encode() + b"\n")
    with pytest.raises(RecordingError, match="broken as a recording"):
        read(path)
