"""``devs-robotics view``: makes a file of a recording that others can look at."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from devs_robotics.scenarios.commands.exporting import add_export, export, refuse_without_export
from devs_robotics.scenarios.errors import OptionError

SUMMARY = "make a page, an animation or a figure of a recording"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument(
        "recording", metavar="FILE", type=Path, help="that run --record wrote, .mcap or .jsonl, or a folder with one"
    )
    add_export(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Make the file; returns the exit status."""
    if options.export is None:
        refuse_without_export(options)
        raise OptionError("say what to make of the recording: --export FILE, such as run.html or run.gif")
    return export(options, show)
