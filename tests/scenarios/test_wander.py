"""The case wander: what its decision model does, what coverage means, and the same model in every stage."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Ranges, Sense, Stream
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.models.environment import Field, PoseChange
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.wander import LOOK, Coverage, Wander, Wandering
from devs_robotics.study import CaseSystem, Frame, run
from tests.models.play import settle, tell
from tests.scenarios.case_runs import (
    model_of,
    outcome_of,
    results_on_a_hand_clock,
    tables,
    tables_of_another_process,
)

SMALL = ("run.duration=20", "wandering.robots=3")
LONG = ("run.duration=40", "wandering.robots=3")


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("wander", "wandering.robots=2")
    assert_trace(model, "traces/wander.jsonl", until=8.0, only="robot1/wander")


def test_it_goes_half_of_the_free_way_ahead_and_turns_where_there_is_none() -> None:
    wander = Wander("wander", Stream(1, 1, "wander"), step=0.3, clearance=0.3)
    wander.initialize()
    assert wander.ta() == LOOK
    assert settle(wander, LOOK) == [("infrared_ask", Sense())]
    assert tell(wander, (wander.infrared.answer, Ranges((0.9, 1.0)))) == [("motor_ask", Drive(distance=0.3))]
    assert tell(wander, (wander.infrared.answer, Ranges((0.1,)))) == [], "it has not asked"
    assert tell(wander, (wander.motor.answer, Driven(0.0, 0.3)), within=LOOK) == [("infrared_ask", Sense())]
    assert tell(wander, (wander.infrared.answer, Ranges((0.9, 0.5)))) == [("motor_ask", Drive(distance=0.1))]
    assert tell(wander, (wander.motor.answer, Driven(0.0, 0.1)), within=LOOK) == [("infrared_ask", Sense())]
    ((port, turn),) = tell(wander, (wander.infrared.answer, Ranges((0.9, 0.39))))
    assert (port, turn.distance) == ("motor_ask", 0.0)
    assert turn.turn != 0.0


poses = st.builds(PoseChange, st.integers(1, 3), st.floats(0.0, 4.0), st.floats(0.0, 3.0), st.just(0.0))


@given(st.lists(st.lists(poses, min_size=1, max_size=3), max_size=30), st.floats(0.1, 9.0))
def test_coverage_is_a_share_that_never_falls(bags: list[list[PoseChange]], cell: float) -> None:
    coverage = Coverage("coverage", cell, Field(4.0, 3.0))
    for bag in bags:
        tell(coverage, *((coverage.pose_change, pose) for pose in bag))
    ((name, history),) = coverage.series().items()
    assert name == "share"
    assert history == sorted(history)
    assert 0.0 <= history[0][1] <= history[-1][1] == coverage.share() <= 1.0
    assert all(later > earlier for (_, earlier), (_, later) in pairwise(history))


@settings(max_examples=10)
@given(st.integers(0, 99), st.integers(1, 6))
def test_the_same_seed_gives_the_same_tables(seed: int, robots: int) -> None:
    own = ("run.duration=10", f"wandering.robots={robots}", f"run.seed={seed}")
    first = tables(outcome_of("wander", *own))
    assert first == tables(outcome_of("wander", *own))
    assert first != tables(outcome_of("wander", *own, f"run.seed={seed + 1}"))


def test_and_in_every_process() -> None:
    assert tables(outcome_of("wander", *SMALL)) == tables_of_another_process("wander", *SMALL)


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_real_robots_cover_the_field_as_well_and_alike_every_time(stage: Stage) -> None:
    one, again = (outcome_of("wander", *LONG, stage=stage, lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == ({2} if stage == "loop" else {1, 2, 3})
    assert 0.1 < float(one.frames["coverage"]["share"]) < 0.6


@pytest.mark.parametrize("oversleep", [0.0, 0.004])
def test_in_real_time_the_robots_do_what_they_did_in_fast(oversleep: float) -> None:
    assert results_on_a_hand_clock("wander", *SMALL, oversleep=oversleep) == outcome_of("wander", *SMALL).frames


@pytest.mark.wall_clock
@pytest.mark.parametrize("stage", ["realtime", "loop"])
def test_so_they_do_on_the_wall_clock(stage: Stage) -> None:
    outcome = outcome_of("wander", *SMALL, stage=stage, rate=20.0)
    if stage == "realtime":
        assert tables(outcome) == tables(outcome_of("wander", *SMALL))
    assert outcome.lateness is not None


class Spoilt(Coverage):
    """Cannot tell its series when it has measured something."""

    def series(self) -> Any:
        return {"share": [1.0 / (self.time == 0.0)]}


class Spoiling(Wandering):
    """Is measured by something that fails."""

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        spoilt = frame.add(Spoilt("spoilt", self.cell, system.field))
        frame.couple(system.pose_change, spoilt.pose_change)


def test_a_part_whose_series_fails_is_told_and_the_rest_of_the_run_is_kept() -> None:
    outcome = run(Spoiling(robots=2), duration=10.0)
    assert outcome.ended == "failed"
    said, _, place = outcome.reason.rpartition(" (")
    assert said == "spoilt: Spoilt.series failed: ZeroDivisionError: float division by zero"
    assert re.fullmatch(r"\S*test_wander\.py, line \d+\)", place)
    assert outcome.tables == {}
    assert len(outcome.tracks.rows) > 5
    assert float(outcome.frames["spoilt"]["share"]) > 0.0


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"step": 0.5}, "robots see 1 m far, and go half of what is free: take 0.35 m at most"),
        ({"clearance": -0.1}, "must be at least 0 m: robots would drive into what they see"),
        ({"step": 0.0}, "must be more than 0 m: robots would stand still, or cells would have no size"),
        ({"robots": 500}, "there is no room for robot "),
        ({"cell": "5 kg"}, "'5 kg' has the wrong unit: write it in m or the like, as in '5 cm'"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "wander", "wandering": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), problems
