"""Model continuity: the decision models decide the same in every stage."""

from __future__ import annotations

import pytest

from devs_robotics.core.observe import Recorder, first_difference
from devs_robotics.experimental_frames.study.continuity import agreement
from devs_robotics.experimental_frames.study.decisions import Decisions, of_robots
from devs_robotics.hil.tracking import Tracker
from devs_robotics.scenarios.case import noise_free, resolve
from devs_robotics.scenarios.convoy.runs import experiment, load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from tests.scenarios.by_hand import ByHand
from tests.scenarios.case_runs import patience

TICK = 2.0**-20
"""Durations in the environment model are rounded up to this (s)."""


def scenario(*settings: str) -> ConvoyScenario:
    return load("convoy_in_the_loop", ["run.rounds=8", *settings])


def decisions_by_hand(of: ConvoyScenario, stage: Stage) -> Decisions:
    decisions = Decisions("round_done")
    model = ByHand(of, stage).run([(decisions, of_robots)])
    assert model.verdict.get().accepted
    return decisions


def decisions_in_fast(of: ConvoyScenario) -> Decisions:
    decisions = Decisions("round_done")
    assert run(of, hooks=Hooks(observers=[(decisions, of_robots)])).ended == "accepted"
    return decisions


@pytest.mark.parametrize("stage", ["loop", "real"])
@pytest.mark.parametrize(
    "settings",
    [
        (),
        ("convoy.robots=6", "real.4.protocol=json", "field.width=7 m", "run.rounds=30"),  # with walls to turn away from
        ("tracking.corrects=true",),
        ("real.2.counterpart=commanded", "real.3.counterpart=commanded", "real.3.whiskers=real"),
    ],
)
def test_with_perfect_stand_ins_every_decision_is_that_of_the_fast_stage(
    stage: Stage, settings: tuple[str, ...]
) -> None:
    of = noise_free(scenario(*settings))
    same = agreement(decisions_in_fast(of), decisions_by_hand(of, stage))
    assert same.difference is None, str(same.difference)
    assert same.rounds >= 8
    assert same.largest_deviation < 1e-9
    assert same.largest_time_difference < 1000 * TICK


def test_with_other_stand_ins_the_decisions_are_others() -> None:
    """The proof can fail."""
    same = agreement(decisions_in_fast(noise_free(scenario())), decisions_by_hand(scenario("noise.dnf=0"), "loop"))
    assert same.difference is not None


def test_a_run_by_hand_is_the_same_every_time() -> None:
    first, second = Recorder(), Recorder()
    for recorder in (first, second):
        ByHand(scenario(), "loop").run([(recorder, ["robot*/convoy", "robot*/avoid"])])
    assert first_difference(first.events, second.events) is None


@pytest.mark.parametrize("settings", [(), ("tracking.corrects=true",)])
def test_measuring_where_robots_are_changes_none_of_a_systems_events(
    settings: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    of = resolve(scenario(*settings))
    watched = ["frame", "environment", *(f"robot*/{model}" for model in ("convoy", "avoid", "motor", "infrared"))]
    watched += ["robot*/device.outgoing"]  # what comes in bears a random number of the session
    measured, unmeasured = Recorder(), Recorder()
    model = ByHand(of, "loop").run([(measured, watched)])
    monkeypatch.setattr("devs_robotics.scenarios.case_study.harness.add_further", lambda model, setup: None)
    bare = experiment(set_up(of, "loop"))
    bare.track(Tracker("tracker", frozenset(bare.wires)))
    ByHand(of, "loop", bare).run([(unmeasured, watched)])
    assert model.localisation is not None
    assert {row.robot for row in model.localisation.rows} == {2, 3}
    assert len(measured.events) > 1000
    assert first_difference(measured.events, unmeasured.events) is None


@pytest.mark.wall_clock
def test_realtime_leaves_the_trace_of_fast() -> None:
    recorders = Recorder(), Recorder()
    for stage, recorder in zip(("fast", "realtime"), recorders, strict=True):
        run(scenario(), Means(stage=stage, rate=200.0), Hooks(observers=[(recorder, [])]))  # type: ignore[arg-type]
    assert first_difference(recorders[0].events, recorders[1].events) is None


@pytest.mark.wall_clock
@pytest.mark.parametrize("stage", ["loop", "real"])
def test_over_a_broker_and_with_another_process_the_decisions_are_still_the_same(stage: Stage) -> None:
    patient = patience((2, 3) if stage == "loop" else (1, 2, 3, 4))
    of, decisions = noise_free(scenario(*patient)), Decisions("round_done")
    outcome = run(of, Means(stage=stage, rate=5.0), Hooks(observers=[(decisions, of_robots)]))
    assert outcome.ended == "accepted", outcome.reason
    same = agreement(decisions_in_fast(of), decisions)
    assert same.holds, str(same.difference)
