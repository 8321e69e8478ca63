"""Curves and discharge models of any shape, for tests of batteries."""

from __future__ import annotations

from math import ceil, floor

from hypothesis import strategies as st

from devs_robotics.models.batteries import (
    ApproximatedDischarge,
    CubicDischarge,
    Curve,
    Discharge,
    LinearDischarge,
    SimpleDischarge,
)
from devs_robotics.models.batteries.curves import rises_at

shares = st.integers(-24, 24).map(lambda number: number / 8.0)
durations = st.integers(2_000, 20_000).map(float)
shapes = st.tuples(shares, shares).map(lambda bend: (bend[0] - 1.0, bend[1] - bend[0], -bend[1]))
"""Coefficients of (1 - u) (1 + a u + b u^2), which is 1 at 0 and 0 at 1."""

falling_shapes = shapes.filter(lambda shape: rises_at(shape, 1.0) is None)


def curve(speed_cm: float, shape: tuple[float, float, float], duration: float) -> Curve:
    c1, c2, c3 = (factor / duration**power for power, factor in enumerate(shape, 1))
    return Curve(speed_cm, (c1, c2, c3), duration)


def is_steep(shape: tuple[float, float, float]) -> bool:
    """Whether it falls everywhere at a tenth of its mean rate at least."""
    c1, c2, c3 = shape
    return rises_at((c1 + 0.1, c2, c3), 1.0) is None


def curves_of(shapes: st.SearchStrategy[tuple[float, float, float]]) -> st.SearchStrategy[tuple[Curve, ...]]:
    """Curves of 0, 1 and so on cm/s."""
    return st.lists(st.tuples(shapes, durations), min_size=2, max_size=3).map(
        lambda made: tuple(curve(float(speed_cm), *each) for speed_cm, each in enumerate(made))
    )


curves = curves_of(falling_shapes)
steep_curves = curves_of(falling_shapes.filter(is_steep))
slopes = st.floats(-1e-3, -1e-5)
discharges: st.SearchStrategy[Discharge] = st.one_of(
    st.builds(SimpleDischarge, slopes, slopes),
    st.lists(slopes, min_size=2, max_size=4).map(
        lambda slopes: LinearDischarge(tuple(map(float, range(len(slopes)))), tuple(slopes))
    ),
    curves.map(CubicDischarge),
    curves.map(ApproximatedDischarge),
)
speeds = st.integers(0, 16).map(lambda number: number / 400.0)
"""From rest to 4 cm/s, in quarters, so that many are those of a curve (m/s)."""

charges = st.integers(0, 64).map(lambda number: number / 64.0)


def published_steps(curves: tuple[Curve, ...], speed_cm: float, step: float, until: float = 1e-9) -> float:
    """How long a full battery lasts by the published cubic algorithm, with the right interpolation (s)."""
    low, high = curves[floor(speed_cm)], curves[ceil(speed_cm)]
    weight, time, charge = speed_cm - floor(speed_cm), 0.0, 1.0
    while charge > until:
        following = [each.charge_at(each.time_at(charge) + step) for each in (low, high)]
        charge = following[0] + weight * (following[1] - following[0])
        time += step
    return time
