"""``devs-robotics lab``: the stand-in robots of a scenario alone, to be driven from elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devs_robotics.scenarios.command_line import command_line
from devs_robotics.scenarios.commands.arguments import add_broker, add_common_settings, add_scenario
from devs_robotics.scenarios.commands.exit_status import BROKEN_OFF, RAN
from devs_robotics.scenarios.errors import OptionError

if TYPE_CHECKING:
    from devs_robotics.scenarios.setup.setup import Setup

SUMMARY = "run the stand-in robots of a scenario alone, to be driven from elsewhere"

LOOKS = 0.2
"""Time between two looks at whether the lab has ended by itself (s)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    parser.add_argument(
        "--stage", choices=["loop", "real"], default="loop", help="which robots to play (default: loop)"
    )
    add_broker(parser)
    parser.add_argument(
        "--listen",
        metavar="ROBOT=ADDRESS",
        type=_listen,
        action="append",
        default=[],
        help="where a stand-in listens, for instance 2=tcp://127.0.0.1:1000, or the name of its line, for instance "
        "3=serial:///tmp/epuck3; may be given again (default: a free port, a new pty)",
    )
    parser.add_argument("--truth", metavar="FILE", type=Path, help="file for where each robot really is, over time")


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Run the laboratory until it is interrupted; returns the exit status."""
    from devs_robotics.hil.addresses import masked
    from devs_robotics.hil.broker import EmbeddedBroker
    from devs_robotics.hil.lab.launch import LabProcess
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.settings.loading import load
    from devs_robotics.scenarios.setup.laboratory import laboratory_plan
    from devs_robotics.scenarios.setup.setup import set_up

    setup = set_up(load(options.scenario, options.settings), options.stage)
    if not setup.stand_ins:
        raise OptionError(
            f"all real robots of {options.scenario} have addresses: leave out real.N.address of those to be played"
        )
    listen = dict(options.listen)
    if len(listen) < len(options.listen):
        raise OptionError("--listen names a robot twice: give each robot one address")
    with Interrupt() as interrupt, ExitStack() as stack:
        broker = options.broker or stack.enter_context(EmbeddedBroker()).shown
        plan = laboratory_plan(setup, broker, 1.0, str(options.truth or ""), listen)
        process = stack.enter_context(LabProcess(plan))
        for number, address in sorted(process.addresses.items()):
            show(f"robot {number}  {setup.stand_ins[number].robot.protocol}  {masked(address)}")
        if plan.tracking:
            show(f"tracking {masked(plan.tracking)}")
        addresses = (f"real.{number}.address={at}" for number, at in sorted(process.addresses.items()))
        hidden = masked(broker) != broker
        password = ", with the password instead of ***" if hidden else ""
        show(f"to drive them{password} (there is no risk, for they are stand-ins: real robots need a certificate):")
        show(f"  {_command(options, [*_said(setup), *addresses], plan.tracking)}")
        show("Ctrl-C ends the lab")
        while not interrupt.requested:
            if process.wait(LOOKS):
                show(f"the lab has ended by itself{f': {process.said}' if process.said else ''}")
                return BROKEN_OFF
    return RAN


def _said(setup: Setup[Any]) -> Iterator[str]:
    """What the case study says of robots that the scenario does not name, as settings: who names one says all of it."""
    for number, role in sorted(setup.stand_ins.items()):
        if str(number) not in setup.scenario.real:
            said = role.robot.model_dump(exclude_unset=True)
            own = said.pop("equipment", {})
            yield from (f"real.{number}.{key}={value}" for key, value in said.items())
            yield from (f"real.{number}.equipment.{name}={kind}" for name, kind in own.items())


def _command(options: argparse.Namespace, further: Sequence[str], tracking: str) -> str:
    from devs_robotics.hil.addresses import masked

    settings = [*options.settings, *further]
    if tracking:
        settings.append(f"tracking.address={tracking}")
    words = ["devs-robotics", "run", options.scenario, "--stage", options.stage, "--accept-risk"]
    for setting in settings:
        words += ["--set", masked(setting)]
    return command_line(words)


def _listen(text: str) -> tuple[int, str]:
    from devs_robotics.hil.addresses import AddressError, parse

    robot, equals, address = text.partition("=")
    if not (equals and robot.isascii() and robot.isdigit()):
        raise argparse.ArgumentTypeError(f"must be ROBOT=ADDRESS, for instance 2=tcp://127.0.0.1:1000, not {text!r}")
    try:
        parse(address)
    except AddressError as exc:
        raise argparse.ArgumentTypeError(str(exc)) from exc
    return int(robot), address
