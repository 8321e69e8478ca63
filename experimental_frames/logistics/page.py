"""The page of tables: what the paper publishes beside what comes of the models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from statistics import mean, median, stdev

import numpy as np

from devs_robotics.experimental_frames.epuck2.markdown import bullets, paragraph, picture, table
from devs_robotics.experimental_frames.logistics.published import (
    LATENCIES,
    LEAST,
    MEAN_WITHIN,
    POWERS,
    PUBLISHED_LIVES,
    RANGE_ERRORS,
    TABLE_V,
    USABLE,
    chance_towards,
    least_time,
)
from devs_robotics.experimental_frames.statistics.means import paired_comparison
from devs_robotics.models.activities.omniwheel_speeds import PRINTED, body_velocity, wheel_speeds
from devs_robotics.models.activities.range_ring import NOTHING, RangeModel, VirtualRangeRing
from devs_robotics.models.logistics.vision import Optics120

Numbers = Mapping[str, float]


def times_table(runs: Sequence[Numbers], bounds: Sequence[float], carriers: int) -> Iterator[str]:
    """Table V beside our runs.

    Args:
        runs: what the frame measured in each
        bounds: the least time of each layout (s)
        carriers: how many there were
    """
    times = [run["seconds"] for run in runs]
    complete = sum(run["carriers_retrieved"] == carriers for run in runs)
    low, high = (float(np.quantile(times, share)) for share in (0.01, 0.99))
    rows = [
        ["runs", "5", str(len(runs))],
        ["all carriers retrieved", "5 of 5", f"{complete} of {len(runs)}"],
        ["mean (s)", f"{mean(TABLE_V):.0f}", f"{mean(times):.0f}"],
        ["standard deviation (s)", f"{stdev(TABLE_V):.0f}", f"{stdev(times):.0f}" if len(times) > 1 else "-"],
        ["median (s)", f"{median(TABLE_V):.0f}", f"{median(times):.0f}"],
        ["least, most (s)", f"{min(TABLE_V):.0f}, {max(TABLE_V):.0f}", f"{min(times):.0f}, {max(times):.0f}"],
        ["least possible (s)", f"{LEAST:.0f}", f"{min(bounds):.1f} to {max(bounds):.1f} by layout"],
    ]
    yield table(["", "published", "ours"], rows, range(1, 3))
    yield picture("Times until all is done, ours and the published ones", "images/logistics-times.svg")
    inside = sum(low <= time <= high for time in TABLE_V)
    faster = sum(_beats(run, bound, carriers) for run, bound in zip(runs, bounds, strict=True))
    within = MEAN_WITHIN[0] <= mean(times) <= MEAN_WITHIN[1]
    yield bullets(
        f"Our mean is {'' if within else 'not '}within {MEAN_WITHIN[0]:.0f} to {MEAN_WITHIN[1]:.0f} s, the 95 % "
        "interval of the published mean.",
        f"{inside} of the five published times {'is' if inside == 1 else 'are'} within our central 98 %, "
        f"{low:.0f} to {high:.0f} s.",
        f"{faster} {'run' if faster == 1 else 'runs'} retrieved all carriers in less than the bound of the layout.",
    )


def _beats(run: Numbers, bound: float, carriers: int) -> bool:
    """Whether a run did all in less than the least time (s), which would be a fault of the model."""
    return run["carriers_retrieved"] == carriers and run["seconds"] < bound


def robots_table(runs: Sequence[Numbers], brought: Sequence[Sequence[int]]) -> Iterator[str]:
    """Carriers of each robot, dockings by cause, warnings, clearance."""
    counts = Counter(each for run in brought for each in run)
    heads = [f"{number} carriers" if number != 1 else "1 carrier" for number in sorted(counts)]
    total = sum(counts.values())
    yield table(["share of robots with", *heads], [["", *(f"{counts[n] / total:.2f}" for n in sorted(counts))]])
    titles = {
        "docked": "dockings",
        "failed_lost": "failed: tag or map lost",
        "failed_blocked": "failed: something in the way",
        "failed_warned": "failed: a collision was likely",
        "failed_missed": "failed: not below the middle",
        "warnings": "collision warnings",
        "contacts": "motions that ended at something",
        "idle": "share of time standing",
        "carrying_share": "share of time carrying",
    }
    rows = [[title, f"{mean(run[key] for run in runs):.2f}"] for key, title in titles.items()]
    yield table(["mean of a run", ""], rows, range(1, 2))


def gap_table(measured: Sequence[float], simulator: Sequence[float]) -> Iterator[str]:
    """The same seeds with measured and with simulator-like sensing."""
    if len(measured) < 3:
        yield paragraph("The gap needs three seeds or more.")
        return
    found = paired_comparison(measured, simulator)
    yield table(
        ["", "time (s)"],
        [
            ["measured sensing, mean", f"{mean(measured):.0f}"],
            ["as in the simulator, mean", f"{mean(simulator):.0f}"],
            [
                "paired difference",
                f"{found.difference.mean:+.0f} ({found.interval.low:+.0f} to {found.interval.high:+.0f})",
            ],
        ],
        range(1, 2),
    )


def range_table(readings: int = 4000) -> Iterator[str]:
    """Mean errors of the ring's model in bins of 0.125 m, beside the published ones."""
    rows = []
    for start, end, published in RANGE_ERRORS:
        worst = {errs: _worst(errs, start, end, readings) for errs in ("measured", "simulator")}
        rows.append(
            [
                f"{start:g} to {end:g}",
                f"{1e3 * published:.0f}",
                *("-" if isnan(each) else f"{1e3 * each:.0f}" for each in worst.values()),
            ]
        )
    heads = ["distance (m)", "published, at most (mm)", "our `measured` (mm)", "`simulator` (mm)"]
    yield table(heads, rows, range(1, 4))


