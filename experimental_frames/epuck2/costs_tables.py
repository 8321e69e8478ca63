"""What the page says of costs: sentences and tables, from what was measured."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics.experimental_frames.epuck2.costs.arenas import NOTHING_NEAR, PARTS, Mode
from devs_robotics.experimental_frames.epuck2.costs.measuring import Cost, Costs
from devs_robotics.experimental_frames.epuck2.markdown import bullets, paragraph, table
from devs_robotics.experimental_frames.epuck2.published import (
    BATTERY_LONGER,
    BATTERY_TIMES,
    LONGER,
    MACHINE,
    SIZES,
)
from devs_robotics.experimental_frames.statistics.series import Mean
from devs_robotics.models.batteries import DISCHARGES

MOST = SIZES[-1]
"""Robots of which sentences speak."""

NONE = "–"


def summary(costs: Costs) -> tuple[str, str]:
    """The two statements that matter most."""
    idle = [costs.of(NOTHING_NEAR, mode, MOST) for mode in ("changes", "read")]
    beside = [costs.of("proximity", mode, MOST) for mode in ("changes", "read")]
    watched, read, watched_there, read_there = (_seconds(cost) for cost in (*idle, *beside))
    published = BATTERY_TIMES[MOST][0][0]
    return (
        f"""
        A sensor that is watched costs nothing while nothing changes: {MOST} robots that rotate for two hours take
        {watched} s of processor time with nothing near their proximity sensors, and {read} s where these are read at
        every tick.
        """,
        f"""
        Where every tick changes a reading, watching cannot help much: beside walls the same robots take {watched_there}
        s watched, and {read_there} s read at every tick. The paper's simulator, in C++, took {published:.0f} s without
        sensors, and half as long again with them at most: [what sensors cost](#what-sensors-cost).
        """,
    )


def introduction(costs: Costs) -> Iterator[str]:
    """How it was measured, on what, and what can be compared."""
    effort = costs.effort
    alone, published = costs.of("encoders", "none", MOST), BATTERY_TIMES[MOST][0][0]
    yield paragraph(
        f"""
        Measured on {costs.date}: {costs.machine}, which others used too. All times are processor seconds for two hours
        of simulated time; the published ones are of another machine ({MACHINE}). Robots rotate in place at eleven
        speeds, those with batteries at a speed that changes at every tick. Each of {effort.repeats} repeats simulates
        at least {effort.robot_seconds:g} robot-seconds at each speed, in slices that take turns with those of the other
        columns. Intervals are Student's, at 95 %.
        """
    )
    yield bullets(
        "**controller alone**: a decision model per robot that wakes ten times per second and reads nothing.",
        "**read at every tick**: the same, which asks its sensor each time. This is what the paper's robots do.",
        """
        **watched**: the decision model asks once, and hears of every change, or of one level that is crossed, at the
        next tick. It never wakes otherwise. Step counters and cameras cannot be watched.
        """,
    )
    yield paragraph(
        f"""
        **Seconds can be compared with the paper's, as far as machines can; percentages cannot.** Theirs are shares of
        a run that moves bodies by an engine of physics at every tick, with or without sensors. Here a body in motion
        costs nothing until something happens, so that a run without sensors is short: {_seconds(alone)} s for {MOST}
        robots. The one published time of an arena without sensors is {published:.1f} s, of that with batteries. A
        sensor that is read is then nearly all of a run: each reading is a question and an answer between models in
        Python, and up to eight rays.
        """
    )


def sensors(costs: Costs) -> Iterator[str]:
    """A row for each sensor and number of robots."""
    heads = ["", "robots", "controller alone (s)", "read at every tick (s)", "longer by (%)"]
    heads += ["published: longer by (%)", "watched, every change (s)", "watched, one level (s)"]
    rows = []
    for sensor in PARTS:
        published = LONGER.get(sensor, {})  # type: ignore[call-overload]
        for robots in SIZES:
            none, read = costs.of(sensor, "none", robots), costs.of(sensor, "read", robots)
            cells = (_mean(none), _mean(read), _longer(read, none), published.get(robots, NONE))
            rows.append((sensor, f"{robots}", *cells, *(_mean(costs.of(sensor, m, robots)) for m in WATCHED)))
    yield table(heads, rows, range(1, len(heads)))
    yield f"""\
The paper's text gives no percentage where "{NONE}" stands, and has no arena "{NOTHING_NEAR}". A robot that stands
alone costs more than one of many: a step of the simulator then serves one robot only.
"""


WATCHED: tuple[Mode, ...] = ("changes", "level")


def batteries(costs: Costs) -> Iterator[str]:
    """A row for each number of robots and model of Table 6."""
    heads = ["robots", "battery", "published (s)", "longer by (%)", "read at every tick (s)", "longer by (%)"]
    heads += ["two levels watched (s)", "longer by (%)"]
    rows = []
    for robots in SIZES:
        none = costs.of("battery", "none", robots)
        mean, deviation = BATTERY_TIMES[robots][0]
        rows.append((f"{robots}", "none", f"{mean:.2f} (sd {deviation:.2f})", "", _mean(none), "", _mean(none), ""))
        for place, name in enumerate(DISCHARGES):
            mean, deviation = BATTERY_TIMES[robots][place + 1]
            read, watched = costs.of(name, "read", robots), costs.of(name, "level", robots)
            theirs = (f"{mean:.2f} (sd {deviation:.2f})", f"{BATTERY_LONGER[robots][place]:+.1f}")
            ours = (_mean(read), _longer(read, none), _mean(watched), _longer(watched, none))
            rows.append((f"{robots}", name, *theirs, *ours))
    yield table(heads, rows, (0, *range(2, len(heads))))
    yield """\
Wheels that change their speed at every tick are the worst for a battery without ticks: each change makes it compute
anew when it comes to its next level. Where wheels keep their speeds, a battery costs nothing. Some of the published
percentages are negative: differences of some 2 % are noise there, and larger ones here, as the intervals tell.
"""


def _seconds(cost: Cost | None) -> str:
    return NONE if cost is None else _short(cost.mean.mean)


def _mean(cost: Cost | None) -> str:
    return NONE if cost is None else _with_interval(cost.mean)


def _longer(cost: Cost | None, other: Cost | None) -> str:
    if cost is None or other is None:
        return NONE
    return _with_interval(cost.longer_than(other))


def _with_interval(mean: Mean) -> str:
    return f"{_short(mean.mean)} ± {_short(mean.interval.half_width)}"


def _short(value: float) -> str:
    """Two digits that count, without an exponent."""
    if abs(value) >= 10.0:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 1.0 else f"{value:.2g}"
