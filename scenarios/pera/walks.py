"""Experiment 1: runs of the case mixed_walk, over thresholds, and over what the camera does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from devs_robotics.core.processes import sheltered
from devs_robotics.experimental_frames.pera.results import WalkRun
from devs_robotics.scenarios.mixed_walk import Walk
from devs_robotics.scenarios.pera.brokers import ExperimentError
from devs_robotics.study import run

USUAL = (0.1, 0.045)
"""Period and delay of the camera in the runs over thresholds (s)."""


class WalkPlan(Struct, frozen=True):
    """Which runs there are.

    Attributes:
        thresholds: at the usual camera (m)
        cameras: periods and delays at `threshold` (s)
        trials: of each
        duration: of a run (s)
    """

    thresholds: Sequence[float]
    cameras: Sequence[tuple[float, float]]
    threshold: float
    trials: int
    duration: float

    def jobs(self) -> list[tuple[float, float, float, int]]:
        """Threshold, period, delay and seed of each run."""
        settings = [(threshold, *USUAL) for threshold in self.thresholds]
        settings += [(self.threshold, *camera) for camera in self.cameras]
        return [(*each, seed) for each in dict.fromkeys(settings) for seed in range(1, self.trials + 1)]


FULL = WalkPlan(
    (0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40),
    ((0.1, 0.1), (0.1, 0.3), (0.1, 0.6), (0.3, 0.045), (0.6, 0.045)),
    0.10,
    30,
    120.0,
)
QUICK = WalkPlan((0.10, 0.40), ((0.6, 0.045),), 0.10, 3, 5.0)


def walk(threshold: float, period: float, delay: float, seed: int, duration: float) -> WalkRun:
    """One run."""
    outcome = run(Walk(threshold=threshold), duration=duration, seed=seed, tracking={"period": period, "delay": delay})
    if outcome.ended != "accepted":
        raise ExperimentError(
            f"a run of experiment 1 (threshold {threshold:g} m, seed {seed}) failed: {outcome.reason}"
        )
    found = {name: float(value) for name, value in outcome.frames["collisions"].items()}
    rr, rv, vv = (found[name] for name in ("real_real", "real_virtual", "virtual_virtual"))
    rates = found["real_real_per_s"], found["real_virtual_per_s"], found["virtual_virtual_per_s"]
    return WalkRun(threshold, period, delay, seed, duration, rr, rv, vv, rates, found["least_way_m"])


def walks(plan: WalkPlan, done: Callable[[int, int], None], workers: int = -1) -> tuple[WalkRun, ...]:
    """All runs.

    Args:
        plan: which
        done: is told how many are done, of how many
        workers: processes; -1: one per core
    """
    import joblib

    jobs, found = plan.jobs(), []
    with sheltered():
        made = joblib.Parallel(n_jobs=workers, return_as="generator")(
            joblib.delayed(walk)(*job, plan.duration) for job in jobs
        )
        for number, each in enumerate(made, 1):
            found.append(each)
            done(number, len(jobs))
    return tuple(found)
