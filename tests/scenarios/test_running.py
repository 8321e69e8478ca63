"""Running a scenario from Python."""

from __future__ import annotations

import os
import signal

import pytest

from devs_robotics import Simulator
from experimental_frames.convoy import Experiment
from models.convoy import Leader
from scenarios.loading import load
from scenarios.running import Interrupt, run

SMALL = ["convoy.robots=3", "run.rounds=400"]


def test_a_run_reports_now_and_then_and_can_be_interrupted() -> None:
    seen: list[float] = []

    def report(experiment: Experiment, simulator: Simulator) -> None:
        seen.append(simulator.time)

    outcome = run(load("convoy", SMALL), report=report, interrupted=lambda: len(seen) == 3)
    assert (outcome.interrupted, outcome.accepted, outcome.reason) == (True, True, "the user interrupted the run")
    assert len(seen) == 3
    assert outcome.end_s == seen[-1] > 0
    assert outcome.summary()["outcome"] == "interrupted"


def test_a_convoy_in_which_each_waits_for_another_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Leader, "initialize", lambda self: None)  # a leader that never sets off
    outcome = run(load("convoy", SMALL))
    assert not outcome.accepted
    assert outcome.reason == "no robot has anything left to do: each waits for another"


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
