from __future__ import annotations

from collections.abc import Callable
from math import nan, pi

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.frame import Transducer, metrics_of_parts
from devs_robotics.experimental_frames.frame.metric import SCALES, Metric, measured_by, metric, metrics_of
from tests.approximately import near


class Coverage:
    @metric("share of the field covered", unit="%", better="more")
    def share(self) -> float:
        return 0.25

    def helper(self) -> float:
        return nan

    @metric("verdict", words=("whole", "in part"))
    def verdict(self) -> str:
        return "in part"


class Turning(Coverage):
    @metric("mean turn", unit="deg", digits=0, signed=True)
    def turn_rad(self) -> float:
        return pi / 2.0

    def share(self) -> float:
        return 0.5


def test_a_class_declares_its_metrics_in_their_order_and_those_of_its_bases_first() -> None:
    assert [each.name for each in metrics_of(Coverage)] == ["share", "verdict"]
    assert measured_by(Coverage()) == {"share": 0.25, "verdict": "in part"}


def test_a_method_that_overrides_a_metric_is_the_same_metric() -> None:
    assert [each.name for each in metrics_of(Turning)] == ["share", "verdict", "turn_rad"]
    assert measured_by(Turning())["share"] == 0.5


def test_a_value_is_shown_in_its_unit_with_its_digits() -> None:
    (*_, turn) = metrics_of(Turning)
    assert turn.label == "mean turn (deg)"
    assert turn.text(pi) == "180"
    assert turn.text(-pi / 4.0, sign=True) == "−45"
    assert turn.text(1e-6, sign=True) == "0"
    assert turn.vanishes(1e-6)
    assert not turn.vanishes(0.1)
    assert Metric("n", "a number", digits=2).text(1234.5) == "1,234.50"


def test_the_scale_of_an_angle_is_exact() -> None:
    assert SCALES["deg"] * pi == near(180.0)


def test_a_unit_that_is_unknown_is_refused_with_those_there_are() -> None:
    with pytest.raises(DevsRoboticsError, match=r"metric 'speed': there is no unit 'furlong': take one of %, s, "):
        metric("speed", unit="furlong")


@pytest.mark.parametrize(
    ("declare", "sentence"),
    [
        (lambda: metric(Coverage.helper), r"a metric needs a title: write @metric\("),  # type: ignore[arg-type]
        (lambda: metric("x", digits=-2), "digits must be a whole number from 0, not -2"),
        (lambda: metric("x", better="bigger"), "better must be 'less' or 'more', not 'bigger'"),  # type: ignore[arg-type]
        (lambda: metric("x")(property(Coverage.helper)), r"must be a method: write @metric\(...\) right above its def"),  # type: ignore[type-var]
    ],
)
def test_a_declaration_that_is_none_is_refused_when_the_class_is_made(
    declare: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(DevsRoboticsError, match=sentence):
        declare()


def test_metrics_of_several_parts_with_one_title_are_told_apart() -> None:
    parts = {"left": Counting("left"), "right": Counting("right"), "scale": Weighing("scale")}
    assert [(each.name, each.title) for each in metrics_of_parts(parts)] == [
        ("frames.left.count", "things (left)"),
        ("frames.right.count", "things (right)"),
        ("frames.scale.weight", "weight"),
    ]


class Counting(Transducer):
    """Counts."""

    @metric("things")
    def count(self) -> int:
        """None yet."""
        return 0


class Weighing(Transducer):
    """Weighs."""

    @metric("weight")
    def weight(self) -> float:
        """Nothing yet."""
        return 0.0
