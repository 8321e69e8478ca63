"""Figures of the four experiments in mixed reality."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.pera.judging import KINDS, PAIRS, delays, rate, trips, usual
from devs_robotics.experimental_frames.pera.results import CallRoundTrip, Load, SensingDelay, WalkRun
from devs_robotics.experimental_frames.report.colours import DASHES, MARKERS, SERIES
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.statistics.estimates import Estimate


def collisions(walks: Sequence[WalkRun]) -> str:
    """Rates per pair against the threshold, and of R-V pairs against the camera's period and delay."""

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        runs = usual(walks)
        thresholds = sorted({run.threshold for run in runs})
        for kind, name in enumerate(KINDS):
            of = [
                rate([run for run in runs if run.threshold == threshold], kind, f"figure {name} {threshold}")
                for threshold in thresholds
            ]
            _line(left, [100.0 * threshold for threshold in thresholds], of, kind, name)
        left.set(xlabel="threshold (cm)", ylabel="collisions per pair and minute")
        for number, name in enumerate(("period", "delay")):
            other = "delay" if name == "period" else "period"
            same = [
                run
                for run in walks
                if getattr(run, other) == getattr(walks[0], other) and run.threshold == walks[0].threshold
            ]
            values = sorted({getattr(run, name) for run in same})
            of = [rate([run for run in same if getattr(run, name) == value], 1, f"{name} {value}") for value in values]
            _line(right, [1000.0 * value for value in values], of, number, f"its {name}")
        right.set(xlabel="of the camera (ms)", ylabel="R-V collisions per pair and minute")
        for axes in (left, right):
            axes.set_ylim(bottom=0.0)
            axes.legend(frameon=False, fontsize=9)

    return _drawn(draw, "Collisions per pair and minute, by threshold and by the camera's period and delay")


def sensing(measured: Sequence[SensingDelay]) -> str:
    """Delays by three clocks, each in a picture of its own."""

    def draw(figure: Figure) -> None:
        clocks = (("world", "the world alone"), ("client", "a bare client"), ("program", "programs, with their sleeps"))
        for axes, (clock, title) in zip(figure.subplots(1, 3), clocks, strict=True):
            values = [[1000.0 * each for each in delays(measured, clock, reality)] for reality in "RV"]  # type: ignore[arg-type]
            _boxes(axes, values, ("R", "V"))
            axes.set_title(title, fontsize=10)
            axes.set_ylabel("ms")

    return _drawn(draw, "Delays of a reading by three clocks, for real and virtual robots")


def round_trips(measured: Sequence[CallRoundTrip]) -> str:
    """Round trips by ordered pair of realities, of bare clients and of programs."""

    def draw(figure: Figure) -> None:
        for axes, (clock, title) in zip(
            figure.subplots(1, 2), (("client", "bare clients"), ("program", "programs that look")), strict=True
        ):
            values = [[1000.0 * each for each in trips(measured, clock, pair)] for pair in PAIRS]  # type: ignore[arg-type]
            _boxes(axes, values, [f"{pair[0]} to {pair[1]}" for pair in PAIRS])
            axes.set_title(title, fontsize=10)
            axes.set_ylabel("ms")

    return _drawn(draw, "Round trips by ordered pair of realities")


def scalability(loads: Sequence[Load]) -> str:
    """Round trips, and what the server takes, against the number of robots."""

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        for number, each_rate in enumerate(dict.fromkeys(each.rate for each in loads)):
            row = [each for each in loads if each.rate == each_rate]
            sizes = [each.robots for each in row]
            for place, name in enumerate(("p50", "p95", "p99")):
                shown = [1000.0 * getattr(each, name) for each in row]
                look = {"color": SERIES[number], "linestyle": DASHES[place], "marker": MARKERS[number]}
                left.plot(sizes, shown, label=f"{name}, {each_rate:g} Hz", markersize=4, **look)
            cpu = [100.0 * each.cpu for each in row]
            right.plot(sizes, cpu, color=SERIES[number], marker=MARKERS[number], label=f"{each_rate:g} Hz")
        left.set(xlabel="robots", ylabel="round trip (ms)", xscale="log", yscale="log")
        right.set(xlabel="robots", ylabel="server (% of a core)", xscale="log")
        for axes in (left, right):
            axes.legend(frameon=False, fontsize=8)

    return _drawn(draw, "Round trips and load of the server by the number of robots")


def _line(axes: Axes, places: Sequence[float], of: Sequence[Estimate], number: int, label: str) -> None:
    means = [each.mean for each in of]
    if all(map(isnan, means)):
        return
    axes.plot(places, means, color=SERIES[number], marker=MARKERS[number], linestyle=DASHES[number], label=label)
    lows = [each.mean if each.low is None else each.low for each in of]
    highs = [each.mean if each.high is None else each.high for each in of]
    axes.fill_between(places, lows, highs, color=SERIES[number], alpha=0.15, linewidth=0)


def _boxes(axes: Axes, values: Sequence[Sequence[float]], names: Sequence[str]) -> None:
    axes.boxplot([each or [float("nan")] for each in values], widths=0.5, showfliers=False)
    axes.set_xticks(range(1, len(names) + 1), list(names))
    axes.set_ylim(bottom=0.0)


def _drawn(draw: object, label: str) -> str:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        draw(figure)  # type: ignore[operator]
        return svg(figure, label)
