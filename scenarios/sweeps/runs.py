"""One run of a sweep: what is to be done, and the row that comes of it, wherever it is carried out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from devs_robotics import DevsRoboticsError
from scenarios.geometry import DEFAULT_ROUNDS
from scenarios.outcome import versions
from scenarios.running import run
from scenarios.schema import Scenario
from scenarios.sweeps.design import Point, Sweep, Value, seeded

MEASURED = ("accepted", "rejected")
"""A run that ends otherwise says nothing of the scenario, and its row has no metrics."""

ROUND = 2.4
"""A round of a short convoy takes so long (s of simulated time)."""

AHEAD = 0.8
"""A robot is so many rounds ahead of the one behind it."""


class Row(Struct, frozen=True):
    """What came of a run.

    Attributes:
        run: its number in the sweep
        seed: that it had
        ended: as in an outcome; failed also where it could not begin, or ended in an exception of whatever kind
        reason: why it is over
        metrics: by column
    """

    run: int
    seed: int
    ended: str
    reason: str
    metrics: Mapping[str, Value] = {}


class Job(Struct, frozen=True):
    """A run that is to be carried out.

    Attributes:
        run: its number in the sweep
        seed: of the run
        scenario: with this seed
        versions: that the software must have wherever it is carried out
    """

    run: int
    seed: int
    scenario: Scenario
    versions: dict[str, str]


def job(sweep: Sweep, number: int) -> Job:
    """What is to be done for a run of a sweep."""
    point, seed = place(sweep, number)
    return Job(number, seed, seeded(point.scenario, seed), versions())


def place(sweep: Sweep, number: int) -> tuple[Point, int]:
    """The point and the seed of a run; the replicates of a point follow each other."""
    point, replicate = divmod(number, sweep.design.replicates)
    return sweep.points[point], sweep.design.first_seed + replicate


def command(sweep: Sweep, number: int) -> str:
    """Does the same as a run of a sweep, by itself; to be typed."""
    point, seed = place(sweep, number)
    words = ["devs-robotics", "run", sweep.source]
    for setting in (*sweep.settings, *point.settings):
        words += ["--set", setting]
    return shlex.join([*words, "--seed", str(seed)])


def size(scenario: Scenario) -> float:
    """About how many rounds its robots will complete together, which is what a run costs."""
    robots, wanted = scenario.convoy.robots, scenario.run
    limits = [] if wanted.duration is None else [wanted.duration / ROUND]
    if wanted.rounds is not None or not limits:
        limits.append((wanted.rounds or DEFAULT_ROUNDS) + AHEAD * robots / 2.0)
    return robots * min(limits)


def never() -> bool:
    """Nobody interrupts the run."""
    return False


def carry_out(job: Job, interrupted: Callable[[], bool] = never) -> bytes | None:
    """Do a run; returns its row as JSON, or None where it was interrupted.

    Raises:
        DevsRoboticsError: the software here is not the same as where the sweep was started
    """
    here = versions()
    if here != job.versions:
        name = next(name for name in job.versions if here.get(name) != job.versions[name])
        raise DevsRoboticsError(
            f"a worker has {name} {here.get(name)}, and this machine {job.versions[name]}, so that their runs would "
            f"not be the same: install the same on both"
        )
    try:
        outcome = run(job.scenario, interrupted=interrupted)
        if outcome.ended == "interrupted":
            return None
        metrics = outcome.columns() if outcome.ended in MEASURED else {}
        return msgspec.json.encode(Row(job.run, job.seed, outcome.ended, outcome.reason, metrics))
    except DevsRoboticsError as exc:
        return failure(job, str(exc))
    except (Exception, SystemExit) as exc:  # of a frame of the user's, say, whose failure must not be the sweep's
        return failure(job, f"{type(exc).__name__}: {exc}")


def failure(job: Job, reason: str) -> bytes:
    """The row of a run that failed."""
    return msgspec.json.encode(Row(job.run, job.seed, "failed", reason))
