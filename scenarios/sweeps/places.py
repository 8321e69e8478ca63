"""Where the runs of a sweep are carried out: on this machine, or on a cluster; joblib knows how."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from devs_robotics import DevsRoboticsError
from devs_robotics.core.extras import needed
from devs_robotics.core.processes import SAFE_PATH, environment, restore, sheltered
from devs_robotics.scenarios.sweeps.runs import never

CLUSTER_TIMEOUT = 15.0
"""So long may a cluster take to answer, or be gone in between (s)."""

IDLE = 60
"""A worker process of this machine that has nothing to do for so long (s) ends."""

SILENCE = "ignore:resource_tracker"
"""Python's filter of warnings for the resource tracker, which then warns of no leaks."""

CROWD = 8
"""So many processes for each processor are more than anybody needs."""

CHUNK = 4
"""So many runs for each worker are given out at once, where results come by the chunk."""


AGAIN = "what is done is kept, and the same command goes on from there"


class PlaceError(DevsRoboticsError):
    """Runs cannot be carried out there, or no longer."""


class WorkerLostError(Exception):
    """A worker has ended in the middle of its run."""


class Place:
    """Where runs are carried out; entered while they are.

    Attributes:
        name: for people
        backend: joblib's name
        options: of the backend
        variables: of the environment, while processes are started from here
        jobs: how many runs at once
        chunk: so many runs are given out at once, whose results come together; None where each result comes by itself
        interrupted: asked by each run whether to end early
    """

    backend = "loky"

    def __init__(self, name: str) -> None:
        self.name = name
        self.options: dict[str, Any] = {}
        self.variables: dict[str, str] = {}
        self.jobs = 1
        self.chunk: int | None = None
        self.interrupted: Callable[[], bool] = never

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Go there.

        Raises:
            PlaceError: there is no such place
        """

    def check(self) -> None:
        """See that all is well there.

        Raises:
            PlaceError: it is not
            WorkerLostError: but for a worker
        """

    def stop(self) -> None:
        """Leave; runs that are going on end, as far as they can be ended from here."""


class Local(Place):
    """Processes of this machine, each with numpy on one thread; with one job, this process itself.

    Args:
        jobs: how many; None for as many as there are processors for this process
        runs: how many there are; where there are fewer than jobs, no process is started for nothing

    Raises:
        PlaceError: so many would only be in each other's way
    """

    def __init__(self, jobs: int | None, runs: int) -> None:
        super().__init__("this machine")
        import joblib

        processors = joblib.cpu_count()
        if jobs is not None and jobs > CROWD * processors:
            raise PlaceError(
                f"--jobs {jobs}: this machine has {processors} processors, so give {CROWD * processors} at most; "
                f"more than {processors} are seldom faster"
            )
        wanted = processors if jobs is None else jobs
        self.jobs = min(wanted, max(runs, 2))
        self._stopped = threading.Event()
        if self.jobs == 1:
            self.interrupted = self._stopped.is_set
        else:
            self.options = {
                "inner_max_num_threads": 1,
                "idle_worker_timeout": IDLE,
                "initializer": prepare_worker,
                "initargs": (os.getpid(), os.environ.get(SAFE_PATH)),
            }
            self.variables = {SAFE_PATH: "1"}

    def start(self) -> None:
        """Processes start with the first runs; only the one that clears up after a killed program is started here."""
        self._stopped.clear()
        if self.jobs > 1:
            prepare_processes()

    def stop(self) -> None:
        """End the processes, or the run.

        The processes are ended and not their executor: one that is shut down while joblib still hands out runs
        complains of them, and whether it does cannot be known from here. It notices that its processes are gone.
        """
        self._stopped.set()
        if self.jobs > 1:
            from joblib.externals.loky.backend.process import LokyProcess

            for process in multiprocessing.active_children():
                if isinstance(process, LokyProcess):
                    process.terminate()


def prepare_processes() -> None:
    """Start joblib's resource tracker, which removes what a killed program leaves, so that it does so without a word.

    It would warn of leaks, though there are none when it has done its work. Python's own is started too: whoever starts
    it later hears SIGINT from then on, whatever was blocked before.

    Raises:
        PlaceError: processes cannot work together here
    """
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend.resource_tracker import ensure_running

    with sheltered():
        resource_tracker.ensure_running()
        try:
            multiprocessing.Semaphore()
        except (ImportError, OSError) as exc:
            raise PlaceError(
                f"processes cannot share a semaphore here ({exc}), as where /dev/shm is missing or cannot be written: "
                "give --jobs 1"
            ) from exc
        before = os.environ.get("PYTHONWARNINGS")
        with environment(PYTHONWARNINGS=f"{before},{SILENCE}" if before else SILENCE):
            ensure_running()


def prepare_worker(parent: int, safe_path: str | None) -> None:
    """Let a worker process leave Ctrl-C to its parent, and end with it, however the parent ends.

    Args:
        parent: its process
        safe_path: what the variable `SAFE_PATH` is for whatever the worker starts
    """
    restore({SAFE_PATH: safe_path})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


class Dask(Place):
    """A Dask cluster.

    Args:
        address: of its scheduler, such as ``tcp://192.0.2.7:8786``
        patience: how long it may take to answer (s)

    Raises:
        PlaceError: Dask is not installed
    """

    backend = "dask"

    def __init__(self, address: str, patience: float = CLUSTER_TIMEOUT) -> None:
        super().__init__(f"the Dask cluster at {address}")
        with needed("--dask needs", PlaceError):
            import distributed
        self._distributed = distributed
        self._address = address
        self._patience = patience
        self._client: distributed.Client | None = None
        self._well = 0.0
        """When it last was."""

    def start(self) -> None:
        """Connect.

        Raises:
            PlaceError: there is no such cluster, or it has no workers
        """
        try:
            asyncio.run(self._greet())  # a client that does not come about would take half a minute to vanish
            client = self._distributed.Client(self._address, timeout=self._patience, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as exc:
            raise PlaceError(
                f"--dask: there is no Dask scheduler at {self._address} ({line_of(exc)}): start one, dask scheduler, "
                f"or mend the address"
            ) from None
        self._client = client
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # it tells tracebacks, and we a sentence
        try:
            client.wait_for_workers(1, timeout=self._patience)
        except TimeoutError:
            client.close()
            raise PlaceError(
                f"--dask: the scheduler at {self._address} has no workers: start some, dask worker {self._address}"
            ) from None
        self.jobs = sum(client.ncores().values())
        self.options = {"client": client}
        self._well = time.monotonic()

    async def _greet(self) -> None:
        """See quickly whether a scheduler is there; raises OSError, TimeoutError or ValueError if not."""
        _knock(self._address)
        from distributed.comm.core import connect

        arguments = self._distributed.Security().get_connection_args("client")
        async with asyncio.timeout(self._patience):  # which connect itself keeps only until somebody answers
            try:
                comm = await connect(self._address, timeout=self._patience, **arguments)
            except (OSError, TimeoutError, ValueError):
                raise
            except Exception as exc:  # whatever Dask makes of the words of somebody else
                raise ValueError("something else answers there") from exc
        await comm.close()

    def check(self) -> None:
        """See that the scheduler is there, and that no worker has failed."""
        assert self._client is not None
        if self._client.status == "running":
            self._well = time.monotonic()
        elif time.monotonic() > self._well + self._patience:
            raise PlaceError(f"--dask: the scheduler at {self._address} is gone: {AGAIN}")
        for future in list(self._client.futures.values()):
            if future.status == "error":
                if isinstance(future.exception, self._distributed.KilledWorker):
                    raise WorkerLostError
                raise PlaceError(
                    f"--dask: a worker cannot do a run ({line_of(future.exception)}): install the same software there"
                )

    def stop(self) -> None:
        """Cancel what has not begun, and leave."""
        if self._client is not None:
            self._client.close()
            self._client = None


class Ray(Place):
    """A Ray cluster.

    Args:
        address: of its head node, such as ``192.0.2.7:6379``, or ``auto`` for the one that this machine belongs to

    Raises:
        PlaceError: Ray is not installed
    """

    backend = "ray"

    def __init__(self, address: str) -> None:
        super().__init__(f"the Ray cluster at {address}")
        with needed("--ray needs", PlaceError):
            import ray
        self._ray = ray
        self._address = address

    def start(self) -> None:
        """Connect.

        Raises:
            PlaceError: there is no such cluster
        """
        from ray.util.joblib import register_ray

        try:
            _knock(self._address)
            self._join()
        except (OSError, TimeoutError, RuntimeError, ValueError) as exc:
            raise PlaceError(
                f"--ray: there is no Ray cluster at {self._address!r} ({line_of(exc)}): start one, ray start --head, "
                f"or mend the address"
            ) from None
        register_ray()
        self.jobs = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self.chunk = CHUNK * self.jobs

    def _join(self) -> None:
        """Become a part of the cluster; on a thread, since Ray would wait for minutes for somebody who says nothing."""
        result: Future[Any] = Future()

        def join() -> None:
            try:
                result.set_result(self._ray.init(self._address, logging_level="error", log_to_driver=False))
            except Exception as exc:  # is raised again where it is waited for
                result.set_exception(exc)

        threading.Thread(target=join, name="ray", daemon=True).start()
        result.result(2 * CLUSTER_TIMEOUT)

    def stop(self) -> None:
        """Leave, which ends our runs there."""
        self._ray.shutdown()


def _knock(address: str) -> None:
    """See quickly whether anybody is there; raises OSError if not."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    if parts.hostname is not None and parts.port is not None:
        socket.create_connection((parts.hostname, parts.port), CLUSTER_TIMEOUT).close()


def line_of(exc: BaseException) -> str:
    """The first line of what an exception says, or its name."""
    return (str(exc).strip() or type(exc).__name__).splitlines()[0]
