"""The verdict on convoys: worked out by hand from the rows of a formation, and on runs of the shipped scenario."""

from __future__ import annotations

import pytest

from devs_robotics.core.tables import Table
from devs_robotics.experimental_frames.coherence import Criteria, sight_margin
from devs_robotics.experimental_frames.convoy import Formation, RoundRow
from devs_robotics.experimental_frames.convoy.coherence import coherence_of, errors_by_round
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from tests.experimental_frames.convoy.test_formation import complete, formation, move, three_rounds

MARGIN = sight_margin(0.6, 0.5, 0.1)


def outcome(*settings: str) -> ConvoyOutcome:
    return run(load("convoy", ["convoy.robots=20", *settings]))


def test_the_errors_of_a_round_are_averaged_over_the_followers() -> None:
    """Robot 2 is 0.1, 0.2 and 0.3 m off in its three rounds, and robot 3 keeps its place behind it."""
    rounds, errors = errors_by_round(three_rounds())
    assert rounds.tolist() == [1.0, 2.0, 3.0]
    assert errors == pytest.approx([0.05, 0.1, 0.15])


def test_rounds_that_not_all_have_completed_are_left_out() -> None:
    frame = three_rounds()
    frame.rows = Table(RoundRow, frame.rows[:-1])
    assert errors_by_round(frame)[0].tolist() == [1.0, 2.0]
    assert errors_by_round(Formation("formation", [(0.0, 0.0, 0.0)] * 2, 0.5, 1.0))[1].size == 0


def test_robots_that_were_lost_and_the_criteria_count() -> None:
    frame = formation()
    for number in range(60):
        for robot in (1, 2, 3):  # robot 2 is 10 cm off in each round, and robot 3 keeps its place behind it
            move(frame, robot, 2.5 - 0.5 * robot + number - 0.1 * (robot > 1), 1.0)
            complete(frame, robot, number + 1)
    assert coherence_of(frame, (), MARGIN, 10).verdict == "coherent"
    assert coherence_of(frame, (2,), MARGIN, 10).reasons == ("robot 2 is lost",)
    assert coherence_of(frame, (), 0.04, 10).verdict == "not"
    assert coherence_of(frame, (), 0.04, 10, Criteria(beyond=1.0)).verdict == "coherent"


def test_it_is_the_published_metric_at_completed_rounds() -> None:
    done = outcome("run.rounds=60", "frame.transient_rounds=10")
    _, errors = errors_by_round(done.formation)
    assert errors[10:].mean() == pytest.approx(done.metrics.error_at_completed_rounds.mean_over_followers)
    assert coherence_of(done.formation, done.robots_lost, MARGIN, 10).mean == pytest.approx(errors[10:].mean())


def test_the_shipped_convoy_is_coherent_and_without_its_correction_it_is_not() -> None:
    kept, drifted = outcome(), outcome("follower.correction=0")
    found = coherence_of(kept.formation, kept.robots_lost, MARGIN, 20)
    assert found.verdict == "coherent", found.reasons
    found = coherence_of(drifted.formation, drifted.robots_lost, MARGIN, 20)
    assert found.verdict == "not"
    assert found.p < 0.01
    assert found.interval.low > 0.0
