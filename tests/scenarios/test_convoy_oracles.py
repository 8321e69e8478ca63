"""The convoy without noise, against its closed form.

Each robot goes straight from where it stands towards where its front robot has gone, until it is D away, and faces
it. That needs no heading, no plan and no message: an independent program of four lines, `ideal`.
"""

from __future__ import annotations

from cmath import phase, rect
from itertools import pairwise
from math import cos, pi, remainder, sin

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scenarios.loading import load, validate
from scenarios.outcome import Outcome
from scenarios.running import run
from tests.approximately import near

D, RADIUS, ROUNDS = 0.5, 0.1, 12
Path = list[tuple[float, float]]


def outcome(robots: int, path: Path, rounds: int = ROUNDS) -> Outcome:
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
    assert scenario is not None, problems
    return run(scenario)


def ideal(robots: int, path: Path, rounds: int) -> list[list[complex]]:
    """Places of all robots after each round, from the line in mid-field."""
    front = 40.0 + (robots - 1) * D / 2
    places = [complex(front - D * robot, 40.0) for robot in range(robots)]
    heading, history = 0.0, [list(places)]
    for number in range(rounds):
        turn, distance = path[number % len(path)]
        heading += turn
        places[0] += rect(distance, heading)
        for robot in range(1, robots):
            to_front = places[robot - 1] - places[robot]
            places[robot] = places[robot - 1] - rect(D, phase(to_front))
        history.append(list(places))
    return history


def stays_clear(history: list[list[complex]]) -> bool:
    """Whether no two bodies come near each other on the way, and no robot stands between two neighbours."""
    for before, after in pairwise(history):
        for robot, (start, end) in enumerate(zip(before, after, strict=True)):
            for other in range(len(after)):
                if other != robot and min(_apart(start, end, before[other]), _apart(start, end, after[other])) < 0.3:
                    return False
            if robot and any(
                _apart(end, after[robot - 1], place) < 0.15
                for places in (before, after)
                for other, place in enumerate(places)
                if other not in (robot, robot - 1)
            ):
                return False
    return True


def _apart(start: complex, end: complex, place: complex) -> float:
    """Distance of a place from a way."""
    way = end - start
    share = 0.0 if way == 0 else ((place - start) * way.conjugate()).real / abs(way) ** 2
    return abs(place - start - min(1.0, max(0.0, share)) * way)


turns = st.one_of(st.just(0.0), st.floats(-2.0, 2.0))
paths = st.lists(st.tuples(turns, st.floats(0.02, 0.4)), min_size=1, max_size=8)


@given(st.integers(2, 40), paths)
@settings(max_examples=60)
def test_whatever_the_turns_each_robot_ends_its_round_d_behind_its_front_robot_and_faces_it(
    robots: int, path: Path
) -> None:
    lead = ROUNDS + robots  # robots in front are some rounds ahead when the last one ends
    history = ideal(robots, path, lead)
    assume(stays_clear(history))
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
    assert scenario is not None, problems
    rows = run(scenario).formation.rows
    for row in rows:
        if row.robot > 1:
            assert row.gap_m == pytest.approx(D, abs=1e-9)
            assert abs(row.bearing_rad) < 1e-9
    first = next(row for row in rows if row.robot == 1)
    assert (first.x_m, first.y_m) == pytest.approx((40.0 + 0.3 * cos(0.3), 40.0 + 0.3 * sin(0.3)))
