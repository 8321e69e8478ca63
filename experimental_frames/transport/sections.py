"""Sections of a run's report: what is published beside what came, and where time goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

from devs_robotics.experimental_frames.report.sections import Cell, Drawing, PageTable, Section, number_cells
from devs_robotics.experimental_frames.transport.published import LOST, ROWS, FrameResults, alone_s, meeting_cost


def published_section(frames: FrameResults, mode: str, items: int, *, comparable: bool) -> Section:
    """The published values, and those of the log, beside ours.

    Args:
        frames: results of the run's frame
        mode: who exchanges paths
        items: that the run was to deliver
        comparable: whether the run is of 15 robots and 100 items, without traffic management
    """
    heads = ("", "this run", f"published, {mode}", "log, full")
    rows = tuple(
        (
            Cell(row.head(items)),
            *number_cells((row.ours([frames], items), row.paper.get(mode, "") or "-", row.log or "-")),
        )
        for row in ROWS
    )
    note = (
        "Published: N. C. Pansuriya, Carleton University, 2023, one run of each mode. Log: positions that its program "
        "wrote in a full run, which stopped at 100 arrivals at the source, with 90 at the destination."
    )
    says = () if comparable else ("The published runs had 15 robots and 100 items, and no traffic management.",)
    return Section("Beside what is published", says=says, tables=(PageTable(heads, rows, note),))


def over_time_section(table: Mapping[str, Sequence[float]], end: float, shortest: float) -> Section:
    """Robots with a path, items, lengths of paths, exchanges and meetings over time.

    Args:
        table: of a `Transportation`
        end: of the run (s)
        shortest: length of the shortest path (m); NaN: nobody has a path
    """
    from devs_robotics.experimental_frames.transport.figures import curve_of, over_time

    panels = [
        over_time({"": curve_of(table, column, end)}, what, None)
        for column, what in (
            ("with_path", "robots with a path"),
            ("delivered", "items delivered"),
            ("exchanges", "exchanges"),
            ("meetings", "meetings"),
        )
    ]
    if not isnan(shortest):
        lengths = [(time, length / shortest) for time, length in curve_of(table, "path_length", end)]
        panels.append(over_time({"": lengths}, "path over the shortest one", None))
    caption = (
        "Lengths of paths are means over the robots that have one. Nobody talks before the dotted line in published "
        "runs."
    )
    return Section("Over time, as published", drawings=(Drawing(tuple(panels), caption),))


def items_section(robots: Sequence[int], count: int) -> Section:
    """How many items each robot has delivered.

    Args:
        robots: who delivered each item
        count: number of robots
    """
    numbers = range(1, count + 1)
    heads = ("robot", *map(str, numbers))
    cells = number_cells(str(list(robots).count(number)) for number in numbers)
    table = PageTable(heads, ((Cell("items"), *cells),))
    return Section("Items of each robot", tables=(table,))


def time_section(frames: FrameResults, robots: int, speed: float, turn_rate: float) -> Section:
    """Where the time of a round trip goes, by the encounter law."""
    return Section("Where time goes", says=tuple(_time(frames["transport"], frames["paths"], robots, speed, turn_rate)))


def _time(
    measured: Mapping[str, float | str], paths: Mapping[str, float | str], robots: int, speed: float, turn_rate: float
) -> Iterator[str]:
    length, trip = float(measured["path_length"]), float(measured["round_trip_s"])
    if isnan(length) or isnan(trip):
        yield "No robot has delivered twice: there is no round trip."
        return
    alone = alone_s(length, speed, turn_rate)
    yield (
        f"A round trip took {trip:.0f} s in the mean. The paths are {length:.1f} m long in the end, as the mean over "
        f"the robots that have one; alone on a path of that length a round trip would take {alone:.0f} s, to and fro "
        "with two half turns."
    )
    yield (
        f"Talk took {100.0 * float(measured['talking']):.2f} % of the robots' time, and making way "
        f"{100.0 * float(measured['yielding']):.1f} %; waiting for who was ahead took "
        f"{100.0 * float(measured['waiting']):.1f} %."
    )
    if float(paths["distinct"]) == 1.0 and robots > 1:
        lost = meeting_cost(trip, alone, robots)
        yield (
            f"All are on one path in the end. By the encounter law T = T1 + 2(n - 1)c each meeting then costs c = "
            f"{lost:.1f} s; {LOST[0]:g} s follow from what is published, and {LOST[1]:g} s from the log."
        )
