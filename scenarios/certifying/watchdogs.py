"""Whether real robots stop by themselves when their host ends, as far as robots of their kind may not."""

from __future__ import annotations

from typing import Any

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.setup.setup import Setup

LONGEST_WATCHDOG = 1.0
"""Time after which a robot that its host has left must have begun to stop (s)."""


class WatchdogError(DevsRoboticsError):
    """Real robots may not move: one of them may go on when its host ends."""


def check_watchdogs(setup: Setup[Any]) -> None:
    """Whether all real robots stop by themselves when their host ends, as far as they do not always.

    Raises:
        WatchdogError: one may go on for ever, or nobody has measured it
    """
    from devs_robotics.hil.addresses import masked
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and only where hardware moves

    for number, role in setup.real.items():
        address, watchdog = role.robot.address, role.robot.watchdog
        if address is None or not protocol_for(role.robot.protocol).measured_watchdog:
            continue
        if watchdog is None:
            raise WatchdogError(
                f"real robots may not move: nobody has measured whether robot {number} stops by itself when its host "
                f"ends, and many robots of ROS 2 never do: measure it by devs-robotics probe '{masked(address)}', and "
                f"write what it says as real.{number}.watchdog; or take the risk with --accept-risk"
            )
        if watchdog > LONGEST_WATCHDOG:
            raise WatchdogError(
                f"real robots may not move: robot {number} goes on for {watchdog:g} s when its host ends, and at most "
                f"{LONGEST_WATCHDOG:g} s are safe: put something on the robot that stops it before (docs/ros2.md), or "
                "take the risk with --accept-risk"
            )
