"""``devs-robotics conform``: holds a scenario's robots against their protocol, at one of the five levels of frames."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics import __version__
from devs_robotics.scenarios.commands.arguments import (
    add_broker,
    add_certificate,
    add_common_settings,
    add_rate,
    add_scenario,
    add_summary,
    certified_means,
    positive,
    refuse_unused,
)
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import BROKEN_OFF, INTERRUPTED, RAN, REJECTED, UNDECIDED
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.stages import STAGES

if TYPE_CHECKING:
    from devs_robotics.scenarios.conformance import Ending
    from devs_robotics.scenarios.settings.schema import Scenario

SUMMARY = "hold robots against their protocol: one, a team, many, real ones, or a recorded run"

LEVELS = ("single", "team", "large", "hybrid", "final")
WITHOUT_RUNS = ("single", "final")
STATUS: dict[Ending, int] = {
    "conforms": RAN,
    "conforms so far": UNDECIDED,
    "does not conform": REJECTED,
    "broken off": BROKEN_OFF,
}
"""Exit status for what may become of a level; 0 is for what holds and could be told, so that nothing passes unseen."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    parser.add_argument("--level", choices=LEVELS, required=True, help="of the frames (docs/conformance.md)")
    parser.add_argument("--trace", metavar="FILE", type=Path, help="of the level final: what run --trace wrote")
    parser.add_argument("--stage", choices=STAGES, help="in which to run (default: fast; of the level hybrid, loop)")
    parser.add_argument(
        "--rounds",
        metavar="N",
        type=positive,
        help="of each run at most (default: 30 of a team, 12 of a hybrid one, of a large one as many as it takes)",
    )
    add_rate(parser)
    add_broker(parser)
    add_certificate(parser)
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to put conformance.json and conformance.html")
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Go through a level and show what came of it; returns the exit status."""
    from msgspec.structs import replace

    from devs_robotics.scenarios.case import case_of
    from devs_robotics.scenarios.conformance import Examination
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.running.means import Hooks
    from devs_robotics.scenarios.running.results import prepare, write_texts
    from devs_robotics.scenarios.settings.loading import load

    _check(options)
    scenario = load(options.scenario, options.settings)
    if options.out is not None:
        prepare(options.out)
    with Interrupt() as interrupt:
        wanted = Examination(
            options.level,
            _origin(options.scenario, scenario),
            options.trace,
            options.stage,
            options.rounds,
            replace(certified_means(options), rate=options.rate, broker=options.broker),
            Hooks(interrupted=lambda: interrupt.requested, tell=show),
        )
        try:
            done = case_of(scenario).conform(scenario, wanted)
        except KeyboardInterrupt:
            show("interrupted: nothing follows")
            return INTERRUPTED
    try:
        paths = [] if options.out is None else write_texts(options.out, done.texts)
    finally:  # what cannot be written can still be seen
        show("\n".join(done.lines))
        if options.json:
            show_json({"ending": done.ending, **done.record})
    if paths:
        show(f"report: {paths[-1]}")
    return STATUS[done.ending]


def _origin(name: str, scenario: Scenario) -> dict[str, str]:
    from devs_robotics.scenarios.case import resolve
    from devs_robotics.scenarios.settings.loading import fingerprint

    return {
        "scenario": name,
        "sha256": fingerprint(resolve(scenario)),
        "seed": str(scenario.run.seed),
        "devs-robotics": __version__,
    }


def _check(options: argparse.Namespace) -> None:
    """Raise DevsRoboticsError for arguments that do not go together."""
    if options.level == "final" and options.trace is None:
        raise OptionError("--level final reviews a recorded run: add --trace FILE, the record of one")
    if options.level != "final" and options.trace is not None:
        raise OptionError(f"--level {options.level} reviews no record, as --level final does: leave out --trace")
    if options.level in WITHOUT_RUNS:
        for name in ("stage", "rounds", "rate", "broker"):
            if getattr(options, name) is not None:
                raise OptionError(f"--level {options.level} runs no scenario: leave out --{name}")
    else:
        refuse_unused(options, [options.stage or ("loop" if options.level == "hybrid" else "fast")])
