"""What the paper's text gives of its figures, held against our runs: numbers, and a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.convoy.paper_figures.runs import Band, Noise, PaperRun, of, point, ratios
from devs_robotics.experimental_frames.convoy.published import AVERAGE_ERROR, NOISE_SETS, ROBOTS, SIZES

NEAR = 0.1
"""A level is near the published one if it is within this share of it."""

NEAR_RISE = 2.0
"""A rise is near the published one if it is so many percentage points off, and a rise."""

MOST_GROWTH = 5.0
"""Errors do not accumulate if, by the interval's upper end, they grow by no more than this (%)."""


Verdict = Literal["agrees", "near", "not near", "not decided"]


class ComparedValue(Struct, frozen=True):
    """One published statement beside ours.

    Attributes:
        figure: of the paper
        what: it is about
        published: as a text
        ours: the same
        interval: of ours at 95 %, as a text; empty where there is none
        verdict: whether ours agrees, which takes the published value to be in our interval, or comes near at least
        sentence: the finding
    """

    figure: int
    what: str
    published: str
    ours: str
    interval: str
    verdict: Verdict
    sentence: str


def compared(runs: Sequence[PaperRun]) -> list[ComparedValue]:
    """Everything that can be compared; what has no runs that count is left out."""
    return [*_levels(runs), *_rises(runs), *_boundedness(runs), *_growth(runs)]


def _levels(runs: Sequence[PaperRun]) -> Iterator[ComparedValue]:
    for number, noise in enumerate(NOISE_SETS, start=1):
        ours = point(100.0 * run.average_m for run in of(runs, noise, ROBOTS))
        if not ours.runs:
            continue
        published = AVERAGE_ERROR[noise]
        mean = float(ours.mean[0])
        ratio = published / mean
        near = abs(mean - published) <= NEAR * published
        inside = bool(ours.low[0] <= published <= ours.high[0])
        yield ComparedValue(
            10 if number != 2 else 9,
            f"average E at set {number}, {ROBOTS} robots",
            f"{published}",
            *_texts(ours, "cm"),
            _verdict(
                near,
                agrees=inside,
                undecided=ours.low[0] <= (1.0 + NEAR) * published and ours.high[0] >= (1.0 - NEAR) * published,
            ),
            f"The published level is {ratio:.2f} times ours"
            + (
                "."
                if near
                else ": not near. The paper gives neither the leader's step nor the distance between robots."
            ),
        )


def _rises(runs: Sequence[PaperRun]) -> Iterator[ComparedValue]:
    reference = of(runs, NOISE_SETS[0], ROBOTS)
    for number, noise in enumerate(NOISE_SETS[1:], start=2):
        ours = point(100.0 * (ratio - 1.0) for ratio in ratios(of(runs, noise, ROBOTS), reference))
        if not ours.runs:
            continue
        published = 100.0 * (AVERAGE_ERROR[noise] / AVERAGE_ERROR[NOISE_SETS[0]] - 1.0)
        inside = bool(ours.low[0] <= published <= ours.high[0])
        off = abs(float(ours.mean[0]) - published)
        near = inside or (off < NEAR_RISE and ours.mean[0] > 0)
        yield ComparedValue(
            10,
            f"rise of E from set 1 to set {number}",
            f"{published:+.1f} %",
            *_texts(ours, "%", sign=True),
            _verdict(near, agrees=inside, undecided=not ours.has_intervals),
            f"The published rise is {'in our interval' if inside else f'{off:.1f} percentage points off'}"
            f"{', outside our interval' if ours.has_intervals and not inside else ''}; {_noise_rise(noise)}.",
        )


def _noise_rise(noise: Noise) -> str:
    dnf, anf = (100.0 * (value / first - 1.0) for value, first in zip(noise, NOISE_SETS[0], strict=True))
    return f"the noise rises by {dnf:.0f} % (DNF) and {anf:.0f} % (ANF)"


def _boundedness(runs: Sequence[PaperRun]) -> Iterator[ComparedValue]:
    """Whether E goes on growing: the last third of each run against the one before it."""
    for number, noise in enumerate(NOISE_SETS, start=1):
        kept = of(runs, noise, ROBOTS)
        if not kept:
            continue
        ours = point(map(_late_change, kept))
        most = float(ours.high[0])
        yield ComparedValue(
            10,
            f"change of E late in a run, set {number}",
            "errors do not accumulate",
            *_texts(ours, "%", sign=True),
            _verdict(most <= MOST_GROWTH, agrees=most <= MOST_GROWTH, undecided=not ours.low[0] > 0.0),
            "From the second third of the moves to the last: "
            + (
                f"growth by more than {MOST_GROWTH:g} % is ruled out."
                if most <= MOST_GROWTH
                else "growth is not ruled out."
            ),
        )


def _late_change(run: PaperRun) -> float:
    """From the second third of a run's moves to the last (%)."""
    _, middle, last = np.array_split(run.errors_m, 3)
    return 100.0 * float(last.mean() / middle.mean() - 1.0)


def _growth(runs: Sequence[PaperRun]) -> Iterator[ComparedValue]:
    noise = NOISE_SETS[1]
    sizes = [size for size in SIZES if of(runs, noise, size)]
    if len(sizes) < 2:
        return
    ours = {size: point(100.0 * run.average_m for run in of(runs, noise, size)) for size in sizes}
    rising = all(ours[less].mean[0] < ours[more].mean[0] for less, more in pairwise(sizes))
    sure = all(mean.has_intervals for mean in ours.values())
    clear = all(ours[less].high[0] < ours[more].low[0] for less, more in pairwise(sizes))
    total = ours[sizes[-1]].mean[0] / ours[sizes[0]].mean[0] - 1.0
    yield ComparedValue(
        11,
        f"average E against N = {', '.join(map(str, sizes))}, set 2",
        "increases with N",
        ", ".join(f"{ours[size].mean[0]:.1f}" for size in sizes) + " cm",
        "",
        _verdict(rising, agrees=rising and clear, undecided=not sure or _overlap([ours[size] for size in sizes])),
        f"E {'rises' if rising else 'does not rise'} from each N to the next"
        + (", more than the intervals are wide" if clear else "; some intervals overlap" if rising and sure else "")
        + f": {100 * total:+.1f} % from {sizes[0]} to {sizes[-1]} robots. The paper's text gives no other values.",
    )


def _verdict(near: bool, *, agrees: bool, undecided: bool) -> Verdict:
    """What agrees, comes near or does not, and what is open because of the intervals, or for want of them."""
    return "agrees" if near and agrees else "near" if near else "not decided" if undecided else "not near"


def _overlap(means: Sequence[Band]) -> bool:
    """Whether each mean might be larger than the one before it."""
    return all(less.low[0] < more.high[0] for less, more in pairwise(means))


def _texts(estimate: Band, unit: str, *, sign: bool = False) -> tuple[str, str]:
    """A mean and its interval."""
    mean, low, high = (
        format(float(end[0]), "+.1f" if sign else ".1f").replace("-", "−")
        for end in (estimate.mean, estimate.low, estimate.high)
    )
    return f"{mean} {unit}", f"{low} to {high}" if estimate.has_intervals else ""
