"""``devs-robotics list``: the scenarios that ship, and the case studies that installed packages bring."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from devs_robotics import DevsRoboticsError
from devs_robotics.core.extras import needed
from devs_robotics.scenarios.commands.arguments import add_summary
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import RAN

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SUMMARY = "show the scenarios that ship and the case studies that installed packages bring, one line each"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show them; returns the exit status."""
    known = dict(_known())
    width = max(map(len, known))
    for name, words in known.items():
        show(f"{name:<{width}}  {words}")
    if options.json:
        show_json({"scenarios": [{"name": name, "title": words} for name, words in known.items()]})
    return RAN


def _known() -> Iterator[tuple[str, str]]:
    """What there is, by name, each with what it is in a line."""
    from devs_robotics.scenarios.case_study.finding import brought
    from devs_robotics.scenarios.settings.loading import shipped_scenarios

    ships = shipped_scenarios()
    for name in ships:
        yield name, _title(name)
    for name, point in sorted(brought().items()):
        if name in ships:
            yield f"{name} ({point.value})", "cannot be reached: what ships has the same name; give it another one"
        else:
            yield name, _first_line(point)


def _title(name: str) -> str:
    """Of a scenario that ships; or which package it lacks."""
    from devs_robotics.scenarios.settings.loading import load

    try:
        with needed("it needs"):
            return load(name).title
    except DevsRoboticsError as exc:
        return str(exc)


def _first_line(point: EntryPoint) -> str:
    """Of the docstring of a case study that a package brings; or why it cannot be had."""
    from devs_robotics.scenarios.case_study.case_study import title_of
    from devs_robotics.scenarios.case_study.finding import brought_class

    try:
        return title_of(brought_class(point))
    except DevsRoboticsError as exc:
        return str(exc)
