"""The transducer of tracks: every pose of every robot, in order, with its time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Simulator
from devs_robotics.experimental_frames.instruments.tracks import TRACKS_HEADER, Tracks, track_lines
from devs_robotics.models.environment import PoseChange

changes = st.builds(PoseChange, st.integers(1, 3), st.floats(-9.0, 9.0), st.floats(-9.0, 9.0), st.floats(-3.0, 3.0))
bags = st.lists(st.tuples(st.integers(0, 80).map(lambda eighths: eighths / 8.0), changes), max_size=20).map(
    lambda each: sorted(each, key=lambda pair: pair[0])
)


@given(bags)
def test_every_change_is_a_row_with_its_time(told: list[tuple[float, PoseChange]]) -> None:
    tracks = Tracks("tracks", [(1.0, 2.0, 0.5)])
    with Simulator(tracks) as simulator:
        for when, change in told:
            simulator.inject(tracks.pose_change, change, at=when)
        simulator.run()
    assert tracks.poses == ((1.0, 2.0, 0.5),)
    expected = [f"{when!r},{each.robot},{each.x!r},{each.y!r},{each.heading!r}" for when, each in told]
    assert list(track_lines(tracks)) == expected
    assert list(track_lines(tracks, len(told) // 2)) == expected[len(told) // 2 :]
    assert TRACKS_HEADER == "time_s,robot,x_m,y_m,heading_rad"
