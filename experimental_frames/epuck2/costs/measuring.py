"""Processor time, measured in slices that take turns, so that a busy machine slows all alike."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path

from msgspec import Struct

from devs_robotics import Simulator
from devs_robotics.experimental_frames.epuck2.costs.arenas import PARTS, START, Mode, battery_arena, modes, sensor_arena
from devs_robotics.experimental_frames.epuck2.published import SIMULATED, SIZES, SPEEDS_CM
from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import Mean
from devs_robotics.models.batteries import DISCHARGES
from devs_robotics.models.robots import CaseSystem

LEAST = 1.0
"""Of a slice (s)."""

AWAY = 1e-3
"""A slice ends so long before the speeds change again (s)."""

DIGITS = 5
"""Of a processor time (s)."""


class Effort(Struct, frozen=True):
    """How much is measured.

    Attributes:
        repeats: independent measurements of each setting
        robot_seconds: that each of them simulates at least, at each speed of a sensor; ten times as many with batteries
    """

    repeats: int
    robot_seconds: float


FULL, QUICK = Effort(10, 20.0), Effort(3, 5.0)


class Cost(Struct, frozen=True):
    """One setting.

    Attributes:
        what: a sensor, or the model of a battery; "battery" where there is none
        mode: how it is used
        robots: how many
        simulated: of each repeat (s)
        spent: processor time of each repeat (s)
    """

    what: str
    mode: Mode
    robots: int
    simulated: float
    spent: tuple[float, ...]

    @property
    def mean(self) -> Mean:
        """Processor time of a run of two hours (s)."""
        return mean_over_replications([each * SIMULATED / self.simulated for each in self.spent])

    def longer_than(self, other: Cost) -> Mean:
        """By how much it takes longer, repeat by repeat (%)."""
        return mean_over_replications(
            [100.0 * (mine / its - 1.0) for mine, its in zip(self.spent, other.spent, strict=True)]
        )


class Costs(Struct, frozen=True):
    """All that was measured, and on what.

    Attributes:
        date: of the measurement
        machine: in words
        effort: that was made
        costs: of all settings
    """

    date: str
    machine: str
    effort: Effort
    costs: tuple[Cost, ...]

    def of(self, what: str, mode: Mode, robots: int) -> Cost | None:
        """One of them; None where it was not measured."""
        found = [cost for cost in self.costs if (cost.what, cost.mode, cost.robots) == (what, mode, robots)]
        return found[0] if found else None


def measured(effort: Effort, sizes: Sequence[int] = SIZES) -> Iterator[Cost]:
    """Measure all, one arena after the other.

    Args:
        effort: to be made
        sizes: numbers of robots
    """
    for sensor in PARTS:
        for robots in sizes:
            seconds = max(LEAST, effort.robot_seconds / robots)
            arenas: dict[tuple[str, Mode], CaseSystem] = {}
            for mode in modes(sensor):
                arenas[sensor, mode] = sensor_arena(sensor, mode, robots, seconds)
            yield from _in_turns(arenas, robots, seconds, len(SPEEDS_CM), effort.repeats)
    for robots in sizes:
        most = SIMULATED / (effort.repeats + 1)  # so that no battery is empty before the end
        seconds = min(most, max(LEAST, 10.0 * effort.robot_seconds / robots))
        batteries: dict[tuple[str, Mode], CaseSystem] = {("battery", "none"): battery_arena(None, "none", robots)}
        for model in DISCHARGES:
            batteries[model, "read"] = battery_arena(model, "read", robots)
            batteries[model, "level"] = battery_arena(model, "level", robots)
        yield from _in_turns(batteries, robots, seconds, 1, effort.repeats)


def _in_turns(
    arenas: Mapping[tuple[str, Mode], CaseSystem], robots: int, seconds: float, slices: int, repeats: int
) -> Iterator[Cost]:
    """Run all arenas, each for a slice of time before the next one; the first repeat, which warms up, is dropped.

    What is measured lies between two changes of speed, since a run of the paper has one speed.
    """
    simulators = {}
    for key, system in arenas.items():
        system.complete(corrected=False)
        simulators[key] = Simulator(system)
    spent = {key: [0.0] * (repeats + 1) for key in arenas}
    now = START
    for repeat in range(repeats + 1):
        for _ in range(slices):
            for key, simulator in simulators.items():
                simulator.run(until=now)  # the instant at which all speeds change
                start = time.process_time()
                simulator.run(until=now + seconds - AWAY)
                spent[key][repeat] += time.process_time() - start
            now += seconds
    for (what, mode), simulator in simulators.items():
        simulator.close()
        times = tuple(round(each, DIGITS) for each in spent[what, mode][1:])
        yield Cost(what, mode, robots, seconds * slices, times)


def machine() -> str:
    """What this runs on, in words."""
    return f"{_processor()}, {cpu_count()} processors, Python {platform.python_version()}, {platform.system()}"


def today() -> str:
    """The date."""
    return datetime.now(UTC).date().isoformat()


def _processor() -> str:
    """Its name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
