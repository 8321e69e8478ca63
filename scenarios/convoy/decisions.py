"""The decision models that a scenario names, and what is wrong with the names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from devs_robotics import DevsRoboticsError
from devs_robotics.core.naming import load_class
from devs_robotics.models.convoy import Follower, Leader
from devs_robotics.scenarios.convoy.settings import ConvoyScenario, FollowerTable, LeaderTable
from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.settings.problems import Problem

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


def check_decisions(scenario: ConvoyScenario) -> Iterator[Problem]:
    """Every decision model that is not there, or is none of a leader or a follower."""
    for key, find in (("leader.model", leader_class), ("follower.model", follower_class)):
        try:
            find(scenario)
        except DevsRoboticsError as exc:
            yield Problem((key,), str(exc))


def check_making(scenario: ConvoyScenario) -> Iterator[Problem]:
    """Every decision model of somebody's that cannot be made. Only for a scenario in which nothing else is wrong."""
    from devs_robotics.scenarios.convoy.assembly import (  # slow to load, and most name none
        decisions_of_follower,
        decisions_of_leader,
    )
    from devs_robotics.scenarios.convoy.beginning import initial_poses, starts

    start = starts(initial_poses(scenario))[0]
    for key, model, own, make in (
        ("leader.model", scenario.leader.model, LeaderTable(), lambda: decisions_of_leader(scenario)),
        ("follower.model", scenario.follower.model, FollowerTable(), lambda: decisions_of_follower(scenario, 2, start)),
    ):
        if model != own.model:
            try:
                make()
            except DevsRoboticsError as exc:
                yield Problem((key,), str(exc))


def _subclass(target: str, what: str, base: type[M]) -> type[M]:
    found = load_class(target, what)
    if not issubclass(found, base):
        raise BeginError(
            f"{target!r} is no {what}: derive it from devs_robotics.models.convoy.{base.__name__} (docs/conformance.md)"
        )
    return found
