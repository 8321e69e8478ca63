"""The four discharge models of measured points, by least squares, and how far they are from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.models.batteries.coefficients import DISCHARGES, Coefficients, DischargeName
from devs_robotics.models.batteries.curves import Curve, rises_at
from devs_robotics.models.batteries.discharge import Discharge
from devs_robotics.models.batteries.linear import LinearDischarge
from devs_robotics.models.batteries.measured import Measured, MeasuredError, Point
from devs_robotics.models.batteries.simple import SimpleDischarge

PUBLISHED = {
    "published, analysis": (0.0221, 0.0170, 0.0020, 0.0025),
    "published, in ARGoS": (0.0216, 0.0167, 0.0019, 0.0023),
}
"""Mean square errors of the simple, linear, cubic and approximated model (Stolfi & Danoy, Table 5)."""

PLACES = 50
"""At so many more than 21 a curve is held to its fall, at most; if that is not enough, it is a straight line."""

TOO_NEAR = 1e-10
"""Where the points say less than this of a coefficient, in proportion to the others, they do not determine it."""

FALL = 1e-3
"""Least share of the charge that such a curve loses per duration, wherever it is."""

NEARLY_FULL, NEARLY_EMPTY = 0.9, 0.1
"""Charges that the points of a speed should reach."""

SURELY = 1000.0
"""Durations after which a cubic that is never 0 has risen."""

Numbers = NDArray[np.floating[Any]]


class BatteryFit(Struct, frozen=True):
    """What was fitted.

    Attributes:
        coefficients: of all four models
        errors: mean square errors by the model's name, one per speed
        warnings: what is to be known of some curves, a sentence each
    """

    coefficients: Coefficients
    errors: dict[DischargeName, list[float]]
    warnings: tuple[str, ...]

    @property
    def averages(self) -> dict[DischargeName, float]:
        """Mean square errors by the model's name, averaged over speeds, which count alike."""
        return {name: fmean(errors) for name, errors in self.errors.items()}


def fit(measured: Measured, source: str) -> BatteryFit:
    """BatteryFit all models; every curve and line begins with a full battery at time 0.

    Args:
        measured: points by speed, some of them at rest
        source: where they come from, for people

    Raises:
        MeasuredError: the charge at some speed does not fall
    """
    warnings = list(incomplete(measured))
    slopes = {speed: _line(speed, points, source) for speed, points in measured.items()}
    curves = {speed: _curve(speed, points, slopes[speed], source, warnings) for speed, points in measured.items()}
    moving = fmean(curve.duration for speed, curve in curves.items() if speed)
    coefficients = Coefficients(
        f"fitted to {source}",
        SimpleDischarge(-1.0 / curves[0.0].duration, -1.0 / moving),
        LinearDischarge(tuple(slopes), tuple(slopes.values())),
        tuple(curves.values()),
    )
    errors = {name: mean_square_errors(coefficients.discharge(name), measured) for name in DISCHARGES}
    return BatteryFit(coefficients, errors, tuple(warnings))


def mean_square_errors(discharge: Discharge, measured: Measured) -> list[float]:
    """Of a model: sum (Y - Y')^2 / n per speed, where Y' is what the model says from full charge (their eq. 3)."""
    found = []
    for speed, points in measured.items():
        decline = discharge.decline(speed / 100.0)
        found.append(fmean((point.charge - decline.charge_at(point.time)) ** 2 for point in points))
    return found


def _line(speed: float, points: Sequence[Point], source: str) -> float:
    """The slope of the least-squares line through full charge at time 0 (1/s).

    Raises:
        MeasuredError: it does not fall
    """
    slope = sum(point.time * (point.charge - 1.0) for point in points) / sum(point.time**2 for point in points)
    if slope < 0.0:
        return slope
    raise MeasuredError(
        f"{source}, line {points[-1].line}: the charge at {speed:g} cm/s does not fall with time: give rows of a "
        "battery that discharges"
    )


