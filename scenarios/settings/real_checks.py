"""What a scenario may say of its real robots, each mistake in one sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from devs_robotics import DevsRoboticsError
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE
from devs_robotics.scenarios.case import RobotPlan, case_of, robots_of
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import RealTable
from devs_robotics.scenarios.settings.tracking_table import MapTable
from devs_robotics.scenarios.setup.roles import completed, why_at_rest

if TYPE_CHECKING:
    from devs_robotics.hil.protocols import Protocol

EQUIPMENT = {"motor": "motor", "infrared": "ranging", "whiskers": "touch"}
"""By key of a real robot's table: the service that it must have where it is not virtual."""


def check_real_robots(scenario: Scenario) -> Iterator[Problem]:
    """Every mistake in the tables of the real robots and of the tracking system."""
    case = case_of(scenario)
    try:
        robots = robots_of(scenario)
    except DevsRoboticsError:  # there are none yet: the case study says why
        return
    team = f"a {case.team} of {len(robots)}"
    taken: dict[str, str] = {}
    usual = case.when_real()
    for number, said in scenario.real.items():
        robot = completed(said, usual)
        table = f"real.{number}"
        if int(number) > len(robots):
            yield Problem((table, case.team_key), f"there is no robot {number} in {team}: remove the table")
            continue
        protocol: type[Protocol] | None = None
        try:
            protocol = _protocol(robot)
        except DevsRoboticsError as exc:
            yield Problem((f"{table}.protocol",), str(exc))
        if robot.address is not None:
            yield from _address(table, robot, robot.address, protocol)
            if robot.address in taken and not robot.address.startswith("local:"):
                yield _taken(table, robot.address, taken[robot.address])
            taken[robot.address] = number
        if protocol is not None:
            yield from _robot(table, robots[int(number) - 1], robot, protocol)
        yield from _own(table, robots[int(number) - 1], robot, protocol)
        if protocol is not None and (why := why_at_rest(robot, robots[int(number) - 1])):
            yield Problem((f"{table}.protocol", f"{table}.motor"), why)
    yield from _tracking(scenario)


def _protocol(robot: RealTable) -> type[Protocol]:
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and most scenarios have no real robots

    return protocol_for(robot.protocol)


def _robot(table: str, plan: RobotPlan, robot: RealTable, protocol: type[Protocol]) -> Iterator[Problem]:
    """See whether such robots are what the scenario takes them for."""
    if robot.proximity != DEFAULT_RESPONSE and not protocol.proximity:
        yield Problem(
            (f"{table}.proximity", f"{table}.protocol"),
            "only the readings of an e-puck have to be told what they mean; a robot that speaks "
            f"{robot.protocol} tells metres: remove it",
        )
    for key, service in EQUIPMENT.items():
        if getattr(robot, key) != "virtual" and service not in protocol.services:
            yield Problem(
                (f"{table}.{key}", f"{table}.protocol"),
                f"a robot that speaks {robot.protocol} has no {key}: make it 'virtual'",
            )
    beams = plan.optics.bearings
    if robot.infrared != "virtual" and not protocol.serves(beams):
        needed = "a range sensor ahead" if beams == (0.0,) else f"{len(beams)} range sensors"
        yield Problem(
            (f"{table}.infrared", f"{table}.protocol"),
            f"{plan.called} needs {needed}, and {protocol.kind} has {_have(protocol.beams or ())}: make it 'virtual'",
        )


def _own(table: str, plan: RobotPlan, robot: RealTable, protocol: type[Protocol] | None) -> Iterator[Problem]:
    """Equipment of the robot's own: whether it has it, and whether it can be real."""
    for name, kind in robot.equipment.items():
        key, own = f"{table}.equipment.{name}", plan.own.get(name)
        if own is None:
            near = get_close_matches(name, plan.own, 1)
            there = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(plan.own) or 'none'}: remove it"
            yield Problem((key,), f"the robot has no equipment of its own that is called {name!r}: {there}")
        elif kind == "real" and own.never_real:
            yield Problem((key,), f"{own.never_real}; or make it 'virtual'")
        elif kind == "real" and protocol is not None and not protocol.carries(name, own.asks, own.answers):
            yield Problem(
                (key, f"{table}.protocol"), f"a robot that speaks {robot.protocol} has no {name}: make it 'virtual'"
            )


def _have(beams: tuple[float, ...]) -> str:
    if len(beams) < 2:
        return "none" if not beams else "one ahead" if beams == (0.0,) else "one, which does not look ahead"
    return f"{len(beams)} others"


def _taken(table: str, address: str, other: str) -> Problem:
    from devs_robotics.hil.addresses import masked

    return Problem(
        (f"{table}.address",), f"{masked(address)!r} is the address of robot {other} too: give each one of its own"
    )


def _address(table: str, robot: RealTable, address: str, protocol: type[Protocol] | None) -> Iterator[Problem]:
    from devs_robotics.hil.addresses import AddressError, masked, parse

    try:
        parse(address)
    except AddressError as exc:
        yield Problem((f"{table}.address",), str(exc))
        return
    schemes = () if protocol is None else protocol.schemes
    if schemes and address.partition(":")[0] not in schemes:
        yield Problem(
            (f"{table}.address", f"{table}.protocol"),
            f"a robot that speaks {robot.protocol} is not to be found at {masked(address)!r}: write an address that "
            f"begins with {' or '.join(f'{scheme}:' for scheme in schemes)}",
        )


def _tracking(scenario: Scenario) -> Iterator[Problem]:
    address = scenario.tracking.address
    if address is None:
        if scenario.tracking.corrects and scenario.real and all(robot.address for robot in scenario.real.values()):
            yield Problem(
                ("tracking.corrects", "tracking.address"),
                "there is no tracking system that could correct anything: give its address, or make it false",
            )
        if scenario.tracking.frame != MapTable():
            yield Problem(
                ("tracking.frame", "tracking.address"),
                "the laboratory's own tracking system sees the field as it is: give the address of another one, or "
                "leave the frame out",
            )
        return
    from devs_robotics.hil.ros2_fix_addresses import is_ros2

    yield from _ros2_tracking(scenario, address) if is_ros2(address) else _mqtt_tracking(address)


def _mqtt_tracking(address: str) -> Iterator[Problem]:
    from devs_robotics.hil.addresses import AddressError, masked, parse_mqtt

    try:
        topic = parse_mqtt(address).prefix
    except AddressError as exc:
        yield Problem(("tracking.address",), str(exc))
        return
    if not topic:
        yield Problem(("tracking.address",), f"{masked(address)!r} has no topic: write mqtt://HOST/tracking")


def _ros2_tracking(scenario: Scenario, address: str) -> Iterator[Problem]:
    from devs_robotics.hil.ros2_fix_addresses import namespaces, parse_fix_address
    from devs_robotics.hil.ros2_tracking import Ros2Fixes

    try:
        _, source = parse_fix_address(address)
        Ros2Fixes(source, namespaces({int(number): robot.address for number, robot in scenario.real.items()}))
    except DevsRoboticsError as exc:
        yield Problem(("tracking.address",), str(exc))
