"""One measurement in a process of its own: ``python -m tests.benchmarks.kernel.measure JOB``.

So the peak memory is that of one model and one kernel, and no kernel warms up another's memory.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from contextlib import redirect_stdout
from itertools import pairwise

import msgspec
from msgspec import Struct

from tests.benchmarks.kernel.work import Work
from tests.paths import ROOT

TOO_LONG_S = 600
"""A measurement takes a few seconds, and that of xdevs' flattening up to two minutes."""


class Job(Struct, frozen=True):
    """What to measure. When counting, the models tell what they do, and times mean nothing."""

    work: Work
    kernel: str
    steps: int | None
    counting: bool = False


class Measured(Struct, frozen=True):
    """Processor time for the model, for the kernel's set-up and for the run (s); memory (MiB); calls when counting."""

    make_s: float
    setup_s: float
    run_s: float
    peak_mib: float
    calls: dict[str, int]


def measure(job: Job) -> Measured:
    """Measure in a new process; raises SystemExit with its last words when that fails."""
    command = [sys.executable, "-m", __name__, msgspec.json.encode(job).decode()]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=TOO_LONG_S)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"{job.kernel} took more than {TOO_LONG_S} s on {job.work.label}: leave it out") from None
    if result.returncode:
        raise SystemExit(f"{job.kernel} failed on {job.work.label}:\n{result.stderr[-4000:]}")
    return msgspec.json.decode(result.stdout, type=Measured)


def measure_here(job: Job) -> Measured:
    """Measure in this process."""
    from tests.benchmarks.kernel.counting import Count
    from tests.benchmarks.kernel.kernels import kernel_named

    kernel, count = kernel_named(job.kernel), Count()
    phases = kernel.phases(job.work, job.steps)
    memory = peak_mib()
    times = [time.process_time()]
    model = next(phases)
    times.append(time.process_time())
    if job.counting:
        kernel.watch(model, count)
    for _ in phases:
        times.append(time.process_time())
    make_s, setup_s, run_s = (end - begin for begin, end in pairwise(times))
    return Measured(make_s, setup_s, run_s, peak_mib() - memory, count.calls)


def peak_mib() -> float:
    """The most memory that this process had so far (MiB).

    Linux hands the peak of the process that started this one on, so that one must be smaller than this one is with
    its imports done.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)  # xdevs' coordinators call each other, several frames a level
    with redirect_stdout(sys.stderr):  # whatever a peer prints
        measured = measure_here(msgspec.json.decode(sys.argv[1], type=Job))
    print(msgspec.json.encode(measured).decode())
