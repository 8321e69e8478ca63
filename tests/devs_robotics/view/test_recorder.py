"""The recorder: what it keeps of an environment's bodies is where these were, on their way and at rest."""

from __future__ import annotations

from math import isnan, pi, remainder, tau
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Atomic, Fix, Out, Simulator
from devs_robotics.models.environment import Field, Follow, Join, Leave, Motion, SpaceManager, Twist, World
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.traits import Traits
from devs_robotics.view import recorder as recorder_module
from devs_robotics.view.posing import Posing
from devs_robotics.view.recorder import PoseRecorder
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.timeline import HEADING, SLOT, TICK, TIME, Timeline, X, heads

BEGIN = ((1.0, 1.0, 0.3), (2.5, 1.0, -2.0), (1.5, 2.5, 1.0))
FAR = 1e-3
"""Places and headings are the same if they differ by less (m, rad): a tick's worth of driving, and roundings."""


class Recorded:
    """Bodies in a field that get messages, and are recorded; `seen` is where they were at some times."""

    def __init__(self, messages: list[tuple[float, Any]], until: float = 10.0, looks: int = 4) -> None:
        self.field = Field(4.0, 4.0)
        for pose in BEGIN:
            self.field.add_body(*pose, 0.05)
        self.space = SpaceManager("space", World(self.field, 0.03))
        self.recorder = PoseRecorder(BEGIN)
        self.seen: list[tuple[float, list[tuple[float, float, float]]]] = []
        with Simulator(self.space) as simulator:
            simulator.attach(self.recorder, "space.pose_change", "space.body_change")
            for at, message in messages:
                simulator.inject(self._port(message), message, at=at)
            while simulator.next_time <= until:
                time = simulator.next_time
                simulator.run(until=time, max_steps=1)
                self._look(time, min(until, simulator.next_time), looks)
            self.recorder.finish(until)
            self.timeline = self.recorder.timeline(until)

    def _port(self, message: Any) -> Any:
        ports = {Twist: self.space.twist, Motion: self.space.motion}
        return ports.get(type(message), self.space.body_change)

    def _look(self, now: float, following: float, looks: int) -> None:
        """Somewhere between two events, but not at once: an instant's last change is what counts."""
        for share in np.linspace(0.2, 0.9, looks):
            at = now + float(share) * (following - now)
            if following - now > 4 * TICK:
                bodies = self.field.bodies
                self.seen.append((at, [bodies.pose(body, at) for body in range(len(bodies))]))


def standing(slots: int) -> Scene:
    """A scene of bodies without a pace: they are drawn where their changes say."""
    bodies = tuple(SceneBody(slot, slot + 1, f"body {slot}") for slot in range(slots))
    return Scene(title="", width=4.0, height=4.0, bodies=bodies)


def assert_seen(recorded: Recorded, slots: int) -> None:
    posing = Posing(standing(slots), recorded.timeline)
    assert recorded.seen
    for at, poses in recorded.seen:
        found = posing.at(at)
        for slot, pose in enumerate(poses[:slots]):
            x, y, heading = found[slot]
            assert (x, y) == pytest.approx(pose[:2], abs=FAR, nan_ok=True), (at, slot)
            assert isnan(x) or abs(remainder(heading - pose[2], tau)) < FAR, (at, slot)


times = st.floats(0.0, 9.0)
twists = st.builds(Twist, st.integers(1, 3), st.floats(-0.2, 0.2), st.floats(-0.8, 0.8))


@given(st.lists(st.tuples(times, twists), min_size=1, max_size=8))
@settings(max_examples=25)
def test_who_drives_by_wheels_is_where_the_environment_has_it(messages: list[tuple[float, Twist]]) -> None:
    """At any time, with all that stops them: walls and each other."""
    assert_seen(Recorded([*messages]), 3)


motions = st.builds(Motion, st.integers(1, 3), st.floats(-pi, pi), st.floats(0.0, 0.4))


@given(st.lists(st.tuples(times, motions), min_size=1, max_size=8))
@settings(max_examples=25)
def test_motions_as_a_whole_are_kept_at_their_ends(messages: list[tuple[float, Motion]]) -> None:
    assert_seen(Recorded([*messages]), 3)


@given(st.lists(st.tuples(times, twists), min_size=3, max_size=8), st.integers(1, 5))
@settings(max_examples=15)
def test_how_much_is_kept_in_memory_makes_no_difference(messages: list[tuple[float, Twist]], kept: int) -> None:
    whole = Recorded([*messages]).timeline
    before, recorder_module.KEPT = recorder_module.KEPT, kept
    try:
        pieces = Recorded([*messages]).timeline
    finally:
        recorder_module.KEPT = before
    assert len(pieces.chunks) >= len(whole.chunks)
    np.testing.assert_array_equal(changes(pieces), changes(whole))


