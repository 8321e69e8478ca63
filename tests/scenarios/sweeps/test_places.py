"""Where sweeps are carried out: clusters give what this machine gives, and their absence is told within bounds."""

from __future__ import annotations

import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

import pytest
from distributed import LocalCluster
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.core.processes import SAFE_PATH
from devs_robotics.scenarios.sweeps.design import Wishes, plan
from devs_robotics.scenarios.sweeps.places import CROWD, Dask, Local, PlaceError
from devs_robotics.scenarios.sweeps.runs import carry_out, job
from tests.conftest import missing
from tests.paths import ROOT
from tests.scenarios.sweeps.sweeping import results, sweep, wait_until

PAPER = ("--vary", "noise=paper", "--replicates", "2")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of a sweep that this process has carried out."""
    out = tmp_path_factory.mktemp("alone")
    assert sweep(*PAPER, "--jobs", "1", out=out)[0] == 0
    return out


def test_a_dask_cluster_gives_the_same(tmp_path: Path, alone: Path) -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        assert sweep(*PAPER, "--dask", cluster.scheduler_address, out=tmp_path)[0] == 0
    assert results(tmp_path) == results(alone)


@pytest.fixture
def ray_folder() -> Iterator[Path]:
    """A folder with a short path, as the sockets in it must have."""
    with tempfile.TemporaryDirectory(prefix="ray") as name:
        yield Path(name)


def test_a_ray_cluster_gives_the_same(tmp_path: Path, ray_folder: Path, alone: Path) -> None:
    if find_spec("ray") is None:
        missing("Ray", "pip install 'devs-robotics[ray]'")
    with ray_cluster(ray_folder) as address:
        assert sweep(*PAPER, "--ray", address, out=tmp_path)[0] == 0
    assert results(tmp_path) == results(alone)


def test_where_processes_cannot_share_a_semaphore_one_is_to_do_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def semaphore() -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(multiprocessing, "Semaphore", semaphore)
    with pytest.raises(PlaceError, match=r"^processes cannot share a semaphore here \(.*Read-only file system\), .*"):
        Local(2, 2).start()
    Local(1, 2).start()


WORKERS = """
import os
from joblib import Parallel, delayed, parallel_config
from devs_robotics.core.processes import SAFE_PATH, environment
from devs_robotics.scenarios.sweeps.places import Local
with Local(2, 2) as where, environment(**where.variables), parallel_config(where.backend, **where.options):
    found = Parallel(n_jobs=2)(delayed(os.getenv)(SAFE_PATH) for _ in range(2))
print(*found, os.getenv(SAFE_PATH))
"""


@pytest.mark.parametrize("before", [None, "1"])
def test_what_workers_start_takes_files_of_its_folder_for_modules_as_before(before: str | None) -> None:
    """Workers take none, but what a model starts, ``python -m mine`` for instance, is the model's concern."""
    others = {name: value for name, value in os.environ.items() if name != SAFE_PATH}
    done = subprocess.run(
        [sys.executable, "-c", WORKERS],
        capture_output=True,
        check=True,
        text=True,
        cwd=ROOT,
        env=others if before is None else {**others, SAFE_PATH: before},
    )
    assert done.stdout.split() == [str(before)] * 3


