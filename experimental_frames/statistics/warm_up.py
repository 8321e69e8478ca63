"""Where the transient of a run ends: MSER-5 (White, 1997; White, Cobb and Spratt, 2000)."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.statistics.series import Numbers, StatisticsError, checked


class WarmUp(Struct, frozen=True):
    """The beginning of a series that is to be left out.

    Attributes:
        length: so many values, a multiple of the batch
        settled: whether the best place to cut lies before the last one that was tried; if not, the transient has
            probably not ended within the run
        mean: of the values that are left
    """

    length: int
    settled: bool
    mean: float


def mser5(values: Numbers, batch: int = 5) -> WarmUp:
    """Leave out as many values as make the standard error of the mean of the others the least.

    The values are averaged in batches, and of the k batches the first d are left out for which
    ``sum((z_i - mean)^2) / (k - d)^2``, over those that are left, is least, with d <= k / 2: a cut in the second half
    rests on too few values.

    It assumes a transient that dies away, and noise about the same afterwards as in it. A drift has no
    such place, and the cut comes out late: `settled` is then often, not always, False.

    Args:
        values: of one run, in order, equally spaced
        batch: values averaged at a time; 5 is what the name says

    Raises:
        StatisticsError: fewer than 10 batches, or a batch without values
    """
    if batch < 1:
        raise StatisticsError(f"MSER with batches of {batch} values is not possible: give 1 or more")
    series = checked(values, 10 * batch, "a warm-up by MSER")
    count = series.size // batch
    means = series[: count * batch].reshape(count, batch).mean(axis=1)
    around = means - means.mean()
    left = np.arange(count, 0, -1)
    sums = np.cumsum(around[::-1])[::-1]
    squares = np.cumsum(around[::-1] ** 2)[::-1]
    errors = np.maximum(squares - sums**2 / left, 0.0) / left**2.0
    last = count // 2
    cut = int(np.argmin(errors[: last + 1]))
    return WarmUp(cut * batch, cut < last, float(series[cut * batch :].mean()))
