"""The command line: ``devs-robotics``."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence

from devs_robotics import DevsRoboticsError, __version__
from devs_robotics.core.extras import remedy
from devs_robotics.scenarios.commands import (
    battery,
    camera,
    certify,
    check,
    conform,
    experiment,
    lab,
    listing,
    new,
    node,
    probe,
    queue,
    report,
    run,
    serve,
    shells,
    study,
    sweep,
    trace,
    tree,
    view,
)
from devs_robotics.scenarios.commands.arguments import add_verbose, set_common_settings
from devs_robotics.scenarios.commands.completion import complete
from devs_robotics.scenarios.commands.display import Display, complain
from devs_robotics.scenarios.commands.exit_status import FAILED, INTERRUPTED, STATUSES, UNFORESEEN
from devs_robotics.scenarios.commands.hints import no_command, no_option
from devs_robotics.scenarios.commands.parser import CommandParser
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.commands.verbosity import logged

_logger = logging.getLogger(__name__)

PROGRAM = "devs-robotics"

COMMANDS = {
    "list": listing,
    "check": check,
    "run": run,
    "certify": certify,
    "new": new,
    "lab": lab,
    "serve": serve,
    "camera": camera,
    "probe": probe,
    "node": node,
    "study": study,
    "sweep": sweep,
    "queue": queue,
    "report": report,
    "experiment": experiment,
    "conform": conform,
    "trace": trace,
    "tree": tree,
    "view": view,
    "battery": battery,
    "completion": shells,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    with protected(PROGRAM):
        return guarded(PROGRAM, given, lambda: _execute(given))


def guarded(program: str, given: Sequence[str], work: Callable[[], int]) -> int:
    """Do the work of a program; returns its exit status.

    A mistake of the user's is told in its sentence. What nobody has foreseen is told in one too, and a file has the
    rest.

    Args:
        program: its name, for people
        given: its arguments
        work: returns the exit status
    """
    try:
        return work()
    except DevsRoboticsError as exc:
        _complain(program, str(exc))
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except ModuleNotFoundError as exc:
        if not (missing := remedy(exc, f"{given[0] if given else program} needs")):
            return _unforeseen(exc, program, given)
        _complain(program, missing)
        return FAILED
    except UnicodeEncodeError as exc:
        if exc.reason != "surrogates not allowed":
            return _unforeseen(exc, program, given)
        from devs_robotics.scenarios.settings.quantities import shown

        _complain(program, f"{shown(exc.object)} has a byte that is no text in UTF-8: give it another name")
        return FAILED
    except BaseException as exc:  # also SystemExit, whose status would mean something else
        return _unforeseen(exc, program, given)


def _unforeseen(exc: BaseException, program: str, given: Sequence[str]) -> int:
    from devs_robotics.scenarios.commands.unforeseen import sentence

    _complain(program, sentence(exc, program, given))
    return UNFORESEEN


def _execute(given: Sequence[str]) -> int:
    try:
        options = _options(given)
    except SystemExit as exc:  # help has been shown, or what is wrong with the arguments
        return int(exc.code or 0)
    with logged(options.verbose):
        try:
            return _done(options)
        except DevsRoboticsError:
            _logger.debug("what follows came up here", exc_info=True)
            raise


def _done(options: argparse.Namespace) -> int:
    _logger.debug("%s %s, %s", PROGRAM, __version__, options.command)
    set_common_settings(options)
    show = Display(silent=getattr(options, "quiet", False) or getattr(options, "json", False))
    return int(COMMANDS[options.command].execute(options, show))


def _options(given: Sequence[str]) -> argparse.Namespace:
    """The arguments; raises SystemExit where they are none, when it has told what may have been meant."""
    parser = _parser()
    complete(parser)
    if given and not given[0].startswith("-") and given[0] not in COMMANDS:
        parser.error(no_command(given[0], list(COMMANDS)))
    options, unknown = parser.parse_known_args(given)
    if unknown:
        scenario = options.scenario if hasattr(options, "settings") else None
        options.parser.error(no_option(unknown, options.parser, scenario))
    return options


def _complain(program: str, text: str) -> None:
    text = f"{program}: {text}".replace("\n", f"\n{program}: ")
    complain(text)


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog=PROGRAM,
        description="Takes one DEVS model of a robot's decisions from fast simulation to real execution.",
        epilog=STATUSES,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        described = f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}."
        command = commands.add_parser(name, help=module.SUMMARY, description=described)
        module.add_arguments(command)
        add_verbose(command)
        command.set_defaults(parser=command)
    return parser
