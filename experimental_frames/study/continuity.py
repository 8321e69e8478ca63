"""Model continuity (Hu & Zeigler, section 3.2): whether the models that decide decide the same in two stages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any

from msgspec import Struct

from devs_robotics.core.observe import plain
from devs_robotics.core.observe.describing import value_text
from devs_robotics.experimental_frames.study.decisions import Channel, Decisions, Said

TOLERANCE = 1e-9
"""Lengths (m) and angles (rad) that differ by no more than this are rounded differently, not decided differently."""


class DecisionDifference(Struct, frozen=True):
    """The first difference between what decision models said and heard in two runs.

    Attributes:
        model: path, from the robot on
        port: its name
        index: how many values went through the port before
        time: simulated time in the run that was expected or, where nothing was, in the one that was seen (s)
        expected, seen: the values in words; empty where there is none
    """

    model: str
    port: str
    index: int
    time: float
    expected: str
    seen: str

    def __str__(self) -> str:
        place = f"value {self.index + 1} through {self.model}.{self.port} (at {self.time:.3f} s)"
        if not self.seen:
            return f"{place} should be {self.expected} and never came"
        if not self.expected:
            return f"{place} is {self.seen} where none should be"
        return f"{place} should be {self.expected} and is {self.seen}"


class Agreement(Struct, frozen=True):
    """How what decision models said and heard in one run compares with another.

    Attributes:
        difference: the first one, or None
        rounds: completed by every robot in both runs
        values: how many were held against each other
        largest_deviation: of the numbers in them, where they agree to within `TOLERANCE` (m or rad)
        largest_time_difference: of values that agree (s)
    """

    difference: DecisionDifference | None
    rounds: int
    values: int
    largest_deviation: float
    largest_time_difference: float

    @property
    def holds(self) -> bool:
        """Whether the same was decided, and something was."""
        return self.difference is None and self.rounds > 0


def agreement(expected: Decisions, seen: Decisions) -> Agreement:
    """Compare two runs, port by port.

    Runs end at slightly different places. Up to the last round that every robot has completed in both of them, each
    value must have its partner; beyond it those are compared that have one.
    """
    rounds = min([*expected.rounds().values(), *seen.rounds().values()], default=0)
    demands = expected.within(rounds), seen.within(rounds)
    first: DecisionDifference | None = None
    values, deviation, lateness = 0, 0.0, 0.0
    for channel in sorted(expected.said.keys() | seen.said.keys()):
        one, other = expected.said.get(channel, Said()), seen.said.get(channel, Said())
        same = 0
        for here, there, far in _pairs(one, other):
            if far > TOLERANCE:
                break
            same += 1
            deviation, lateness = max(deviation, far), max(lateness, abs(there - here))
        values += same
        difference = _difference(channel, same, one, other, demands)
        if difference is not None and (first is None or difference.time < first.time):
            first = difference
    return Agreement(first, rounds, values, deviation, lateness)


def deviation_of(expected: Any, seen: Any) -> float:
    """How far apart the numbers in two values are at most; infinite when they differ in anything but numbers."""
    return 0.0 if expected == seen else _deviation(plain(expected), plain(seen))


def _deviation(expected: Any, seen: Any) -> float:
    if isinstance(expected, dict) and isinstance(seen, dict) and expected.keys() == seen.keys():
        return max((_deviation(value, seen[key]) for key, value in expected.items()), default=0.0)
    if isinstance(expected, list) and isinstance(seen, list) and len(expected) == len(seen):
        return max(map(_deviation, expected, seen), default=0.0)
    if _is_number(expected) and _is_number(seen):
        return abs(float(expected) - float(seen))
    return 0.0 if type(expected) is type(seen) and expected == seen else inf


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _pairs(one: Said, other: Said) -> Iterator[tuple[float, float, float]]:
    """Of each two values in the same place: when they came, and how far apart they are."""
    for place in range(min(len(one.values), len(other.values))):
        far = deviation_of(one.values[place], other.values[place])
        yield one.times[place], other.times[place], far


def _difference(
    channel: Channel, same: int, one: Said, other: Said, demands: tuple[Mapping[Channel, int], Mapping[Channel, int]]
) -> DecisionDifference | None:
    """What comes after the values that are the same, where both have more, or one lacks what it should have."""
    expected, seen = len(one.values) > same, len(other.values) > same
    if not (expected and seen) and same >= max(demand.get(channel, 0) for demand in demands):
        return None
    return DecisionDifference(
        model=channel.model,
        port=channel.port,
        index=same,
        time=one.times[same] if expected else other.times[same],
        expected=value_text(one.values[same]) if expected else "",
        seen=value_text(other.values[same]) if seen else "",
    )
