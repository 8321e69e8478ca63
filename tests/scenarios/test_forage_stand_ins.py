"""What plays finders, compasses and grippers of the case forage: where items are, and who holds them."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import LabScene
from devs_robotics.scenarios.forage_stand_ins import PlayedCompass, PlayedFinder, PlayedGripper
from tests.approximately import near

SETTINGS = {"finder_reach": 1.5, "gripper_reach": 0.2, "nest_x": 0.0, "nest_y": 0.0, "nest_radius": 0.5}


class Floor:
    """Items at places, a nest round the origin, and two robots."""

    def __init__(self, *places: tuple[float, float]) -> None:
        self.poses = {1: Pose(0.0, 0.0, 0.0), 2: Pose(2.0, 0.0, pi / 2.0)}
        scene = LabScene({**SETTINGS, "places": [list(place) for place in places]}, 1, lambda: self.poses, {})
        self.finder, self.compass, self.gripper = PlayedFinder(), PlayedCompass(), PlayedGripper()
        for each in (self.finder, self.compass, self.gripper):
            each.begin(scene)

    def find(self, robot: int) -> dict[str, Any]:
        return self.finder.answer(robot, {}, self.poses[robot], 1.0)

    def grip(self, robot: int, *, close: bool) -> bool:
        answer = self.gripper.answer(robot, {"close": close}, self.poses[robot], 1.0)
        assert list(answer) == ["holding"]
        return bool(answer["holding"])


def test_a_finder_sees_the_nearest_item_in_reach_from_where_its_robot_is_and_looks() -> None:
    floor = Floor((2.0, 1.0), (1.0, 0.0), (2.0, -1.51))
    assert floor.find(2) == {"bearing": near(0.0), "distance": 1.0}
    floor.poses[2] = Pose(2.0, 0.0, -3.0)
    floor.gripper.items.pop(0)
    assert floor.find(2) == {"bearing": near(3.0 - pi), "distance": 1.0}
    assert Floor((9.0, 9.0)).find(1) == {}


@pytest.mark.parametrize(("x", "inside"), [(0.5, True), (0.51, False)])
def test_a_compass_knows_the_nest(x: float, inside: bool) -> None:
    answer = Floor().compass.answer(2, {}, Pose(x, 0.0, pi / 2.0), 1.0)
    assert answer == {"bearing": near(pi / 2.0), "distance": x, "inside": inside}


def test_an_item_is_held_by_one_robot_and_nobody_finds_it_meanwhile() -> None:
    floor = Floor((1.9, 0.0))
    floor.poses[1] = Pose(1.8, 0.0, 0.0)
    assert [floor.grip(robot, close=True) for robot in (2, 1, 2)] == [True, False, True]
    assert floor.find(1) == floor.find(2) == {}


def test_a_gripper_takes_what_is_in_its_reach_only_and_one_item_at_a_time() -> None:
    floor = Floor((2.0, 0.1), (2.0, 0.15), (2.0, -0.3))
    assert [floor.grip(2, close=True) for _ in range(2)] == [True, True]
    assert floor.gripper.items == {1: (2.0, 0.15), 2: (2.0, -0.3)}
    assert not Floor((2.0, -0.3)).grip(2, close=True)


def test_what_is_let_go_outside_of_the_nest_lies_there_and_inside_it_nobody_finds_it_any_more() -> None:
    floor = Floor((2.0, 0.1))
    floor.grip(2, close=True)
    floor.poses[2] = Pose(0.5, 0.6, 0.0)
    assert not floor.grip(2, close=False)
    assert floor.find(2) == {"bearing": near(0.0), "distance": 0.0}
    floor.grip(2, close=True)
    floor.poses[2] = Pose(0.5, 0.0, 0.0)
    assert not floor.grip(2, close=False)
    assert not floor.grip(2, close=False)
    assert floor.find(1) == floor.find(2) == {}
    assert not floor.gripper.items
