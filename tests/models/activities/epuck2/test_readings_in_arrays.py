"""Readings of many robots at once are those of each alone, to the last bit, with noise and without."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.responses import RESPONSES, ResponseName
from devs_robotics.models.activities import ReadingNoise
from devs_robotics.models.activities.epuck2.proximity import ProximitySensors
from devs_robotics.models.environment import Distances

distances = st.one_of(st.just(inf), st.just(0.0), st.floats(0.0, 0.12))
rows = st.lists(st.lists(distances, min_size=8, max_size=8), min_size=1, max_size=6)


@pytest.mark.parametrize("response", list(RESPONSES))
@pytest.mark.parametrize("noise", [None, ReadingNoise(0.03, 5)])
@given(rows, st.integers(0, 10**6).map(lambda tick: tick / 10))
def test_readings_in_arrays_are_those_of_each(
    response: ResponseName, noise: ReadingNoise | None, values: list[list[float]], time: float
) -> None:
    sensors = ProximitySensors(response=response, noise=noise)
    keys = np.array([sensors.noise_keys(robot) for robot in range(1, len(values) + 1)], np.uint64)
    together = sensors.read_all(keys, np.array(values), time)
    for robot, (row, read) in enumerate(zip(values, together.tolist(), strict=True), 1):
        assert tuple(read) == sensors.read(robot, Distances(robot, tuple(row)), time)


def test_sensors_are_alike_that_read_and_err_alike() -> None:
    noise = ReadingNoise(0.03, 5)
    assert ProximitySensors(noise=noise).alike() == ProximitySensors(noise=ReadingNoise(0.03, 5)).alike()
    assert ProximitySensors(noise=noise).alike() != ProximitySensors().alike()
    assert ProximitySensors(response="webots").alike() != ProximitySensors().alike()
