"""Carries out the runs of a sweep, however they end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread

import msgspec

from devs_robotics import DevsRoboticsError
from devs_robotics.core.processes import environment
from devs_robotics.scenarios.sweeps.design import SweepPlan
from devs_robotics.scenarios.sweeps.places import AGAIN, Place, PlaceError, WorkerLostError, line_of
from devs_robotics.scenarios.sweeps.runs import Job, RunRow, carry_out, job, place

PERIOD = 0.2
"""Between two looks at anything but results (s)."""

STOPPING = 5.0
"""So long may the last runs take to end (s) when no more are wanted."""

MOST = 200
"""So many replicates are in one set of arrays at most."""

LOST = "its worker process ended in the middle of it, twice: out of memory, or killed"


def carry_out_all(
    sweep: SweepPlan,
    numbers: Iterable[int],
    where: Place,
    keep: Callable[[RunRow], None],
    *,
    interrupted: Callable[[], bool] = lambda: False,
    together: bool = False,
) -> None:
    """Carry out runs, the largest first, so that none is left over for one worker at the end.

    A run whose worker dies is done once more, by itself, so that it cannot take others with it; if it dies again, the
    run has failed.

    Args:
        sweep: which has the runs
        numbers: of the runs
        where: they are carried out; it is entered
        keep: gets each row as soon as it is there
        interrupted: asked now and then whether to end early
        together: whether the replicates of a point are done in one set of arrays

    Raises:
        DevsRoboticsError: of `keep`, or the runs cannot be carried out there
    """
    left = sorted(numbers, key=lambda number: -place(sweep, number)[0].size)
    while left and not interrupted():
        crew = _Crew(where, sweep, left, together=together)
        whole = crew.work(keep, interrupted)
        left = [number for number in left if number not in crew.done]
        if whole:
            if left and not interrupted():
                raise PlaceError(f"{where.name} has given nothing back of {len(left)} runs: {AGAIN}")
            return
        where.start()
        for number in [number for number in left if number in crew.begun]:
            if interrupted():
                return
            if not _Crew(where, sweep, [number]).work(keep, interrupted):
                keep(job(sweep, number).row("failed", LOST))
                where.start()
            left.remove(number)


class _Crew:
    """A thread that feeds joblib, so that the main thread is free for whatever else may happen."""

    def __init__(self, where: Place, sweep: SweepPlan, numbers: Sequence[int], *, together: bool = False) -> None:
        self._where = where
        self._sweep = sweep
        self._numbers = iter(_by_point(sweep, numbers) if together else [[number] for number in numbers])
        self._came: SimpleQueue[bytes | BaseException | None] = SimpleQueue()
        """Rows, and in the end what went wrong, or None."""
        self.begun: set[int] = set()
        self.done: set[int] = set()
        self._wanted = True
        """Whether any more runs are to begin."""

    def work(self, keep: Callable[[RunRow], None], interrupted: Callable[[], bool]) -> bool:
        """Work until all is done, or it is interrupted; returns false where a worker was lost."""
        thread = Thread(target=self._feed, name="sweep", daemon=True)
        thread.start()
        ended = False
        try:
            while not (ended or interrupted()):
                ended = self._next(keep)
        except WorkerLostError:
            return False
        finally:
            if not ended:
                self._wanted = False
                self._where.stop()
            thread.join(STOPPING)
        return True

    def _next(self, keep: Callable[[RunRow], None]) -> bool:
        """Take what comes next; returns whether it was the end."""
        try:
            came = self._came.get(timeout=PERIOD)
        except Empty:
            self._where.check()
            return False
        if isinstance(came, bytes):
            row = msgspec.json.decode(came, type=RunRow)
            keep(row)
            self.done.add(self._sweep.design.number(row.point, row.replicate))
            return False
        if isinstance(came, BrokenProcessPool):
            raise WorkerLostError
        if isinstance(came, DevsRoboticsError):
            raise came
        if came is not None:
            self._where.check()
            raise PlaceError(f"{self._where.name} has failed ({line_of(came)}): {AGAIN}")
        return True

    def _feed(self) -> None:
        """Hand out jobs and gather what comes of them."""
        from joblib import Parallel, delayed, parallel_config

        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which worker processes inherit while they start
        where = self._where
        work = delayed(carry_out_portion)
        try:
            with environment(**where.variables), parallel_config(where.backend, n_jobs=where.jobs, **where.options):
                for jobs in self._portions():
                    together = "generator_unordered" if where.chunk is None else "list"
                    for row in Parallel(return_as=together)(work(each, where.interrupted) for each in jobs):
                        for each in row:
                            self._came.put(each)
            self._came.put(None)
        except BaseException as exc:  # the main thread, which would wait for ever, knows what to make of it
            self._came.put(exc)

    def _portions(self) -> Iterator[Iterator[list[Job]]]:
        """The jobs, all in one or by the chunk."""
        if self._where.chunk is None:
            yield self._taken(self._numbers)
            return
        while chunk := list(islice(self._numbers, self._where.chunk)):
            yield self._taken(chunk)

    def _taken(self, portions: Iterable[Sequence[int]]) -> Iterator[list[Job]]:
        for numbers in portions:
            if not self._wanted:
                return
            self.begun.update(numbers)
            yield [job(self._sweep, number) for number in numbers]


def carry_out_portion(jobs: Sequence[Job], interrupted: Callable[[], bool]) -> list[bytes]:
    """Do a run, or several replicates together; returns their rows as JSON."""
    if len(jobs) > 1:
        from devs_robotics.scenarios.sweeps.together import carry_out_together  # most sweeps do without

        return carry_out_together(jobs, interrupted)
    row = carry_out(jobs[0], interrupted)
    return [] if row is None else [row]


def _by_point(sweep: SweepPlan, numbers: Sequence[int]) -> list[list[int]]:
    """The runs of each point, in portions that are not too large."""
    points: dict[int, list[int]] = {}
    for number in numbers:
        points.setdefault(number // sweep.design.replicates, []).append(number)
    return [its[first : first + MOST] for its in points.values() for first in range(0, len(its), MOST)]
