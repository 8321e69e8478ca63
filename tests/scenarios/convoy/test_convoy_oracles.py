"""The convoy without noise, against its closed form.

Each robot goes straight from where it stands towards where its front robot has gone, until it is D away, and faces
it. That needs no heading, no plan and no message: an independent program of four lines, `ideal`.
"""

from __future__ import annotations

from cmath import phase, rect
from itertools import cycle, islice, pairwise
from math import cos, pi, remainder, sin

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.settings.loading import validate
from tests.approximately import near

D, RADIUS, ROUNDS = 0.5, 0.1, 12
Path = list[tuple[float, float]]
Places = np.ndarray[tuple[int, ...], np.dtype[np.complex128]]


def outcome(robots: int, path: Path, rounds: int = ROUNDS) -> ConvoyOutcome:
    scenario, problems = validate(
        {
            "run": {"rounds": rounds},
            "convoy": {"robots": robots, "distance": D},
            "noise": {"dnf": 0.0, "anf": 0.0},
            "leader": {"path": path},
            "field": {"width": 80.0, "height": 80.0},
            "frame": {"transient_rounds": 0},
        }
    )
    assert isinstance(scenario, ConvoyScenario), problems
    return run(scenario)


def line(robots: int) -> list[complex]:
    """Where robots stand at first: behind each other in mid-field."""
    front = 40.0 + (robots - 1) * D / 2
    return [complex(front - D * robot, 40.0) for robot in range(robots)]


def ideal(places: list[complex], heading: float, distance: float) -> list[complex]:
    """Places of all robots after one round more, in which the leader goes so far with this heading."""
    after = [places[0] + rect(distance, heading)]
    for place in places[1:]:
        after.append(after[-1] - rect(D, phase(after[-1] - place)))
    return after


def fitting(robots: int, wanted: Path) -> tuple[Path, list[list[complex]]]:
    """A way of the leader as near to a wanted one as keeps all bodies apart, and all robots' places after each round.

    Where a wanted turn would bring bodies near each other, the leader turns less, or more, by as little as will do; and
    where no turn will do, the way ends.
    """
    path: Path = []
    heading, history = 0.0, [line(robots)]
    for turn, distance in islice(cycle(wanted), ROUNDS + robots):  # robots in front are some rounds ahead at the end
        others = (turn + sign * number * pi / 12 for number in range(1, 13) for sign in (-1, 1))
        for near_it in (turn, *others):
            after = ideal(history[-1], heading + near_it, distance)
            if stays_clear(history[-1], after):
                break
        else:
            break
        heading += near_it
        path.append((near_it, distance))
        history.append(after)
    return path, history


def stays_clear(before: list[complex], after: list[complex]) -> bool:
    """Whether no two bodies come near each other in a round, and no robot stands between two neighbours."""
    starts, ends = np.array(before), np.array(after)
    itself = np.eye(len(before), dtype=bool)
    for standing in (starts, ends):
        if (_apart(starts, ends, standing)[~itself] < 0.3).any():
            return False
    its_front = np.eye(len(before), k=-1, dtype=bool)[1:]
    return not any(
        (_apart(ends[1:], ends[:-1], standing)[~(itself[1:] | its_front)] < 0.15).any() for standing in (starts, ends)
    )


