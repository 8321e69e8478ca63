"""What a view keeps of a live run."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.server.lookback import STATES, LookBack, chunk_of
from devs_robotics.view.server.viewers import Thinned
from devs_robotics.view.states import THERE, packed
from devs_robotics.view.timeline import STEP, TICK, decoded

PLACE = st.floats(-100.0, 100.0, width=32)
POSE = st.tuples(PLACE, PLACE, PLACE, st.booleans())


def state(time: float, poses: list[tuple[float, float, float, bool]]) -> bytes:
    columns = np.array([pose[:3] for pose in poses], dtype=np.float32).reshape(len(poses), 3).T
    bits = np.array([THERE if pose[3] else 0 for pose in poses])
    return packed(0, time, 0.0, 1, columns, bits)


@given(st.lists(st.lists(POSE, min_size=2, max_size=2), min_size=1, max_size=6))
def test_at_each_time_of_a_state_a_chunk_says_what_it_said(
    states: list[list[tuple[float, float, float, bool]]],
) -> None:
    """To 0.1 mm and 0.1 mrad; also who is not there."""
    rows = decoded(chunk_of([state(float(second), poses) for second, poses in enumerate(states)]))
    for second, poses in enumerate(states):
        for slot, (x, y, heading, there) in enumerate(poses):
            found = [row for row in rows if row[1] == slot and row[0] <= second + TICK / 2][-1]
            if there:
                np.testing.assert_allclose(found[2:5], (x, y, heading), atol=0.51 * STEP)
            else:
                assert np.isnan(found[2:5]).all()


def test_who_joins_within_a_chunk_is_in_it() -> None:
    one, two = (1.0, 2.0, 0.5, True), (3.0, 4.0, 0.0, True)
    rows = decoded(chunk_of([state(0.0, [one]), state(1.0, [one, two])]))
    assert [tuple(row[:3]) for row in rows if row[1] == 1 and row[0] == 1.0] == [(1.0, 1.0, 3.0)]
    assert np.isnan([row[2] for row in rows if row[1] == 1 and row[0] == 0.0]).all()


def test_memory_is_bounded_and_the_oldest_goes() -> None:
    random = np.random.default_rng(1)
    lookback = LookBack(memory=60_000)
    for tick in range(20 * STATES):
        poses = [(float(x), float(y), 0.0, True) for x, y in random.uniform(0.0, 10.0, (5, 2))]
        lookback.add(state(tick / 100.0, poses), tick / 100.0)
    assert lookback.chunks > 1
    assert lookback.size <= 60_000
    first, last = lookback.chunk(0), lookback.chunk(lookback.chunks - 1)
    assert first is not None
    assert last is not None
    assert decoded(first)[0, 0] > 10.0
    assert decoded(last)[-1, 0] > 50.0
    assert lookback.chunk(lookback.chunks) is None
    assert lookback.chunk(-1) is None


def test_a_state_that_is_not_later_is_not_kept_twice() -> None:
    lookback = LookBack()
    for time in (0.0, 5.0, 5.0, 4.0):
        lookback.add(state(time, [(time, 0.0, 0.0, True)]), time)
    assert lookback.chunks == 1


def test_a_run_that_stands_is_kept_in_next_to_nothing() -> None:
    lookback = LookBack()
    poses = [(float(each), 0.0, 0.0, True) for each in range(30)]
    for tick in range(30 * 300):
        lookback.add(state(tick / 30.0, poses), tick / 30.0)
    assert lookback.size < 50_000


@given(st.integers(0, 5000))
def test_long_series_are_thinned_and_keep_their_ends(count: int) -> None:
    thinned = Thinned(100)
    thinned.extend([(float(number), 0.0) for number in range(count)])
    times = [time for time, _ in thinned.values]
    assert times == sorted(times)
    assert len(times) <= 200
    assert len(times) >= min(count, 100)
    if count:
        assert times[0] == 0.0
        assert times[-1] >= count - 1 - count / 50
