"""``devs-robotics probe``: finds a robot of ROS 2, and measures whether it stops by itself without commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from math import ceil

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.commands.exit_status import INTERRUPTED, RAN

SUMMARY = "find a robot of ROS 2, and measure whether it stops by itself when its host is silent"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument("address", metavar="ADDRESS", help="of the robot, such as ros2://turtle1?domain=0")
    parser.add_argument("--find", action="store_true", help="find it only: it does not move")
    parser.add_argument("--yes", action="store_true", help="there is room ahead of it: do not ask")


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Probe; returns the exit status."""
    from devs_robotics.hil.addresses import AddressError, Ros2Address, parse
    from devs_robotics.hil.probing import PERIOD, Ros2Probe
    from devs_robotics.scenarios.running.interrupt import Interrupt, pausing, taken_at_once

    address = parse(options.address)
    if not isinstance(address, Ros2Address):
        raise AddressError(
            f"the address '{address}' is not that of a robot of ROS 2, and only those are probed: write "
            "ros2://turtle1?domain=0"
        )
    with Interrupt() as interrupt, Ros2Probe(address) as probe:
        with taken_at_once():
            matched = probe.find()
        show(f"found: {address}")
        for topic, kind, who in probe.topics:
            show(f"  {topic:<28} {kind:<30} {who}")
        if matched.stamped:
            show("it takes TwistStamped")
        if matched.blind:
            show(f"no range sensors: {matched.blind}")
        with taken_at_once():
            if options.find or not _has_room(options.yes, show):
                return RAN
        with pausing(probe.pause):
            found = probe.measure(lambda: interrupt.requested)
    if found is None:
        show("interrupted: the robot was stopped, and nothing was measured")
        return INTERRUPTED
    show(f"its odometry comes {1.0 / max(found.period, 1e-3):.0f} times per second")
    if found.stops_after is None:
        show(
            "it does NOT stop by itself within 2 s of silence, and was stopped: run it with --accept-risk only, or put "
            "something on the robot that stops it, such as Nav2's velocity smoother (docs/ros2.md)"
        )
        return RAN
    watchdog = ceil(20.0 * (found.stops_after + PERIOD)) / 20.0
    show(
        f"it stops by itself {found.stops_after:.2f} s after the last command, and had gone {100.0 * found.way:.1f} cm"
    )
    show(f"write into the scenario, below [real.N]: watchdog = {watchdog:g}")
    return RAN


def _has_room(sure: bool, show: Callable[[str], None]) -> bool:
    """Whether somebody says that the robot may drive."""
    from devs_robotics.hil.probing import ROOM, SPEED

    if sure:
        return True
    if not sys.stdin.isatty():
        raise DevsRoboticsError(
            f"the robot is to drive, and nobody is there to say that it has {ROOM:g} m of room ahead: add --yes if it "
            "has, or --find if it is not to move"
        )
    show(f"it will drive ahead with {SPEED:g} m/s for some seconds: does it have {ROOM:g} m of room? [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
