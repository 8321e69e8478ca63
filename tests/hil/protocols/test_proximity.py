"""From what an e-puck's proximity sensors read to a distance, and which readings mean which distances."""

from __future__ import annotations

from math import inf
from typing import get_args

import msgspec
import pytest

from devs_robotics import DevsRoboticsError, Drive, Ranges, Touch
from devs_robotics.core.robots.epuck2.responses import (
    BRIGHTEST,
    DEFAULT_RESPONSE,
    RESPONSES,
    InverseSquare,
    Points,
    Quadratic,
    ResponseName,
)
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols.epuck_ascii import EpuckAscii
from devs_robotics.hil.protocols.proximity import distance
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, SETTINGS, DriverBench
from tests.hil.protocols.epuck_peer import AsciiPeer

PUBLISHED: dict[str, dict[int, float]] = {
    "paper": {
        4095: 0.383,
        3539: 5.0,
        2976: 10.0,
        1971: 20.0,
        1128: 30.0,
        448: 40.0,
        168: 45.0,
        1000: 31.717,
        2000: 19.688,
    },
    "e-puck": {4095: 2.27, 3706: 5.0, 3043: 10.0, 1899: 20.0, 999: 30.0, 345: 40.0},
    "webots": {
        4095: 0.0,
        2133: 5.0,
        1466: 10.0,
        601: 15.0,
        384: 20.0,
        235: 30.0,
        158: 40.0,
        120: 50.0,
        67: 70.0,
        3114: 2.5,
    },
    "inverse-square": {4095: 0.0, 1074: 10.0, 485: 20.0, 275: 30.0, 123: 50.0, 39: 97.0},
}
"""By response and reading, the distance (mm)."""


@pytest.mark.parametrize(
    ("response", "reading"), [(name, reading) for name in PUBLISHED for reading in PUBLISHED[name]]
)
def test_a_reading_means_the_published_distance(response: ResponseName, reading: int) -> None:
    assert 1000.0 * distance(reading, RESPONSES[response]) == pytest.approx(PUBLISHED[response][reading], abs=0.1)


@pytest.mark.parametrize("response", RESPONSES)
def test_the_brighter_the_nearer_and_too_little_is_nothing(response: ResponseName) -> None:
    curve = [distance(reading, RESPONSES[response]) for reading in range(5000)]
    assert curve == sorted(curve, reverse=True)
    assert curve[:20] == [inf] * 20
    assert min(curve) == curve[4999] == curve[4095]
    assert 0.04 < max(value for value in curve if value < inf) <= 0.1


def test_the_darkest_reading_that_counts_is_just_within_reach() -> None:
    assert distance(20, RESPONSES["paper"]) == pytest.approx(0.048, abs=1e-4)
    assert distance(67, RESPONSES["webots"]) == pytest.approx(0.07)
    assert distance(66, RESPONSES["webots"]) == inf
    assert distance(36, RESPONSES["inverse-square"]) == inf


def test_every_response_has_a_name_that_a_scenario_may_give() -> None:
    assert get_args(ResponseName) == tuple(RESPONSES) == tuple(PUBLISHED)
    assert DEFAULT_RESPONSE == "paper"
    assert SETTINGS.proximity == DEFAULT_RESPONSE


@pytest.mark.parametrize(("response", "reading"), [("paper", 2976), ("webots", 1466), ("inverse-square", 1074)])
def test_a_driver_takes_the_response_that_it_is_told(response: ResponseName, reading: int) -> None:
    settings = msgspec.structs.replace(SETTINGS, proximity=response, whisker_reach=0.0101, resolution=0.001)
    on = DriverBench(
        Driver("driver", "serial:///dev/robot", EpuckAscii(3, settings)), (1.0, Drive()), (2.0, LOOK), (2.0, FEEL)
    )
    robot = AsciiPeer(on)
    robot.proximity[7] = reading
    on.run(3.0)
    assert on.told(Ranges) == [Ranges((0.01,))]
    assert on.told(Touch)[-1] == Touch(True)


def test_an_unknown_response_is_refused_in_a_sentence() -> None:
    settings = msgspec.structs.replace(SETTINGS, proximity="papre")
    with pytest.raises(
        DevsRoboticsError, match=r"robot 3: there is no response of proximity sensors 'papre': there are"
    ):
        EpuckAscii(3, settings)


def test_what_is_brighter_than_a_response_has_it_touches_and_its_reach_is_within_it() -> None:
    assert distance(BRIGHTEST, Quadratic(a=200.0, b=-30.0, c=0.75, reach=0.05)) == 0.0
    assert distance(BRIGHTEST // 9, InverseSquare(half_length=0.0625, reach=0.125)) == 0.125
    assert distance(BRIGHTEST // 9 - 1, InverseSquare(half_length=0.0625, reach=0.125)) == inf
    points = Points(((0.0, 4000), (0.25, 2000), (0.5, 1000)))
    assert [distance(reading, points) for reading in (4001, 4000, 3000, 2000, 1500, 1000, 999)] == [
        0.0,
        0.0,
        0.125,
        0.25,
        0.375,
        0.5,
        inf,
    ]
