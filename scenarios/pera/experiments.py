"""Runs the four experiments of Karunarathna et al., and writes their page and their data."""

from __future__ import annotations

import csv
import io
import platform
import time
from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path

import msgspec
from msgspec import Struct

from devs_robotics.experimental_frames.pera.page import files, lines
from devs_robotics.experimental_frames.pera.results import CallRoundTrip, Load, Results, SensingDelay
from devs_robotics.hil.pera_swarm.arena_files import read_arena
from devs_robotics.scenarios.paper_experiments import Experimenting
from devs_robotics.scenarios.pera import bare_clients, programs
from devs_robotics.scenarios.pera.brokers import BrokerPlace, ExperimentError, broker, served
from devs_robotics.scenarios.pera.loads import load
from devs_robotics.scenarios.pera.walks import FULL, QUICK, WalkPlan, walks
from devs_robotics.scenarios.pera.world_clock import world_delays
from devs_robotics.scenarios.running.results import prepare, write_texts
from devs_robotics.scenarios.running.versions import versions

ARENA = {"arena": {"xMin": -90, "xMax": 90, "yMin": -97.5, "yMax": 97.5}}
"""Of experiments 2 and 3: the published testbed, empty."""

LOADED = {
    **ARENA,
    "obstacles": [
        {"type": "wall", "parameters": {"x": 40, "y": -20 + 9 * number, "orientation": 30 * number, "width": 30}}
        for number in range(10)
    ],
}
"""Of experiment 4: ten walls to look at."""

ORDER = "RVRVRV"
"""Realities of the robots of experiment 3, in turn, so that who speaks first is none of the two."""

TITLE = "the experiments of Karunarathna et al. (2023) in mixed reality"
NUMBERS = (1, 2, 3, 4)


class ExperimentExtent(Struct, frozen=True):
    """How much is measured.

    Attributes:
        walks: runs of experiment 1
        robots: of each reality in experiment 2
        readings: of each robot, in each of `trials`
        program_time: simulated time of a trial with programs (s)
        rounds: of experiment 3
        sizes, rates: numbers of robots, and questions of each per second, of experiment 4
        load_time: of each setting (s)
    """

    walks: WalkPlan
    robots: int
    readings: int
    trials: int
    program_time: float
    rounds: int
    sizes: Sequence[int]
    rates: Sequence[float]
    load_time: float


ALL = ExperimentExtent(FULL, 5, 20, 10, 120.0, 30, (10, 20, 50, 100, 200, 500), (1.0, 10.0), 10.0)
BRIEF = ExperimentExtent(QUICK, 2, 2, 3, 5.0, 3, (5, 10), (10.0,), 1.0)


def measure(wanted: Experimenting, extent: ExperimentExtent, show: Callable[[str], None]) -> Results:
    """Make the experiments that are wanted."""
    which = wanted.which
    results = Results(which, wanted.quick, machine=f"{platform.machine()}, {platform.system()}")
    if 1 in which:
        plan = extent.walks if wanted.trials is None else msgspec.structs.replace(extent.walks, trials=wanted.trials)
        results = msgspec.structs.replace(results, walks=walks(plan, _progress("experiment 1", show), wanted.workers))
    if set(which) & {2, 3, 4}:
        with broker(wanted.broker) as place:
            results = msgspec.structs.replace(results, broker=place.called)
            if 2 in which:
                show("experiment 2: delays of sensing")
                results = msgspec.structs.replace(results, delays=_delays(place, extent))
            if 3 in which:
                show("experiment 3: round trips")
                results = msgspec.structs.replace(results, round_trips=_round_trips(place, extent))
            if 4 in which:
                results = msgspec.structs.replace(results, loads=_loads(place, extent, show))
    return results


def _delays(place: BrokerPlace, extent: ExperimentExtent) -> tuple[SensingDelay, ...]:
    file = read_arena(msgspec.json.encode(ARENA))
    found = world_delays(file, extent.robots, extent.readings * extent.trials)
    with served(place, ARENA) as server:
        found += bare_clients.sensing(server, extent.robots, extent.readings, extent.trials)
    sleeps = programs.Sleeps()
    for trial in range(extent.trials):
        by_reality = {"R": sleeps.published_real, "V": sleeps.published_virtual}
        found += programs.sensing(file, by_reality, extent.robots, extent.program_time, trial)
    return tuple(found)


def _round_trips(place: BrokerPlace, extent: ExperimentExtent) -> tuple[CallRoundTrip, ...]:
    with served(place, ARENA) as server:
        found = bare_clients.calling(server, ORDER, extent.rounds)
    file = read_arena(msgspec.json.encode(ARENA))
    return (*found, *programs.calling(file, ORDER, extent.rounds, seed=1))


def _loads(place: BrokerPlace, extent: ExperimentExtent, show: Callable[[str], None]) -> tuple[Load, ...]:
    found = []
    for rate in extent.rates:
        for robots in extent.sizes:
            with served(place, LOADED) as server:
                found.append(load(server, robots, rate, extent.load_time))
            made = found[-1]
            show(f"experiment 4: {robots} robots at {rate:g} Hz, {made.asked - made.answered} of {made.asked} lost")
    return tuple(found)


def _progress(what: str, show: Callable[[str], None]) -> Callable[[int, int], None]:
    """Tells every tenth part of what is done."""

    def done(number: int, of: int) -> None:
        if number == of or number % max(1, of // 10) == 0:
            show(f"{what}: {number} of {of} runs")

    return done


def run(wanted: Experimenting, show: Callable[[str], None]) -> Path:
    """Make the experiments, and write page and data; returns the path of the page.

    Raises:
        DevsRoboticsError: they cannot be made, or written
    """
    for number in wanted.which:
        if number not in NUMBERS:
            raise ExperimentError(
                f"there is no experiment {number}: there are 1 to 4, for instance --which 1,3 or 1..4"
            )
    prepare(wanted.out)
    began = time.monotonic()
    results = measure(wanted, BRIEF if wanted.quick else ALL, show)
    texts: dict[str, str | Callable[[], str]] = dict(files(results, versions()))
    texts |= {f"{name}.csv": table(rows) for name, rows in _tables(results).items() if rows}
    texts["results.json"] = msgspec.json.encode(results).decode() + "\n"
    page = texts.pop("index.html")
    paths = write_texts(wanted.out, {name: _text(text) for name, text in {**texts, "index.html": page}.items()})
    for line in lines(results):
        show(line)
    show(f"it took {time.monotonic() - began:.0f} s")
    return paths[-1]


def _text(text: str | Callable[[], str]) -> Callable[[], str]:
    return (lambda: text) if isinstance(text, str) else text


def _tables(results: Results) -> dict[str, Sequence[Struct]]:
    return {
        "walks": results.walks,
        "delays": results.delays,
        "round_trips": results.round_trips,
        "loads": results.loads,
    }


def table(rows: Sequence[Struct]) -> str:
    """Measurements as CSV: one row each, columns named after their fields; nothing where there is no number."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(type(rows[0]).__struct_fields__)
    for row in rows:
        writer.writerow([_cell(value) for value in msgspec.structs.astuple(row)])
    return buffer.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return " ".join(str(_cell(each)) for each in value)
    return "" if isinstance(value, float) and isnan(value) else value
