"""Figures 8 to 11 of Hu & Zeigler (section 4.2), beside the paper: ``make figures``.

By default twenty seeds at each setting, 340 rounds each: some three minutes of processor time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import nan
from pathlib import Path

import joblib
import numpy as np
from rich.console import Console
from rich.progress import Progress

from devs_robotics import DevsRoboticsError
from devs_robotics.core.files import write_atomically
from devs_robotics.core.processes import sheltered
from devs_robotics.experimental_frames.convoy import Formation
from devs_robotics.experimental_frames.convoy.paper_figures import page
from devs_robotics.experimental_frames.convoy.paper_figures.error_series import ends, stretches
from devs_robotics.experimental_frames.convoy.paper_figures.runs import Noise, PaperRun, Snapshot
from devs_robotics.experimental_frames.convoy.published import NOISE_SETS, ROBOTS, SIZES
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.commands.arguments import positive
from devs_robotics.scenarios.commands.cli import guarded
from devs_robotics.scenarios.commands.display import Display
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.commands.parser import CommandParser
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.running.results import OutputError, prepare, unwritable
from devs_robotics.scenarios.running.versions import versions
from devs_robotics.scenarios.settings.loading import set_keys

SEEDS, ROUNDS = 20, 340
EARLY = 0.15
"""The first snapshot of figure 8 is taken after this share of the rounds."""

INSTEAD = {"run.seed": "use --seeds", "run.rounds": "use --rounds"}
"""Options for keys of the scenario that are not to be set."""

Job = tuple[Noise, int, int]
"""Noise set, robots, seed."""


def jobs(seeds: int) -> list[Job]:
    """All runs, those that take longest first, so that no core is left with a long one at the end."""
    settings = [(NOISE_SETS[1], size) for size in sorted(SIZES, reverse=True)]
    settings[1:1] = [(noise, ROBOTS) for noise in NOISE_SETS if noise != NOISE_SETS[1]]
    return [(noise, robots, seed) for noise, robots in settings for seed in range(1, seeds + 1)]


def scenario_of(job: Job, rounds: int, settings: Sequence[str]) -> ConvoyScenario:
    """What a job runs."""
    (dnf, anf), robots, seed = job
    own = {
        "noise.dnf": dnf,
        "noise.anf": anf,
        "convoy.robots": robots,
        "run.seed": seed,
        "run.rounds": rounds,
    }
    for key in sorted(own.keys() & set_keys(settings)):
        remedy = INSTEAD.get(key, f"leave out --set {key}, or use devs-robotics sweep")
        raise BeginError(f"{key} is both set, by --set, and varied, by the figures: {remedy}")
    return resolve(load("convoy", [*settings, *(f"{key}={value}" for key, value in own.items())]))


def measure(job: Job, rounds: int, settings: Sequence[str]) -> PaperRun:
    """Run one job."""
    noise, robots, seed = job
    try:
        outcome = run(scenario_of(job, rounds, settings))
    except DevsRoboticsError as exc:
        return PaperRun(noise, robots, seed, "failed", str(exc), nan, np.full(rounds, nan))
    errors = stretches(outcome.formation, robots, rounds)
    average = outcome.metrics.error_at_pose_changes.mean_over_all
    return PaperRun(noise, robots, seed, outcome.ended, outcome.reason, average, errors)


def snapshot(rounds: int, settings: Sequence[str]) -> Snapshot:
    """The first seed's convoy when its last robot completes a round."""
    formation = run(scenario_of((NOISE_SETS[1], ROBOTS, 1), rounds, settings)).formation
    return Snapshot(rounds, formation.times[-1], tuple(formation.poses), _tracks(formation))


def _tracks(formation: Formation) -> tuple[tuple[tuple[float, float], ...], ...]:
    tracks: list[list[tuple[float, float]]] = [[] for _ in formation.poses]
    for row in formation.rows:
        tracks[row.robot - 1].append((row.x_m, row.y_m))
    return tuple(map(tuple, tracks))


def make(
    out: Path, *, seeds: int = SEEDS, rounds: int = ROUNDS, workers: int = -1, settings: Sequence[str] = ()
) -> list[str]:
    """Run everything and write the figures into a folder; returns what there is to say of them.

    Args:
        out: the folder
        seeds: at each setting, from 1 on
        rounds: of each run
        workers: processes; -1: one per core
        settings: ``KEY=VALUE`` texts that override keys of the scenario ``convoy``

    Raises:
        DevsRoboticsError: a setting is wrong, or the folder cannot be written to
    """
    scenario_of((NOISE_SETS[1], ROBOTS, 1), rounds, settings)  # what is wrong with it is told before all else
    prepare(out)
    made = measured(seeds=seeds, rounds=rounds, workers=workers, settings=settings)
    write(out, made)
    return [*page.lines(made.runs), f"page: {out / 'index.html'}"]


def measured(
    *, seeds: int = SEEDS, rounds: int = ROUNDS, workers: int = -1, settings: Sequence[str] = ()
) -> page.PaperFigureData:
    """Run everything; see `make`."""
    scenario = scenario_of((NOISE_SETS[1], ROBOTS, 1), rounds, settings)
    assert scenario.frame.transient_rounds is not None
    return page.PaperFigureData(
        runs=_all_runs(jobs(seeds), lambda job: joblib.delayed(measure)(job, rounds, tuple(settings)), workers),
        moves=ends(ROBOTS, rounds),
        transient=float(ROBOTS * scenario.frame.transient_rounds),
        shots=tuple(snapshot(count, settings) for count in (max(1, round(EARLY * rounds)), rounds)),
        scenario=scenario.model_dump(mode="json"),
        settings=tuple(settings),
        seeds=seeds,
        versions=versions(),
    )


def write(out: Path, made: page.PaperFigureData) -> None:
    """Write the figures, their data and the page into a folder.

    Raises:
        OutputError: it cannot be written to
    """
    prepare(out)
    for name, content in page.files(made).items():
        try:
            write_atomically(out / name, content)
        except OSError as exc:
            raise OutputError(unwritable(out / name, exc)) from exc


def _all_runs(planned: list[Job], task: Callable[[Job], object], workers: int) -> tuple[PaperRun, ...]:
    """All runs in the order of their settings, however they were shared out."""
    parallel = joblib.Parallel(n_jobs=workers, return_as="generator")
    console = Console(stderr=True)
    with (
        sheltered(),
        Progress(console=console, disable=not console.is_terminal, transient=True) as progress,
    ):
        done = progress.track(parallel(map(task, planned)), total=len(planned), description="runs")
        return tuple(sorted(done, key=lambda run: (run.noise, run.robots, run.seed)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the figures; returns the exit status."""
    parser = CommandParser(
        prog="python -m devs_robotics.scenarios.convoy.paper_figures",
        description=(__doc__ or "").replace("``", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put them")
    parser.add_argument(
        "--seeds", metavar="N", type=positive, default=SEEDS, help="at each setting (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds", metavar="N", type=positive, default=ROUNDS, help="of each run (default: %(default)s)"
    )
    parser.add_argument("--jobs", metavar="N", type=positive, default=-1, help="processes (default: one per core)")
    parser.add_argument(
        "--set", dest="settings", metavar="KEY=VALUE", action="append", default=[], help="override a key"
    )
    given = sys.argv[1:] if arguments is None else arguments
    with protected("paper_figures"):
        return guarded("paper_figures", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    told = make(
        options.out, seeds=options.seeds, rounds=options.rounds, workers=options.jobs, settings=options.settings
    )
    Display()("\n".join(told))
    return RAN


if __name__ == "__main__":
    sys.exit(main())