def _curve(speed: float, points: Sequence[Point], slope: float, source: str, warnings: list[str]) -> Curve:
    """The least-squares cubic; where that rises, the best one that falls, with a warning.

    Raises:
        MeasuredError: the times do not determine it
    """
    times, charges = np.array([point.time for point in points]), np.array([point.charge for point in points])
    scale = max(float(times.max()), -1.0 / slope)
    shares = times / scale
    best, _, rank, _ = np.linalg.lstsq(_powers(shares), charges - 1.0, TOO_NEAR)
    if rank < len(best):
        raise MeasuredError(
            f"{source}, line {points[-1].line}: the times at {speed:g} cm/s are too near to each other for a cubic: "
            "give rows from a full battery to an empty one"
        )
    end = _end(best)
    rising = rises_at(_coefficients(best, 1.0), SURELY if end is None else end)
    if rising is not None or end is None:
        falling = _falling(shares, charges)
        warnings.append(
            f"the best cubic of {speed:g} cm/s rises after {(rising or 0.0) * scale / 3600.0:.2f} h, where one charge "
            "would have several times: the best one that falls is taken, with a mean square error of "
            f"{_error(falling, shares, charges):.4f} instead of {_error(best, shares, charges):.4f}"
        )
        best, end = falling, _end(falling)
    assert end is not None
    return Curve(speed, _coefficients(best, scale), end * scale)


def _powers(shares: Numbers) -> Numbers:
    return np.stack([shares, shares**2, shares**3], axis=1)


def _coefficients(factors: Numbers, scale: float) -> tuple[float, float, float]:
    """Of a polynomial of the time, from those of the share of `scale` (s) that has passed."""
    c1, c2, c3 = (float(factor) / scale**power for power, factor in enumerate(factors, 1))
    return c1, c2, c3


def _end(factors: Numbers) -> float | None:
    """Where 1 + c1 u + c2 u^2 + c3 u^3 is 0 for the first time after 0; None: nowhere."""
    roots = np.roots([*factors[::-1], 1.0])
    real = [float(root.real) for root in roots if abs(root.imag) < 1e-9 * abs(root) and root.real > 0.0]
    return min(real, default=None)


def _error(factors: Numbers, shares: Numbers, charges: Numbers) -> float:
    return float(np.mean((1.0 + _powers(shares) @ factors - charges) ** 2))


def _falling(shares: Numbers, charges: Numbers) -> Numbers:
    """The best cubic that falls everywhere and is 0 when the best line is, or at the last point, at the latest.

    It is held to it at some places; where it still rises between them, there is one place more.
    """
    places = np.linspace(0.0, 1.0, 21)
    for _ in range(PLACES):
        slopes = np.stack([np.ones_like(places), 2.0 * places, 3.0 * places**2], axis=1)
        limits = np.vstack([-slopes, -np.ones((1, 3))])
        best = _least_squares(_powers(shares), charges - 1.0, limits, np.array([FALL] * len(places) + [1.0]))
        end = _end(best)
        if end is not None and rises_at(_coefficients(best, 1.0), end) is None:
            return best
        places = np.append(places, np.clip(-best[1] / (3.0 * best[2]), 0.0, 1.0) if best[2] else 0.0)
    return np.array([-1.0, 0.0, 0.0])


def _least_squares(matrix: Numbers, wanted: Numbers, limits: Numbers, least: Numbers) -> Numbers:
    """What minimises |matrix x - wanted| where limits x >= least (Lawson & Hanson, chapter 23)."""
    from scipy.optimize import nnls  # type: ignore[import-untyped]  # slow to load, and seldom needed

    rotation, triangle = np.linalg.qr(matrix)
    inverse = np.linalg.inv(triangle)
    there = rotation.T @ wanted
    sides = limits @ inverse
    system = np.vstack([sides.T, (least - sides @ there)[None, :]])
    scale = np.abs(system).max(axis=0)
    target = np.array([0.0] * len(there) + [1.0])
    rest = system @ (nnls(system / scale, target)[0] / scale) - target
    return np.asarray(inverse @ (there - rest[:-1] / rest[-1]), dtype=np.float64)


def incomplete(measured: Measured) -> Iterator[str]:
    """What is to be said of speeds that were not measured from a full battery to an empty one."""
    for speed, points in measured.items():
        charges = [point.charge for point in points]
        if max(charges) < NEARLY_FULL:
            yield (
                f"the highest charge at {speed:g} cm/s is {max(charges):g} (line {points[0].line}): curves begin with "
                "a full battery at time 0, so measure from there on"
            )
        if min(charges) > NEARLY_EMPTY:
            yield (
                f"the lowest charge at {speed:g} cm/s is {min(charges):g} (line {points[-1].line}): what the curve "
                "says of less is a guess, so measure until the robot stops"
            )
