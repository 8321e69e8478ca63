"""After-action reviews of records, and what they say of records that will not do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.core.observe import JsonLines, TraceError
from devs_robotics.experimental_frames.conformance.records import Conformance
from devs_robotics.scenarios.convoy.conformance import final
from devs_robotics.scenarios.convoy.runs import load
from tests.scenarios.by_hand import ByHand

LOOP = load("convoy_in_the_loop", ["run.rounds=6"])


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "loop.jsonl"
    ByHand(LOOP, "loop").run([(JsonLines(path), ["robot*"])])
    return path


def findings(review: Conformance) -> dict[str, bool | None]:
    return {finding.title: finding.holds for finding in review.findings}


def test_a_run_in_the_loop_stands_its_review(trace: Path) -> None:
    reviewed = final(LOOP, trace)
    assert findings(reviewed) == {"protocol": True, "record": True, "robots": True}
    assert reviewed.ending == "conforms"
    assert "links lost: none" in reviewed.notes
    (times,) = reviewed.tables
    assert [row[0] for row in times.rows] == ["1", "2", "3", "4"]
    assert [row[1] for row in times.rows][3] == "6"


def test_each_robots_times_add_up_to_the_whole_run(trace: Path) -> None:
    reviewed = final(LOOP, trace)
    whole = float(reviewed.findings[1].note.split()[1])
    for row in reviewed.tables[0].rows:
        assert sum(map(float, row[2:7])) == pytest.approx(whole, abs=0.3)


def changed(trace: Path, tmp_path: Path, old: str, new: str, count: int = 1) -> Path:
    text = trace.read_text()
    assert old in text
    path = tmp_path / "changed.jsonl"
    path.write_text(text.replace(old, new, count))
    return path


def test_a_record_that_stops_is_told_of(trace: Path, tmp_path: Path) -> None:
    lines = trace.read_text().splitlines(keepends=True)
    path = tmp_path / "short.jsonl"
    path.write_text("".join(lines[: len(lines) // 2]))
    reviewed = final(LOOP, path)
    assert findings(reviewed) == {"protocol": True, "record": False, "robots": True}
    assert "its writer was stopped" in reviewed.findings[1].note


def written(event: str, time: float, port: str, value: object) -> str:
    """A line of a trace about robot 2's device."""
    model = "experiment/system/robot2/device"
    return json.dumps({"event": event, "time": time, "model": model, "port": port, "values": [value]}) + "\n"


def test_a_link_that_was_lost_and_came_back_is_listed_and_a_robot_that_failed_counts(
    trace: Path, tmp_path: Path
) -> None:
    head, *rest = trace.read_text().splitlines(keepends=True)
    down = written("received", 1.0, "incoming", {"up": False, "reason": "cut"})
    up = written("received", 1.5, "incoming", {"up": True, "reason": ""})
    fault = written("sent", 2.0, "fault", {"robot": 2, "reason": "no battery"})
    path = tmp_path / "cut.jsonl"
    told = sorted([down, up, fault, *rest], key=lambda line: float(json.loads(line)["time"]))
    path.write_text(head + "".join(told))
    reviewed = final(LOOP, path)
    assert "links lost: robot2 at 1 s (cut); robot2 was back at 1.5 s" in reviewed.notes
    assert reviewed.findings[2].note == "2 s: no battery"
    assert reviewed.ending == "broken off"


def test_a_message_that_is_not_as_its_robot_moved_is_found(trace: Path, tmp_path: Path) -> None:
    lines = trace.read_text().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if "robot3/convoy" in line and "f_ready_out" in line)
    (value,) = json.loads(lines[first])["values"]
    told, lie = (json.dumps([each], separators=(",", ":")) for each in (value, {**value, "distance": 0.9}))
    time = f'"time":{json.loads(lines[first])["time"]},'
    lines = [line.replace(told, lie) if time in line else line for line in lines]  # to whoever hears it
    path = tmp_path / "lie.jsonl"
    path.write_text("".join(lines))
    assert [(each.robot, each.rule) for each in final(LOOP, path).violations] == [(3, "motion")]


def test_what_cannot_be_reviewed_says_why(trace: Path, tmp_path: Path) -> None:
    with pytest.raises(DevsRoboticsError, match=r"tells of 4 robots and the scenario has 30.*--set convoy.robots=4"):
        final(load("convoy"), trace)
    some = tmp_path / "some.jsonl"
    ByHand(LOOP, "loop").run([(JsonLines(some), ["robot2", "robot3"])])
    with pytest.raises(DevsRoboticsError, match="does not tell what robot 1 says and hears: record it with --trace"):
        final(LOOP, some)
    with pytest.raises(DevsRoboticsError, match=r"in .*infrared_answer that no robot says"):
        final(LOOP, changed(trace, tmp_path, '"values":[{"values":[', '"values":[{"valuse":[', 1000))
    no_number = '"values":[{"values":[{"!float":"much"},'
    with pytest.raises(DevsRoboticsError, match=r"in .*infrared_answer that no robot says"):
        final(LOOP, changed(trace, tmp_path, '"values":[{"values":[', no_number, 1000))
    with pytest.raises(TraceError, match="cannot read the trace"):
        final(LOOP, tmp_path / "nothing.jsonl")
