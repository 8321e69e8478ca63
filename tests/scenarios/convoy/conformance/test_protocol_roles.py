"""Who the robots of a scenario are to the protocol."""

from __future__ import annotations

from math import radians

import pytest

from devs_robotics.experimental_frames.convoy.conformance.messages import Sight
from devs_robotics.scenarios.convoy.conformance.protocol_roles import protocol_role, protocol_roles
from devs_robotics.scenarios.convoy.settings import (
    ConvoyRobotTable,
    ConvoyScenario,
    ConvoyTable,
    FollowerTable,
    LeaderTable,
)
from tests.approximately import near

THREE = ConvoyScenario(convoy=ConvoyTable(robots=3))


def test_a_leader_its_followers_and_the_last_of_them() -> None:
    leader, follower, last = protocol_roles(THREE)
    assert [part.robot for part in (leader, follower, last)] == [1, 2, 3]
    assert [part.machine.kind for part in (leader, follower, last)] == ["leader", "follower", "follower"]
    assert (follower.machine.last, last.machine.last) == (False, True)
    scripted = THREE.model_copy(update={"leader": LeaderTable(path=((0.0, 1.0),))})
    assert protocol_role(scripted, 1).machine.kind == "scripted leader"


@pytest.mark.parametrize(
    ("limit", "step", "looks"),
    [("45", "6", 14), ("42", "6", 14), ("41.9", "6", 12), ("6", "6", 2), ("48", "6", 16)],
)
def test_a_scan_looks_as_often_to_each_side_as_its_step_fits_its_limit(limit: str, step: str, looks: int) -> None:
    rules = FollowerTable(scan_limit=radians(float(limit)), scan_step=radians(float(step)))
    assert protocol_role(THREE.model_copy(update={"follower": rules}), 2).machine.limits.looks == looks


@pytest.mark.parametrize(("turn", "turns"), [("15", 72), ("14", 78), ("360", 3), ("90", 12)])
def test_a_leader_turns_right_round_three_times_before_it_gives_up(turn: str, turns: int) -> None:
    rules = LeaderTable(turn=radians(float(turn)))
    assert protocol_role(THREE.model_copy(update={"leader": rules}), 1).machine.limits.turns == turns


def test_a_follower_sees_centre_to_centre() -> None:
    rules = FollowerTable(nearest=0.3, farthest=0.6, tolerance=0.1)
    scenario = ConvoyScenario(
        convoy=ConvoyTable(robots=3, distance=0.5), robot=ConvoyRobotTable(radius=0.08), follower=rules
    )
    assert protocol_role(scenario, 2).sight == Sight(
        offset=near(0.16), nearest=0.3, farthest=0.6, too_close=near(0.4), spacing=0.5
    )


@pytest.mark.parametrize(("step", "centres"), [(6.0, "always"), (30.0, "it depends"), (60.0, "never")])
def test_whether_a_follower_turns_to_the_centre_depends_on_its_steps(step: float, centres: str) -> None:
    """A body of 10 cm is 8.8 degrees to each side at 65 cm, and 23.6 at 25 cm."""
    rules = FollowerTable(scan_step=radians(step), scan_limit=radians(60.0))
    assert protocol_role(THREE.model_copy(update={"follower": rules}), 2).machine.limits.centres == centres
