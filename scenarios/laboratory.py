"""The laboratory that a scenario needs: its arena and its stand-in robots."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from secrets import token_hex

from devs_robotics import DevsRoboticsError
from devs_robotics.hil.addresses import below
from devs_robotics.hil.lab.plan import Corners, Disc, LabPlan, StandIn
from devs_robotics.models.environment import Circle, Polygon
from devs_robotics.scenarios.geometry import Pose, field_of, field_size, initial_poses
from devs_robotics.scenarios.parts import Part
from devs_robotics.scenarios.schema import Scenario


def laboratory_plan(
    scenario: Scenario,
    stand_ins: Mapping[int, Part],
    broker: str,
    rate: float,
    truth: str = "",
    listen: Mapping[int, str] | None = None,
) -> LabPlan:
    """What the laboratory is to be made of; the stand-ins stand where the scenario says.

    Args:
        scenario: with nothing left open
        stand_ins: the robots to be played
        broker: MQTT address, for robots that speak over one, and for the tracking system
        rate: seconds of the laboratory's time per real second
        truth: file for the true poses, or empty
        listen: addresses at which robots that speak over none are to listen; the laboratory chooses those that are
            missing

    Raises:
        DevsRoboticsError: a robot that is to listen is not played, or speaks over the broker
    """
    _check(stand_ins, listen or {})
    width, height = field_size(scenario)
    prefix = below(broker, f"lab-{token_hex(4)}")  # a broker may serve several laboratories
    poses = initial_poses(scenario)
    robots = tuple(
        _stand_in(scenario, number, part, poses[number - 1], _address(number, part, prefix, listen or {}))
        for number, part in sorted(stand_ins.items())
    )
    discs, polygons = _obstacles(scenario)
    return LabPlan(
        width=width,
        height=height,
        discs=discs,
        polygons=polygons,
        robots=robots,
        rate=rate,
        seed=scenario.run.seed,
        tracking="" if scenario.tracking.address else below(prefix, "tracking"),
        tracking_period=scenario.tracking.period,
        tracking_noise=0.0 if scenario.stand_in.perfect else scenario.tracking.noise,
        truth=truth,
    )


def _check(stand_ins: Mapping[int, Part], listen: Mapping[int, str]) -> None:
    for number in listen:
        if number not in stand_ins:
            played = ", ".join(map(str, sorted(stand_ins)))
            raise DevsRoboticsError(
                f"--listen {number}: the laboratory does not play robot {number}: give one that it does ({played})"
            )
        if _speaks_over_broker(stand_ins[number]):
            raise DevsRoboticsError(
                f"--listen {number}: robot {number} speaks {stand_ins[number].robot.protocol}, over the broker: leave "
                "this out, and choose the broker with --broker"
            )


def _speaks_over_broker(part: Part) -> bool:
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and most runs have no real robots

    return protocol_for(part.robot.protocol).stand_in == "broker"


def _address(number: int, part: Part, prefix: str, listen: Mapping[int, str]) -> str:
    return below(prefix, f"robot/{number}") if _speaks_over_broker(part) else listen.get(number, "")


def _stand_in(scenario: Scenario, number: int, part: Part, pose: Pose, address: str) -> StandIn:
    body, infrared, physics = scenario.robot, scenario.infrared, scenario.stand_in
    perfect = physics.perfect
    x, y, heading = pose
    return StandIn(
        robot=number,
        protocol=part.robot.protocol,
        address=address,
        x=x,
        y=y,
        heading=heading,
        radius=body.radius,
        speed=body.speed,
        turn_rate=body.turn_rate,
        acceleration=inf if perfect or physics.acceleration is None else physics.acceleration,
        beams=infrared.leader_beams if number == 1 else (0.0,),
        reach=infrared.range,
        resolution=infrared.resolution,
        whisker_reach=body.whisker_reach,
        stretch=0.0 if perfect else physics.stretch,
        swerve=0.0 if perfect else physics.swerve,
        range_noise=0.0 if perfect else physics.range_noise,
        latency=0.0 if perfect else physics.latency,
        jitter=0.0 if perfect else physics.jitter,
        proximity=part.robot.proximity,
    )


def _obstacles(scenario: Scenario) -> tuple[tuple[Disc, ...], tuple[Corners, ...]]:
    shapes = field_of(scenario).obstacles
    discs = tuple(Disc(shape.x, shape.y, shape.radius) for shape in shapes if isinstance(shape, Circle))
    return discs, tuple(shape.corners for shape in shapes if isinstance(shape, Polygon))
