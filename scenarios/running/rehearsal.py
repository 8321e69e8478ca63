"""Rehearses a scenario in the stage `fast` before real robots move."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.instruments.approach import Approach
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.going import carry_out
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import Setup, set_up


class RehearsalError(DevsRoboticsError):
    """A scenario has not passed in the stage `fast`, so that no real robot may move."""


def moves_hardware(setup: Setup[Any], awaited: Container[int] = ()) -> bool:
    """Whether a run moves robots that are no stand-ins, or may do so: only a node that is `awaited` knows its own."""
    return any(not role.is_stand_in or number in awaited for number, role in setup.real.items())


LONGEST_WATCHDOG = 1.0
"""Time after which a robot that its host has left must have begun to stop (s)."""


def check_watchdogs(setup: Setup[Any]) -> None:
    """Whether all real robots stop by themselves when their host ends, as far as they do not always.

    Raises:
        RehearsalError: one may go on for ever, or nobody has measured it
    """
    from devs_robotics.hil.addresses import masked
    from devs_robotics.hil.protocols import protocol_for  # slow to load, and only where hardware moves

    for number, role in setup.real.items():
        address, watchdog = role.robot.address, role.robot.watchdog
        if address is None or not protocol_for(role.robot.protocol).measured_watchdog:
            continue
        if watchdog is None:
            raise RehearsalError(
                f"real robots may not move: nobody has measured whether robot {number} stops by itself when its host "
                f"ends, and many robots of ROS 2 never do: measure it by devs-robotics probe '{masked(address)}', and "
                f"write what it says as real.{number}.watchdog; or take the risk with --accept-risk"
            )
        if watchdog > LONGEST_WATCHDOG:
            raise RehearsalError(
                f"real robots may not move: robot {number} goes on for {watchdog:g} s when its host ends, and at most "
                f"{LONGEST_WATCHDOG:g} s are safe: put something on the robot that stops it before (docs/ros2.md), or "
                "take the risk with --accept-risk"
            )


def rehearse(scenario: Scenario, interrupted: Callable[[], bool] = lambda: False) -> Approach | None:
    """Run a scenario in the stage `fast`; returns how near any of its robots came to anything.

    Where robots drive by their wheels that is not known, and None: contacts stop them, and a guard stops real ones.

    Args:
        scenario: to be rehearsed
        interrupted: asked now and then whether to give up

    Raises:
        KeyboardInterrupt: it was interrupted
        RehearsalError: the run was not accepted, or a robot came closer to something than `safety.approach`, as it
            also does where the environment stops it
    """
    measured = scenario.frame.model_copy(update={"approaches": True})
    setup = set_up(scenario.model_copy(update={"frame": measured}))
    outcome = carry_out(setup, RealRobots(setup), Hooks(interrupted))
    if outcome.ended == "interrupted":
        raise KeyboardInterrupt
    observer = outcome.approaches
    rejection = "" if outcome.ended == "accepted" else outcome.reason
    collision = "" if observer is None else observer.verdict()
    trouble = collision or rejection  # the first is the worse, and often the cause of the other
    if trouble:
        raise RehearsalError(
            f"real robots may not move: in the stage fast this scenario (sha {fingerprint(resolve(scenario))[:12]}) "
            f"does not pass, because {trouble}; change it, or take the risk with --accept-risk"
        )
    return None if observer is None else min(observer.nearest, key=lambda approach: approach.distance)
