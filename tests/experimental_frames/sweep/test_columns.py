"""The columns of a sweep's table."""

from __future__ import annotations

from math import degrees

from devs_robotics.experimental_frames.convoy import Formation, measure
from devs_robotics.experimental_frames.convoy.metrics import Measures
from devs_robotics.experimental_frames.sweep import METRICS, column, columns_of

LINE = [(2.0, 1.0, 0.0), (1.5, 1.0, 0.0)]

UNITS = {"_m": ("cm", 100.0), "_rad": ("deg", degrees(1.0)), "_m_per_s": ("cm/s", 100.0)}
"""Units for people, and the scale, by the ending of a column's name; seconds stay seconds."""


def row(**frames: dict[str, float | str]) -> dict[str, float | str]:
    metrics = measure(Formation("formation", LINE, 0.5, 1.0), 0, 0.0)
    return columns_of(Measures(metrics, 0, lambda: "undecided", 1.0, 2, 0.5), frames)


def test_a_run_has_every_column_in_its_order_and_those_of_further_frames_after_them() -> None:
    names = [metric.name for metric in METRICS]
    assert len(set(names)) == len(names)
    assert list(row()) == names
    assert list(row(smoothness={"jerk": 0.1, "verdict": "smooth"})) == [
        *names,
        "frames.smoothness.jerk",
        "frames.smoothness.verdict",
    ]


def test_the_scale_is_that_of_the_unit_that_is_shown() -> None:
    for metric in METRICS:
        ending = max((end for end in UNITS if metric.name.endswith(end)), key=len, default="")
        if ending:
            assert (metric.unit, metric.scale) == UNITS[ending], metric.name
        elif metric.name.endswith("_s"):
            assert (metric.unit, metric.scale) in (("s", 1.0), ("µs", 1e6)), metric.name
        else:
            assert (metric.unit, metric.scale) == ("", 1.0), metric.name


def test_a_column_is_found_by_its_name_and_one_of_a_further_frame_is_told_by_its_own() -> None:
    assert column("largest_error_m").label == "largest position error of one robot at a completed round (cm)"
    assert column("frames.smoothness.jerk").label == "smoothness.jerk"
