"""Figures of lateness and of localisation, whatever was measured."""

from __future__ import annotations

from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Fix, Lateness
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.report.real_figures import MOST_PANELS, lateness, most_lost
from tests.models.play import tell


@settings(max_examples=8)
@given(st.lists(st.floats(0.0, 100.0), max_size=40), st.sampled_from([0.05, inf]))
def test_whatever_the_lateness_there_is_a_figure_of_it(late: list[float], most: float) -> None:
    timing = Lateness("record", most)
    for number, value in enumerate(late):
        timing.record(0.5 * number, value)
    drawn = lateness(timing)
    assert drawn is not None if late else drawn is None
    assert drawn is None or drawn.startswith("<svg")


@given(st.dictionaries(st.integers(1, 40), st.floats(0.0, 5.0), min_size=1))
def test_those_robots_are_drawn_that_were_furthest_off(off: dict[int, float]) -> None:
    frame = Localisation("localisation", dict.fromkeys(off, (0.0, 0.0, 0.0)))
    for robot, error in off.items():
        tell(frame, (frame.fixed, Fix(robot, error, 0.0, 0.0)))
    drawn = most_lost(frame)
    assert drawn == sorted(drawn)
    assert len(drawn) == min(MOST_PANELS, len(off))
    assert min(off[robot] for robot in drawn) >= max((off[robot] for robot in off if robot not in drawn), default=0.0)
