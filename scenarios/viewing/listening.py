"""What viewers of a run are told of, beside where everybody is: what robots say, see, touch and show, and metrics.

All of it is found in the model of an experiment, whatever its case study: by the types of its ports and couplings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from math import isfinite, nan
from typing import Any

import numpy as np
from xdevs.models import Atomic, Component, Coupled

from devs_robotics import Activity
from devs_robotics.core.wiring import atomic_models
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.experimental_frames.frame.experiment import Measurements, Rows
from devs_robotics.experimental_frames.frame.frame import WHO, Measuring
from devs_robotics.experimental_frames.frame.series_reading import (
    TIME,
    FrameError,
    GrowingSeries,
    Pairs,
    has_series,
)
from devs_robotics.models.environment import Say
from devs_robotics.models.robots import RobotModel
from devs_robotics.scenarios.viewing.series import declared_by, title_of
from devs_robotics.view.watcher import Item, Listened

MOST_COLUMNS = 8
"""A table with more columns than this, or one of rows of different robots, is no set of series."""


def listened(model: Experiment, away: Collection[int] = ()) -> list[Listened]:
    """The ports of a run that viewers may hear of.

    Args:
        model: of the whole experiment
        away: robots whose models run elsewhere
    """
    here = [robot for robot in model.system.robots if robot.number not in away and robot.parent is not None]
    found: list[Listened] = []
    for robot in here:
        number, equipment = robot.number, robot.equipment
        found.append(Listened(equipment.infrared.ranging.answer, partial(_seen, number)))
        found.append(Listened(equipment.whiskers.touch.answer, partial(_touched, number)))
        for activity in robot.components:
            if isinstance(activity, Activity):
                for port in activity.out_ports:
                    told = TOLD.get(getattr(port.p_type, "__name__", ""))
                    if told is not None:
                        found.append(Listened(port, partial(told, number)))
    return found + list(_said_to_each_other(here))


def models_of(model: Experiment, away: Collection[int]) -> set[Atomic]:
    """The atomic models of some robots, such as those whose models run elsewhere."""
    return {atomic for robot in model.system.robots if robot.number in away for atomic in atomic_models(robot)}


def patterns(heard: Collection[Listened]) -> list[str]:
    """Few patterns that mean all these ports, and perhaps some more."""
    return list(dict.fromkeys(f"*/{each.port.parent.name}.{each.port.name}" for each in heard if each.port.parent))


def _said_to_each_other(robots: Collection[RobotModel]) -> Iterator[Listened]:
    """What robots tell each other by couplings, as those of a convoy do."""
    numbers: dict[Component | None, int] = {robot: robot.number for robot in robots}
    for system in dict.fromkeys(robot.parent for robot in robots):
        couplings = system.ic.items() if isinstance(system, Coupled) else ()
        for outer, targets in couplings:
            speaker = outer.parent
            if speaker is None or speaker not in numbers:
                continue
            for hearer in [numbers[target.parent] for target in targets if target.parent in numbers]:
                for inner in _sources(speaker, outer):
                    yield Listened(inner, partial(_told, numbers[speaker], hearer, inner.name.removesuffix("_out")))


def _sources(model: Component, outer: Any) -> Iterator[Any]:
    """The ports of atomic models whose values come through a port of a coupled one."""
    if isinstance(model, Atomic):
        yield outer
    elif isinstance(model, Coupled):
        for inner, targets in model.eoc.items():
            if outer in targets and inner.parent is not None:
                yield from _sources(inner.parent, inner)


def _seen(robot: int, time: float, value: Any) -> Item:
    return "see", time, robot, value.values


def _touched(robot: int, time: float, value: Any) -> Item:
    return "touch", time, robot, value.touching


def _told(robot: int, hearer: int, name: str, time: float, value: Any) -> Item:
    return "say", time, robot, hearer, name, value


def _broadcast(robot: int, time: float, value: Say) -> Item:
    return "say", time, robot, None, "", value


def _shines(robot: int, time: float, value: Any) -> Item:
    from devs_robotics.core.robots.epuck2.sensing.leds import shining  # slow to load, and few robots have LEDs

    lit = shining(value.state)
    colour = lit[0][1] if lit else (0.0, 0.0, 0.0)
    return "light", time, robot, "#" + "".join(f"{round(255 * part):02x}" for part in colour)


TOLD: dict[str, Callable[[int, float, Any], Item]] = {"Say": _broadcast, "Shine": _shines}
"""What activities send to the world, by the names of types, and what viewers are told of it."""


class Series:
    """The series that the frames of a run have measured so far.

    Args:
        model: of the whole experiment
    """

    def __init__(self, model: Experiment) -> None:
        self._declared = declared_by(model)
        self._tables = [part for part in model.parts.values() if isinstance(part, Measuring)]
        self._growing = {f"{name}.csv": GrowingSeries(part) for name, part in model.parts.items() if has_series(part)}
        self._lines: dict[str, int] = {}

    def take(self, most: int) -> dict[str, list[tuple[float, float]]]:
        """The values that are new, by names for people; of each table at most so many lines at once."""
        found: dict[str, list[tuple[float, float]]] = {}
        for file, columns in (*self._from_series(most), *self._from_tables(most)):
            if not 0 < len(columns) < MOST_COLUMNS or WHO in columns:
                continue
            for column, pairs in columns.items():
                title, scale = title_of(file, column, self._declared)
                finite = [(time, scale * value) for time, value in pairs if isfinite(value)]
                found.setdefault(title, []).extend(finite)
        return {title: values for title, values in found.items() if values}

    def _from_series(self, most: int) -> Iterator[tuple[str, dict[str, Pairs]]]:
        """What parts give by `series`; nothing of one whose series are none, which the end of the run tells."""
        for file, growing in self._growing.items():
            with suppress(FrameError):
                yield file, growing.take(most)

    def _from_tables(self, most: int) -> Iterator[tuple[str, dict[str, Pairs]]]:
        """What parts write as tables of their own."""
        for part in self._tables:
            for file, table in part.measurements().items():
                time, *columns = table.header.split(",")
                if time != TIME or len(columns) >= MOST_COLUMNS or WHO in columns:
                    continue
                first = self._lines.get(file, 0)
                rows = _rows(table, first, most)
                self._lines[file] = first + len(rows)
                times = rows[:, 0].tolist()
                yield (
                    file,
                    {
                        column: list(zip(times, rows[:, number].tolist(), strict=True))
                        for number, column in enumerate(columns, 1)
                    },
                )


def _rows(table: Measurements, first: int, most: int) -> Rows:
    """At most so many rows of a table as numbers, from a number on."""
    width = table.header.count(",") + 1
    if table.rows is None:
        lines = [line.split(",") for line in islice(table.lines(first), most)]
        columns = [_numbers(texts) for texts in zip(*lines, strict=False)]
        return np.array(columns, dtype=np.float64).T if lines else np.zeros((0, width))
    blocks, count = [np.zeros((0, width))], 0
    for block in table.rows(first):
        blocks.append(block[: most - count])
        count += len(blocks[-1])
        if count >= most:
            break
    return np.concatenate(blocks)


def _numbers(texts: Sequence[str]) -> list[float]:
    """Numbers out of a table; not a number where there is another text."""
    try:
        return list(map(float, texts))
    except ValueError:
        return [_number(text) for text in texts]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return nan
