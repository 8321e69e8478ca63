"""The command line: ``devs-robotics``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from devs_robotics import DevsRoboticsError, __version__
from scenarios import origin
from scenarios.commands import check, conform, lab, listing, node, report, run, study, sweep, trace, tree
from scenarios.commands.arguments import FAILED, INTERRUPTED, RAN, STATUSES

COMMANDS = {
    "list": listing,
    "check": check,
    "run": run,
    "lab": lab,
    "node": node,
    "study": study,
    "sweep": sweep,
    "report": report,
    "conform": conform,
    "trace": trace,
    "tree": tree,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit status."""
    try:
        origin.check()
        options = _parser().parse_args(arguments)
        return int(COMMANDS[options.command].execute(options, _show))
    except DevsRoboticsError as exc:
        print(f"devs-robotics: {exc}".replace("\n", "\ndevs-robotics: "), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output, head for instance, has seen enough
        sys.stderr.close()
        return RAN


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="devs-robotics",
        description="Takes one DEVS model of a robot's decisions from fast simulation to real execution.",
        epilog=STATUSES,
    )
    parser.add_argument("--version", action="version", version=f"devs-robotics {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        described = f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}."
        module.add_arguments(commands.add_parser(name, help=module.SUMMARY, description=described))
    return parser


def _show(text: str) -> None:
    print(text, flush=True)  # whoever reads a pipe wants to know at once what runs
