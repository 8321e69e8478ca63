"""Where things are when a scenario begins, and what is filled in where it leaves something open."""

from __future__ import annotations

from math import pi, radians

import pytest

from devs_robotics.models.convoy import RelativePose
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.beginning import field_size, initial_poses, starts
from devs_robotics.scenarios.convoy.settings import ConvoyFrameTable, ConvoyRunTable, ConvoyScenario, ConvoyTable
from devs_robotics.scenarios.settings.tables import FieldTable
from tests.approximately import near


@pytest.mark.parametrize(
    ("run", "rounds", "transient"),
    [
        (ConvoyRunTable(), 340, 20),
        (ConvoyRunTable(rounds=100), 100, 20),
        (ConvoyRunTable(rounds=80), 80, 20),
        (ConvoyRunTable(rounds=79), 79, 19),
        (ConvoyRunTable(rounds=7), 7, 1),
        (ConvoyRunTable(rounds=3), 3, 0),
        (ConvoyRunTable(duration=60.0), None, 20),
        (ConvoyRunTable(rounds=8, duration=60.0), 8, 2),
    ],
)
def test_rounds_and_transient_are_filled_in(run: ConvoyRunTable, rounds: int | None, transient: int) -> None:
    found = resolve(ConvoyScenario(run=run))
    assert (found.run.rounds, found.run.duration, found.frame.transient_rounds) == (rounds, run.duration, transient)


def test_what_is_given_stays() -> None:
    given = ConvoyScenario(frame=ConvoyFrameTable(transient_rounds=3), field=FieldTable(width=50.0))
    found = resolve(given)
    assert (found.frame.transient_rounds, found.field.width, found.field.height) == (3, 50.0, 30.0)
    assert resolve(found) == found


@pytest.mark.parametrize(("robots", "side"), [(2, 30.0), (41, 30.0), (42, 30.5), (101, 60.0)])
def test_a_field_has_room_at_each_end_of_the_line(robots: int, side: float) -> None:
    assert field_size(ConvoyScenario(convoy=ConvoyTable(robots=robots))) == (near(side), near(side))


def test_the_line_is_in_mid_field_with_its_leader_in_front() -> None:
    scenario = ConvoyScenario(convoy=ConvoyTable(robots=3, distance=0.5), field=FieldTable(width=10.0, height=4.0))
    assert initial_poses(scenario) == [(5.5, 2.0, 0.0), (5.0, 2.0, 0.0), (4.5, 2.0, 0.0)]


def test_a_follower_sees_its_front_robot_from_where_it_stands_itself() -> None:
    left, behind = starts([(1.0, 2.0, pi / 2), (1.0, 1.0, 0.0), (2.0, 1.0, radians(-170.0))])
    assert left == RelativePose(gap=near(1.0), bearing=near(pi / 2), delta=near(pi / 2))
    assert behind == RelativePose(gap=near(1.0), bearing=near(radians(-10.0)), delta=near(radians(170.0)))
