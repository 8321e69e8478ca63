"""Frames that count what robots in arrays say: these then decide ahead of time, and what is measured stays the same."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics import Out
from devs_robotics.core.observe import Observer
from devs_robotics.experimental_frames.frame import Verdict
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.running import run as running
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.swarm import Swarm
from devs_robotics.study import CaseSystem, Frame, Transducer


class Untracked(Swarm):
    """Swarms of which only what their frame counts is wanted."""

    tracked = False


class Impatient(Transducer):
    """Ends the run between two points of the grid."""

    verdict = Out(Verdict)

    def initialize(self) -> None:
        self.hold_in("waiting", 4.21)

    def lambdaf(self) -> None:
        self.verdict.add(Verdict(True, "it is enough"))

    def deltint(self) -> None:
        self.passivate()


class Ending(Untracked):
    """A part of the frame may end the run before its time."""

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        super().frame(frame, system)
        frame.add(Impatient("impatient"))


def outcome(
    case: type[Swarm], population: str, duration: float, behaviour: Any = "walk", robots: int = 12, **hooks: Any
) -> Any:
    """What comes of a swarm."""
    study = case(behaviour=behaviour, robots=robots, area_per_robot=0.05)
    scenario = scenario_of(study, duration=duration, run={"population": population})
    return running.run(scenario, hooks=Hooks(**hooks))


@pytest.mark.parametrize("behaviour", ["walk", "follow"])
@pytest.mark.parametrize("duration", [0.04, 5.0, 7.25, 12.3456789])
def test_what_is_counted_is_the_same_wherever_the_run_ends(behaviour: str, duration: float) -> None:
    models, arrays = (outcome(Untracked, each, duration, behaviour) for each in ("models", "arrays"))
    assert models.frames == arrays.frames
    assert models.frames["busy"]["decisions_per_s"] > 0.0
    assert arrays.ended == "accepted", arrays.reason


def test_it_takes_fewer_steps_unless_somebody_wants_to_hear_each_robot_at_its_time() -> None:
    late = outcome(Untracked, "arrays", 4.0, robots=100)
    for case, hooks in ((Swarm, {}), (Untracked, {"observers": [(Observer(), ())]}), (Untracked, {"replay": True})):
        by_events = outcome(case, "arrays", 4.0, robots=100, **hooks)
        assert late.steps < 0.7 * by_events.steps
        assert late.frames == by_events.frames


def test_nothing_is_missing_where_a_run_may_end_before_its_time() -> None:
    models, arrays = (outcome(Ending, each, 30.0) for each in ("models", "arrays"))
    assert arrays.reason == "it is enough"
    assert models.frames == arrays.frames
