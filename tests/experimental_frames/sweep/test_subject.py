"""What is known of a case, and the columns of its table."""

from __future__ import annotations

import json
from math import degrees

import msgspec

from devs_robotics.experimental_frames.convoy import Formation, measure
from devs_robotics.experimental_frames.convoy.metrics import METRICS, Measures
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.sweep import Subject, columns_of
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.runs import load

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


def test_a_column_is_found_by_its_name_and_one_that_nobody_has_declared_is_told_by_its_own() -> None:
    declared = Metric("frames.smoothness.share", "share of smooth turns", "%", 100.0)
    subject = Subject(metrics=(*METRICS, declared))
    label = "largest position error of one robot at a completed round (cm)"
    assert subject.column("largest_error_m").label == label
    assert subject.column("frames.smoothness.share") is declared
    assert subject.column("frames.smoothness.jerk").label == "smoothness.jerk"
    assert [subject.declares(f"frames.smoothness.{name}") for name in ("share", "jerk")] == [True, False]


def test_without_main_metrics_the_first_numbers_are() -> None:
    word, *numbers = Metric("word", "word", words=("yes", "no")), *(Metric(name, name) for name in "abcde")
    subject = Subject(metrics=(word, *numbers))
    assert [metric.name for metric in subject.main_metrics] == ["a", "b", "c", "d"]
    assert (subject.measure, subject.metric_beside) == (numbers[0], numbers[1])
    named = Subject(metrics=(word, *numbers), main=("c", "a"), beside="e")
    assert [metric.name for metric in named.main_metrics] == ["c", "a"]
    assert (named.measure, named.metric_beside) == (numbers[2], numbers[4])
    only = Subject(metrics=(word,))
    assert only.measure is only.metric_beside is None


def test_the_number_of_robots_is_the_key_that_is_named_or_that_ends_so() -> None:
    keys = ("noise.dnf", "team.robots", "drones")
    assert Subject(metrics=()).size_among(keys) == "team.robots"
    assert Subject(metrics=(), size="drones").size_among(keys) == "drones"
    assert Subject(metrics=(), size="drones").size_among(keys[:2]) == ""


def test_a_subject_is_kept_as_plain_data_and_read_back_as_it_was() -> None:
    scenario = resolve(load("convoy", ["convoy.robots=3"]))
    subject = CASE.subject(scenario)
    assert msgspec.json.decode(json.dumps(msgspec.to_builtins(subject)), type=Subject) == subject
    assert subject.margin is not None
    assert CASE.declared(scenario) == subject.metrics
