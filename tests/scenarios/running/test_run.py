"""Running a scenario from Python."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.models.convoy import Follower, Leader
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running.interrupt import Interrupt
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.summary import summary

SMALL = ["convoy.robots=3", "run.rounds=400"]


def test_a_run_reports_now_and_then_and_can_be_interrupted() -> None:
    seen: list[float] = []

    def report(experiment: CaseExperiment, simulator: Simulator) -> None:
        seen.append(simulator.time)

    outcome = run(load("convoy", SMALL), hooks=Hooks(report=report, interrupted=lambda: len(seen) == 3))
    assert (outcome.ended, outcome.reason) == ("interrupted", "the user interrupted the run")
    assert len(seen) == 3
    assert outcome.end_s == seen[-1] > 0
    assert summary(outcome)["outcome"] == "interrupted"


def test_a_convoy_in_which_each_waits_for_another_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Leader, "initialize", lambda self: None)  # a leader that never sets off
    outcome = run(load("convoy", SMALL))
    assert outcome.ended == "rejected"
    assert outcome.reason == "no robot has anything left to do: each waits for another"


def test_what_was_measured_before_a_models_fault_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    end_round = Follower._end_round

    def fault(self: Follower) -> None:
        if self.round == 5:
            raise ZeroDivisionError("oh")
        end_round(self)

    monkeypatch.setattr(Follower, "_end_round", fault)
    outcome = run(load("convoy", SMALL))
    assert outcome.ended == "failed"
    assert outcome.reason.startswith("experiment/system/robot2/convoy at ")
    assert re.search(r"ZeroDivisionError: oh \(\S*test_run\.py, line \d+\)$", outcome.reason)
    assert outcome.metrics.robot_rounds > 5


def test_the_first_signal_asks_and_the_second_one_ends() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupt() as interrupt:
        requested = [interrupt.requested]
        os.kill(os.getpid(), signal.SIGINT)
        requested.append(interrupt.requested)
        assert requested == [False, True]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.wall_clock
def test_the_rate_of_a_run_is_among_its_settings() -> None:
    outcome = run(load("convoy", ["convoy.robots=2", "run.rounds=2"]), Means(stage="realtime", rate=1000.0))
    assert outcome.rate == outcome.scenario.clock.rate == 1000.0
    assert summary(outcome)["scenario"]["clock"]["rate"] == 1000.0


def test_a_model_that_goes_to_another_folder_takes_no_result_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    initialize = Leader.initialize

    def leave(self: Leader) -> None:
        os.chdir("/")
        initialize(self)

    monkeypatch.setattr(Leader, "initialize", leave)
    run(load("convoy", ["convoy.robots=2", "run.rounds=2"]))
    assert Path.cwd() == tmp_path
