"""What the paper's figures show, as CSV texts: metres, the same bytes for the same runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from math import isnan

from devs_robotics.experimental_frames.convoy.paper_figures.runs import PaperRun, Snapshot, band, of, point
from devs_robotics.experimental_frames.convoy.published import NOISE_SETS, ROBOTS, SIZES, published_error_cm
from devs_robotics.experimental_frames.report.thinning import Floats


def snapshots_csv(shots: Sequence[Snapshot]) -> str:
    """Figure 8: one row per robot and snapshot."""
    rows = [(shot.round, shot.time_s, robot, *pose) for shot in shots for robot, pose in enumerate(shot.poses, start=1)]
    return _csv(("round", "time_s", "robot", "x_m", "y_m", "heading_rad"), rows)


def series_csv(runs: Sequence[PaperRun], moves: Floats) -> str:
    """Figures 9 and 10: E in each stretch of robot moves at each noise set, its interval, and the run that is drawn."""
    rows: list[tuple[object, ...]] = []
    for noise in NOISE_SETS:
        kept = of(runs, noise, ROBOTS)
        mean = band([run.errors_m for run in kept])
        for place in range(len(moves) if kept else 0):
            means = [float(end[place]) for end in (mean.mean, mean.low, mean.high)]
            rows.append((*noise, int(moves[place]), mean.runs, *means, kept[0].seed, float(kept[0].errors_m[place])))
    return _csv(("dnf", "anf", "robot_moves", "runs", "mean_m", "low_m", "high_m", "one_seed", "one_run_m"), rows)


def averages_csv(runs: Sequence[PaperRun]) -> str:
    """Figures 10 and 11: average E at each setting, its interval, and the published value where the text has one."""
    rows: list[tuple[object, ...]] = []
    settings = [(noise, ROBOTS) for noise in NOISE_SETS] + [(NOISE_SETS[1], size) for size in SIZES if size != ROBOTS]
    for noise, robots in settings:
        mean = point(run.average_m for run in of(runs, noise, robots))
        if mean.runs:
            ends = [float(end[0]) for end in (mean.mean, mean.low, mean.high)]
            published = published_error_cm(robots, *noise)
            rows.append((*noise, robots, mean.runs, *ends, None if published is None else round(published / 100.0, 6)))
    return _csv(("dnf", "anf", "robots", "runs", "mean_m", "low_m", "high_m", "published_m"), rows)


def runs_csv(runs: Iterable[PaperRun]) -> str:
    """Every run, those too that do not count."""
    rows = [(*run.noise, run.robots, run.seed, run.ended, run.reason, run.average_m) for run in runs]
    return _csv(("dnf", "anf", "robots", "seed", "ended", "reason", "average_m"), rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    return repr(value) if isinstance(value, float) else value
