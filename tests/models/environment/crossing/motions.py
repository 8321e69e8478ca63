"""Motions drawn at random, and what is asked of every crossing that is found between them."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, pi

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory

NOW, HORIZON = 100.0, 106.0
SAMPLES = 80
TINY = 1e-8
"""Depth (m) of a visit that may go unnoticed: ten times that of a graze."""

some = settings(max_examples=settings().max_examples // 2)
"""Half as many examples as elsewhere, since each looks at many instants."""

places = st.floats(-0.4, 0.4)
angles = st.floats(-pi, pi)
starts = st.floats(NOW - 8.0, NOW)
speeds = st.floats(0.01, 0.2) | st.floats(-0.2, -0.01)
rates = st.floats(0.05, 3.0) | st.floats(-3.0, -0.05)

rests = st.builds(Arc, starts, places, places, angles)
lines = st.builds(Arc, starts, places, places, angles, speeds)
spins = st.builds(Arc, starts, places, places, angles, turn_rate=rates)
bends = st.builds(Arc, starts, places, places, angles, speeds, rates)
slight_bends = st.builds(Arc, starts, places, places, angles, speeds, st.floats(-1e-5, 1e-5))
arcs = st.one_of(rests, lines, spins, bends, slight_bends)
pieces = st.lists(st.tuples(st.floats(0.2, 2.0), st.floats(-0.1, 0.1)), min_size=1, max_size=3).map(tuple)
profiles = st.builds(Profile, starts, places, places, angles, pieces, st.floats(-0.2, 0.2), st.floats(-0.1, 0.1))
motions = st.one_of(arcs, profiles)


class Unknown(Struct, frozen=True):
    """A motion that nobody knows to be an arc, so that it takes no closed form."""

    motion: Trajectory

    def pose(self, time: float) -> Pose:
        return self.motion.pose(time)

    @property
    def fastest(self) -> float:
        return self.motion.fastest

    @property
    def fastest_turn(self) -> float:
        return self.motion.fastest_turn

    @property
    def end(self) -> float:
        return self.motion.end


def check_first(gap: Callable[[float], float], found: float) -> None:
    """The gap is used up when it was found to be, and at no sampled time before."""
    assert found == inf or NOW <= found <= HORIZON
    if found < inf:
        assert gap(found) <= TINY
    for sample in range(SAMPLES + 1):
        time = NOW + (HORIZON - NOW) * sample / SAMPLES
        if time >= found:
            break
        assert gap(time) >= -TINY, f"missed at {time}"
    if NOW < found < inf:
        assert gap(max(NOW, found - 1e-6)) >= -TINY, "it was so before"


def check_graze(gap: Callable[[float], float], one: float, other: float, until: float = HORIZON) -> None:
    """Two answers are the same, or the earlier one tells of a graze, or of a border that is neared slowly."""
    early, late = min(one, other), max(one, other)
    if late > early + 1e-6:
        assert abs(gap(early)) < TINY
        assert gap(min(until, early + 1e-3)) > -TINY
