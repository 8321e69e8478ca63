"""The laboratory that a scenario needs: its arena and its stand-in robots."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from secrets import token_hex
from typing import Any

from devs_robotics import Glide
from devs_robotics.hil.addresses import below
from devs_robotics.hil.lab.floor import LabFloor
from devs_robotics.hil.lab.plan import LabDisc, LabPlan, StandIn
from devs_robotics.hil.lab.ros2_dialects import DIALECTS
from devs_robotics.models.environment import Circle, Polygon
from devs_robotics.models.environment.things import Things
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.roles import Role, has_by_itself, having_by_itself, sensors_of
from devs_robotics.scenarios.setup.setup import RobotSetup, Setup
from devs_robotics.scenarios.setup.things import chargers_of, floor_of, lamps_of


def laboratory_plan(
    setup: Setup[Any],
    broker: str,
    rate: float,
    truth: str = "",
    listen: Mapping[int, str] | None = None,
) -> LabPlan:
    """What the laboratory is to be made of: it plays the real robots that have no address.

    Args:
        setup: of the run
        broker: MQTT address, for robots that speak over one, and for the tracking system
        rate: seconds of the laboratory's time per real second
        truth: file for the true poses, or empty
        listen: addresses at which robots that speak over none are to listen; the laboratory chooses those that are
            missing

    Raises:
        DevsRoboticsError: a robot that is to listen is not played, or speaks over the broker
    """
    scenario, stand_ins = setup.scenario, setup.stand_ins
    _check(stand_ins, listen or {})
    prefix = below(broker, f"lab-{token_hex(4)}")  # a broker may serve several laboratories
    robots = tuple(
        _stand_in(scenario, robot, stand_ins[robot.number], _address(robot.number, stand_ins, prefix, listen or {}))
        for robot in setup.robots
        if robot.number in stand_ins
    )
    return LabPlan(
        width=setup.width,
        height=setup.height,
        walled=setup.walled,
        discs=tuple(LabDisc(shape.x, shape.y, shape.radius) for shape in setup.obstacles if isinstance(shape, Circle)),
        polygons=tuple(shape.corners for shape in setup.obstacles if isinstance(shape, Polygon)),
        robots=robots,
        rate=rate,
        seed=scenario.run.seed,
        tracking="" if scenario.tracking.address else below(prefix, "tracking"),
        tracking_period=scenario.tracking.period,
        tracking_noise=0.0 if scenario.stand_in.perfect else scenario.tracking.noise,
        tracking_heading_noise=0.0 if scenario.stand_in.perfect else scenario.tracking.heading_noise,
        tracking_delay=0.0 if scenario.stand_in.perfect else scenario.tracking.delay,
        tracking_jitter=0.0 if scenario.stand_in.perfect else scenario.tracking.jitter,
        truth=truth,
        lamps=lamps_of(setup.things),
        floor=_floor(setup.things, stand_ins),
        chargers=chargers_of(setup.things),
        settings=case_of(scenario).laboratory(scenario) if any(robot.equipment for robot in robots) else {},
    )


def _floor(things: Things, stand_ins: Mapping[int, Role]) -> LabFloor | None:
    """What ground sensors see; a floor that no laboratory can have does no harm where nobody looks at it."""
    looking = [
        number for number, role in stand_ins.items() if any(name.startswith("ground") for name in role.kinds.own)
    ]
    try:
        return floor_of(things)
    except BeginError as exc:
        if not looking:
            return None
        raise BeginError(f"{exc}, or give real.{looking[0]}.address of a robot") from None


def _check(stand_ins: Mapping[int, Role], listen: Mapping[int, str]) -> None:
    for number in listen:
        if number not in stand_ins:
            played = ", ".join(map(str, sorted(stand_ins)))
            raise BeginError(
                f"--listen {number}: the laboratory does not play robot {number}: give one that it does ({played})"
            )
        if _speaks_over_broker(stand_ins[number]):
            raise BeginError(
                f"--listen {number}: robot {number} speaks {stand_ins[number].robot.protocol}, over the broker: leave "
                "this out, and choose the broker with --broker"
            )


def _speaks_over_broker(role: Role) -> bool:
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and most runs have no real robots

    return protocol_for(role.robot.protocol).stand_in == "broker"


def _address(number: int, stand_ins: Mapping[int, Role], prefix: str, listen: Mapping[int, str]) -> str:
    over_broker = _speaks_over_broker(stand_ins[number])
    return below(prefix, f"robot/{number}") if over_broker else listen.get(number, "")


def _stand_in(scenario: Scenario, robot: RobotSetup, role: Role, address: str) -> StandIn:
    body, physics = scenario.robot, scenario.stand_in
    _check_dialect(scenario, robot, role)
    perfect = physics.perfect
    x, y, heading = robot.pose
    return StandIn(
        robot=robot.number,
        protocol=role.robot.protocol,
        address=address,
        x=x,
        y=y,
        heading=heading,
        radius=robot.radius,
        speed=robot.speed,
        turn_rate=robot.turn_rate,
        acceleration=inf if perfect or physics.acceleration is None else physics.acceleration,
        beams=robot.optics.bearings,
        reach=robot.optics.reach,
        resolution=robot.optics.resolution,
        whisker_reach=body.whisker_reach,
        stretch=0.0 if perfect else physics.stretch,
        swerve=0.0 if perfect else physics.swerve,
        range_noise=0.0 if perfect else physics.range_noise,
        latency=0.0 if perfect else physics.latency,
        jitter=0.0 if perfect else physics.jitter,
        proximity=role.robot.proximity,
        ring=physics.ring,
        view=physics.view,
        charge=next((each.charge for each in robot.own.values() if each.charge is not None), None),
        equipment=_equipment(scenario, robot, role),
        dialect=physics.dialect,
        middleware=physics.middleware,
        sensors=sensors_of(role, robot.own),
        watchdog=inf if physics.watchdog == "never" else physics.watchdog,
    )


def _check_dialect(scenario: Scenario, robot: RobotSetup, role: Role) -> None:
    """Raises a BeginError for a stand-in of ROS 2 that plays a robot without what is to be real of it."""
    dialect = scenario.stand_in.dialect
    if role.robot.protocol != "ros2":
        return
    for kind in sensors_of(role, robot.own):
        if kind != "battery" and not DIALECTS[dialect].ranges:
            raise BeginError(
                f"the {kind} of robot {robot.number} is to be real, and its stand-in plays a {dialect}, which has "
                f"none: set stand_in.dialect to 'epuck2', or give real.{robot.number}.address of an e-puck2"
            )
    for name in role.kinds.own:
        if robot.own[name].asks is Glide and not DIALECTS[dialect].omniwheels:
            having = " or ".join(repr(each) for each, said in DIALECTS.items() if said.omniwheels)
            raise BeginError(
                f"robot {robot.number} is to be driven by its {name}, and its stand-in plays a {dialect}, which goes "
                f"ahead only: set stand_in.dialect to {having}, or give real.{robot.number}.address of a robot on "
                "omniwheels"
            )


def _equipment(scenario: Scenario, robot: RobotSetup, role: Role) -> dict[str, str]:
    """What plays the real equipment of a robot's own, by its names; what it has by itself, its stand-in has too."""
    told = sensors_of(role, robot.own)
    played = [
        name
        for name in role.kinds.own
        if not has_by_itself(role, robot.own[name]) and name.partition("_")[0] not in told
    ]
    players = case_of(scenario).stand_ins() if played else {}
    for name in played:
        if name not in players:
            having = having_by_itself(robot.own[name])
            other = (
                f"let it speak {having} (real.{robot.number}.protocol), which has it by itself, or " if having else ""
            )
            raise BeginError(
                f"no stand-in can play the {name} of robot {robot.number}, which is to be real: {other}write "
                f'stand_ins = {{"{name}": "module:Class"}} into the case study (docs/add-a-robot.md), or give '
                f"real.{robot.number}.address of a robot that has one"
            )
    return {name: players[name] for name in played}