def _worst(errs: RangeModel, start: float, end: float, readings: int) -> float:
    """The largest mean error in the bins between two distances (m)."""
    ring, worst = VirtualRangeRing("ring", 1, errs), 0.0
    ring.robot = 1
    for first in np.arange(max(start, 0.005), end - 0.1, 0.125):
        distances = np.linspace(first, min(end, first + 0.125), readings)
        if distances[-1] > ring.reach:
            return float("nan")
        values = ring._read(tuple(distances.tolist()))
        errors = [value - true for value, true in zip(values, distances, strict=True) if value != NOTHING]
        worst = max(worst, abs(float(np.mean(errors))))
    return worst


def others() -> Iterator[str]:
    """Latency, power, directions, the wheel matrix, the least time."""
    optics = Optics120()
    thirty = ", ".join(f"{m:g} ({sd:g})" for m, sd in LATENCIES[30])
    yield "## Latency of the cameras\n"
    yield paragraph(
        f"Published at 30 Hz, with 1 to 5 cameras, mean (standard deviation) in ms: {thirty}. Modelled: "
        f"{1e3 * optics.latency:g} ({1e3 * optics.latency_spread:g}), at least {1e3 * optics.least_latency:.0f}."
    )
    yield "## Power (Table IV)\n"
    rows = []
    for what, powers in POWERS.items():
        printed, life = PUBLISHED_LIVES[what]
        rows.append([what, f"{sum(powers):g}", f"{USABLE / sum(powers):.1f}", f"{printed:g}", f"{life:g}"])
    yield table(["", "sum (W)", "life (h)", "printed (W)", "printed (h)"], rows, range(1, 5))
    yield paragraph(
        "The line of 9.5 W belongs to the computer: only so do the parts sum to the printed totals of 14 and 34 W."
    )
    yield "## Directions (equation 1)\n"
    rows = [
        [f"variance {variance:g}", f"{chance_towards(variance):.3f}", said]
        for variance, said in ((9.0, "0.6, if 3.0 is a standard deviation"), (3.0, "0.6"), (1.0, "0.9"))
    ]
    yield table(["", "chance towards -x", "the paper says"], rows, range(1, 2))
    yield "## Wheels\n"
    left = body_velocity(*(np.array(PRINTED) @ (0.0, 1.0, 0.0)).tolist())
    yield paragraph(
        f"To the left at 1 m/s the wheels roll at {', '.join(f'{each:.3f}' for each in wheel_speeds(0, 1, 0))} m/s. By "
        f"the matrix as printed the body would go {left[0]:.3f} m/s ahead and {left[1]:.3f} m/s to the left, and turn."
    )
    yield "## Least time\n"
    yield paragraph(
        f"3 m, 3 m and twice 5 s: {LEAST:g} s are published, {least_time(3.0, 3.0):.1f} s with 2 m/s2 and 20 m/s3."
    )
