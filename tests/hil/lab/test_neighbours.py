"""Neighbours: nobody is left out whom a body may touch, and those who are far are not looked at."""

from __future__ import annotations

from math import hypot, pi

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devs_robotics.hil.lab import neighbours
from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.neighbours import STRIDE, Neighbours
from devs_robotics.hil.lab.physics import Body
from devs_robotics.hil.robot_protocol import Touch
from tests.hil.lab.small_lab import SmallLab, move, stand_in

places = st.tuples(st.floats(0.0, 0.8), st.floats(0.0, 0.8))
sizes = st.tuples(st.floats(0.02, 0.2), st.sampled_from([0.0, 0.03, 0.2]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([0.02, 0.3]),
    st.lists(st.tuples(places, sizes), min_size=2, max_size=6),
    st.lists(st.tuples(st.integers(0, 5), st.floats(-0.05, 0.05), st.floats(-0.05, 0.05)), max_size=40),
)
def test_whatever_is_in_reach_is_a_neighbour_of_whatever_has_moved(
    monkeypatch: pytest.MonkeyPatch,
    slack: float,
    made: list[tuple[tuple[float, float], tuple[float, float]]],
    moves: list[tuple[int, float, float]],
) -> None:
    bodies = [Body(Pose(*place, 0.0), radius, whiskers) for place, (radius, whiskers) in made]
    monkeypatch.setattr(neighbours, "SLACK", slack)
    near = Neighbours(bodies)
    for number, dx, dy in [(0, 0.0, 0.0), *moves]:
        body = bodies[number % len(bodies)]
        body.x, body.y = body.x + dx, body.y + dy
        near.moved(body)
        for one in bodies:
            assert one not in near.of(one)
            assert len(set(near.of(one))) == len(near.of(one))
            for other in bodies:
                gap = hypot(other.x - one.x, other.y - one.y) - one.radius - other.radius
                if other is not one and gap <= max(STRIDE, one.whisker_reach, other.whisker_reach):
                    assert other in near.of(one)


def test_those_who_are_far_are_not_looked_at_however_far_a_body_goes() -> None:
    bodies = [Body(Pose(0.5 * number, 0.0, 0.0), 0.1, 0.03) for number in range(100)]
    near = Neighbours(bodies)
    for _ in range(500):
        bodies[0].x += 0.1
        near.moved(bodies[0])
    assert max(len(near.of(body)) for body in bodies) <= 4
    assert bodies[0] not in near.of(bodies[1])


def test_a_lab_is_the_same_as_one_in_which_all_look_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body drives past others that stand and feel it, and up to one that then drives away."""

    def live() -> list[tuple[object, ...]]:
        standing = [
            stand_in(number, x=0.5 * number, y=1.12, heading=-pi / 2, whisker_reach=0.03) for number in (2, 3, 4)
        ]
        lab = SmallLab(stand_in(1, x=0.3, whisker_reach=0.03), *standing, stand_in(5, x=3.0, heading=pi))
        lab.say(move(1, distance=2.8))
        lab.attend(2.0)
        lab.say(move(1, distance=0.3, robot=5))
        lab.attend(6.0)
        told = [(robot, touch.touching) for robot in range(1, 6) for touch in lab.reports(Touch, robot=robot)]
        return [*told, *((robot, lab.pose(robot)) for robot in range(1, 6))]

    seen = live()
    assert [robot for robot, *rest in seen if rest == [True]] == [1, 2, 3, 4]
    monkeypatch.setattr(neighbours, "SLACK", 1e9)
    assert live() == seen
