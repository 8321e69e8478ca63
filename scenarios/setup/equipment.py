"""The activities of each robot, as its stage wants them: virtual, in the loop or real."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from devs_robotics.core.user_code import user_code
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.robots import Equipment, equipment, virtual_equipment
from devs_robotics.models.robots.case_system import AXLE_SHARE
from devs_robotics.scenarios.errors import unmade
from devs_robotics.scenarios.setup.roles import Role

if TYPE_CHECKING:
    from devs_robotics import Device
    from devs_robotics.scenarios.setup.setup import RobotSetup, Setup


def equipment_of(setup: Setup[Any], number: int) -> Equipment:
    """The activities of a robot.

    Args:
        setup: of the run
        number: of the robot

    Raises:
        DevsRoboticsError: somebody's protocol cannot be made
    """
    robot = setup.robots[number - 1]
    if robot.role is None:
        return virtual_equipment(number, robot.optics)
    device = _device(robot, robot.role, setup.scenario.robot.whisker_reach)
    return equipment(number, robot.optics, robot.role.kinds, device, _stopping(robot.role), robot.speed)


def _stopping(role: Role) -> StoppingDistance | None:
    """How far a robot that is no stand-in goes when its host dies, where its watchdog was measured."""
    from devs_robotics.hil.protocols import protocol_for

    real, protocol = role.robot, protocol_for(role.robot.protocol)
    if real.address is None or real.watchdog is None or not protocol.measured_watchdog:
        return None
    return StoppingDistance(real.watchdog + protocol.period, protocol.braking)


def _device(robot: RobotSetup, role: Role, whisker_reach: float) -> Device:
    """What speaks with a real robot; slow to load, and of no use to the other stages."""
    from devs_robotics.hil.drivers import DriverSettings, driver_for

    real, optics = role.robot, robot.optics
    axle = next((own.axle for own in robot.own.values() if own.axle is not None), None)
    settings = DriverSettings(
        speed=robot.speed,
        turn_rate=robot.turn_rate,
        radius=robot.radius,
        beams=optics.bearings if role.kinds.infrared != "virtual" else (),
        reach=optics.reach,
        resolution=optics.resolution,
        whisker_reach=whisker_reach,
        axle=AXLE_SHARE * 2.0 * robot.radius if axle is None else axle,
        proximity=real.proximity,
        answer_within=real.answer_within,
        link_within=real.link_within,
    )
    with user_code(lambda why: unmade(real.protocol, why)):
        return driver_for(real.protocol)("device", robot.number, real.address or "a stand-in", settings)
