"""Figures of the experiments in mixed reality."""

from __future__ import annotations

import re

from devs_robotics.experimental_frames.pera.figures import round_trips
from devs_robotics.experimental_frames.pera.judging import PAIRS
from devs_robotics.experimental_frames.pera.results import CallRoundTrip
from devs_robotics.experimental_frames.report.colours import themed


def test_boxes_change_with_light_and_dark_as_pages_do() -> None:
    trips = [CallRoundTrip("client", 1, 2, pair, trial, 0.01 * trial) for pair in PAIRS for trial in range(6)]
    figure = round_trips(trips)
    assert len(re.findall(r"stroke: #0072b2", figure)) >= len(PAIRS)
    assert not re.findall(r"(?:stroke|fill): (?:#|black)[0-9a-f]*", themed(figure))
