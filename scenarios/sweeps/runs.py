"""One run of a sweep: what is to be done, and the row that comes of it, wherever it is carried out."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module

import msgspec
from msgspec import Struct

from devs_robotics import DevsRoboticsError
from devs_robotics.core.garbage import longer_lived_left_alone
from devs_robotics.core.user_code import described_with_place
from devs_robotics.experimental_frames.sweep import Value
from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.case import AnyCase, case_of
from devs_robotics.scenarios.command_line import command_line
from devs_robotics.scenarios.errors import DesignError
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.sweeps.design import DesignPoint, SweepPlan, seeded
from devs_robotics.scenarios.sweeps.software import Software, modules_of, software

MEASURED = ("accepted", "rejected")
"""A run that ends otherwise says nothing of the scenario, and its row has no metrics."""


class RunRow(Struct, frozen=True):
    """What came of a run.

    Attributes:
        point, replicate: which run it is, however many replicates there are
        seed: that it had
        ended: as in an outcome; failed also where it could not begin, or ended in an exception of whatever kind
        reason: why it is over
        metrics: by column
    """

    point: int
    replicate: int
    seed: int
    ended: str
    reason: str
    metrics: Mapping[str, Value] = {}


class Job(Struct, frozen=True):
    """A run that is to be carried out.

    Attributes:
        point, replicate: which run of the sweep it is
        seed: of the run
        scenario: with this seed
        software: that must be there wherever it is carried out
    """

    point: int
    replicate: int
    seed: int
    scenario: Scenario
    software: Software

    def row(self, ended: str, reason: str, metrics: Mapping[str, Value] = {}) -> RunRow:
        """What came of it."""
        return RunRow(self.point, self.replicate, self.seed, ended, reason, metrics)


def job(sweep: SweepPlan, number: int) -> Job:
    """What is to be done for a run of a sweep."""
    point, seed = place(sweep, number)
    return Job(*divmod(number, sweep.design.replicates), seed, seeded(point.scenario, seed), sweep.software)


def place(sweep: SweepPlan, number: int) -> tuple[DesignPoint, int]:
    """The point and the seed of a run; the replicates of a point follow each other."""
    point, replicate = divmod(number, sweep.design.replicates)
    return sweep.points[point], sweep.design.seed(replicate)


def command(sweep: SweepPlan, number: int) -> str:
    """Does the same as a run of a sweep, by itself; to be typed."""
    point, seed = place(sweep, number)
    words = ["devs-robotics", "run", sweep.source]
    for setting in (*sweep.settings, *point.settings):
        words += ["--set", masked(setting)]
    return command_line([*words, "--seed", str(seed)])


def never() -> bool:
    """Nobody interrupts the run."""
    return False


def carry_out(job: Job, interrupted: Callable[[], bool] = never) -> bytes | None:
    """Do a run; returns its row as JSON, or None where it was interrupted.

    Raises:
        DevsRoboticsError: the software here is not the same as where the sweep was started
    """
    _refuse_others(job.software)
    try:
        _warm_up(case_of(job.scenario), modules_of([job.scenario]))
        with own_garbage_only():
            outcome = run(job.scenario, hooks=Hooks(interrupted))
        if outcome.ended == "interrupted":
            return None
        metrics = case_of(job.scenario).columns(outcome) if outcome.ended in MEASURED else {}
        return msgspec.json.encode(job.row(outcome.ended, outcome.reason, metrics))
    except DevsRoboticsError as exc:
        return msgspec.json.encode(job.row("failed", str(exc)))
    except KeyboardInterrupt:
        raise
    except BaseException as exc:  # of a frame of the user's, say, whose failure must not be the sweep's
        return msgspec.json.encode(job.row("failed", described_with_place(exc)))


def _refuse_others(wanted: Software) -> None:
    here = _here(wanted.modules)
    for name, version in wanted.versions.items():
        if here.versions.get(name) != version:
            raise DesignError(
                f"a worker has {name} {here.versions.get(name)}, and this machine {version}, so that their runs would "
                f"not be the same: install the same on both"
            )
    for name in sorted(wanted.sources.keys() | here.sources.keys()):
        if here.sources.get(name) != wanted.sources.get(name):
            raise DesignError(
                f"a worker has other sources of {name} than this machine, so that their runs would not be the same: "
                f"give it the same files"
            )


@cache
def _here(modules: tuple[str, ...]) -> Software:
    """What this process has; a module that is changed later is not loaded again."""
    return software(modules)


@cache
def _warm_up(case: AnyCase, modules: tuple[str, ...]) -> None:
    """Pay what only the first run of a process costs, so that no run's processor time has it."""
    for module in modules:
        import_module(module)
    run(case.short())


@contextmanager
def own_garbage_only() -> Iterator[None]:
    """Let a run's processor time be free of garbage of earlier runs, and of looking through all that lives longer."""
    gc.collect()
    with longer_lived_left_alone():
        yield
