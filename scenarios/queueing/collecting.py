"""Collects the results of experiments in a folder of somebody's: theirs, each whole, and a table of all."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from devs_robotics.scenarios.queueing.experiments import QueuedExperiment
from devs_robotics.scenarios.queueing.result_folders import METRICS, discard, read_ended, to_disk
from devs_robotics.scenarios.running.results import OutputError, prepare, unwritable, write_texts

TABLE = "experiments.csv"


class Collected(Struct, frozen=True):
    """What was collected.

    Attributes:
        table: path of the table
        folders: of the results that are there now, by the experiments' numbers
        new: numbers of those that were not there before
    """

    table: Path
    folders: dict[int, Path]
    new: tuple[int, ...]


def collect(queue: ExperimentQueue, experiments: Sequence[QueuedExperiment], out: Path) -> Collected:
    """Copy the results of experiments that are over, and write their table; what is there already stays as it is.

    Args:
        queue: that has them
        experiments: that are over
        out: folder, which is made if it is not there

    Raises:
        OutputError: the folder has results of another queue, or cannot be written
    """
    prepare(out)
    folders: dict[int, Path] = {}
    new: list[int] = []
    metrics: dict[int, METRICS] = {}
    for each in experiments:
        source = queue.results.whole(each.number)
        ended = queue.results.ended(each, queue.identity)
        if ended is None:
            continue  # it never came to run, or not to its end
        metrics[each.number] = ended.metrics
        folders[each.number] = out / str(each.number)
        if _brought(source, folders[each.number], queue, each):
            new.append(each.number)
    (table,) = write_texts(out, {TABLE: lambda: _table(experiments, metrics)})
    return Collected(table, folders, tuple(new))


def _brought(source: Path, target: Path, queue: ExperimentQueue, experiment: QueuedExperiment) -> bool:
    """Copy a folder of results, all of it or nothing; False where it is there already."""
    if target.exists():
        there = read_ended(target, queue.identity, experiment.number)
        if there is None:
            raise OutputError(f"--out: {target} is of something else: choose another folder, or empty this one")
        if there.begun == experiment.begun:
            return False
        discard(target)  # of an earlier attempt at the same experiment
    copy = target.with_name(f".{target.name}.copied")
    try:
        if copy.exists():
            shutil.rmtree(copy)
        shutil.copytree(source, copy)
        for path in (copy, *copy.rglob("*")):
            to_disk(path)
        copy.rename(target)
        to_disk(target.parent)
    except OSError as exc:
        raise OutputError(unwritable(target, exc)) from exc
    return True


FIRST = (
    "number",
    "name",
    "scenario",
    "settings",
    "scenario_sha256",
    "seed",
    "stage",
    "state",
    "outcome",
    "reason",
    "arena",
    "begun",
    "added",
    "waited_s",
    "took_s",
)
"""Columns of the table, before those of metrics."""


def _table(experiments: Iterable[QueuedExperiment], metrics: Mapping[int, METRICS]) -> str:
    columns = [*FIRST, *dict.fromkeys(name for each in metrics.values() for name in each)]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for each in experiments:
        writer.writerow({**_first(each), **{k: v for k, v in metrics.get(each.number, {}).items() if v is not None}})
    return text.getvalue()


def _first(each: QueuedExperiment) -> dict[str, object]:
    values: tuple[object, ...] = (
        each.number,
        each.name,
        each.source,
        " ".join(masked(setting) for setting in each.settings),
        each.sha256,
        each.seed,
        each.stage,
        each.state,
        each.outcome,
        each.reason,
        each.arena,
        each.begun,
        when(each.added_s),
        each.waited,
        each.took,
    )
    return {name: "" if value is None else value for name, value in zip(FIRST, values, strict=True)}


def when(time_s: float) -> str:
    """A time since 1970 (s) as ISO 8601 has it, in UTC."""
    return datetime.fromtimestamp(time_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
