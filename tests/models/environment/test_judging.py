"""The strategy `auto`: by the density at first, and then by how often sensors have to be looked at."""

from __future__ import annotations

from math import sqrt

import pytest

from devs_robotics.models.environment import Cast, Field, Twist, Watching
from devs_robotics.models.environment.sensing import judging
from devs_robotics.models.environment.world import World
from tests.models.environment.driven import Run, drive

RADIUS = 0.035


def standing(robots: int, area: float, apart: float) -> Field:
    """Robots in rows, in a field with so much area for each (m2)."""
    side, columns = sqrt(robots * area), 20
    field = Field(side, side)
    for robot in range(robots):
        field.add_body(0.1 + apart * (robot % columns), 0.1 + apart * (robot // columns), 0.0, RADIUS)
    return field


@pytest.mark.parametrize(
    ("robots", "area", "choice"),
    [
        (30, 0.04, "predict"),
        (60, 0.04, "batch"),
        (50, 0.16, "predict"),
        (200, 0.16, "batch"),
        (200, 2.56, "predict"),
        (1000, 2.56, "batch"),
    ],
)
def test_many_robots_on_little_room_are_looked_at_in_arrays(robots: int, area: float, choice: str) -> None:
    assert judging.first_choice(World(standing(robots, area, 0.1), 0.03)) == choice


def test_a_world_without_robots_can_be_judged() -> None:
    assert judging.first_choice(World(Field(1.0, 1.0), 0.03)) == "predict"


def watched(field: Field, *, until: float) -> Run:
    """Everybody turns on the spot, but for the last one, who drives round, and watches beams."""
    robots = range(1, len(field.x) + 1)
    watches = [Watching(Cast(robot, (0.0, 1.5), 0.05), period=0.5) for robot in robots]
    twists = [Twist(robot, 0.0, 0.5) for robot in robots[:-1]] + [Twist(robots[-1], 0.01, 1.0)]
    return drive(field, [*watches, *twists], until=until, strategy="auto")


@pytest.mark.parametrize(("area", "apart", "choice"), [(0.2, 0.1, "batch"), (0.04, 0.19, "predict")])
def test_it_changes_where_more_or_fewer_are_seen_than_the_density_tells(
    area: float, apart: float, choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Robots in a heap in a large field; and robots that stand so evenly that nobody sees anybody."""
    monkeypatch.setattr(judging, "AGAIN", 2.0)
    field = standing(80, area, apart)
    first = judging.first_choice(World(field, 0.03))
    run = watched(field, until=5.0)
    assert run.space.driving is not None
    assert run.space.driving.strategy.name == choice != first
