"""``devs-robotics list``: the scenarios that ship."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from devs_robotics.scenarios.commands.exit_status import RAN

SUMMARY = "show the scenarios that ship, one line each"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None."""


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show them; returns the exit status."""
    from devs_robotics.scenarios.settings.loading import load, shipped_scenarios

    names = shipped_scenarios()
    width = max(map(len, names))
    for name in names:
        show(f"{name:<{width}}  {load(name).title}")
    return RAN
