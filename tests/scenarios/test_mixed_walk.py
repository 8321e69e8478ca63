"""The case mixed_walk: what its decision model does, and real and virtual robots in every stage."""

from __future__ import annotations

from math import isnan

import pytest

from devs_robotics import Drive, Driven, Ranges, Sense, Stream
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.mixed_walk import RandomWalk, Walk
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.stages import Stage
from devs_robotics.study import run
from tests.models.play import settle, tell
from tests.scenarios.case_runs import (
    model_of,
    outcome_of,
    results_on_a_hand_clock,
    tables,
    tables_of_another_process,
)

SMALL = ("run.duration=15", "walk.real=2", "walk.virtual=2")


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("mixed_walk", "walk.real=1", "walk.virtual=1", "walk.threshold=80 cm")
    assert_trace(model, "traces/mixed_walk.jsonl", until=9.0, only="robot1/walk")


def test_it_goes_ahead_where_the_way_is_free_and_turns_where_it_is_not() -> None:
    walk = RandomWalk("walk", Stream(1, 1, "walk"), threshold=0.25, margin=0.05, step=0.15, turn=1.25)
    walk.initialize()
    assert settle(walk) == [("infrared_ask", Sense())]
    assert tell(walk, (walk.infrared.answer, Ranges((0.25, 0.9)))) == [("motor_ask", Drive(distance=0.15))]
    assert tell(walk, (walk.motor.answer, Driven(0.0, 0.15))) == [("infrared_ask", Sense())]
    assert tell(walk, (walk.infrared.answer, Ranges((0.9, 0.24)))) == [("motor_ask", Drive(distance=-0.15))]
    ((_, turn),) = tell(walk, (walk.motor.answer, Driven(0.0, -0.15)))
    assert abs(turn.turn) == 1.25
    assert tell(walk, (walk.motor.answer, Driven(turn.turn, 0.0))) == [("infrared_ask", Sense())]
    assert tell(walk, (walk.infrared.answer, Ranges((0.29,)))) == [("motor_ask", turn)], "to the same side"
    assert tell(walk, (walk.motor.answer, Driven(turn.turn, 0.0))) == [("infrared_ask", Sense())]
    assert tell(walk, (walk.infrared.answer, Ranges((0.3,)))) == [("motor_ask", Drive(turn=2.0 * turn.turn))]
    assert tell(walk, (walk.motor.answer, Driven(2.0 * turn.turn, 0.0))) == [("infrared_ask", Sense())]
    assert tell(walk, (walk.infrared.answer, Ranges((0.26,)))) == [("motor_ask", Drive(distance=0.15))]
    blocked = tell(walk, (walk.motor.answer, Driven(0.0, 0.0, True)))
    assert blocked == [("motor_ask", Drive(distance=-0.15))], "what stops it is no way that is free"


def test_the_same_seed_gives_the_same_tables_in_every_process() -> None:
    one = tables(outcome_of("mixed_walk", *SMALL))
    assert one == tables_of_another_process("mixed_walk", *SMALL)
    assert one != tables(outcome_of("mixed_walk", *SMALL, "run.seed=2"))


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_real_robots_walk_as_well_and_alike_every_time(stage: Stage) -> None:
    one, again = (outcome_of("mixed_walk", *SMALL, stage=stage, lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == ({1, 2} if stage == "loop" else {1, 2, 3, 4})
    assert float(one.frames["collisions"]["least_way_m"]) > 0.3


def test_in_real_time_the_robots_do_what_they_did_in_fast() -> None:
    assert results_on_a_hand_clock("mixed_walk", *SMALL) == outcome_of("mixed_walk", *SMALL).frames


@pytest.mark.wall_clock
def test_so_they_do_on_the_wall_clock() -> None:
    outcome = outcome_of("mixed_walk", *SMALL, stage="realtime", rate=20.0)
    assert tables(outcome) == tables(outcome_of("mixed_walk", *SMALL))


@pytest.mark.parametrize("threshold", [0.15, 0.4])
def test_ten_robots_walk_for_two_minutes_and_none_is_stuck(threshold: float) -> None:
    outcome = run(Walk(threshold=threshold))
    assert float(outcome.frames["collisions"]["least_way_m"]) > 2.0


def test_what_a_camera_sees_late_changes_what_robots_of_both_realities_do() -> None:
    ways = {(period, real): tables(walked(real, 4 - real, period)) for period in (0.1, 0.6) for real in (0, 4)}
    assert ways[0.1, 0] == ways[0.6, 0], "without real robots there is no camera"
    assert ways[0.1, 4] == ways[0.6, 4], "and real ones see each other by themselves"
    assert tables(walked(4, 4, 0.1)) != tables(walked(4, 4, 0.6))


def walked(real: int, virtual: int, period: float) -> CaseOutcome:
    return run(Walk(real=real, virtual=virtual, threshold=0.4), duration=40.0, tracking={"period": period})


def test_who_is_alone_of_a_kind_makes_no_pairs() -> None:
    measured = run(Walk(real=0, virtual=2), duration=10.0).frames["collisions"]
    assert isnan(float(measured["real_real"]))
    assert float(measured["virtual_virtual"]) >= 0.0


def test_noise_that_would_disturb_nothing_is_told() -> None:
    scenario, problems = validate({"case": "mixed_walk", "noise": {"dnf": 0.1}})
    assert scenario is None
    assert "robots drive by velocities here, which no such noise disturbs" in str(problems[0])


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"real": 0, "virtual": 0}, "there are no robots: let there be one at least"),
        ({"step": 0.0}, "must be more than 0 s: robots would stand still"),
        ({"threshold": 0.0}, "the threshold must be above 0 m, and with the margin at most 1.5 m"),
        ({"threshold": 1.48}, "the threshold must be above 0 m, and with the margin at most 1.5 m"),
        ({"margin": -0.1}, "must be at least 0, not -0.1"),
        ({"half_angle": 2.0}, "must be from 0 to 90 deg, not 114.592"),
        ({"virtual": 5000}, "there is no room for"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "mixed_walk", "walk": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), problems
