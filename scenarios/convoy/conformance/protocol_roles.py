"""Who the robots of a scenario are to the protocol, and their decision models by themselves."""

from __future__ import annotations

from math import asin, ceil, pi
from typing import Literal

from devs_robotics.experimental_frames.convoy.conformance.messages import Sight
from devs_robotics.experimental_frames.convoy.conformance.protocol import Limits, Machine
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole
from devs_robotics.experimental_frames.convoy.conformance.single import Player
from devs_robotics.models.convoy import RelativePose
from devs_robotics.models.convoy.member import Member
from devs_robotics.scenarios.convoy.decision_models import decisions_of_follower, decisions_of_leader
from devs_robotics.scenarios.convoy.settings import ConvoyScenario

CIRCLES = 3
"""So often a leader turns right round before it may give up."""


def protocol_roles(scenario: ConvoyScenario) -> list[ProtocolRole]:
    """The robots of a scenario, the leader first."""
    return [protocol_role(scenario, robot) for robot in range(1, scenario.convoy.robots + 1)]


def protocol_role(scenario: ConvoyScenario, robot: int) -> ProtocolRole:
    """One robot of a scenario."""
    if robot == 1:
        turns = ceil(CIRCLES * 2.0 * pi / scenario.leader.turn - 1e-9)
        return ProtocolRole(1, Machine("scripted leader" if scenario.leader.path else "leader", Limits(turns=turns)))
    rules, spacing = scenario.follower, scenario.convoy.distance
    sight = Sight(
        offset=2.0 * scenario.robot.radius,
        nearest=rules.nearest,
        farthest=rules.farthest,
        too_close=spacing - rules.tolerance,
        spacing=spacing,
    )
    a_side = int(rules.scan_limit / rules.scan_step * (1.0 + 1e-9))
    limits = Limits(looks=2 * a_side, recoveries=rules.recoveries, centres=_centres(scenario))
    return ProtocolRole(robot, Machine("follower", limits, last=robot == scenario.convoy.robots), sight)


def _centres(scenario: ConvoyScenario) -> Literal["always", "never", "it depends"]:
    """Whether a robot that is found aside is wider than half a step of the scan, wherever it is in sight."""
    rules, radius = scenario.follower, scenario.robot.radius
    narrowest, widest = (asin(min(1.0, radius / max(gap, radius))) for gap in (rules.farthest, rules.nearest))
    half_step = rules.scan_step / 2.0
    return "always" if narrowest > half_step else "never" if widest <= half_step else "it depends"


def decisions(scenario: ConvoyScenario, robot: int) -> Member:
    """A robot's decision model by itself; its front robot stands just at the wanted distance."""
    if robot == 1:
        return decisions_of_leader(scenario)
    return decisions_of_follower(scenario, robot, RelativePose(gap=scenario.convoy.distance, bearing=0.0, delta=0.0))


def player_of(scenario: ConvoyScenario, robot: int) -> Player:
    """Who plays the rest of the world for a robot."""
    beams = len(scenario.infrared.leader_beams) if robot == 1 else 1
    return Player(protocol_role(scenario, robot), beams, scenario.leader.step)
