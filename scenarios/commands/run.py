"""``devs-robotics run``: runs a scenario in one of its stages and measures it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics.scenarios.commands.arguments import (
    add_broker,
    add_certificate,
    add_common_settings,
    add_foxglove,
    add_lab,
    add_pace,
    add_rate,
    add_scenario,
    add_summary,
    add_view,
    add_view_camera,
    certified_means,
    not_negative,
    positive,
    refuse_unused,
    whole,
)
from devs_robotics.scenarios.commands.display import complain, show_json
from devs_robotics.scenarios.commands.exit_status import BROKEN_OFF, FAILED, INTERRUPTED, RAN, REJECTED
from devs_robotics.scenarios.commands.watching import refuse_without_view
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.stages import STAGES

if TYPE_CHECKING:
    from devs_robotics.core.observe import Mcap
    from devs_robotics.scenarios.distributed.nodes import NodesWanted
    from devs_robotics.view.server.process import BegunProcess

SUMMARY = "run a scenario and measure it"

STATUS = {
    "accepted": RAN,
    "rejected": REJECTED,
    "interrupted": INTERRUPTED,
    "failed": FAILED,
    "broken off": BROKEN_OFF,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    parser.add_argument("--seed", metavar="N", type=not_negative, help="the same as --set run.seed=N")
    parser.add_argument("--stage", choices=STAGES, default="fast", help="how to run it (default: fast)")
    add_rate(parser)
    add_broker(parser)
    add_certificate(parser)
    add_lab(parser)
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=positive,
        help="run the robots' models in N processes on this computer (default: 2 in the stage distributed)",
    )
    parser.add_argument(
        "--await",
        metavar="ROBOTS",
        type=_robots,
        default=(),
        help="wait for nodes that bring these robots' models, for instance 2,3",
    )
    parser.add_argument("--view", action="store_true", help="show the run in a browser while it goes on")
    parser.add_argument(
        "--view-control", action="store_true", help="let who has the link pause the run, take steps, and so on"
    )
    add_view(parser)
    add_view_camera(parser)
    add_foxglove(parser)
    parser.add_argument(
        "--ros2",
        metavar="ADDRESS",
        help="publish the robots for rviz and other tools of ROS 2, for instance at ros2://?domain=0",
    )
    add_pace(parser)
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder for the result files and the report")
    parser.add_argument(
        "--trace", metavar="FILE", type=Path, help="file for what happens: .jsonl, .mcap, or .txt to read"
    )
    parser.add_argument(
        "--trace-encoding",
        choices=("json", "ros2"),
        default="json",
        help="of an .mcap trace; ros2: a bag for rviz, Foxglove and ros2 bag, with poses and looks (default: json)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="file for a recording, which devs-robotics view shows: .mcap, which Foxglove draws too, or .jsonl",
    )
    parser.add_argument(
        "--trace-ports",
        metavar="PATTERN",
        nargs="+",
        action="extend",
        default=[],
        help="only models such as 'robot*/motor', or one of their ports, 'robot3/motor.done'",
    )
    parser.add_argument(
        "--prove",
        metavar="K",
        type=positive,
        help="replay K robots that were simulated in arrays to their ordinary models, and fail where these differ",
    )
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Run a scenario, show its metrics, and write its results; returns the exit status."""
    from devs_robotics.scenarios.commands.watching import begun_view

    with begun_view(options) as begun:
        return _execute(options, show, begun)


