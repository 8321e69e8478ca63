"""Stages side by side: means, paired differences to the reference, and what can be read from them."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.estimates import Estimate, mean_of, paired_difference
from devs_robotics.experimental_frames.study.records import Study

FEWEST_FOR_SIGNS = 5
"""With fewer pairs than this, chance alone often gives all differences the same sign."""


RARE = "nothing is concluded from a value that few runs have"


class PairedReading(Struct, frozen=True):
    """A stage's paired difference to the reference, and its reading in plain words."""

    difference: Estimate
    reading: str


class QuantityRow(Struct, frozen=True):
    """One quantity in all stages.

    Attributes:
        quantity: which one
        means: by stage
        differences: by stage, but for the reference
    """

    quantity: Metric
    means: dict[str, Estimate]
    differences: dict[str, PairedReading]


def rows(study: Study) -> list[QuantityRow]:
    """Each quantity in each stage of a study, over the runs that count; but for what was measured in none of them."""
    compared = study.compared
    first = {compared.measure, compared.followed.metric if compared.followed is not None else ""}
    found = [_row(study, quantity) for quantity in compared.metrics]
    return [row for row in found if row.quantity.name in first or any(mean.n for mean in row.means.values())]


def reading(difference: Estimate, quantity: Metric) -> str:
    """What a paired difference says, computed from its numbers."""
    low, high, unit = difference.low, difference.high, f" {quantity.unit}" if quantity.unit else ""
    if not difference.n:
        return "nothing to compare"
    if low is None or high is None:
        return RARE if quantity.rare else too_few(difference.n)
    if all(map(quantity.vanishes, (low, high))):
        return "the same"
    if difference.n < FEWEST_FOR_SIGNS:
        return too_few(difference.n)
    if low <= 0.0 <= high or quantity.vanishes(low) or quantity.vanishes(high):  # what is shown as 0 is not less
        return "no difference can be told apart from chance"
    word = "larger" if difference.mean > 0.0 else "smaller"
    return f"{word} by {quantity.text(abs(difference.mean))}{unit}"


def too_few(pairs: int) -> str:
    """What can be read from fewer than `FEWEST_FOR_SIGNS` pairs of runs."""
    are = "1 pair of runs is" if pairs == 1 else f"{pairs} pairs of runs are"
    return f"{are} too few to tell a difference apart from chance"


def _row(study: Study, quantity: Metric) -> QuantityRow:
    key = quantity.name
    values = {
        stage: {run.seed: run.values[key] for run in study.of(stage) if key in run.values} for stage in study.stages
    }
    means = {
        stage: mean_of(values[stage].values(), key, signed=quantity.signed, rare=quantity.rare)
        for stage in study.stages
    }
    differences = {}
    for stage in study.others:
        difference = paired_difference(values[stage], values[study.reference], key, rare=quantity.rare)
        differences[stage] = PairedReading(difference, reading(difference, quantity))
    return QuantityRow(quantity, means, differences)
