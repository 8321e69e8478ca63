"""The broker is killed in the middle of a run."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.scenarios.running import results
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from tests.real_components import Mosquitto
from tests.scenarios.faults.labs import BUSY, STOPPED_WITHIN, Labs, is_driven, pair

pytestmark = pytest.mark.wall_clock


class PowerFailure:
    """Kills a broker while a robot moves, and starts it again after a time, if there is one (s)."""

    def __init__(self, broker: Mosquitto, labs: Labs, robot: int, again_after: float | None) -> None:
        self.broker, self.labs, self.robot, self.again_after = broker, labs, robot, again_after
        self.at = self.over_at = 0.0

    def __call__(self, experiment: CaseExperiment, simulator: Simulator) -> None:
        if not self.at:
            if is_driven(experiment, self.robot) and self.labs.truths[self.robot].moves():
                self.at = time.time()
                self.broker.kill()
        elif self.again_after is not None and not self.over_at and time.time() >= self.at + self.again_after:
            self.over_at = time.time()
            self.broker.start()

    def robots_stopped(self) -> None:
        truths = self.labs.truths
        assert truths[self.robot].moved_at(self.at)
        for truth in truths.values():
            assert truth.still_after(self.at + STOPPED_WITHIN, self.over_at or self.at + 2.0 * STOPPED_WITHIN)


def test_robots_stop_without_a_broker_and_go_on_when_it_is_back(tmp_path: Path) -> None:
    with Mosquitto() as broker, Labs(pair("run.rounds=2"), broker.address, tmp_path).running() as labs:
        failure = PowerFailure(broker, labs, 2, again_after=1.0)
        outcome = run(
            labs.scenario, Means(stage="loop", broker=broker.address, accept_risk=True), Hooks(report=failure)
        )
        failure.robots_stopped()
    assert outcome.ended == "accepted", outcome.reason
    assert failure.over_at


def test_a_broker_that_stays_away_ends_the_run_and_what_was_measured_is_kept(tmp_path: Path) -> None:
    scenario = pair("real.1.link_within=1 s", "real.2.link_within=1 s")
    with Mosquitto() as broker, Labs(scenario, broker.address, tmp_path).running() as labs:
        failure = PowerFailure(broker, labs, 2, again_after=None)
        outcome = run(
            labs.scenario, Means(stage="loop", broker=broker.address, accept_risk=True), Hooks(report=failure)
        )
        ended = time.time()
        failure.robots_stopped()
        named = {
            f"robot {robot} at {labs.address(robot)} was lost and did not come back within 1 s" for robot in (1, 2)
        }
    assert outcome.ended == "broken off"
    assert any(outcome.reason.startswith(name) for name in named), outcome.reason
    assert "broker" in outcome.reason
    assert ended - failure.at < 1.0 + 1.0 + BUSY
    results.prepare(tmp_path)
    results.write(tmp_path, outcome)
    assert json.loads((tmp_path / "summary.json").read_text())["outcome"] == "broken off"