def _execute(options: argparse.Namespace, show: Callable[[str], None], begun: BegunProcess | None) -> int:
    from msgspec.structs import replace

    from devs_robotics.core.observe import trace_file
    from devs_robotics.scenarios.case import resolve
    from devs_robotics.scenarios.commands.screen import outcome_lines
    from devs_robotics.scenarios.commands.watching import again, watched
    from devs_robotics.scenarios.running import results
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.running.journal import Journal
    from devs_robotics.scenarios.running.means import Hooks
    from devs_robotics.scenarios.running.progress import Progress
    from devs_robotics.scenarios.running.run import run
    from devs_robotics.scenarios.running.summary import summary
    from devs_robotics.scenarios.settings.loading import load

    refuse_unused(options, [options.stage])
    refuse_without_view(options)
    settings = options.settings + ([f"run.seed={options.seed}"] if options.seed is not None else [])
    scenario = resolve(load(options.scenario, settings))
    if options.trace_ports and options.trace is None:
        raise OptionError("--trace-ports says what to trace, and --trace FILE where to: give both")
    if options.trace_encoding != "json" and (options.trace is None or options.trace.suffix != ".mcap"):
        raise OptionError(f"--trace-encoding {options.trace_encoding} is of an MCAP trace: add --trace FILE.mcap")
    if options.record is not None and options.record.suffix not in (".mcap", ".jsonl"):
        raise OptionError(f"--record {options.record} must name a recording: let its name end in .mcap or .jsonl")
    if None not in (options.trace, options.record) and options.trace.resolve() == options.record.resolve():
        raise OptionError(f"--trace and --record name one file, {options.record}: give them two")
    if options.out is not None:
        results.prepare(options.out)
    keeps = options.out is not None and options.stage != "fast"
    journal = Journal(options.out, scenario, options.stage) if keeps else None
    record = None if options.record is None else trace_file(options.record.absolute())
    if record is not None:
        record.go_on_without(lambda why: complain(f"devs-robotics: {why}: the run goes on, the recording ends here"))
    bag = _bag(options)
    trace = bag if bag is not None or options.trace is None else trace_file(options.trace.absolute())
    with watched(options, scenario, show, begun) as view, Interrupt() as interrupt:
        with Progress(quiet=options.quiet) as progress:
            outcome = run(
                scenario,
                replace(
                    certified_means(options),
                    stage=options.stage,
                    rate=options.rate,
                    broker=options.broker,
                    lab=options.lab or "process",
                    nodes=_wanted(options),
                ),
                Hooks(
                    interrupted=lambda: interrupt.requested,
                    tell=show,
                    report=progress.update,
                    journal=journal,
                    observers=[] if trace is None else [(trace, options.trace_ports)],
                    replay=options.out is not None or (options.view and options.stage == "fast"),
                    view=view,
                    record=record,
                    bag=bag,
                    prove=options.prove or 0,
                ),
            )
        try:
            paths = [] if options.out is None else results.write(options.out, outcome)
        finally:  # what cannot be written can still be seen
            show("\n".join(outcome_lines(outcome)))
            if options.quiet and outcome.ended in ("failed", "broken off"):
                complain(f"devs-robotics: {outcome.ended}: {outcome.reason}")
            if options.json:
                show_json(summary(outcome))
        show(_where(paths))
        if view is not None and options.view and outcome.replay is not None and not interrupt.requested:
            again(view, outcome.replay, show, lambda: interrupt.requested)
    return STATUS[outcome.ended]


def _bag(options: argparse.Namespace) -> Mcap | None:
    """The trace, if it is to be one that ROS's tools read."""
    if options.trace is None or options.trace_encoding != "ros2":
        return None
    from devs_robotics.core.observe import Mcap
    from devs_robotics.hil.protocols.ros2.type_store import type_store

    type_store()  # which says so if a package is missing
    return Mcap(options.trace.absolute(), "ros2")


def _where(paths: list[Path]) -> str:
    """What a user may look at now."""
    from devs_robotics.scenarios.running.results import REPORT, no_report

    if not paths:
        return "to keep the results, with a report: add --out DIR"
    return f"report: {paths[-1]}" if paths[-1].name == REPORT else f"results: {paths[0].parent}\n{no_report()}"


def _wanted(options: argparse.Namespace) -> NodesWanted | None:
    from devs_robotics.scenarios.distributed.nodes import NodesWanted

    awaited = getattr(options, "await")  # a word of Python
    return NodesWanted(options.nodes or 0, awaited) if options.nodes or awaited else None


def _robots(text: str) -> tuple[int, ...]:
    numbers = {whole(number) or 0 for number in text.split(",")}
    if 0 in numbers:
        raise argparse.ArgumentTypeError(f"must be numbers of robots, such as 2,3, not {text[:40]!r}")
    return tuple(sorted(numbers))