def _apart(starts: Places, ends: Places, standing: Places) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Distances of places from ways: a row per way, and a column per place."""
    ways = (ends - starts)[:, None]
    from_start = standing[None, :] - starts[:, None]
    squares = np.abs(ways) ** 2
    shares = np.divide((from_start * ways.conj()).real, squares, out=np.zeros(from_start.shape), where=squares > 0.0)
    distances: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.abs(from_start - shares.clip(0.0, 1.0) * ways)
    return distances


turns = st.one_of(st.just(0.0), st.floats(-2.0, 2.0))
paths = st.lists(st.tuples(turns, st.floats(0.02, 0.4)), min_size=1, max_size=8)


@given(st.integers(2, 40), paths)
@settings(max_examples=30)
def test_whatever_the_turns_each_robot_ends_its_round_d_behind_its_front_robot_and_faces_it(
    robots: int, wanted: Path
) -> None:
    path, history = fitting(robots, wanted)
    assume(len(path) == ROUNDS + robots)  # seldom it is not: the leader has curled up
    result = outcome(robots, path)
    assert result.ended == "accepted", result.reason
    for row in result.formation.rows:
        place = history[row.round][row.robot - 1]
        assert (row.x_m, row.y_m) == pytest.approx((place.real, place.imag), abs=1e-9)
        if row.robot > 1:
            assert row.gap_m == pytest.approx(D, abs=1e-9)
            assert abs(row.bearing_rad) < 1e-9
            assert row.adjustments == 0


@pytest.mark.parametrize("turn", [0.1, -0.7, 1.5, -2.2])
def test_the_error_after_a_turn_is_as_predicted(turn: float) -> None:
    """E is 2 D sin(delta/2) where headings differ by delta, and shrinks by D/(D + d) a straight round."""
    drive = 0.01  # small steps, for which that is exact in the limit
    result = outcome(2, [(turn, drive)] + [(0.0, drive)] * 400, rounds=60)
    rows = {(row.robot, row.round): row for row in result.formation.rows}
    for number in range(1, 61):
        follower, leader = rows[2, number], rows[1, number]
        delta = remainder(leader.heading_rad - follower.heading_rad, 2 * pi)
        assert follower.error_m == pytest.approx(2 * D * abs(sin(delta / 2)), abs=1e-9)
    errors = [rows[2, number].error_m for number in range(1, 61)]
    ratios = [after / before for before, after in pairwise(errors)]
    straight = [ratio for ratio, error in zip(ratios, errors, strict=False) if error < 0.1]
    assert max(ratios) < 1.0
    for ratio in straight:
        assert ratio == pytest.approx(D / (D + drive), rel=2e-3)


@pytest.mark.parametrize("robots", [2, 3, 10, 40])
def test_on_the_straight_the_error_at_completed_rounds_is_zero(robots: int) -> None:
    result = outcome(robots, [(0.0, 0.3)], rounds=20)
    assert all(row.error_m < 1e-9 for row in result.formation.rows if row.robot > 1)
    assert result.metrics.error_at_completed_rounds.maximum_over_all < 1e-9
    assert result.metrics.adjustments == 0


def test_the_lag_of_a_moving_convoy_is_about_half_a_step() -> None:
    """On the straight E is one step while the front robot has moved and the robot has not: half of the time."""
    result = outcome(30, [(0.0, 0.3)], rounds=60)
    sums = result.formation.error_sums[len(result.formation.error_sums) // 2 :]
    mean = sum(sums) / len(sums) / 29
    assert 0.13 < mean < 0.17


def test_the_run_to_be_checked_by_hand() -> None:
    formation = run(load("convoy_by_hand")).formation
    leaders = [row for row in formation.rows if row.robot == 1]
    assert [(row.x_m, row.y_m) for row in leaders[:8]] == [
        (near(4.75 + x), near(4.0 + y))
        for x, y in ((0.5, 0), (1, 0), (1.5, 0), (2, 0), (2, 0), (2, 0.5), (2, 1), (2, 1.5))
    ]
    for row in formation.rows:
        if row.robot > 1:
            assert (row.gap_m, row.bearing_rad, row.adjustments) == (near(0.5), near(0.0), 0)
    turned = next(row for row in formation.rows if (row.robot, row.round) == (2, 5))
    assert turned.error_m == near(2 * 0.5 * sin(pi / 4))


def test_initial_poses_off_the_line_are_taken_up_in_the_first_round() -> None:
    poses = [(40.0, 40.0, 0.3), (39.6, 39.8, -0.4), (39.3, 39.4, 1.0)]
    scenario, problems = validate(
        {
            "run": {"rounds": 3},
            "convoy": {"robots": 3, "distance": D, "poses": poses},
            "noise": {"dnf": 0.0, "anf": 0.0},
            "leader": {"path": [[0.0, 0.3]]},
            "field": {"width": 80.0, "height": 80.0},
        }
    )
    assert isinstance(scenario, ConvoyScenario), problems
    rows = run(scenario).formation.rows
    for row in rows:
        if row.robot > 1:
            assert row.gap_m == pytest.approx(D, abs=1e-9)
            assert abs(row.bearing_rad) < 1e-9
    first = next(row for row in rows if row.robot == 1)
    assert (first.x_m, first.y_m) == pytest.approx((40.0 + 0.3 * cos(0.3), 40.0 + 0.3 * sin(0.3)))
