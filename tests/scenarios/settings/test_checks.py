"""What the keys of a scenario must be to each other."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics.scenarios.settings.loading import load, validate
from devs_robotics.scenarios.settings.problems import ScenarioError


def found(**tables: dict[str, Any]) -> list[str]:
    return [str(problem) for problem in validate(tables)[1]]


def test_a_distance_smaller_than_the_bodies() -> None:
    assert "convoy.distance: 0.2 m leaves no room between two bodies of radius 0.1 m: make it more than 0.2 m" in found(
        convoy={"distance": "20 cm"}
    )


def test_a_distance_beyond_the_infrared_range() -> None:
    assert any(
        line.startswith("convoy.distance: 0.9 m puts the front robot out of infrared range: make it at most 0.8 m")
        for line in found(convoy={"distance": 0.9})
    )


def test_a_field_too_small_for_the_line() -> None:
    assert found(field={"width": "10 m"}) == [
        "field.width: 10 m is too small for a line of 30 robots, 14.7 m long: make it at least 14.7 m, or leave it out"
    ]
    assert found(field={"height": "15 cm"}) == ["field.height: 0.15 m is narrower than a robot: make it more"]


def test_poses_that_overlap_or_leave_the_field() -> None:
    poses = [["50 cm", "5 m", 0], ["40 cm", "5 m", 0], ["5 cm", "5 m", 0]]
    assert found(convoy={"robots": 3, "poses": poses}) == [
        "convoy.poses: robot 3 at (0.05, 5) m would not be inside the walls: move it",
        "convoy.poses: robots 1 and 2 would stand in each other: move them 0.2 m apart or more",
    ]
    poses[2] = ["29.95 m", "5 m", 0]
    assert found(convoy={"robots": 3, "poses": poses}) == [
        "convoy.poses: robot 3 stands 29.55 m behind its front robot, which it can see to 0.8 m only: move it closer",
    ]


def test_one_pose_for_each_robot() -> None:
    assert found(convoy={"robots": 3, "poses": [[5, 5, 0]]}) == [
        "convoy.poses: has 1 poses for 3 robots: give one for each robot"
    ]


def test_robots_in_obstacles() -> None:
    obstacle = {"shape": "box", "x": 15.0, "y": 15.0, "width": 0.2, "height": 0.2}
    assert found(convoy={"robots": 3}, field={"obstacles": [obstacle]}) == [
        "convoy: robot 2 at (15, 15) m would stand in obstacle 1: move one of them"
    ]


def test_a_leader_must_see_as_far_as_it_steps() -> None:
    assert any(line.startswith("leader.step: a step of 0.6 m would lead past") for line in found(leader={"step": 0.6}))
    assert any(line.startswith("leader.clearance: 0.7 m is further than") for line in found(leader={"clearance": 0.7}))
    assert found(leader={"step": 0.6, "path": [[0, 0.1]]}) == []


def test_a_scripted_leader_must_move() -> None:
    assert found(leader={"path": [[0, 0], [0, 0]]}) == [
        "leader.path: never moves, and time would stand still: add a turn or a distance"
    ]
    assert found(leader={"path": [[0.1, 0]]}) == []


def test_corners_of_a_polygon_differ() -> None:
    obstacle = {"shape": "polygon", "corners": [[1, 1], [2, 1], [2, 1], [1, 2]]}
    assert found(field={"obstacles": [obstacle]}) == [
        "field.obstacles: obstacle 1 has the same corner twice in a row: remove one of them"
    ]


def test_a_run_must_be_measured() -> None:
    assert found(run={"rounds": 10}, frame={"transient_rounds": 10}) == [
        "frame.transient_rounds: leaves out 10 rounds of 10, so that nothing is measured: make it less than run.rounds"
    ]


@pytest.mark.parametrize(
    ("tables", "key"),
    [
        ({"follower": {"nearest": 0.46}}, "follower.nearest"),
        ({"follower": {"farthest": 0.5}}, "follower.farthest"),
        ({"follower": {"scan_limit": "5 deg"}}, "follower.scan_limit"),
        ({"frame": {"parted": 0.5}}, "frame.parted"),
    ],
)
def test_followers_must_be_able_to_keep_their_place(tables: dict[str, Any], key: str) -> None:
    (line,) = found(**tables)
    assert line.startswith(f"{key}: ")


COARSE = {"robot": {"radius": 0.125}, "convoy": {"robots": 3, "distance": 0.5}}
"""Of numbers that binary fractions hold exactly."""


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        (
            {"convoy": {"distance": 1.0}, "robot": {"radius": 0.25}, "infrared": {"range": 0.5}},
            "convoy.distance: 1 m puts",
        ),
        ({"convoy": {"distance": 0.5}, "robot": {"radius": 0.25}}, "convoy.distance: 0.5 m leaves no room"),
        ({"follower": {"tolerance": 0.25, "nearest": 0.25}}, "follower.nearest: a front robot at its right place"),
        ({"leader": {"clearance": 0.5, "step": 0.5}}, "leader.step: a step of 0.5 m would lead past"),
        ({"leader": {"clearance": 0.6}}, ""),
        ({"follower": {"scan_limit": 0.1, "scan_step": 0.1}}, ""),
        ({**COARSE, "field": {"width": 1.25, "height": 0.25}}, ""),
        ({**COARSE, "field": {"width": 1.2}}, "field.width: 1.2 m is too small"),
        ({**COARSE, "field": {"height": 0.2}}, "field.height: 0.2 m is narrower"),
        ({"run": {"rounds": 10}, "frame": {"transient_rounds": 9}}, ""),
        (
            {"field": {"obstacles": [{"shape": "polygon", "corners": [[1, 1], [2, 1], [1, 2], [1, 1]]}]}},
            "field.obstacles: obstacle 1 has the same corner twice in a row",
        ),
        (
            {"convoy": {"robots": 3, "poses": [[5.15, 5, 0], [5, 5, 0], [4.5, 5, 0]]}},
            "convoy.poses: robots 1 and 2 would stand in each other",
        ),
        ({"convoy": {"robots": 3, "poses": [[5.2, 5, 0], [5, 5, 0], [4.5, 5, 0]]}}, ""),
        (
            {"convoy": {"robots": 2, "poses": [[5.9, 5, 0], [5, 5, 0]]}},
            "convoy.poses: robot 2 stands 0.9 m behind its front robot, which it can see to 0.8 m only",
        ),
    ],
)
def test_bounds_are_told_apart_from_what_is_just_beyond_them(tables: dict[str, Any], sentence: str) -> None:
    lines = found(**tables)
    assert any(line.startswith(sentence) for line in lines) if sentence else lines == []


@pytest.mark.parametrize("setting", ["swarm.robots=99999999999999", "wandering.robots=10000001"])
def test_more_robots_than_there_is_room_for_are_refused_at_once(setting: str) -> None:
    with pytest.raises(ScenarioError, match="and there is no room for so many: make it at most 10,000,000"):
        load("swarm" if setting.startswith("swarm") else "wander", [setting])
