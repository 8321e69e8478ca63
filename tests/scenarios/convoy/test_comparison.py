"""What a study of a convoy compares, and the robot that it follows."""

from __future__ import annotations

from math import isnan

import pytest

from devs_robotics.experimental_frames.convoy.back_robot import errors_by_round
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.comparison import COMPARED, BackRobotWatch, back_robot
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.stages import Stage


@pytest.mark.parametrize(
    ("settings", "robot"),
    [
        ([], (3, True)),
        (["convoy.robots=2"], (2, True)),
        (['real={2={}, 4={infrared="virtual"}}', "convoy.robots=5"], (2, True)),
        (['real={2={infrared="virtual"}, 4={infrared="virtual"}}', "convoy.robots=5"], (4, True)),
        (["real={1={}}", "convoy.robots=5"], (5, False)),
    ],
)
def test_the_back_robot_is_the_last_that_sees_with_its_own_sensors(
    settings: list[str], robot: tuple[int, bool]
) -> None:
    scenario = resolve(load("convoy", settings))
    assert back_robot(scenario) == robot
    followed = CASE.compared(scenario).followed
    assert followed is not None
    assert (followed.robot, followed.called) == (robot[0], "back real robot" if robot[1] else "back robot")


def test_what_is_compared_of_a_run_are_its_metrics_and_those_of_the_back_robot() -> None:
    scenario = resolve(load("convoy", ["convoy.robots=3", "run.rounds=8"]))
    outcome = run(scenario)
    stages: tuple[tuple[Stage, bool], ...] = (("fast", False), ("loop", True))
    for stage, seen_outside in stages:
        watch = BackRobotWatch(scenario, stage)
        assert bool(watch.observers()) is seen_outside
        seen = watch.seen(outcome)
        values = seen.values
        assert list(values) == [metric.name for metric in COMPARED]
        assert values["error_at_pose_changes_m"] == outcome.metrics.error_at_pose_changes.mean_over_all
        assert values["convoy_speed_m_per_s"] == outcome.metrics.convoy_speed_m_per_s
        errors = [row.error_m for row in outcome.formation.rows if row.robot == 3 and row.round > 2]
        assert outcome.metrics.transient_rounds == 2
        assert len(errors) == 6
        assert values["back_robot_error_m"] == pytest.approx(sum(errors) / 6, rel=1e-12)
        assert seen.followed == errors_by_round(outcome.formation, 3)
        assert seen.followed_outside == ()
        if seen_outside:  # where no fix came
            assert isnan(values["back_robot_physical_error_m"])
        else:
            assert values["back_robot_physical_error_m"] == values["back_robot_error_m"]
