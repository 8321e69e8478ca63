"""``devs-robotics node``: runs the models of some robots for a host that runs the rest."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

from devs_robotics.scenarios.commands.arguments import add_broker, add_scenario, positive
from devs_robotics.scenarios.commands.exit_status import BROKEN_OFF
from devs_robotics.scenarios.commands.run import STATUS

SUMMARY = "run the models of some robots here, for a run that was started elsewhere"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    parser.add_argument(
        "--robot",
        dest="robots",
        metavar="N",
        type=positive,
        action="append",
        required=True,
        help="a robot whose models run here; may be given again",
    )
    add_broker(parser, required=True)
    parser.add_argument(
        "--name", metavar="NAME", type=_name, help="name of this node, for people and in topics (default: HOSTNAME-PID)"
    )


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Wait for a host, take part in its run, and say how that ended; returns the exit status."""
    from devs_robotics.core.robots.wording import numbered
    from devs_robotics.scenarios.distributed.node import default_name, run_node
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.settings.loading import load

    scenario = load(options.scenario, options.settings)
    robots = tuple(sorted(set(options.robots)))
    name = options.name or default_name()
    show(f"node {name} waits for a host that wants {numbered(robots)}")
    with Interrupt() as interrupt:
        outcome = run_node(scenario, robots, options.broker, name, tell=show, interrupted=lambda: interrupt.requested)
    show(f"{outcome.ended}: {outcome.reason}")
    return STATUS.get(outcome.ended, BROKEN_OFF)


def _name(text: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", text) or text == "host":
        raise argparse.ArgumentTypeError(f"must be of letters, digits, - and _, and not 'host'; it is {text!r}")
    return text
