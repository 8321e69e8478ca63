"""Swarms whose robots decide at times of their own: arrays that look ahead say what ordinary models say, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devs_robotics import Atomic, Crossed, In, ModelError, Simulator
from devs_robotics.core.population import Population, PopulationModel, Rows, exact
from devs_robotics.core.population.rows import Places
from devs_robotics.core.wiring import atomic_models
from devs_robotics.models.swarm.walking import WalksAtRandom
from devs_robotics.scenarios.diffusion import Diffuses
from tests.benchmarks.swarms import BEHAVIOURS, BY_WHEELS, swarm
from tests.swarm_traces import Said, said
from tests.tracing import trace_ours, trace_xdevs

WORLDS = [(1, 0.05, 40.0), (2, 0.05, 30.0), (9, 0.04, 15.0), (40, 0.16, 10.0)]
"""Robots, area for each (m2), and time (s)."""


@pytest.mark.parametrize("behaviour", BY_WHEELS)
@pytest.mark.parametrize(("robots", "area", "until"), WORLDS)
def test_arrays_say_what_models_say(behaviour: str, robots: int, area: float, until: float) -> None:
    models = said(behaviour, robots, until, "models", area=area, seed=robots)
    assert len(models) > 3 * robots
    assert models == said(behaviour, robots, until, "arrays", area=area, seed=robots)


@pytest.mark.parametrize("behaviour", BY_WHEELS)
def test_so_do_robots_of_which_some_are_models_or_each_has_its_own(behaviour: str) -> None:
    models = said(behaviour, 25, 10.0, "models")
    assert models == said(behaviour, 25, 10.0, "arrays", as_models=(1, 7, 8, 25))
    assert models == said(behaviour, 25, 10.0, "arrays", alike=False)
    assert models == said(behaviour, 25, 10.0, "arrays", tells_poses=True), "event by event"


def test_it_takes_fewer_steps_to_look_ahead() -> None:
    steps = []
    for tells_poses in (False, True):
        _, root = swarm("walk", 200, "arrays", tells_poses=tells_poses)
        with Simulator(root) as simulator:
            simulator.run(5.0)
            steps.append(simulator.steps)
    assert steps[0] < steps[1] / 3


@pytest.mark.parametrize("behaviour", BY_WHEELS)
def test_a_run_that_was_saved_goes_on_as_before(behaviour: str, tmp_path: Path) -> None:
    system, root = swarm(behaviour, 12, "arrays", area=0.05)
    system.in_arrays[0].population.keep(range(1, 13))
    with Simulator(root) as simulator:
        simulator.run(3.0)
        simulator.save(tmp_path / "saved")
    with Simulator.resume(tmp_path / "saved") as resumed:
        resumed.run(8.0)
        (again,) = (each for each in atomic_models(resumed.model) if isinstance(each, PopulationModel))
    found = [(each.time, robot, each.port, each.value) for robot, kept in again.kept.items() for each in kept.said]
    assert sorted(found, key=lambda each: each[:2]) == said(behaviour, 12, 8.0, "arrays", area=0.05)


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_xdevs_own_coordinator_makes_the_same_trace(behaviour: str) -> None:
    ours = trace_ours(swarm(behaviour, 4, "models", area=0.05)[1], 4.0)
    assert ours == trace_xdevs(swarm(behaviour, 4, "models", area=0.05)[1], 4.0)


class Ear(Atomic):
    """Notes when it hears something."""

    heard = In(str)

    def __init__(self) -> None:
        super().__init__("ear")
        self.now = 0.0
        self.times: list[float] = []

    def deltext(self, e: float) -> None:
        self.now += e
        self.times.append(self.now)


def test_who_listens_hears_everything_at_its_time() -> None:
    system, root = swarm("walk", 12, "arrays")
    ear = Ear()
    system.add_component(ear)
    for port in system.teams[0].said("walked"):
        system.couple(port, ear.heard)
    with Simulator(root) as simulator:
        simulator.run(20.0)
    times = [time for time, _, port, _ in said("walk", 12, 20.0, "models") if port == "walked"]
    assert ear.times == sorted(set(times))


class WholeSeconds:
    """A grid."""

    def after(self, now: float) -> float:
        return float(int(now) + 1)

    def hears_late(self) -> bool:
        return True


def test_what_comes_off_the_grid_while_it_looks_ahead_is_refused() -> None:
    system, _ = swarm("walk", 3, "arrays")
    alone = PopulationModel("walks", system.in_arrays[0].population.population)
    alone.grid = WholeSeconds()
    with Simulator(alone) as simulator:
        rows = Rows(Crossed, np.array([1]), [Crossed((0.0,) * 8)])
        for tenth in range(1, 100):
            simulator.inject(alone.input["proximity_answer"], rows, at=exact.tick(0.1 * tenth))
        with pytest.raises(ModelError, match="which is no point of the grid: couple it with nothing but its equipment"):
            simulator.run(10.0)


Fault = Callable[[Any, Any], Any]


def _forgets_to_continue(twin: Any, right: Any) -> Any:
    def wrong(self: Any, who: Places, e: Any) -> None:
        pass

    return wrong


def _touches_others(twin: Any, right: Any) -> Any:
    def wrong(self: Any, who: Places) -> None:
        right(self, who)
        self.hold_in(np.array([0]), "straight", 0.25)

    return wrong


def _swaps_draws(twin: Any, right: Any) -> Any:
    def wrong(self: Any, who: Places) -> None:
        self.length, self.angle = self.angle, self.length
        right(self, who)

    return wrong


def _sees_seven_of_eight(twin: Any, right: Any) -> Any:
    def wrong(self: Any, readings: Any) -> Any:
        return right(self, np.concatenate((readings[:, :7], np.zeros((len(readings), 1))), axis=1))

    return wrong


def _keeps_deadlines(twin: Any, right: Any) -> Any:
    def wrong(self: Any, who: Places, phase: str, sigma: Any) -> None:
        right(self, who, phase, np.nextafter(sigma, np.inf) if np.ndim(sigma) else sigma)

    return wrong


@pytest.mark.parametrize(
    ("behaviour", "twin", "function", "fault"),
    [
        ("walk", WalksAtRandom, "continuef", _forgets_to_continue),
        ("walk", WalksAtRandom, "deltint", _touches_others),
        ("walk", WalksAtRandom, "deltint", _swaps_draws),
        ("diffusion", Diffuses, "decide", _sees_seven_of_eight),
    ],
)
def test_planted_faults_are_found(
    behaviour: str, twin: type[Population], function: str, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    models: Said = said(behaviour, 20, 20.0, "models", area=0.05)
    monkeypatch.setattr(twin, function, fault(twin, getattr(twin, function)))
    assert models != said(behaviour, 20, 20.0, "arrays", area=0.05)


def test_times_off_the_raster_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WalksAtRandom, "hold_in", _keeps_deadlines(WalksAtRandom, WalksAtRandom.hold_in))
    with pytest.raises(ModelError, match="for a time that is not on the raster"):
        said("walk", 20, 20.0, "arrays")
