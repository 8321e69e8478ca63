"""Metrics: what a run is measured by, each declared where it is computed, and nowhere else.

A class that measures a run marks its methods with `metric`. From this one declaration the screen, the summary, the
table of a sweep, the reports, the studies and the conformance pages take the words, the unit, the digits and the rest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from math import degrees
from typing import Any, Literal, TypeVar

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError

Result = float | str
"""What a transducer makes of its measurements: a number in SI units, or a word."""

Better = Literal["less", "more", ""]
"""Which way a metric improves; empty where neither way is better."""

SCALES = {
    "": 1.0,
    "%": 100.0,
    "s": 1.0,
    "ms": 1e3,
    "µs": 1e6,
    "min": 1.0 / 60.0,
    "1/min": 60.0,
    "m": 1.0,
    "cm": 1e2,
    "mm": 1e3,
    "m/s": 1.0,
    "cm/s": 1e2,
    "rad": 1.0,
    "deg": degrees(1.0),
}
"""From a number in SI units to the number in a unit that people read."""

Method = TypeVar("Method", bound=Callable[[Any], Any])


class Metric(Struct, frozen=True):
    """One number, or word, that a run is measured by.

    Attributes:
        name: of its column in tables, with the SI unit at its end, if it has one
        title: for people
        brief: the same where there is little room; empty: the title
        unit: for people; empty for counts, words and ratios
        scale: from the number in SI units to the number in `unit`
        digits: that people are shown, after the point
        better: which way it improves
        words: what it is, if it is no number, the best first
        signed: whether it can be less than zero
        rare: whether it counts or dates what few runs have, so that its mean has no normal distribution
        even_rejected: whether it says the same of a run that was rejected, and so ended early, as of others; an average
            over a run does not
    """

    name: str
    title: str
    unit: str = ""
    scale: float = 1.0
    digits: int = 1
    better: Better = ""
    words: tuple[str, ...] = ()
    signed: bool = False
    rare: bool = False
    brief: str = ""
    even_rejected: bool = False

    @property
    def short(self) -> str:
        """Brief title."""
        return self.brief or self.title

    @property
    def head(self) -> str:
        """Brief title and unit, for the head of a narrow table."""
        return f"{self.short} ({self.unit})" if self.unit else self.short

    @property
    def label(self) -> str:
        """Title and unit, for an axis or the head of a table."""
        return f"{self.title} ({self.unit})" if self.unit else self.title

    def text(self, value: float, *, sign: bool = False) -> str:
        """A value in SI units with the metric's digits, in its unit, which is not added."""
        if self.vanishes(value):
            value, sign = 0.0, False
        return f"{self.scale * value:{'+' if sign else ''},.{self.digits}f}".replace("-", "−")

    def vanishes(self, value: float) -> bool:
        """Whether nothing of a value is seen in the digits that are shown."""
        return round(abs(self.scale * value), self.digits) == 0.0


def metric(
    title: str,
    *,
    unit: str = "",
    digits: int = 1,
    better: Better = "",
    words: tuple[str, ...] = (),
    signed: bool = False,
    rare: bool = False,
    brief: str = "",
    even_rejected: bool = False,
) -> Callable[[Method], Method]:
    """Declares a method without arguments a metric; its name is that of the column.

    The method returns a number in SI units, or one of `words`; NaN, or an empty word, where there is none.

    Args:
        title: for people
        unit: that people read, one of `SCALES`
        digits: that people are shown, after the point
        better: which way it improves: "less", "more", or neither
        words: what it is, if it is no number, the best first
        signed: whether it can be less than zero
        rare: whether it counts or dates what few runs have
        brief: the title where there is little room
        even_rejected: whether it says the same of a run that was rejected, and so ended early, as of others

    Raises:
        DevsRoboticsError: the title, the unit, the digits or the direction is none, or it is no method
    """
    if not isinstance(title, str):
        raise DevsRoboticsError('a metric needs a title: write @metric("share of the field covered", unit="%")')
    if type(digits) is not int or digits < 0:
        raise DevsRoboticsError(f"metric {title!r}: digits must be a whole number from 0, not {digits!r}")
    if better not in ("less", "more", ""):
        raise DevsRoboticsError(f"metric {title!r}: better must be 'less' or 'more', not {better!r}")
    if unit not in SCALES:
        raise DevsRoboticsError(f"metric {title!r}: there is no unit {unit!r}: take one of {', '.join(SCALES)[2:]}")

    def declare(method: Method) -> Method:
        if not inspect.isfunction(method):
            raise DevsRoboticsError(f"metric {title!r} must be a method: write @metric(...) right above its def")
        found = Metric(
            name=method.__name__,
            title=title,
            unit=unit,
            scale=SCALES[unit],
            digits=digits,
            better=better,
            words=words,
            signed=signed,
            rare=rare,
            brief=brief,
            even_rejected=even_rejected,
        )
        method._metric = found  # type: ignore[attr-defined]
        return method

    return declare


def metrics_of(measuring: type) -> tuple[Metric, ...]:
    """The metrics that a class declares, in their order; those of its bases come first.

    A method that overrides one of theirs is the same metric, and may declare it anew.
    """
    return tuple(found for _, found in _declared(measuring))


def measured_by(measuring: object) -> dict[str, Result]:
    """What an object makes of its measurements: the value of each of its metrics, by name."""
    return {found.name: getattr(measuring, name)() for name, found in _declared(type(measuring))}


def _declared(measuring: type) -> Iterator[tuple[str, Metric]]:
    found: dict[str, Metric] = {}
    for cls in reversed(measuring.__mro__):
        for name, member in vars(cls).items():
            declared = getattr(member, "_metric", None)
            if isinstance(declared, Metric):
                found[name] = declared
    yield from found.items()
