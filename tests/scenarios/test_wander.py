"""The case wander: what its decision model does, what coverage means, and the same model in every stage."""

from __future__ import annotations

import re
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Ranges, Sense, Stream
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.core.testing.twins import prove_twin
from devs_robotics.models.environment import Field, PoseChange
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run as run_it
from devs_robotics.scenarios.settings.loading import load, validate
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.wander import LOOK, Coverage, Wander, Wandering, Wanders
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


WANDER: dict[str, Any] = {
    "of": Wander,
    "make": lambda robot, seed: Wander(f"wander{robot}", Stream(seed, robot, "wander"), 0.3, 0.3),
    "hears": {
        "infrared": st.builds(Ranges, st.tuples(*2 * (st.sampled_from((0.1, 0.399, 0.4, 0.7, inf)),))),
        "motor": st.builds(Driven, st.just(0.0), st.just(0.3), st.booleans()),
    },
    "robots": 3,
}


def test_its_twin_is_proven() -> None:
    prove_twin(Wanders, worlds=40, **WANDER)


class Hasty(Wanders):
    """It looks again before its motion has ended."""

    def deltext(self, who: Any, e: Any) -> None:
        super().deltext(who, e)
        self.hold_in(who[self.motor.answer.has(who)], "looking", LOOK)


class GoesAllTheWay(Wanders):
    """It goes all of the way that is free."""

    def _decide(self, who: Any, nearest: Any) -> None:
        super()._decide(who, nearest)
        way = nearest - self.clearance
        self._distance[who] = np.where(self._distance[who] > 0.0, np.minimum(self.step, way), 0.0)


class DrawsTwice(Wanders):
    """It draws for robots that go straight on, too."""

    def _decide(self, who: Any, nearest: Any) -> None:
        self.stream.uniform(who)
        super()._decide(who, nearest)


@pytest.mark.parametrize("twin", [Hasty, GoesAllTheWay, DrawsTwice])
def test_faults_of_a_twin_are_found(twin: Any) -> None:
    with pytest.raises(AssertionError, match=f"{twin.__name__} is no twin of Wander"):
        prove_twin(twin, worlds=60, shrunk=False, **WANDER)


@pytest.mark.parametrize("strategy", ["auto", "grid"])
def test_in_arrays_its_results_are_those_of_models_and_prove_themselves(strategy: str) -> None:
    field = ("field.width=2", "field.height=2", "field.obstacles=[]")
    own = ("run.duration=10", "wandering.robots=4", *field, f"sensing.strategy={strategy}")
    told: list[str] = []
    scenario = load("wander", [*own, "run.population=arrays"])
    outcome: Any = run_it(scenario, Means(), Hooks(prove=4, tell=told.append))
    assert outcome.ended == "accepted", outcome.reason
    assert any("of 4 in arrays" in line for line in told)
    assert tables(outcome) == tables(outcome_of("wander", *own))


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
