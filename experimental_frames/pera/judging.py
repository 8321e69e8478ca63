"""What Karunarathna et al. say of their experiments in words, and what our measurements say to that.

The values of their figures 9, 11 and 12 are in pictures alone; none of them stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isnan
from typing import Literal

from msgspec import Struct

from devs_robotics.experimental_frames.pera.results import CallRoundTrip, Clock, Load, Results, SensingDelay, WalkRun
from devs_robotics.experimental_frames.statistics.estimates import Estimate, mean_of

Verdict = Literal["holds", "does not hold", "not decided"]

PAIRS = ("RR", "RV", "VR", "VV")
"""Ordered pairs of realities: who asks, and who answers."""

KINDS = ("R-R", "R-V", "V-V")
"""Pairs of realities, in the order of `WalkRun.rates`."""

MOST_APART = 0.025
"""Delays that differ by no more are about the same (s): a tenth of the published ones, which sleeps would hide."""


class Judgement(Struct, frozen=True):
    """One statement that was published, beside ours.

    Attributes:
        experiment: its number
        what: is stated
        published: what the text says
        ours: in numbers
        verdict: whether it holds here
        note: what was really measured, or why it is not decided
    """

    experiment: int
    what: str
    published: str
    ours: str
    verdict: Verdict
    note: str


def judged(results: Results) -> list[Judgement]:
    """All statements on what was measured."""
    found: list[Judgement] = []
    if results.walks:
        found += _of_walks(results.walks)
    if results.delays:
        found += _of_delays(results.delays)
    if results.round_trips:
        found += _of_round_trips(results.round_trips)
    if results.loads:
        found += _of_loads(results.loads)
    return found


# experiment 1


def usual(walks: Sequence[WalkRun]) -> list[WalkRun]:
    """Those at the camera of the first ones."""
    return [run for run in walks if (run.period, run.delay) == (walks[0].period, walks[0].delay)]


def rate(runs: Iterable[WalkRun], kind: int, name: str) -> Estimate:
    """Collisions per pair and minute."""
    return mean_of([60.0 * run.rates[kind] for run in runs], name, signed=False)


def counts(runs: Iterable[WalkRun], kind: int, name: str) -> Estimate:
    """Collisions in a run."""
    taken = [(run.real_real, run.real_virtual, run.virtual_virtual)[kind] for run in runs]
    return mean_of(taken, name, signed=False)


def _of_walks(walks: Sequence[WalkRun]) -> list[Judgement]:
    runs = usual(walks)
    thresholds = sorted({run.threshold for run in runs})
    least = [run for run in runs if run.threshold == thresholds[0]]
    most = [run for run in runs if run.threshold == thresholds[-1]]
    found = []
    for title, estimate, unit in (("counts", counts, " a run"), ("rates per pair", rate, "/min")):
        every = [estimate(least, kind, f"{title} {name}") for kind, name in enumerate(KINDS)]
        ours = ", ".join(f"{name} {told(each)}{unit}" for name, each in zip(KINDS, every, strict=True))
        note = (
            "5 + 5 robots have 10 R-R, 25 R-V and 10 V-V pairs: counts are no rates."
            if title == "counts"
            else "What a collision is, and the thresholds, are not published."
        )
        order = _descending(every)
        what = f"{title} at {100 * thresholds[0]:g} cm"
        found.append(Judgement(1, what, "most between R and R, then R and V, then V and V", ours, order, note))
    both = [
        mean_of([sum(_known(run.rates)) * 60.0 for run in group], "all pairs", signed=False) for group in (least, most)
    ]
    places = [
        f"{told(each)} at {100 * end:g} cm" for each, end in zip(both, (thresholds[0], thresholds[-1]), strict=True)
    ]
    ours = f"{', '.join(places)} (sum of rates, /min)"
    found.append(Judgement(1, "threshold", "fewer collisions as it grows", ours, _descending(both), ""))
    return found + _of_cameras(walks)


def _of_cameras(walks: Sequence[WalkRun]) -> list[Judgement]:
    found = []
    for name, other in (("period", "delay"), ("delay", "period")):
        groups: dict[float, list[WalkRun]] = {}
        for run in walks:
            same = getattr(run, other) == getattr(walks[0], other) and run.threshold == walks[0].threshold
            if same and getattr(run, name) >= getattr(walks[0], name):
                groups.setdefault(getattr(run, name), []).append(run)
        if len(groups) < 2:
            continue
        every = [(value, rate(groups[value], 1, f"camera {name} {value}")) for value in sorted(groups)]
        ours = ", ".join(f"{told(each)} at {1000 * value:.0f} ms" for value, each in every)
        ends = [every[-1][1], every[0][1]]
        text = "the camera's delay is named as a cause of R-V collisions"
        note = "Ours varies it; the paper does not."
        found.append(Judgement(1, f"R-V and the camera's {name}", text, f"{ours} (/min)", _descending(ends), note))
    return found


# experiment 2


def delays(results: Iterable[SensingDelay], clock: Clock, reality: str) -> list[float]:
    """Delays by one clock (s)."""
    return [each.seconds for each in results if (each.clock, each.reality) == (clock, reality)]


def _of_delays(measured: Sequence[SensingDelay]) -> list[Judgement]:
    world, client, program = (
        {reality: mean_of(delays(measured, clock, reality), f"{clock} {reality}", signed=False) for reality in "VR"}
        for clock in ("world", "client", "program")
    )
    ours = (
        f"world {_ms(world['V'])} and {_ms(world['R'])}, bare client {_ms(client['V'])} and {_ms(client['R'])}, "
        f"programs {_ms(program['V'])} and {_ms(program['R'])}"
    )
    difference = 1000.0 * (client["R"].mean - client["V"].mean)
    slow = client["V"].mean >= 0.1
    return [
        Judgement(
            2,
            "a reading of the distance sensor, V and R",
            "254 ms and 300 ms",
            ours,
            "holds" if slow else "does not hold",
            "The published delays are sleeps of the programs: the library sleeps 250 ms before it looks, and the "
            "firmware blinks for 200 ms. Here they are put into the programs, and not measured; what world and broker "
            "take is the rest.",
        ),
        Judgement(
            2,
            "difference between R and V",
            "46 ms (SD 6)",
            f"bare clients {difference:+.2f} ms",
            "holds" if 34.0 <= difference <= 58.0 else "does not hold",
            "The world takes robots of both realities alike; the difference is one of programs.",
        ),
    ]


# experiment 3


def trips(measured: Iterable[CallRoundTrip], clock: Clock, pair: str) -> list[float]:
    """Round trips of an ordered pair of realities by one clock (s)."""
    return [each.seconds for each in measured if (each.clock, each.pair) == (clock, pair)]


def _of_round_trips(measured: Sequence[CallRoundTrip]) -> list[Judgement]:
    found = []
    for clock, called in (("client", "bare clients"), ("program", "programs that look once a second")):
        every = {pair: mean_of(trips(measured, clock, pair), f"{clock} {pair}", signed=False) for pair in PAIRS}  # type: ignore[arg-type]
        ours = ", ".join(f"{pair[0]} to {pair[1]} {_ms(each)}" for pair, each in every.items())
        others = [every[pair] for pair in PAIRS if pair != "VV"]
        longest: Verdict = "not decided"
        if all(_above(every["VV"], each) for each in others):
            longest = "holds"
        elif any(_above(each, every["VV"]) for each in others):
            longest = "does not hold"
        note = (
            "As with the published sleeps; these are most of the time." if clock == "program" else "No sleeps at all."
        )
        found.append(Judgement(3, f"round trips, {called}", "from V to V the longest", ours, longest, note))
        order = _descending([every["RV"], every["VR"]])
        text = "from R to V longer than from V to R"
        ours = f"R to V {_ms(every['RV'])}, V to R {_ms(every['VR'])}"
        found.append(Judgement(3, f"the two mixed pairs, {called}", text, ours, order, note))
    return found


# experiment 4


def _of_loads(loads: Sequence[Load]) -> list[Judgement]:
    found = []
    for each_rate in dict.fromkeys(each.rate for each in loads):
        row = [each for each in loads if each.rate == each_rate]
        first, last = min(row, key=lambda each: each.robots), max(row, key=lambda each: each.robots)
        lost = sum(each.asked - each.answered for each in row)
        ours = (
            f"median {1000 * first.p50:.1f} ms with {first.robots} robots, "
            f"{1000 * last.p50:.1f} ms with {last.robots}; "
            f"{lost} of {sum(each.asked for each in row)} lost"
        )
        alike = last.p50 - first.p50 <= MOST_APART and lost == 0
        note = (
            "The published programs sleep 250 ms before they look, so that no server's delay below that can show. "
            "Questions come at their times here, answered or not."
        )
        verdict: Verdict = "holds" if alike else "does not hold"
        text = "approximately the same for 10 to hundreds of robots"
        found.append(Judgement(4, f"delay at {each_rate:g} Hz each", text, ours, verdict, note))
    return found


# words


def told(estimate: Estimate, scale: float = 1.0, digits: int = 2) -> str:
    """A mean with its interval, for people."""
    if isnan(estimate.mean):
        return "–"
    text = f"{scale * estimate.mean:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} ({scale * estimate.low:.{digits}f} to {scale * estimate.high:.{digits}f})"


def _ms(estimate: Estimate) -> str:
    return f"{told(estimate, 1000.0)} ms"


def _known(values: Iterable[float]) -> list[float]:
    return [value for value in values if not isnan(value)]


def _above(one: Estimate, other: Estimate) -> bool:
    """Whether one is above another, and their intervals do not meet."""
    if one.low is None or other.high is None:
        return False
    return one.low > other.high


def _descending(every: Sequence[Estimate]) -> Verdict:
    """Whether each is above the next."""
    if all(_above(one, other) for one, other in pairwise(every)):
        return "holds"
    return "does not hold" if any(_above(other, one) for one, other in pairwise(every)) else "not decided"
