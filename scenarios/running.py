"""Runs a scenario and gathers what came of it."""

from __future__ import annotations

import platform
import signal
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from math import inf
from types import FrameType, TracebackType
from typing import Any, Literal, Self

from msgspec import Struct

from devs_robotics import ModelError, Simulator, __version__
from devs_robotics.errors import ObserverError
from devs_robotics.observe import Observer
from experimental_frames.convoy import Experiment, Formation, Metrics, measure
from scenarios.assembly import experiment
from scenarios.geometry import resolve
from scenarios.loading import fingerprint
from scenarios.schema import Scenario

STEPS_BETWEEN_REPORTS = 500


Ending = Literal["accepted", "rejected", "interrupted", "failed"]


class Outcome(Struct, frozen=True):
    """What came of a run.

    Attributes:
        scenario: what was run, with nothing left open
        stage: how it was run
        ended: accepted or rejected by the acceptor, interrupted by the user, or failed for a fault of a model or of
            an observer
        reason: why it is over
        end_s: simulated time at the end (s)
        steps: of the simulator
        transitions: of all models
        cpu_s: processor time of the simulation (s)
        wall_s: time on the clock (s)
        robots_lost: why, by robot
        metrics: what the frame measured
        formation: the measurements themselves
    """

    scenario: Scenario
    stage: str
    ended: Ending
    reason: str
    end_s: float
    steps: int
    transitions: int
    cpu_s: float
    wall_s: float
    robots_lost: dict[int, str]
    metrics: Metrics
    formation: Formation

    def summary(self) -> dict[str, Any]:
        """All but the measurements themselves, as plain data."""
        import msgspec

        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "scenario_sha256": fingerprint(self.scenario),
            "seed": self.scenario.run.seed,
            "stage": self.stage,
            "versions": _versions(),
            "outcome": self.ended,
            "reason": self.reason,
            "simulated_s": self.end_s,
            "events": {
                "steps": self.steps,
                "transitions": self.transitions,
                "pose_changes": len(self.formation.times),
                "robot_rounds": self.metrics.robot_rounds,
            },
            "cpu_s": self.cpu_s,
            "wall_s": self.wall_s,
            "metrics": {
                **msgspec.to_builtins(self.metrics),
                "robots_lost": {str(robot): reason for robot, reason in self.robots_lost.items()},
            },
        }


class Interrupt:
    """While it is entered, SIGINT and SIGTERM ask for an orderly end; a second one ends the program at once."""

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


Report = Callable[[Experiment, Simulator], None]


def run(
    scenario: Scenario,
    *,
    report: Report | None = None,
    interrupted: Callable[[], bool] = lambda: False,
    observers: Sequence[tuple[Observer, Sequence[str]]] = (),
) -> Outcome:
    """Run a scenario in fast mode to its end; a fault of a model or an observer ends it, and is told in the outcome.

    Args:
        scenario: what to run
        report: called now and then with the running experiment and its simulator
        interrupted: asked now and then whether to end early
        observers: each with the patterns of what it watches; none means everything
    """
    scenario = resolve(scenario)
    wall, cpu = time.perf_counter(), time.process_time()
    model = experiment(scenario)
    with Simulator(model) as simulator:
        for observer, patterns in observers:
            simulator.attach(observer, *patterns)
        ended, reason = _run_to_end(model, simulator, report, interrupted)
    frame = model.frame
    assert scenario.frame.transient_rounds is not None
    return Outcome(
        scenario=scenario,
        stage="fast",
        ended=ended,
        reason=reason,
        end_s=simulator.time,
        steps=simulator.steps,
        transitions=simulator.transitions,
        cpu_s=time.process_time() - cpu,
        wall_s=time.perf_counter() - wall,
        robots_lost=frame.acceptor.robots_lost,
        metrics=measure(frame.formation, scenario.frame.transient_rounds, simulator.time),
        formation=frame.formation,
    )


def _run_to_end(
    model: Experiment, simulator: Simulator, report: Report | None, interrupted: Callable[[], bool]
) -> tuple[Ending, str]:
    try:
        while not model.verdict and simulator.next_time < inf and not interrupted():
            simulator.run(max_steps=STEPS_BETWEEN_REPORTS, stop=model.verdict)
            if report is not None:
                report(model, simulator)
    except (ModelError, ObserverError) as exc:  # what was measured before the fault is not lost
        return "failed", str(exc)
    return _ending(model, simulator)


def _ending(model: Experiment, simulator: Simulator) -> tuple[Ending, str]:
    if model.verdict:
        verdict = model.verdict.get()
        return "accepted" if verdict.accepted else "rejected", verdict.reason
    if simulator.next_time < inf:
        return "interrupted", "the user interrupted the run"
    return "rejected", "no robot has anything left to do: each waits for another"


def _versions() -> dict[str, str]:
    return {
        "devs-robotics": __version__,
        "python": platform.python_version(),
        "platform": sys.platform,
        **{name: version(name) for name in ("xdevs", "numpy")},
    }
