"""The sonar: how far the body could go, with errors and a cone as options."""

from __future__ import annotations

from math import pi, radians

from devs_robotics.models.activities import AskWays, VirtualSonar, Ways
from devs_robotics.models.activities.sonar import LookForWays
from devs_robotics.models.environment import Field, World
from devs_robotics.models.environment.shapes import box
from tests.approximately import near


def world() -> World:
    field = Field(20.0, 10.0, (box(6.0, 5.0, 2.0, 2.0),))
    field.add_body(2.0, 5.0, 0.0, 0.5)
    field.add_body(2.0, 8.0, 0.0, 0.5)
    return World(field, 0.1)


def ways(*bearings: float, **how: float | bool | tuple[float, ...]) -> tuple[float, ...]:
    return LookForWays(1, bearings, 4.0, **how).answer(world()).values  # type: ignore[arg-type]


def test_it_tells_how_far_the_body_can_go_past_its_own_width() -> None:
    assert ways(0.0, pi / 2.0, pi, -pi / 2.0) == (near(2.5), near(2.0), near(1.5), 4.0)
    assert ways(0.0, beside=0.5) == (near(2.0),)
    assert ways(0.0, asides=(2.0,)) == (4.0,)
    assert ways(0.0, asides=(1.4,)) == (near(5.0 - 2.0 - (0.25 - 0.16) ** 0.5),)


def test_faces_that_are_met_askew_return_nothing_within_a_cone() -> None:
    beside = radians(20.0)
    assert ways(0.0, beside, cone=True)[0] == near(2.5)
    field = Field(20.0, 10.0, (box(6.0, 5.0, 2.0, 8.0, radians(30.0)),))
    field.add_body(2.0, 5.0, 0.0, 0.5)
    askew, straight = (
        LookForWays(1, (bearing,), 4.5, 0.0, (), True).answer(World(field, 0.1)).values[0]
        for bearing in (0.0, radians(30.0))
    )
    assert askew == 4.5
    assert straight < 4.5


def test_errors_are_a_share_of_readings_and_what_is_out_of_reach_has_none() -> None:
    sonar = VirtualSonar("sonar", 1, 5.0, noise=1.0)
    sonar.robot = 1
    readings = [sonar.answer(Ways((1.0, 4.0, 5.0))).values for _ in range(2000)]
    one, four, five = (list(column) for column in zip(*readings, strict=True))
    assert set(five) == {5.0}
    assert 0.02 < spread(one) / 1.0 < 0.04
    assert 0.1 < spread(four) / 4.0 < 0.14
    again = VirtualSonar("sonar", 1, 5.0, noise=1.0)
    again.robot = 1
    assert again.answer(Ways((1.0, 4.0, 5.0))).values == readings[0]
    exact = VirtualSonar("sonar", 1, 5.0)
    assert exact.answer(Ways((1.0, 4.0))) == Ways((1.0, 4.0))
    assert exact.ask(AskWays((0.5,), 0.1)).beside == 0.1


def spread(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return float((sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5)
