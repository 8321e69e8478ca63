"""The responses of a random design, block by block: what Morris' and Sobol's methods are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.series import Array
from devs_robotics.experimental_frames.sweep.counting import MOST_LEFT_OUT, Counted, by_replicate, counted
from devs_robotics.experimental_frames.sweep.reading import Row, Sweep, SweepError, number
from devs_robotics.experimental_frames.sweep.settings import grouped, numeric
from devs_robotics.experimental_frames.sweep.wording import capital, percent, verb

SAME = "it is the same at every point"


class Blocks(Struct, frozen=True):
    """The blocks of a design of which every point has a response.

    A block is a trajectory of Morris' or a row of Saltelli's matrices: points that only mean something together. A
    point's response is the mean over those replicates that count at all points of its block.

    Attributes:
        called: what a block is, in the plural
        fewest: blocks that are needed for a conclusion
        inputs: (blocks x points, keys), in the keys' units
        responses: (blocks x points,)
        blocks: how many
        planned: how many there would be if all runs counted
        replicates: runs behind a response, on average
        chance: variance of a response that is chance alone; NaN where no point has two replicates
        count: the runs behind it
    """

    called: str
    fewest: int
    inputs: Array
    responses: Array
    blocks: int
    planned: int
    replicates: float
    chance: float
    count: Counted

    @property
    def withheld(self) -> str:
        """Why nothing is to be concluded from the blocks; empty if something is."""
        out = 1.0 - self.blocks / self.planned if self.planned else 0.0
        if out > MOST_LEFT_OUT:
            return (
                f"{percent(out)} % of the {self.called} have a point without a run that counts ({self.count.note}), "
                "and those are not spread evenly over the ranges: narrow the ranges to where the "
                f"{self.count.team} holds together"
            )
        if self.blocks < self.fewest:
            return f"{self.blocks} {self.called} are too few: {self.fewest} are needed"
        return SAME if np.ptp(self.responses) <= 1e-12 * np.abs(self.responses).max() else ""

    @property
    def chance_share(self) -> float:
        """How much of the responses' variance is chance; NaN where that is not known."""
        variance = float(self.responses.var()) if self.responses.size else 0.0
        return nan if isnan(self.chance) or not variance else min(1.0, self.chance / variance)

    def conclusions(self, metric: Metric, findings: Sequence[str]) -> tuple[str, ...]:
        """What is found, or why nothing is, and from what: sentences.

        Args:
            metric: which one
            findings: what is found, if nothing is withheld
        """
        withheld = self.withheld
        if withheld == SAME:
            return (capital(f"{metric.title} {verb(metric, 'does')} not change at all: {SAME}"),)
        if withheld:
            return (capital(f"of {metric.title} nothing is concluded, since {withheld}"),)
        sentences = list(findings)
        if isnan(self.chance):
            sentences.append("with one run per point, chance is not told apart from what settings do together")
        if self.count.note:
            out = self.planned - self.blocks
            sentences.append(f"{self.count.note}, and {out} of {self.planned} {self.called}")
        return tuple(map(capital, sentences))


def blocks_of(sweep: Sweep, metric: str, size: int, *, called: str, fewest: int) -> Blocks:
    """The blocks of a sweep.

    Args:
        sweep: points of one block have consecutive numbers, in the order of the design
        metric: name of its column
        size: points in a block
        called: what a block is, in the plural
        fewest: blocks that are needed for a conclusion

    Raises:
        SweepError: a varied key is not a number in some run
    """
    if not numeric(sweep.rows, sweep.keys):
        raise SweepError("a random design varies numbers only, and a key of this sweep has other values")
    count = counted(sweep.rows, metric, sweep.subject)
    runs = {number(rows[0], "point"): rows for rows in grouped(count.rows, ("point",)).values()}
    planned = 1 + int(max((number(row, "point") for row in sweep.rows), default=-1.0)) // size
    kept = [found for block in range(planned) if (found := _block(runs, metric, block, size)) is not None]
    inputs = [[number(rows[0], key) for key in sweep.keys] for points, _ in kept for rows in points]
    tables = [table for _, table in kept]
    noisy = [table for table in tables if table.shape[1] > 1]
    replicates = float(np.mean([table.shape[1] for table in tables])) if tables else 0.0
    return Blocks(
        called=called,
        fewest=fewest,
        inputs=np.array(inputs, dtype=np.float64).reshape(-1, len(sweep.keys)),
        responses=np.concatenate([table.mean(axis=1) for table in tables]) if tables else np.empty(0),
        blocks=len(kept),
        planned=planned,
        replicates=replicates,
        chance=float(np.mean([_residual(table) for table in noisy])) / replicates if noisy else nan,
        count=count,
    )


def _block(
    runs: dict[float, list[Row]], metric: str, block: int, size: int
) -> tuple[list[Sequence[Row]], Array] | None:
    """Its points' runs, and their responses (points, replicates); None if a point has none."""
    points = [runs.get(float(point), []) for point in range(block * size, (block + 1) * size)]
    values = [by_replicate(rows, metric) for rows in points]
    common = sorted(set.intersection(*(set(known) for known in values)))
    if not common:
        return None
    return list(points), np.array([[known[replicate] for replicate in common] for known in values])


def _residual(table: Array) -> float:
    """Variance that neither the point nor the replicate explains."""
    left = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0, keepdims=True) + table.mean()
    return float((left**2).sum() / ((table.shape[0] - 1) * (table.shape[1] - 1)))
