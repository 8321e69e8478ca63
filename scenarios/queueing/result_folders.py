"""The result files of experiments: while one runs they stand in one folder, and when it is over, whole, in another."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from devs_robotics.core.files import write_atomically
from devs_robotics.scenarios.queueing.experiments import QueuedExperiment
from devs_robotics.scenarios.running.results import OutputError, prepare, unwritable, without_nan

RECORD = "experiment.json"
"""What an experiment was and how it ended; the last file that is written."""

METRICS = dict[str, float | int | str | None]


class EndedExperiment(Struct, frozen=True, kw_only=True):
    """What `RECORD` says.

    Attributes:
        queue: which one it was in
        number: of the experiment
        begun: how often it had been begun, this time included
        state: finished or failed
        outcome, reason: of the run
        arena: where
        added_s, begun_s, ended_s: when (s since 1970, UTC)
        metrics: by column; null for a number that does not exist
    """

    queue: str
    number: int
    begun: int
    state: str
    outcome: str
    reason: str
    arena: str
    added_s: float
    begun_s: float
    ended_s: float
    metrics: METRICS = {}


class ResultFolders:
    """Where the results of a queue's experiments are.

    A folder in ``results/`` is whole: it gets its name when all files in it are on disk. What stands in ``at_work/``
    is of an experiment that goes on, or whose worker died, and is removed when the experiment begins again.

    Args:
        folder: of the queue
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def at_work(self, number: int) -> Path:
        """Of an experiment that goes on."""
        return self._folder / "at_work" / str(number)

    def whole(self, number: int) -> Path:
        """Of one that is over."""
        return self._folder / "results" / str(number)

    def begin(self, number: int) -> Path:
        """An empty folder for the files of an experiment that begins, of which no results are left.

        Raises:
            OutputError: it cannot be made
        """
        self.remove(number)
        prepare(self.at_work(number))
        prepare(self.whole(number).parent)
        return self.at_work(number)

    def finish(self, ended: EndedExperiment) -> Path:
        """Have the files count as results, all at once.

        Raises:
            OutputError: they cannot
        """
        source, target = self.at_work(ended.number), self.whole(ended.number)
        try:
            text = json.dumps(without_nan(msgspec.to_builtins(ended)), indent=2, allow_nan=False)
            write_atomically(source / RECORD, text + "\n")
            for path in (source, *source.rglob("*")):
                to_disk(path)
            source.rename(target)
            to_disk(target.parent)
        except OSError as exc:
            raise OutputError(unwritable(target, exc)) from exc
        return target

    def remove(self, number: int) -> None:
        """Have nothing of an experiment be there any more.

        Raises:
            OutputError: it cannot be removed
        """
        for path in (self.at_work(number), self.whole(number)):
            discard(path)

    def ended(self, experiment: QueuedExperiment, queue: str) -> EndedExperiment | None:
        """How the last beginning of an experiment ended, if its results are whole."""
        found = read_ended(self.whole(experiment.number), queue, experiment.number)
        return found if found is not None and found.begun == experiment.begun else None


def read_ended(folder: Path, queue: str, number: int) -> EndedExperiment | None:
    """What a folder of results says of how an experiment ended; None where it has none of it."""
    try:
        found = msgspec.json.decode((folder / RECORD).read_bytes(), type=EndedExperiment)
    except (OSError, ValueError, RecursionError):
        return None
    return found if (found.queue, found.number) == (queue, number) else None


def discard(path: Path) -> None:
    """Remove a folder with all that is in it; it has another name meanwhile, so that none is ever there in part.

    Raises:
        OutputError: it cannot be removed
    """
    doomed = path.with_name(f".{path.name}.removed")
    try:
        for each in (doomed, path):
            if each.exists():
                if each is path:
                    path.rename(doomed)
                shutil.rmtree(doomed)
    except OSError as exc:
        raise OutputError(f"{path} cannot be removed ({exc.strerror}): see to its rights") from exc


def to_disk(path: Path) -> None:
    """Have what was written to a file, or the names in a folder, outlast a failure of the power."""
    if sys.platform == "win32":  # which lets nobody open folders, and needs no more for files that are closed
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