def changes(timeline: Timeline) -> Any:
    """Without when they were, which is rounded from the begin of their chunk on."""
    return np.delete(timeline.history(), TIME, axis=1)


def test_who_joins_is_there_from_then_on_and_who_leaves_is_not() -> None:
    twist = [(float(at), Twist(1, 0.05, 0.1 * at)) for at in range(5)]  # the environment tells of these changes only
    messages = [*twist, (2.0, Join(4, 3.0, 3.0, 0.5, 0.08)), (4.0, Leave(4))]
    recorded = Recorded(messages)
    posing = Posing(standing(4), recorded.timeline)
    assert recorded.timeline.slots == 4
    assert isnan(posing.at(1.99)[3, 0])
    assert tuple(posing.at(2.01)[3]) == pytest.approx((3.0, 3.0, 0.5), abs=1e-4)
    assert tuple(posing.at(2.5)[3]) == pytest.approx((3.0, 3.0, 0.5), abs=1e-4)
    assert not isnan(posing.at(3.99)[3, 0])
    assert isnan(posing.at(4.01)[3, 0])


def test_who_has_joined_is_told_as_what_it_is_even_where_nobody_moves() -> None:
    leg = Traits("leg", colour="red")
    recorded = Recorded([(2.0, Join(5, 3.0, 2.0, 0.0, 0.02, leg)), (2.0, Join(4, 3.0, 3.0, 0.5, 0.08))])
    assert recorded.recorder.newcomers == [
        SceneBody(3, 4, "robot 4", radius=0.08),
        SceneBody(4, 0, "leg 5", radius=0.02, colour="red"),
    ]
    assert [body.is_thing for body in recorded.recorder.newcomers] == [False, True]
    posing = Posing(standing(5), recorded.timeline)
    assert np.isnan(posing.at(1.99)[3:, 0]).all()
    assert posing.at(2.01)[3:].ravel().tolist() == pytest.approx([3.0, 3.0, 0.5, 3.0, 2.0, 0.0], abs=1e-4)


def test_who_follows_a_trajectory_is_sampled() -> None:
    profile = Profile(0.5, 0.3, 0.4, 0.6, ((1.0, 0.2), (1.0, -0.2), (1.0, -0.2), (1.0, 0.2)))
    twist = [(0.5 * number, Twist(2, 0.02, 0.01 * number)) for number in range(12)]  # it is sampled when these change
    recorded = Recorded([*twist, (0.5, Follow(1, profile))], until=6.0)
    posing = Posing(standing(3), recorded.timeline)
    for at in np.arange(0.6, 4.5, 0.17):  # off a chord of 0.1 s
        assert tuple(posing.at(at)[0])[:2] == pytest.approx(profile.pose(at)[:2], abs=1.5e-3), at
    assert tuple(posing.at(5.9)[0])[:2] == pytest.approx(profile.pose(4.5)[:2], abs=1e-3)


def test_who_is_on_a_trajectory_in_the_end_is_kept_there() -> None:
    profile = Profile(0.5, 0.3, 0.4, 0.6, ((1.0, 0.2), (1.0, -0.2), (1.0, -0.2), (1.0, 0.2)))
    recorded = Recorded([(0.5, Follow(1, profile))], until=2.33)
    posing = Posing(standing(3), recorded.timeline)
    for at in (1.0, 2.0, 2.33):
        assert tuple(posing.at(at)[0]) == pytest.approx(profile.pose(at), abs=2e-3), at


class Tracker(Atomic):
    """Tells fixes; here these are given to the observer by hand."""

    fix = Out(Fix)


def test_fixes_are_kept_in_the_slots_of_real_robots() -> None:
    tracker = Tracker("tracker")
    recorder = PoseRecorder(BEGIN, {2: 3, 3: 4})
    recorder.sent(1.0, tracker, tracker.fix, (Fix(2, 2.4, 1.1, -2.1), Fix(1, 9.0, 9.0, 9.0)))
    recorder.sent(2.0, tracker, tracker.fix, (Fix(3, 1.4, 2.6, 1.1),))
    found = recorder.timeline(3.0).history()
    assert heads(found) == 5
    assert np.isnan(found[3:5, X]).all()  # not seen yet
    assert found[5:, [TIME, SLOT]].tolist() == [[1.0, 3.0], [2.0, 4.0]]
    np.testing.assert_allclose(found[5:, X : HEADING + 1], [(2.4, 1.1, -2.1), (1.4, 2.6, 1.1)], atol=1e-4)
