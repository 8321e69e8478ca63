"""What is published of swarm transportation (Pansuriya 2023), and what the log of its program shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from statistics import mean, stdev

from msgspec import Struct

FrameResults = Mapping[str, Mapping[str, float | str]]
"""What the parts of a frame measured in a run, by their names and those of their metrics."""

MODES = ("full", "partial", "none")

ROUND_TRIP = {"full": 434.0, "partial": 315.0, "none": 315.0}
"""By mode (s): 7:14 and 5:15."""

MINUTES = {"full": 70.0, "partial": 51.0, "none": 51.0}
"""Until 100 items, by mode (min)."""

ITEMS = 100
"""That published runs delivered."""

LOST = 8.4, 10.5
"""What a meeting costs (s): by the published round trips of full, and by the log."""


class PublishedRow(Struct, frozen=True):
    """A result, and what is published of it.

    Attributes:
        key: of the metric, in ``frames.transport`` or ``frames.paths``
        title: of it, for people
        digits: that are shown
        factor: by which the metric is multiplied for that
        paper: what the paper says, by mode
        log: what the log of a full run shows
        until: metrics that together are to come to the number of items, where the result is a time until then
    """

    key: str
    title: str
    digits: int
    paper: Mapping[str, str]
    log: str = ""
    factor: float = 1.0
    until: tuple[str, ...] = ()

    def head(self, items: int) -> str:
        """The title in runs of so many items, with the published number of them where it is another one."""
        text = self.title.format(items=items)
        return text if items == ITEMS or not self.until else f"{text}, published: {ITEMS}"

    def ours(self, runs: Sequence[FrameResults], items: int) -> str:
        """As runs have it, with the standard deviation of several; a dash where none has it.

        Times until so many items are "more than" what is shown where a run was over before.

        Args:
            runs: what the frames of each measured
            items: that each was to deliver
        """
        merged = [{**frames["paths"], **frames["transport"]} for frames in runs]
        values = [self.factor * value for each in merged if (value := float(each[self.key])) == value]
        if not values:
            return "-"
        text = f"{mean(values):.{self.digits}f}"
        if self.until and any(sum(float(each[key]) for key in self.until) < items for each in merged):
            return f"more than {text}"
        return f"{text} ± {stdev(values):.{self.digits}f}" if len(values) > 1 else text


def _each(full: str, partial: str = "", none: str = "") -> dict[str, str]:
    return dict(zip(MODES, (full, partial, none), strict=True))


ROWS: tuple[PublishedRow, ...] = (
    PublishedRow(
        "minutes",
        "time for {items} deliveries (min)",
        1,
        _each("~70", "~51", "~51"),
        "more than 67.2",
        1.0,
        ("deliveries",),
    ),
    PublishedRow(
        "minutes_by_returns",
        "time for {items} arrivals at the source (min)",
        1,
        _each("", "", ""),
        "67.2",
        1.0,
        ("returns",),
    ),
    PublishedRow(
        "minutes_by_trips",
        "time for {items} trips either way (min)",
        1,
        _each("", "", ""),
        "",
        1.0,
        ("deliveries", "returns"),
    ),
    PublishedRow("round_trip_s", "round trip (s)", 0, _each("434", "315", "315")),
    PublishedRow("with_path_at_15", "robots with a path at 15 min", 0, _each("~6", "~6"), "8"),
    PublishedRow("with_path", "robots with a path in the end", 0, _each("15", "15", "14"), "15"),
    PublishedRow("found_by_themselves", "of these found by themselves", 0, _each("", "9", "14"), "8"),
    PublishedRow("fewest", "fewest items of a robot", 0, _each("nearly equal", "3 or 4", "0"), "5"),
    PublishedRow("most", "most items of a robot", 0, _each("nearly equal", "11", "14"), "8"),
    PublishedRow("distinct", "distinct paths in the end", 0, _each("1", "3", "7"), "1"),
    PublishedRow("path_length", "length of a path in the end (m)", 1, _each("", "", ""), "49.8"),
    PublishedRow("over_shortest", "the same over the shortest", 2, _each("", "", ""), "1.16"),
    PublishedRow("completed", "exchanges", 0, _each("~410"), "426"),
    PublishedRow("talk_s", "time of an exchange or attempt (s)", 1, _each("1.7")),
    PublishedRow("talking", "time of talk (%)", 2, _each(""), "2.2", 100.0),
    PublishedRow("met", "times that a robot made way", 0, _each("", "", "")),
    PublishedRow("waiting", "time of waiting for who is ahead (%)", 1, _each("", "", ""), "", 100.0),
    PublishedRow("yielding", "time of making way (%)", 1, _each("", "", ""), "", 100.0),
)


def meeting_cost(round_trip: float, alone: float, robots: int) -> float:
    """What a meeting costs, by the encounter law: T = T1 + 2(n-1)c (s).

    Args:
        round_trip: T, of each of the robots on one path (s)
        alone: T1, of one alone on it (s)
        robots: n of them
    """
    return (round_trip - alone) / (2.0 * (robots - 1)) if robots > 1 else float("nan")


def alone_s(length: float, speed: float, turn_rate: float) -> float:
    """Round trip of a robot alone on a path, its corners apart: to and fro, and two half turns (s)."""

    return 2.0 * length / speed + 2.0 * pi / turn_rate
