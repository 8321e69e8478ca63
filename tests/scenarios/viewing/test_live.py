"""A run that is watched is the same run, however many look, and whatever they do to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from devs_robotics import Simulator
from devs_robotics.core.observe import JsonLines
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.stages import Stage
from devs_robotics.view.feed import IDLE
from devs_robotics.view.states import MOVING, THERE
from devs_robotics.view.tap import Tap
from tests.scenarios.case_runs import outcome_of
from tests.scenarios.viewing.theatre import Theatre, order

pytestmark = pytest.mark.usefixtures("small_batches")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The run that nobody watches."""
    path = tmp_path_factory.mktemp("alone") / "trace.jsonl"
    outcome = outcome_of("wander", "run.duration=40", hooks=Hooks(observers=[(JsonLines(path), ())], replay=True))
    assert outcome.replay is not None
    return path.read_bytes(), b"".join(outcome.replay.timeline.chunks)


@pytest.mark.parametrize("viewers", [0, 1, 8])
def test_however_many_look_the_trace_is_the_same_bytes(
    alone: tuple[bytes, bytes], tmp_path: Path, viewers: int
) -> None:
    assert Theatre(viewers).play(tmp_path) == alone


def test_while_nobody_looks_there_is_no_look_and_no_observer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attached: list[object] = []
    attach = Simulator.attach

    def counted(self: Simulator, observer: Any, *patterns: str) -> None:
        attached.append(observer)
        attach(self, observer, *patterns)

    monkeypatch.setattr(Simulator, "attach", counted)
    theatre = Theatre()
    theatre.play(tmp_path)
    assert theatre.watching.feed is not None
    assert theatre.looks > 5
    assert theatre.watching.feed.tap.looks == 0
    assert theatre.block.path.exists() is False
    assert [type(each).__name__ for each in attached] == ["JsonLines", "PoseRecorder"]


