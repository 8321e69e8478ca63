"""The activities of each robot, as its stage wants them: virtual, in the loop or real."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from devs_robotics.core.user_code import user_code
from devs_robotics.models.robots import Equipment, Optics, equipment, virtual_equipment
from devs_robotics.scenarios.errors import unmade
from devs_robotics.scenarios.settings.tables import RobotTable
from devs_robotics.scenarios.setup.roles import Role

if TYPE_CHECKING:
    from devs_robotics import Device
    from devs_robotics.scenarios.setup.setup import Setup


def equipment_of(setup: Setup[Any], robot: int, optics: Optics) -> Equipment:
    """The activities of a robot.

    Args:
        setup: of the run
        robot: its number
        optics: of its range sensors

    Raises:
        DevsRoboticsError: somebody's protocol cannot be made
    """
    role = setup.real.get(robot)
    if role is None:
        return virtual_equipment(robot, optics)
    return equipment(robot, optics, role.kinds, _device(setup.scenario.robot, robot, optics, role))


def _device(body: RobotTable, robot: int, optics: Optics, role: Role) -> Device:
    """What speaks with a real robot; slow to load, and of no use to the other stages."""
    from devs_robotics.hil.drivers import DriverSettings, driver_for

    real = role.robot
    settings = DriverSettings(
        speed=body.speed,
        turn_rate=body.turn_rate,
        radius=body.radius,
        beams=optics.bearings if role.kinds.infrared != "virtual" else (),
        reach=optics.reach,
        resolution=optics.resolution,
        whisker_reach=body.whisker_reach,
        proximity=real.proximity,
        answer_within=real.answer_within,
        link_within=real.link_within,
    )
    with user_code(lambda why: unmade(real.protocol, why)):
        return driver_for(real.protocol)("device", robot, real.address or "a stand-in", settings)
