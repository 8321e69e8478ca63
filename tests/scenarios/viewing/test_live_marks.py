"""What viewers of a run see of marks, contacts and sentences is what the run's own records have."""

from __future__ import annotations

import json
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import msgspec
import pytest

from devs_robotics.view.recording import read
from tests.scenarios.viewing.theatre import Theatre

pytestmark = pytest.mark.usefixtures("small_batches")

BUMPING = "tests.scenarios.viewing.bumping:Bumping"
FORAGE = ("foraging.robots=3", "foraging.items=6", "field.width=3", "field.height=3")


def changed(marks: dict[str, Any], changes: list[Any]) -> dict[str, Any]:
    """Marks after changes."""
    for _, name, mark in changes:
        marks.pop(name, None)
        if mark is not None:
            marks[name] = mark
    return marks


def marks_shown(heard: list[Any]) -> list[tuple[float, dict[str, Any]]]:
    """The marks that a viewer has seen, each time that they changed (s)."""
    now: dict[str, Any] = {}
    found = []
    for each in heard:
        if not isinstance(each, dict) or each["type"] not in ("scene", "marks"):
            continue
        if each["type"] == "scene":
            now = dict(each["marks"])
        now = changed(now, each["changes"])
        found.append((max((change[0] for change in each["changes"]), default=0.0), dict(now)))
    return found


def marks_recorded(theatre: Theatre, time: float) -> list[dict[str, Any]]:
    """The marks of a run's recording at a time (s), after none, one, two and so on of the changes of that time."""
    replay = theatre.outcome.replay
    assert replay is not None
    changes = [msgspec.to_builtins(each) for each in replay.marks]
    now = changed(msgspec.to_builtins(replay.scene.marks), [each for each in changes if each[0] < time])
    found = [dict(now)]
    for each in changes:
        if each[0] == time:
            found.append(dict(changed(now, [each])))
    return found


@pytest.mark.parametrize(
    ("case", "settings"), [("forage", FORAGE), ("meet", ("meeting.robots=4", "field.width=3", "field.height=3"))]
)
def test_marks_are_those_of_the_recording(tmp_path: Path, case: str, settings: tuple[str, ...]) -> None:
    theatre = Theatre(1)
    theatre.duration = 180
    theatre.play(tmp_path, *settings, case=case)
    seen = marks_shown(theatre.heard)
    assert len(seen) > 5
    for time, marks in seen:
        assert marks in marks_recorded(theatre, time)


def test_who_comes_later_sees_the_same_marks_now_and_before(tmp_path: Path) -> None:
    theatre = Theatre(1, {60: Theatre.come})
    theatre.duration = 180
    theatre.each = 0.05
    theatre.play(tmp_path, *FORAGE, case="forage")
    (scene,) = [each for each in theatre.heard_by[1] if isinstance(each, dict) and each["type"] == "scene"]
    assert scene["changes"]
    seen = [marks_shown(heard)[-1][1] for heard in theatre.heard_by]
    assert seen[0] == seen[1]
    first, second = ([each for time, each in marks_shown(heard) if time] for heard in theatre.heard_by)
    assert first[-len(second) + 1 :] == second[1:]


def test_marks_are_shown_of_a_run_that_keeps_nothing(tmp_path: Path) -> None:
    kept, not_kept = Theatre(1), Theatre(1)
    not_kept.replay = False
    for theatre in (kept, not_kept):
        theatre.play(tmp_path, *FORAGE, case="forage")
    assert marks_shown(kept.heard) == marks_shown(not_kept.heard)
    assert marks_shown(kept.heard)[-1][0] > 0.0


def test_the_recording_is_the_same_bytes_with_and_without_viewers(tmp_path: Path) -> None:
    recordings = []
    for viewers in (0, 1):
        theatre = Theatre(viewers)
        theatre.record = tmp_path / f"run{viewers}.jsonl"
        theatre.play(tmp_path, "meeting.robots=4", "field.width=3", "field.height=3", case="meet")
        recordings.append(theatre.record.read_bytes())
        assert read(theatre.record).marks
    assert recordings[0] == recordings[1]


def test_contacts_are_told_once_each(tmp_path: Path) -> None:
    """Pairs that touch in one state and did not in the one before; and in the trace a robot was stopped then."""
    theatre = Theatre(1)
    theatre.each = 0.02
    crowd = ("bumping.robots=8", "field.width=1.2", "field.height=1.2", "bumping.step=0.2")
    trace, _ = theatre.play(tmp_path, *crowd, "bumping.clearance=0", case=BUMPING)
    told = [item for each in theatre.told("events") for item in each["items"] if item[0] == "contact"]
    assert len(told) > 3
    before: set[tuple[int, int]] = set()
    expected = []
    for state in theatre.states:
        places = list(zip(*state.poses[:2].tolist(), strict=True))
        now = {
            (one + 1, other + 1)
            for one, other in combinations(range(len(places)), 2)
            if dist(places[one], places[other]) <= 0.2 + 1e-4
        }
        expected += [["contact", state.time, *pair] for pair in sorted(now - before)]
        before = now
    assert told == expected
    stops = []
    for line in trace.splitlines():
        event = json.loads(line)
        if event.get("event") == "sent" and event["port"].startswith("moved"):
            stops += [(event["time"], value["robot"]) for value in event["values"] if value["blocked"]]
    for _, time, one, other in told:
        assert any(robot in (one, other) and at <= time + 1e-9 for at, robot in stops)


def test_what_people_are_told_viewers_read_too_also_from_before_they_came(tmp_path: Path) -> None:
    theatre = Theatre(plan={20: Theatre.come})
    tell = theatre.watching.telling(theatre.notes.append)
    tell("a broker was started")
    theatre.plan[10] = lambda theatre: tell("a link is lost")
    theatre.plan[40] = lambda theatre: tell("a link is there again")
    theatre.each = 0.05
    theatre.play(tmp_path)
    assert theatre.notes == ["a broker was started", "a link is lost", "a link is there again"]
    lines = [item for each in theatre.told("events") for item in each["items"] if item[0] == "log"]
    assert [text for _, _, text in lines] == theatre.notes
    assert [time for _, time, _ in lines] == sorted(time for _, time, _ in lines)
    assert lines[0][1] == 0.0 < lines[1][1] < lines[2][1]
