"""``devs-robotics check``: finds the mistakes in a scenario."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from devs_robotics.scenarios.commands.arguments import add_scenario, add_summary
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import FAILED, RAN

SUMMARY = "show every mistake in a scenario, each with its key and the remedy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show all mistakes, or that there are none; returns the exit status."""
    from msgspec import to_builtins

    from devs_robotics.scenarios.case import resolve
    from devs_robotics.scenarios.settings.loading import fingerprint, load
    from devs_robotics.scenarios.settings.problems import ScenarioError

    try:
        scenario = load(options.scenario, options.settings)
    except ScenarioError as exc:
        show("\n".join(exc.lines))
        show(f"{len(exc.lines)} mistake{'s' if len(exc.lines) > 1 else ''}")
        if options.json:
            show_json({"scenario": exc.source, "mistakes": [to_builtins(problem) for problem in exc.problems]})
        return FAILED
    sha = fingerprint(resolve(scenario))
    show(f"{options.scenario}: no mistakes (scenario {sha[:12]})")
    if options.json:
        show_json({"scenario": options.scenario, "mistakes": [], "scenario_sha256": sha})
    return RAN