@contextmanager
def ray_cluster(folder: Path) -> Iterator[str]:
    """A cluster of this machine; gives its address. Ray waits only shortly for itself, so it has three tries."""
    address = nobody()
    command = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--num-cpus", "2"]
    command += ["--node-ip-address", "127.0.0.1", "--port", address.rpartition(":")[2], "--include-dashboard", "false"]
    command += ["--disable-usage-stats", "--temp-dir"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for attempt in range(3):
        place = [str(folder / str(attempt))]
        with subprocess.Popen(command + place, stdout=subprocess.PIPE, text=True, env=environment) as cluster:
            assert cluster.stdout is not None
            try:
                if any("Ray runtime started" in line for line in cluster.stdout):
                    yield address
                    return
            finally:
                cluster.terminate()  # and with it all that it has started
    pytest.fail("Ray did not start")


def test_no_process_is_started_for_nothing() -> None:
    assert Local(CROWD, runs=3).jobs == 3


def test_more_processes_than_the_machine_can_use_are_refused_before_any_is_started(tmp_path: Path) -> None:
    with pytest.raises(PlaceError, match=r"^--jobs 100000: this machine has \d+ processors, so give \d+ at most"):
        sweep(*PAPER, "--jobs", "100000", out=tmp_path)


def nobody() -> str:
    """Address of a port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


def test_a_dask_scheduler_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    address = f"tcp://{nobody()}"
    with pytest.raises(PlaceError) as caught:
        sweep(*PAPER, "--dask", address, out=tmp_path)
    assert str(caught.value) == (
        f"--dask: there is no Dask scheduler at {address} ([Errno 111] Connection refused): start one, dask scheduler, "
        f"or mend the address"
    )
    assert sweep("--replicates", "1", "--jobs", "1", out=tmp_path)[0] == 0, "nothing was begun there"


def test_somebody_who_answers_nothing_is_no_dask_scheduler_and_is_not_waited_for_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(PlaceError, match=f"--dask: there is no Dask scheduler at {address}"):
            Dask(address, patience=0.3).start()


@pytest.mark.parametrize("words", [b"SSH-2.0-x\r\n", bytes(8), bytes(16), b"\x08" + bytes(7) + b"x" * 8, b"\xff" * 9])
def test_somebody_else_who_speaks_is_no_dask_scheduler(words: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak() -> None:
            with suppress(OSError):
                while True:  # to whoever knocks, and whoever then asks
                    guest, _ = server.accept()
                    with guest:
                        guest.sendall(words)
                        while guest.recv(4096):
                            pass

        speaker = Thread(target=speak)
        speaker.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        try:
            with pytest.raises(PlaceError, match=f"--dask: there is no Dask scheduler at {address}"):
                Dask(address, patience=0.3).start()
        finally:
            server.shutdown(socket.SHUT_RDWR)
            speaker.join()


@pytest.mark.parametrize("address", ["foo://127.0.0.1:1", "tcp://127.0.0.1:notaport", "", "tcp://"])
def test_addresses_that_lead_nowhere_are_told(address: str) -> None:
    with pytest.raises(PlaceError, match="--dask: there is no Dask scheduler at"):
        Dask(address, patience=0.3).start()


def test_a_dask_cluster_without_workers_is_not_waited_for_long() -> None:
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as cluster:
        place = Dask(cluster.scheduler_address, patience=0.5)
        with pytest.raises(PlaceError, match="has no workers: start some, dask worker tcp://"):
            place.start()


def test_a_dask_scheduler_that_goes_away_is_told() -> None:
    with LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster:
        place = Dask(cluster.scheduler_address, patience=0.2)
        place.start()
        place.check()

    def never() -> bool:
        place.check()
        return False

    with pytest.raises(PlaceError, match="is gone: what is done is kept, and the same command goes on from there"):
        wait_until(never, "a word on it")
    place.stop()


def test_a_worker_with_other_software_does_no_run() -> None:
    sweep_ = plan("convoy", ["convoy.robots=2", "run.rounds=1"], Wishes(replicates=1))
    mine = job(sweep_, 0)
    here = mine.software
    with pytest.raises(DevsRoboticsError, match=r"a worker has numpy .*, and this machine 0\.1, so that their runs"):
        carry_out(replace(mine, software=replace(here, versions={**here.versions, "numpy": "0.1"})))
    with pytest.raises(DevsRoboticsError, match=r"other sources of devs_robotics\.models than this machine, so"):
        carry_out(replace(mine, software=replace(here, sources={**here.sources, "devs_robotics.models": "ab"})))
    assert carry_out(mine) is not None
