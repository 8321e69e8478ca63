"""What a swarm costs as ordinary models and in arrays: ``python -m tests.benchmarks.population`` (about five minutes).

The behaviours of diffusion, swarm and wander, decision models, equipment and the environment on a grid, without a
frame: simulated robot-seconds per second of processor time, medians over the repeats, which take turns so that a busy
machine slows both alike. That both end at the same places is checked. Each run has a process of its own, so that its
memory is told, too. ``--million`` adds a million robots for 60 s, once; ``--replicates`` measures replicates at once,
beside VMAS, where it is installed (``pip install vmas``), here or in an environment whose Python ``--vmas`` names.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from devs_robotics import Coupled, Simulator
from devs_robotics.models.robots.replicates import ReplicatedSystem
from tests.benchmarks import vmas_swarm
from tests.benchmarks.swarms import BEHAVIOURS, BY_WHEELS, swarm

RUNS = [
    ("diffusion", 100, 40.0, 20.0),
    ("diffusion", 1_000, 30.0, 10.0),
    ("diffusion", 10_000, 20.0, 4.0),
    ("diffusion", 100_000, 6.0, 0.0),
    ("walk", 100, 40.0, 20.0),
    ("walk", 1_000, 30.0, 10.0),
    ("walk", 10_000, 20.0, 2.0),
    ("walk", 100_000, 6.0, 0.0),
    ("follow", 100, 40.0, 20.0),
    ("follow", 1_000, 30.0, 10.0),
    ("follow", 10_000, 20.0, 2.0),
    ("follow", 100_000, 6.0, 0.0),
    ("wander", 100, 40.0, 20.0),
    ("wander", 1_000, 30.0, 10.0),
    ("wander", 10_000, 20.0, 4.0),
]
"""Behaviour, number of robots, and simulated time in arrays, and as models (s); 0: not measured."""

REPLICATES = [(100, 50), (1_000, 10)]
"""How many replicates of how many robots."""

CHECKED = 3.0
"""Simulated time (s) after which places of models and arrays are held against each other."""


def measure(behaviour: str, robots: int, population: Any, seconds: float) -> dict[str, Any]:
    """Processor time of the set-up and of a run after its first second (s), memory (MiB), and where robots end."""
    with Simulator(swarm(behaviour, 10, population)[1]) as simulator:
        simulator.run(until=1.0)  # libraries are loaded
    start = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    system, root = swarm(behaviour, robots, population)
    space: Any = system.environment.space
    with Simulator(root) as simulator:
        set_up = time.process_time() - start
        simulator.run(until=1.0)
        start = time.process_time()
        simulator.run(until=1.0 + seconds)
        took = time.process_time() - start
        places = b"".join(column.tobytes() for column in space.arcs.poses(simulator.time))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {
        "set_up": set_up,
        "took": took,
        "speed": robots * seconds / took,
        "kib": used / robots,
        "places": hashlib.sha256(places).hexdigest(),
    }


def apart(behaviour: str, robots: int, population: str, seconds: float) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.population", "--one", behaviour, str(robots), population]
    ran = subprocess.run([*command, str(seconds)], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def row(behaviour: str, robots: int, arrays: float, models: float, repeats: int) -> str:
    """A row of the table.

    Raises:
        SystemExit: models and arrays end at other places
    """
    found: dict[str, list[dict[str, Any]]] = {"models": [], "arrays": []}
    for _ in range(repeats):
        for way, seconds in (("models", models), ("arrays", arrays)):
            if seconds:
                found[way].append(apart(behaviour, robots, way, seconds))
    if models:
        ends = {apart(behaviour, robots, way, min(CHECKED, models))["places"] for way in found}
        if len(ends) > 1:
            raise SystemExit(f"{robots} robots ({behaviour}) do NOT end at the same places")
    told = {
        way: {key: statistics.median(each[key] for each in runs) for key in ("speed", "set_up", "kib")}
        for way, runs in found.items()
        if runs
    }
    fast, slow = told["arrays"], told.get("models")
    ratio = "" if slow is None else f"{fast['speed'] / slow['speed']:.1f}"
    speed = "" if slow is None else f"{slow['speed']:,.0f}"
    memory = f"{fast['kib']:.2f}" if robots >= 100_000 else ""
    return f"| {behaviour} | {robots:,} | {speed} | {fast['speed']:,.0f} | {ratio} | {fast['set_up']:.1f} | {memory} |"


def replicates(behaviour: str, count: int, robots: int, python: str, singles: int = 5, seconds: float = 30.0) -> str:
    """A row of replicates in one set of arrays, beside single runs of ordinary models, and VMAS; without set-up."""

    def timed(root: Coupled) -> float:
        with Simulator(root) as simulator:
            simulator.run(until=1.0)
            start = time.process_time()
            simulator.run(until=1.0 + seconds)
            return time.process_time() - start

    one = statistics.mean(timed(swarm(behaviour, robots, "models", seed=seed)[1]) for seed in range(singles))
    systems = [swarm(behaviour, robots, "arrays", seed=seed)[0] for seed in range(count)]
    root = Coupled("root")
    root.add_component(ReplicatedSystem("system", systems))
    together = timed(root) / count
    speeds = (f"{robots * seconds / took:,.0f}" for took in (one, together))
    other = in_vmas(python, robots, count) if behaviour == "diffusion" else None
    beside = " | " if other is None else f"{other:,.0f} | {robots * seconds / together / other:.0f}"
    return f"| {behaviour} | {count} x {robots} | {' | '.join(speeds)} | {one / together:.1f} | {beside} |"


def in_vmas(python: str, robots: int, worlds: int) -> float | None:
    """Robot-seconds per second of processor time of diffusion in VMAS; None where it is not installed.

    Args:
        python: of an environment that has VMAS, and need have nothing else
        robots: of each world
        worlds: how many there are
    """
    if subprocess.run([python, "-c", "import vmas"], capture_output=True, check=False).returncode:
        return None
    steps = max(10, 200_000 // (robots * robots * worlds))
    command = [python, str(Path(vmas_swarm.__file__)), str(robots), str(worlds), str(steps / 10.0)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return found["speed"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each kind (default: 3)")
    parser.add_argument("--only", choices=BEHAVIOURS, help="one behaviour")
    parser.add_argument("--million", action="store_true", help="a million robots, too")
    parser.add_argument("--replicates", action="store_true", help="replicates at once in place of all others")
    parser.add_argument(
        "--vmas",
        default=sys.executable,
        metavar="PYTHON",
        help="Python that has VMAS (default: this one)",
    )
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        behaviour, robots, population, seconds = options.one
        print(json.dumps(measure(behaviour, int(robots), population, float(seconds))))
        return
    if options.replicates:
        print("| behaviour | replicates x robots | single runs, models | together | ratio | VMAS | together to VMAS |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for count, robots in REPLICATES:
            for behaviour in BY_WHEELS:
                if options.only in (None, behaviour):
                    print(replicates(behaviour, count, robots, options.vmas), flush=True)
        return
    print("| behaviour | robots | models | arrays | ratio | set-up, arrays (s) | memory, arrays (KiB per robot) |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for behaviour, robots, arrays, models in RUNS:
        if options.only in (None, behaviour):
            print(row(behaviour, robots, arrays, models, options.repeats), flush=True)
    if options.million:
        print(row("diffusion", 1_000_000, 60.0, 0.0, 1), flush=True)


if __name__ == "__main__":
    main()
