"""The queue itself: experiments wait in it, and each is finished exactly once, whoever dies meanwhile."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from devs_robotics.scenarios.queueing.arena_lock import ArenaLock, is_held
from devs_robotics.scenarios.queueing.database import FILE, opened, told, writing
from devs_robotics.scenarios.queueing.entries import entry
from devs_robotics.scenarios.queueing.experiments import (
    DAMAGED,
    ENDED,
    HistoryEntry,
    NewExperiment,
    QueuedExperiment,
    QueueError,
    Recipe,
    RecipeError,
    State,
    named,
)
from devs_robotics.scenarios.queueing.result_folders import EndedExperiment, ResultFolders

_logger = logging.getLogger(__name__)


class ExperimentQueue:
    """Experiments in the folder of a queue; any number of processes may use it at once.

    Every step is one transaction. An experiment is begun by the process that holds the lock of an arena; where that
    lock is free although the experiment is running, its worker has died: it is then finished, if its results are whole,
    and otherwise waits again. That is found whenever somebody opens the queue or asks for work.

    Args:
        folder: of the queue
        make: whether to make it where there is none
        clock: tells the time (s since 1970, UTC)

    Raises:
        QueueError: there is none, or it cannot be used
    """

    def __init__(self, folder: Path, *, make: bool = False, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder.absolute()
        self.results = ResultFolders(self.folder)
        self._path = self.folder / FILE
        self._clock = clock
        if make:
            try:
                (self.folder / "arenas").mkdir(parents=True, exist_ok=True)
            except OSError as exc:
                raise QueueError(f"the queue {folder} cannot be made ({exc.strerror}): choose another folder") from exc
        elif not self._path.is_file():
            raise QueueError(
                f"there is no queue in {folder}: add an experiment to it, or name another folder by --queue"
            )
        self._refuse_lost()
        self._database = opened(self._path)
        try:
            self.identity = self._own_identity()
            self._recover()
        except BaseException:
            self.close()
            raise

    def _own_identity(self) -> str:
        for row in self._rows("SELECT id FROM queue"):
            if isinstance(row["id"], str):
                return row["id"]
        raise QueueError(f"{self._path} does not say which queue it is: it is damaged, put it back")

    def _refuse_lost(self) -> None:
        """Raises QueueError where results are, but no database: new experiments would take their numbers and places."""
        results = self.results.whole(1).parent
        empty = not self._path.exists() or (self._path.is_file() and self._path.stat().st_size == 0)
        if empty and results.is_dir() and any(results.iterdir()):
            raise QueueError(
                f"the database {self._path} is lost or empty, but there are results in {results}: put the database "
                "back, or move the results away"
            )

    def close(self) -> None:
        """Leave it."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # for who adds and looks

    def add(self, experiments: Sequence[NewExperiment]) -> list[int]:
        """Add experiments, all of them or none; returns their numbers when they are on disk.

        Raises:
            QueueError: one has the name of another
        """
        with self._step():
            return [self._add(each) for each in experiments]

    def _add(self, new: NewExperiment) -> int:
        there = new.name and self._database.execute("SELECT number FROM experiments WHERE name = ?", (new.name,))
        if there and (found := there.fetchone()) is not None:
            raise QueueError(
                f"an experiment named {new.name} is in the queue already, with the number {found['number']}: give this "
                "one another name"
            )
        values = {**msgspec.structs.asdict(new), "added_s": self._clock()}
        values["settings"] = json.dumps(new.settings)
        values["recipe"] = msgspec.json.encode(new.recipe).decode()
        columns = ", ".join(values)
        cursor = self._database.execute(
            f"INSERT INTO experiments ({columns}, state) VALUES ({', '.join('?' * len(values))}, 'waiting')",
            tuple(values.values()),
        )
        assert cursor.lastrowid is not None
        self._note(cursor.lastrowid, "added")
        return cursor.lastrowid

    def experiments(self, states: Iterable[State] = ()) -> list[QueuedExperiment]:
        """Those in one of these states, or all, by number."""
        wanted = set(states)
        found = [_experiment(row) for row in self._rows("SELECT * FROM experiments ORDER BY number")]
        return [each for each in found if not wanted or each.state in wanted]

    def experiment(self, number: int) -> QueuedExperiment:
        """One of them.

        Raises:
            QueueError: there is none of this number
        """
        for row in self._rows("SELECT * FROM experiments WHERE number = ?", number):
            return _experiment(row)
        raise QueueError(
            f"there is no experiment {number} in this queue: devs-robotics queue list shows which there are"
        )

    def found(self, which: str) -> QueuedExperiment:
        """The one that somebody means, by its number or its name.

        Raises:
            QueueError: there is none
        """
        if which.isascii() and which.isdigit() and len(which) <= 18:
            return self.experiment(int(which))
        for row in self._rows("SELECT * FROM experiments WHERE name = ?", which):
            return _experiment(row)
        raise QueueError(
            f"there is no experiment {which[:60]!r} in this queue: devs-robotics queue list shows which there are"
        )

    def recipe(self, number: int) -> Recipe:
        """What is needed to run it.

        Raises:
            RecipeError: what the queue has of it is damaged
        """
        for row in self._rows("SELECT recipe FROM experiments WHERE number = ?", number):
            with suppress(TypeError, ValueError, RecursionError):
                return msgspec.json.decode(row["recipe"], type=Recipe)
        raise RecipeError(DAMAGED)

    def history(self, number: int) -> list[HistoryEntry]:
        """What happened to an experiment, in that order."""
        rows = self._rows("SELECT * FROM history WHERE experiment = ? ORDER BY rowid", number)
        return [entry(HistoryEntry, row, number) for row in rows]

    def cancel(self, number: int) -> QueuedExperiment:
        """Have an experiment not run, or end soon if it runs; returns how it stands.

        Raises:
            QueueError: it is over already
        """
        with self._step():
            found = self.experiment(number)
            if found.state in ENDED:
                raise QueueError(f"{found.called} is {found.state} already, and cannot be cancelled")
            if found.state == "waiting":
                self._end(found, "cancelled", None, "cancelled before it began")
            else:
                self._set(number, cancel=True)
                self._note(number, "to be cancelled", found.arena)
            return self.experiment(number)

    def retry(self, number: int) -> QueuedExperiment:
        """Have an experiment that is over, but not finished, wait again; its old results are removed.

        Raises:
            QueueError: it is waiting, running or finished
        """
        with self._step():
            found = self.experiment(number)
            if found.state in ("waiting", "running", "finished"):
                raise QueueError(f"{found.called} is {found.state}, and is not to be tried again")
            self.results.remove(number)
            self._set(number, **WAITING, deaths=0, certificate=None, outcome=None, reason=None, ended_s=None)
            self._note(number, "to be tried again")
            return self.experiment(number)

    # for workers

    def arena(self, name: str) -> ArenaLock:
        """The right to run experiments in an arena; free it when there is nothing more to do.

        Raises:
            QueueError: another process has it
        """
        named("--arena", name)
        lock = ArenaLock(self._lock(name))
        with self._step():
            if not lock.take():
                raise QueueError(
                    f"another process works in the arena {name}: wait for it, or name another one by --arena"
                )
        return lock

    def claim(self, arena: str, *, real_robots: bool = True) -> QueuedExperiment | None:
        """Begin the next experiment; None where there is none for this arena.

        Args:
            arena: whose lock this process has, and in which nothing runs
            real_robots: whether it may be one that moves robots that are no stand-ins
        """
        with self._step():
            self._recover_dead(arena)
            row = self._database.execute(
                "SELECT * FROM experiments WHERE state = 'waiting' AND (wanted_arena IS NULL OR wanted_arena = ?) "
                "AND real_robots <= ? ORDER BY priority DESC, number LIMIT 1",
                (arena, real_robots),
            ).fetchone()
            if row is None:
                return None
            found = _experiment(row)
            self._set(found.number, state="running", arena=arena, begun=found.begun + 1, begun_s=self._clock())
            self._note(found.number, "begun", arena)
            return self.experiment(found.number)

    def certified(self, experiment: QueuedExperiment, certificate: str) -> None:
        """Keep what certification has found."""
        with self._step():
            self._still(experiment)
            self._set(experiment.number, certificate=certificate)
            self._note(experiment.number, "certified", experiment.arena, certificate)

    def note(self, experiment: QueuedExperiment, event: str) -> None:
        """Keep in its history what happened to an experiment that this process has begun."""
        with self._step():
            self._still(experiment)
            self._note(experiment.number, event, experiment.arena)

    def cancel_wanted(self, number: int) -> bool:
        """Whether somebody wants it to end."""
        return self.experiment(number).cancel

    def end(self, experiment: QueuedExperiment, state: State, outcome: str | None, reason: str) -> None:
        """Have an experiment be over that this process has begun.

        Raises:
            QueueError: it has not begun it, or it is over already
        """
        with self._step():
            self._end(self._still(experiment), state, outcome, reason)

    def put_back(self, experiment: QueuedExperiment, why: str) -> None:
        """Have an experiment wait again that this process has begun."""
        with self._step():
            self._still(experiment)
            self._set(experiment.number, **WAITING)
            self._note(experiment.number, "put back", experiment.arena, why)

    def ended_now(
        self, experiment: QueuedExperiment, state: str, outcome: str, reason: str, **more: Any
    ) -> EndedExperiment:
        """What is to be kept with the results of an experiment that has just ended."""
        assert experiment.arena is not None
        assert experiment.begun_s is not None
        return EndedExperiment(
            queue=self.identity,
            number=experiment.number,
            begun=experiment.begun,
            state=state,
            outcome=outcome,
            reason=reason,
            arena=experiment.arena,
            added_s=experiment.added_s,
            begun_s=experiment.begun_s,
            ended_s=self._clock(),
            **more,
        )

    # those whose workers have died

    def _recover(self) -> None:
        with told(self._path):
            running = self._database.execute("SELECT 1 FROM experiments WHERE state = 'running' LIMIT 1").fetchone()
        if running is not None:
            with self._step():
                self._recover_dead(None)

    def _recover_dead(self, mine: str | None) -> None:
        """Care for experiments that run in no living process; in the arena `mine` none does."""
        rows = self._database.execute("SELECT * FROM experiments WHERE state = 'running' ORDER BY number").fetchall()
        for found in map(_experiment, rows):
            if found.arena == mine or not is_held(self._lock(str(found.arena))):
                self._recover_one(found)

    def _recover_one(self, found: QueuedExperiment) -> None:
        ended = self.results.ended(found, self.identity)
        if ended is not None:  # it died between the last file and the database
            self._end(found, "failed" if ended.state == "failed" else "finished", ended.outcome, ended.reason)
            self._set(found.number, ended_s=ended.ended_s)
            return
        deaths = found.deaths + 1
        self._set(found.number, deaths=deaths)
        self._note(found.number, "worker died", found.arena)
        if found.cancel:
            self._end(found, "cancelled", None, "cancelled; its worker died")
        elif deaths >= found.deaths_allowed:
            times = "once" if deaths == 1 else f"{deaths} times"
            self._end(found, "failed", None, f"the process that ran it died {times}, so it was given up")
        else:
            self._set(found.number, **WAITING)

    # the database

    def _lock(self, arena: str) -> Path:
        return self.folder / "arenas" / f"{arena}.lock"

    def _still(self, experiment: QueuedExperiment) -> QueuedExperiment:
        """How it stands, while it is this beginning of it that runs."""
        found = self.experiment(experiment.number)
        if (found.state, found.begun) != ("running", experiment.begun):
            raise QueueError(f"{found.called} is {found.state}: somebody else has cared for it meanwhile")
        return found

    def _end(self, found: QueuedExperiment, state: State, outcome: str | None, reason: str) -> None:
        self._set(found.number, state=state, cancel=False, ended_s=self._clock(), outcome=outcome, reason=reason)
        self._note(found.number, state, found.arena, reason)

    def _set(self, number: int, **values: object) -> None:
        columns = ", ".join(f"{name} = ?" for name in values)
        self._database.execute(f"UPDATE experiments SET {columns} WHERE number = ?", (*values.values(), number))

    def _note(self, number: int, event: str, arena: str | None = None, note: str = "") -> None:
        self._database.execute(
            "INSERT INTO history VALUES (?, ?, ?, ?, ?)", (number, self._clock(), event, arena, note)
        )
        _logger.debug("experiment %d: %s%s", number, event, note and f": {note}")

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with told(self._path):
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _step(self) -> Iterator[None]:
        with told(self._path), writing(self._database):
            yield


WAITING: dict[str, Any] = {"state": "waiting", "arena": None, "cancel": False, "begun_s": None}
"""What is set of an experiment that waits again."""


def _experiment(row: sqlite3.Row) -> QueuedExperiment:
    return entry(QueuedExperiment, row, row["number"])
