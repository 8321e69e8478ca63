"""The command line: ``devs-robotics``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from devs_robotics import DevsRoboticsError, __version__
from scenarios import origin
from scenarios.commands.trace import add_arguments as add_trace_arguments
from scenarios.commands.tree import add_arguments as add_tree_arguments

RAN, REJECTED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
STATUS = {"accepted": RAN, "rejected": REJECTED, "interrupted": INTERRUPTED, "failed": BAD_INPUT}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit status: 0 ran, 1 rejected, 2 bad input or model, 130 interrupted."""
    try:
        origin.check()
        options = _parser().parse_args(arguments)
        return int(options.command(options))
    except DevsRoboticsError as exc:
        print(f"devs-robotics: {exc}".replace("\n", "\ndevs-robotics: "), file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output, head for instance, has seen enough
        sys.stderr.close()
        return RAN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="devs-robotics",
        description="Takes one DEVS model of a robot's decisions from fast simulation to real execution.",
        epilog="Exit status: 0 ran, 1 the acceptor rejected the run, 2 bad input or a faulty model, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"devs-robotics {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="the scenarios that ship, one line each")
    listing.set_defaults(command=_list)

    check = commands.add_parser("check", help="every mistake in a scenario, each with its key and the remedy")
    _add_scenario(check)
    check.set_defaults(command=_check)

    run = commands.add_parser("run", help="run a scenario and measure it")
    _add_scenario(run)
    run.add_argument("--seed", metavar="N", help="the same as --set run.seed=N")
    run.add_argument("--stage", choices=["fast"], default="fast", help="how to run it (default: fast)")
    run.add_argument("--out", metavar="DIR", type=Path, help="where to put the result files and the report")
    run.add_argument("--trace", metavar="FILE", type=Path, help="write what happens: .jsonl, .mcap, or .txt to read")
    run.add_argument(
        "--trace-ports",
        metavar="PATTERN",
        nargs="+",
        action="extend",
        default=[],
        help="trace only models such as 'robot*/motor', or one of their ports, 'robot3/motor.done'",
    )
    run.set_defaults(command=_run)

    trace = commands.add_parser("trace", help="show a trace that run wrote, or compare two")
    add_trace_arguments(trace)
    trace.set_defaults(command=_trace)

    tree = commands.add_parser("tree", help="show a scenario's models with their ports and couplings")
    _add_scenario(tree)
    add_tree_arguments(tree)
    tree.set_defaults(command=_tree)
    return parser


def _add_scenario(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", help="a shipped scenario's name, or a path to a TOML file")
    parser.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="override a key of the scenario, for instance noise.dnf=0.1; may be given again",
    )


def _list(options: argparse.Namespace) -> int:
    from scenarios.loading import load, shipped_scenarios

    names = shipped_scenarios()
    width = max(map(len, names))
    for name in names:
        print(f"{name:<{width}}  {load(name).title}")
    return RAN


def _check(options: argparse.Namespace) -> int:
    from scenarios.geometry import resolve
    from scenarios.loading import fingerprint, load
    from scenarios.problems import ScenarioError

    try:
        scenario = load(options.scenario, options.settings)
    except ScenarioError as exc:
        print("\n".join(exc.lines))
        print(f"{len(exc.lines)} mistake{'s' if len(exc.lines) > 1 else ''}")
        return BAD_INPUT
    print(f"{options.scenario}: no mistakes (scenario {fingerprint(resolve(scenario))[:12]})")
    return RAN


def _run(options: argparse.Namespace) -> int:
    from devs_robotics.observe import trace_file
    from scenarios import results
    from scenarios.loading import load
    from scenarios.progress import Progress
    from scenarios.running import Interrupt, run
    from scenarios.screen import outcome_lines

    settings = options.settings + ([f"run.seed={options.seed}"] if options.seed is not None else [])
    scenario = load(options.scenario, settings)
    if options.trace_ports and options.trace is None:
        raise DevsRoboticsError("--trace-ports says what to trace, and --trace FILE where to: give both")
    if options.out is not None:
        results.prepare(options.out)
    observers = [(trace_file(options.trace), options.trace_ports)] if options.trace is not None else []
    with Interrupt() as interrupt:
        with Progress(scenario) as progress:
            outcome = run(
                scenario, report=progress.update, interrupted=lambda: interrupt.requested, observers=observers
            )
        print("\n".join(outcome_lines(outcome)))
        if options.out is not None:
            paths = results.write(options.out, outcome)
            print(f"report: {paths[-1]}")
    return STATUS[outcome.ended]


def _trace(options: argparse.Namespace) -> int:
    from scenarios.commands.trace import trace

    return trace(options, print)


def _tree(options: argparse.Namespace) -> int:
    from scenarios.commands.tree import tree

    return tree(options, print)
