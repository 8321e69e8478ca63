"""What proximity sensors read: published readings, and the shape of each response."""

from __future__ import annotations

from math import inf
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, RESPONSES, ResponseName
from devs_robotics.core.robots.epuck2.sensing import proximity as model
from devs_robotics.hil.lab.proximity import reach, reading

PUBLISHED: dict[ResponseName, dict[float, int]] = {  # by distance (mm)
    "paper": {0: 4095, 0.38: 4095, 0.39: 4094, 5: 3539, 10: 2976, 20: 1971, 30: 1128, 40: 448, 45: 168, 48: 20}
    | {48.5: 0, 50: 0, 50.1: 0},
    "e-puck": {0: 4095, 2.2: 4095, 2.3: 4090, 10: 3043, 20: 1899, 30: 999, 40: 345, 47.9: 1, 50: 0, 51: 0},
    "webots": {0: 4095, 5: 2133, 7.5: 1800, 10: 1466, 15: 601, 20: 384, 25: 310, 50: 120, 69.9: 67, 70: 67, 70.1: 0},
    "inverse-square": {0: 4095, 10: 1074, 10.5: 1024, 30: 275, 99.9: 37, 100: 37, 100.1: 0},
}
names = st.sampled_from(get_args(ResponseName))


@pytest.mark.parametrize("name", get_args(ResponseName))
def test_readings_are_those_of_the_source(name: ResponseName) -> None:
    response = RESPONSES[name]
    found = {distance: reading(response, 0.001 * distance) for distance in PUBLISHED[name]}
    assert found == PUBLISHED[name]
    assert reading(response, inf) == 0


@given(names, st.floats(0.0, 0.2), st.floats(0.0, 0.2))
def test_what_is_nearer_reads_at_least_as_much(name: ResponseName, one: float, other: float) -> None:
    response = RESPONSES[name]
    near, far = sorted((one, other))
    assert 0 <= reading(response, far) <= reading(response, near) <= BRIGHTEST
    assert not reading(response, far) or far <= reach(response)


@given(names, st.floats(0.0, 0.12) | st.just(inf))
def test_stand_ins_and_models_read_the_same_though_neither_knows_the_other(name: ResponseName, distance: float) -> None:
    response = RESPONSES[name]
    assert reading(response, distance) == model.reading(response, distance)
    assert reach(response) == model.farthest(response)
