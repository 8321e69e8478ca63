"""What a scenario may say of its real robots, each mistake in one sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics import DevsRoboticsError
from devs_robotics.hil.proximity_responses import DEFAULT
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import RealTable, Scenario

SCHEMES = {
    "json": ("mqtt", "mqtts", "local"),
    "epuck-ascii": ("serial", "tcp"),
    "epuck-binary": ("serial", "tcp"),
    "epuck2-wifi": ("tcp",),
}
"""By protocol: what the addresses of such robots begin with."""


def check_real_robots(scenario: Scenario) -> Iterator[Problem]:
    """Every mistake in the tables of the real robots and of the tracking system."""
    taken: dict[str, str] = {}
    for number, robot in scenario.real.items():
        table = f"real.{number}"
        if int(number) > scenario.convoy.robots:
            yield Problem(
                (table, "convoy.robots"),
                f"there is no robot {number} in a convoy of {scenario.convoy.robots}: remove the table",
            )
        yield from _protocol(table, robot)
        if robot.address is not None:
            yield from _address(table, robot, robot.address)
            if robot.address in taken and not robot.address.startswith("local:"):
                yield _taken(table, robot.address, taken[robot.address])
            taken[robot.address] = number
        if robot.protocol == "json" and robot.proximity != DEFAULT:
            yield Problem(
                (f"{table}.proximity", f"{table}.protocol"),
                "only the readings of an e-puck have to be told what they mean; a robot that speaks json tells metres: "
                "remove it",
            )
        if number == "1" and robot.protocol.startswith("epuck") and robot.infrared == "real":
            yield Problem(
                (f"{table}.infrared", f"{table}.protocol"),
                f"a leader needs {len(scenario.infrared.leader_beams)} range sensors, and an e-puck has one ahead: "
                f"make it 'virtual'",
            )
    yield from _tracking(scenario)


def _taken(table: str, address: str, other: str) -> Problem:
    from devs_robotics.hil.addresses import masked

    return Problem(
        (f"{table}.address",), f"{masked(address)!r} is the address of robot {other} too: give each one of its own"
    )


def _protocol(table: str, robot: RealTable) -> Iterator[Problem]:
    from devs_robotics.hil.drivers import driver_for  # slow to load, and most scenarios have no real robots

    try:
        driver_for(robot.protocol)
    except DevsRoboticsError as exc:
        yield Problem((f"{table}.protocol",), str(exc))


def _address(table: str, robot: RealTable, address: str) -> Iterator[Problem]:
    from devs_robotics.hil.addresses import AddressError, masked, parse

    try:
        parse(address)
    except AddressError as exc:
        yield Problem((f"{table}.address",), str(exc))
        return
    schemes = SCHEMES.get(robot.protocol)
    if schemes is not None and address.partition(":")[0] not in schemes:
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
        return
    from devs_robotics.hil.addresses import AddressError, masked, parse_mqtt

    try:
        topic = parse_mqtt(address).prefix
    except AddressError as exc:
        yield Problem(("tracking.address",), str(exc))
        return
    if not topic:
        yield Problem(("tracking.address",), f"{masked(address)!r} has no topic: write mqtt://HOST/tracking")
