"""What parts of frames have measured over time, as they give it by their method ``series``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xdevs.models import Component

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.user_code import user_code

TIME = "time_s"
"""Name of the column of times in a part's table."""

Pairs = list[tuple[float, float]]
"""Times (s) and values."""


class FrameError(DevsRoboticsError):
    """A part of a frame that cannot be coupled as it is wished, or does not tell what it has measured."""


def form_error(part: Component) -> FrameError:
    """What a part is told whose series are none."""
    return FrameError(
        f"{type(part).__name__}.series must return lists of (time, number) by name, or columns of equal length with "
        f"{TIME!r}"
    )


def has_series(part: Component) -> bool:
    """Whether a part may measure something over time."""
    return callable(getattr(part, "series", None))


def given_by(part: Component) -> Mapping[Any, Any]:
    """What a part's method ``series`` returns; empty where it has none.

    Raises:
        FrameError: it fails, or returns something else
    """
    series = getattr(part, "series", None)
    if not callable(series):
        return {}
    with user_code(lambda why: FrameError(f"{type(part).__name__}.series failed: {why}")):
        given = series()
    if not isinstance(given, Mapping):
        raise form_error(part)
    return given


class GrowingSeries:
    """Reads on in the series of a part while it measures: a look converts what is new, and not all that there is.

    Args:
        part: of a frame
    """

    def __init__(self, part: Component) -> None:
        self._part = part
        self._taken: dict[str, int] = {}
        """How many values of each column were taken."""

    def take(self, most: int) -> dict[str, Pairs]:
        """The new values of each column, the oldest first; of pairs of one time the last one counts.

        Args:
            most: number of values of a column that are taken at once

        Raises:
            FrameError: the part's series are none
        """
        given = given_by(self._part)
        try:
            if TIME not in given:
                return {str(name): _last_of_each_time(self._new(name, pairs, most)) for name, pairs in given.items()}
            first = self._taken.get(TIME, 0)
            times = [float(time) for time in self._new(TIME, given[TIME], most)]
            return {
                str(name): [
                    (time, float(value)) for time, value in zip(times, _from(values, first, len(times)), strict=True)
                ]
                for name, values in given.items()
                if name != TIME
            }
        except (TypeError, ValueError):
            raise form_error(self._part) from None

    def _new(self, name: Any, values: Iterable[Any], most: int) -> Sequence[Any]:
        first = self._taken.get(name, 0)
        found = _from(values, first, most)
        self._taken[name] = first + len(found)
        return found


def _from(values: Iterable[Any], first: int, most: int) -> Sequence[Any]:
    """At most so many values from a number on."""
    held = values if isinstance(values, Sequence) else list(values)
    return held[first : first + most]


def _last_of_each_time(pairs: Iterable[tuple[Any, Any]]) -> Pairs:
    return list({float(time): float(value) for time, value in pairs}.items())