def test_with_the_last_viewer_the_observers_go(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def note(theatre: Theatre) -> None:
        assert theatre.watching.feed is not None
        seen.append((theatre.watching.feed.observers, theatre.watching.feed.tap.looks))

    plan = {
        3: Theatre.come,
        4: Theatre.come,
        7: note,
        8: lambda theatre: theatre.hub.leave(theatre.viewers[0]),
        10: note,
        11: lambda theatre: theatre.hub.leave(theatre.viewers[1]),
        14: note,
        18: note,
    }
    Theatre(plan=plan).play(tmp_path)
    observers, looks = zip(*seen, strict=True)
    assert observers == (1, 1, 0, 0)
    assert looks[0] < looks[1] < looks[2] == looks[3]


STAGES: list[tuple[Stage, str]] = [("fast", "process"), ("loop", "inside")]


@pytest.mark.parametrize(("stage", "lab"), STAGES)
def test_paused_and_resumed_the_trace_is_the_same_bytes(tmp_path: Path, stage: Stage, lab: str) -> None:
    times: list[float] = []

    def note(theatre: Theatre) -> None:
        times.append(theatre.hub.run.time)

    plan = {
        3: lambda theatre: theatre.hub.order("pause"),
        5: note,
        100: note,
        101: lambda theatre: theatre.hub.order("resume"),
        104: lambda theatre: theatre.hub.order("pause"),
        110: lambda theatre: theatre.hub.order("resume"),
    }
    theatre, other = Theatre(1, plan), Theatre()
    theatre.duration = other.duration = 40 if stage == "fast" else 5
    assert theatre.play(tmp_path, stage=stage, lab=lab) == other.play(tmp_path, stage=stage, lab=lab)
    assert times[0] == times[1]
    states = [each["state"] for each in theatre.told("status")]
    assert [state for state, before in zip(states, [None, *states], strict=False) if state != before] == [
        "starting", "running", "paused", "running", "paused", "running", "ended",
    ]  # fmt: skip


def test_after_a_long_pause_pictures_come_again_at_once(tmp_path: Path) -> None:
    counts: list[int] = []

    def note(theatre: Theatre) -> None:
        counts.append(len(theatre.states))

    plan: dict[int, Callable[[Theatre], Any]] = {
        20: partial(order, do="pause", value=None),
        800: partial(order, do="resume", value=None),
        801: note,
        830: note,
    }
    theatre = Theatre(1, plan)
    theatre.each = 0.01
    theatre.play(tmp_path)
    assert counts[1] > counts[0] + 5


def test_a_step_is_one_event_or_one_change_of_a_pose(alone: tuple[bytes, bytes], tmp_path: Path) -> None:
    seen: list[tuple[float, int, Any]] = []

    def note(theatre: Theatre) -> None:
        feed = theatre.watching.feed
        assert feed is not None
        simulator = feed._run.simulator
        bodies = feed.tap._sources.space.field.bodies
        seen.append((simulator.time, simulator.steps, (*bodies.x, *bodies.heading)))

    plan: dict[int, Callable[[Theatre], Any]] = {2: lambda theatre: theatre.hub.order("pause"), 59: note}
    for number in range(60, 70):
        plan[10 * number] = lambda theatre: theatre.hub.order("step")
        plan[10 * number + 5] = note
    plan[700] = lambda theatre: theatre.hub.order("step", "pose")
    plan[790] = note
    plan[800] = lambda theatre: theatre.hub.order("resume")
    assert Theatre(1, plan).play(tmp_path) == alone
    steps = [each[1] for each in seen]
    assert steps[:11] == list(range(steps[0], steps[0] + 11))
    assert seen[-1][2] != seen[-2][2]


def test_what_a_run_cannot_do_is_told_in_a_sentence(tmp_path: Path) -> None:
    refusals: list[str] = []
    plan: dict[int, Callable[[Theatre], Any]] = {}
    for number, (do, value) in enumerate([("stop", None), ("step", None), ("pace", 0.0001), ("pace", "x")], 1):
        plan[4 * number] = partial(order, do=do, value=value)
        plan[4 * number + 3] = lambda theatre: refusals.append(theatre.hub.run.refusal)
    Theatre(1, plan).play(tmp_path)
    assert refusals[0] == "this run cannot do 'stop' in its stage"
    assert refusals[1] == "pause the run first, then step"
    assert refusals[2] == refusals[3]
    assert refusals[2].startswith("a pace is a number from 0.01 to 1000")


def test_viewers_hear_what_there_is(tmp_path: Path) -> None:
    theatre = Theatre(1)
    theatre.play(tmp_path)
    assert [each["type"] for each in theatre.heard[:2]] == ["hello", "scene"]
    (hello,) = theatre.told("hello")
    assert (hello["kind"], hello["stage"], hello["rate"]) == ("live", "fast", 30.0)
    assert hello["control"] == []  # without the token
    (scene,) = theatre.told("scene")
    assert len(scene["bodies"]) == 5
    rays = [item for each in theatre.told("events") for item in each["items"] if item[0] == "see"]
    assert {item[2] for item in rays} == {1, 2, 3, 4, 5}
    assert [bearing for bearing, _ in rays[0][3]] == scene["bodies"][0]["beams"]
    share = [value for each in theatre.told("metrics") for value in each["series"]["share of the field covered (%)"]]
    assert share == sorted(share)
    assert theatre.states
    assert all((state.bits & THERE).all() for state in theatre.states)
    assert any((state.bits & MOVING).any() for state in theatre.states)
    assert theatre.told("status")[-1]["state"] == "ended"
    assert theatre.told("status")[-1]["reason"] == "accepted: the duration of 40 s is over"


def test_what_is_shown_is_where_the_trace_says_that_they_are(tmp_path: Path) -> None:
    """Each pose of each state is the last one up to its time; and a move under way is one of the trace."""
    theatre = Theatre(1)
    trace, _ = theatre.play(tmp_path, case="tests.scenarios.viewing.bumping:Bumping")
    places: list[tuple[float, int, tuple[float, float, float]]] = []
    ways: dict[int, set[tuple[float, float, float]]] = {}
    for line in trace.splitlines():
        event = json.loads(line)
        if event.get("event") == "sent" and event["port"] == "pose_change":
            places += [(event["time"], v["robot"], (v["x"], v["y"], v["heading"])) for v in event["values"]]
        elif event.get("event") == "received" and event["port"] == "command":
            for v in event["values"]:
                ways.setdefault(v["robot"], set()).add((event["time"], v["turn"], v["distance"]))
    compared = 0
    for state in theatre.states:
        for slot in range(5):
            before = [pose for time, robot, pose in places if robot == slot + 1 and time <= state.time]
            at = {pose for time, robot, pose in places if robot == slot + 1 and time == state.time}
            if before and not at:  # of this instant not all may have happened yet
                assert state.poses[:, slot] == pytest.approx(before[-1], abs=1e-5)
                compared += 1
            if state.moves is not None and state.moves[0, slot] == state.moves[0, slot]:
                began, ends, turn, distance = state.moves[:, slot]
                assert began <= state.time + 1e-4
                assert ends >= state.time - 1e-4
                assert any((began, turn, distance) == pytest.approx(way, abs=1e-4) for way in ways[slot + 1])
    assert compared > 20


def test_a_view_that_has_died_lets_a_paused_run_go_on(alone: tuple[bytes, bytes], tmp_path: Path) -> None:
    plan: dict[int, Callable[[Theatre], Any]] = {
        3: lambda theatre: theatre.hub.order("pause"),
        6: lambda theatre: setattr(theatre.hub, "tick", lambda: None),
    }
    theatre = Theatre(1, plan)
    assert theatre.play(tmp_path) == alone
    assert theatre.hub.run.state == "paused"  # as it knew it last
    assert theatre.looks > 26


def test_a_fault_of_the_view_is_told_and_ends_no_run(
    alone: tuple[bytes, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Tap) -> None:
        raise ValueError("too many")

    monkeypatch.setattr(Tap, "look", fails)
    theatre = Theatre(1, {2: partial(order, do="pause", value=None)})
    assert theatre.play(tmp_path) == alone
    assert theatre.notes == ["the view has failed (ValueError: too many): the run goes on without it"]
    assert theatre.watching.feed is not None
    assert theatre.watching.feed.observers == 0


def test_looks_come_no_more_often_than_they_may(tmp_path: Path) -> None:
    theatre = Theatre(1)
    theatre.watching._monotonic = lambda: theatre.looks * IDLE / 100.0
    theatre.play(tmp_path)
    assert theatre.watching.feed is not None
    assert theatre.watching.feed.tap.looks <= 2 + theatre.looks * IDLE / 100.0 * 40.0


def test_a_scenario_says_how_often_it_is_looked_at_and_how_pages_begin(tmp_path: Path) -> None:
    theatre = Theatre(1)
    theatre.each = 0.02
    theatre.duration = 20
    theatre.play(tmp_path, "view.rate=5", "view.tracks=12", "view.rays=7", "view.arrows=5")
    (hello,), (scene,) = theatre.told("hello"), theatre.told("scene")
    assert hello["rate"] == 5.0
    assert (scene["tracks"], scene["rays"], scene["arrows"]) == (12.0, 7, 5)
    assert theatre.watching.feed is not None
    assert 2 < theatre.watching.feed.tap.looks <= 3 + 5.0 * theatre.now
