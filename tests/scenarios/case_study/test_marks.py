"""Marks that case studies declare."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.running.means import NOBODY
from devs_robotics.scenarios.running.run import run as run_scenario
from devs_robotics.scenarios.wander import Wandering
from devs_robotics.study import CaseSystem, Mark, Shown, run, shapes
from devs_robotics.view.replay import Replay

HOME = Mark(shapes.Disc(1.0, 1.0, 0.3), "home")
CALLS: list[str] = []


class Marked(Wandering):
    """Robots wander, and it is seen where they have been told to go."""

    def marks(self, system: CaseSystem) -> Iterable[tuple[str, Mark] | Shown]:
        CALLS.append("marks")
        yield "home", HOME
        for robot in system.robots:
            yield Shown(robot.wander.motor.ask, partial(self.told, robot.number))

    def told(self, robot: int, drive: Any) -> dict[str, Mark | None]:
        CALLS.append("told")
        return {f"way {robot}": Mark(text="turns" if drive.turn else "goes", robot=robot)}


def replay_of(study: Wandering) -> Replay:
    replay = run(study, duration=5.0).replay
    assert replay is not None
    return replay


def test_marks_are_in_the_scene_and_follow_messages() -> None:
    replay = replay_of(Marked(robots=2))
    assert replay.scene.marks == {"home": HOME}
    assert {change.name for change in replay.marks} == {"way 1", "way 2"}
    assert all(change.mark is not None and change.mark.robot == int(change.name[-1]) for change in replay.marks)


def test_marks_are_not_asked_for_where_nobody_looks() -> None:
    CALLS.clear()
    run_scenario(scenario_of(Marked(robots=2), duration=2.0), hooks=NOBODY)
    assert CALLS == []


class Wrong(Wandering):
    """Its marks are none."""

    what: str = "kind"

    def marks(self, system: CaseSystem) -> Iterable[Any]:
        port = system.robots[0].wander.motor
        if self.what == "kind":
            yield HOME
        elif self.what == "port":
            yield Shown(port.answer, dict)
        elif self.what == "fault":
            raise KeyError("nest")
        else:
            yield Shown(port.ask, lambda drive: drive.nothing)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("kind", r"marks must yield names with marks, as \"nest\", Mark"),
        ("port", "Shown follows an output port of an atomic model, and .*answer is none"),
        ("fault", "Wrong.marks failed: KeyError"),
    ],
)
def test_wrong_marks_are_told_before_anything_runs(what: str, words: str) -> None:
    with pytest.raises(DevsRoboticsError, match=words):
        run(Wrong(what=what), duration=1.0)


def test_what_fails_later_ends_no_run_and_is_told() -> None:
    outcome = run(Wrong(what="later"), duration=3.0)
    assert outcome.ended == "accepted"
    assert outcome.replay is not None
    assert outcome.replay.trouble.startswith("what Shown calls for ")
    assert "nothing" in outcome.replay.trouble
