"""What observing costs: ``python -m tests.benchmarks.observing`` (about a minute).

Processor time of the same run watched in several ways, as a ratio to the run that nobody watches: medians over the
repeats, which take turns so that a busy machine slows all alike. DEVStone HI makes half a million transitions that do
next to nothing, so that the ratio of a watched model is as bad as it gets; the convoy is a real model.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from xdevs.examples.devstone.devstone import DEVStone
from xdevs.models import Component

from devs_robotics import Atomic, Coupled, In, Simulator
from devs_robotics.core.observe import JsonLines, Observer, Recorder
from devs_robotics.experimental_frames.frame import tap
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up
from tests.scenarios.driven_system import DrivenSystem

Way = Callable[[Simulator, Path], None]
"""Attaches what watches a run."""


def nobody(simulator: Simulator, folder: Path) -> None:
    """The run that the others are held against."""


def gone_again(simulator: Simulator, folder: Path) -> None:
    """An observer of everything that is detached before the run."""
    observer = Observer()
    simulator.attach(observer)
    simulator.detach(observer)


def one_model(simulator: Simulator, folder: Path) -> None:
    """A recorder of one model among ten thousand."""
    simulator.attach(Recorder(), "Atomic_50_50")


def recorder(simulator: Simulator, folder: Path) -> None:
    """A trace of everything in memory."""
    simulator.attach(Recorder())


def json_lines(simulator: Simulator, folder: Path) -> None:
    """A trace of everything in a file."""
    simulator.attach(JsonLines(folder / "trace.jsonl"))


def devstone() -> Component:
    return DEVStone("hi", "HI", 100, 100, 0, 0)


class Listener(Atomic):
    """A part of a frame that takes values of any type and does nothing with them."""

    heard = In[Any]()

    def deltext(self, e: float) -> None:
        """Wait for more."""


def convoy(*settings: str) -> Coupled:
    return experiment(set_up(load("convoy", ["run.rounds=170", *settings])))


def convoy_without_frame() -> Component:
    return DrivenSystem(resolve(load("convoy", ["run.rounds=170"])))


def convoy_with_approaches() -> Component:
    return convoy("frame.approaches=true")


def convoy_tapped(patterns: str) -> Component:
    """Under its frame and a listener that is coupled to the ports that patterns name."""
    model, listener = convoy(), Listener("listener")
    model.add_component(listener)
    tap(model, patterns, listener.heard)
    return model


UNTIL = 500.0
"""How long a convoy drives (s), a little less than its 170 rounds take."""

RUNS: dict[str, list[tuple[str, Callable[[], Component], Way]]] = {
    "DEVStone HI 100x100": [
        ("nobody", devstone, nobody),
        ("an observer of all, detached again", devstone, gone_again),
        ("a recorder of one model", devstone, one_model),
        ("a recorder of all", devstone, recorder),
        ("JSON Lines of all", devstone, json_lines),
    ],
    "convoy of 30": [
        ("nobody", convoy_without_frame, nobody),
        ("its experimental frame", convoy, nobody),
        ("a frame with approaches", convoy_with_approaches, nobody),
        ("a frame, and a tap on each motor", partial(convoy_tapped, "robot*/motor.world_ask"), nobody),
        ("a frame, and a tap on every output port", partial(convoy_tapped, "*.*"), nobody),
        ("a frame and a recorder of all", convoy, recorder),
        ("a frame and JSON Lines of all", convoy, json_lines),
    ],
}


def seconds(build: Callable[[], Component], way: Way) -> float:
    """Processor time of one run (s), set-up not included."""
    with tempfile.TemporaryDirectory() as folder, Simulator(build()) as simulator:
        way(simulator, Path(folder))
        start = time.process_time()
        simulator.run(until=UNTIL)
        return time.process_time() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each kind (default: 5)")
    options = parser.parse_args()
    print("| model | watched by | CPU (s) | to nobody |\n|---|---|---|---|")
    for model, kinds in RUNS.items():
        times: dict[str, list[float]] = {name: [] for name, *_ in kinds}
        for _ in range(options.repeats):
            for name, build, way in kinds:
                times[name].append(seconds(build, way))
        first = statistics.median(times["nobody"])
        for name, taken in times.items():
            print(f"| {model} | {name} | {statistics.median(taken):.2f} | {statistics.median(taken) / first:.2f} |")


if __name__ == "__main__":
    main()
