"""The decision models that a scenario names, and what is wrong with the names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from devs_robotics import DevsRoboticsError
from devs_robotics.core.naming import load_class
from devs_robotics.core.user_code import user_code
from devs_robotics.models.convoy import Follower, FollowerRules, Leader, LeaderRules, RelativePose
from devs_robotics.scenarios.case_study.case_study import Disagreement
from devs_robotics.scenarios.convoy.beginning import initial_poses, starts
from devs_robotics.scenarios.convoy.settings import ConvoyScenario, FollowerTable, LeaderTable
from devs_robotics.scenarios.errors import BeginError, unmade

M = TypeVar("M", Leader, Follower)


def leader_class(scenario: ConvoyScenario) -> type[Leader]:
    """Of the leader's decision model.

    Raises:
        DevsRoboticsError: there is no such class
    """
    return _subclass(scenario.leader.model, "leader", Leader)


def follower_class(scenario: ConvoyScenario) -> type[Follower]:
    """Of the followers' decision models.

    Raises:
        DevsRoboticsError: there is no such class
    """
    return _subclass(scenario.follower.model, "follower", Follower)


def check_decisions(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    """Every decision model that is not there, or is none of a leader or a follower."""
    for key, find in (("leader.model", leader_class), ("follower.model", follower_class)):
        try:
            find(scenario)
        except DevsRoboticsError as exc:
            yield key, str(exc)


def decisions_of_leader(scenario: ConvoyScenario) -> Leader:
    """The leader's decision model."""
    rules, beams = scenario.leader, scenario.infrared.leader_beams
    wanted = LeaderRules(rules.step, rules.turn, rules.swing, rules.clearance, beams, rules.path)
    with user_code(lambda why: unmade(rules.model, why)):
        return leader_class(scenario)("convoy", wanted, last=False)


def decisions_of_follower(scenario: ConvoyScenario, robot: int, start: RelativePose) -> Follower:
    """A follower's decision model; its front robot stands at `start`."""
    rules, radius = scenario.follower, scenario.robot.radius
    wanted = FollowerRules(
        spacing=scenario.convoy.distance,
        body_offset=2.0 * radius,
        front_radius=radius,
        nearest=rules.nearest,
        farthest=rules.farthest,
        tolerance=rules.tolerance,
        scan_step=rules.scan_step,
        scan_limit=rules.scan_limit,
        recovery_step=rules.recovery_step,
        recoveries=rules.recoveries,
        correction=rules.correction,
    )
    with user_code(lambda why: unmade(rules.model, why)):
        return follower_class(scenario)("convoy", robot, wanted, start, last=robot == scenario.convoy.robots)


def check_making(scenario: ConvoyScenario) -> Iterator[Disagreement]:
    """Every decision model of somebody's that cannot be made. Only for a scenario in which nothing else is wrong."""
    start = starts(initial_poses(scenario))[0]
    for key, model, own, make in (
        ("leader.model", scenario.leader.model, LeaderTable(), lambda: decisions_of_leader(scenario)),
        ("follower.model", scenario.follower.model, FollowerTable(), lambda: decisions_of_follower(scenario, 2, start)),
    ):
        if model != own.model:
            try:
                make()
            except DevsRoboticsError as exc:
                yield key, str(exc)


def _subclass(target: str, what: str, base: type[M]) -> type[M]:
    found = load_class(target, what)
    if not issubclass(found, base):
        raise BeginError(
            f"{target!r} is no {what}: derive it from devs_robotics.models.convoy.{base.__name__} (docs/conformance.md)"
        )
    return found
