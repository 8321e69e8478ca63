"""``devs-robotics report``: one page about one or several sweeps, and a paragraph on methods for a paper."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from devs_robotics.scenarios.commands.arguments import add_summary
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.errors import OptionError

SUMMARY = "make a report of one or several sweeps"

METHODS = "methods.md"
"""Beside the page."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument("folders", metavar="DIR", type=Path, nargs="+", help="where devs-robotics sweep put a sweep")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help="the page to write; methods.md is put beside it"
    )
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Write the report; returns the exit status."""
    from devs_robotics.core.extras import available
    from devs_robotics.experimental_frames.sweep_report.folders import read_folders
    from devs_robotics.experimental_frames.sweep_report.methods import methods_md
    from devs_robotics.experimental_frames.sweep_report.page import sweep_report_html
    from devs_robotics.scenarios.running.results import prepare, write_texts
    from devs_robotics.scenarios.running.versions import versions

    out: Path = options.out
    if out.is_dir() or out.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"--out {out} must name a page: give a name that ends in .html")
    folders = read_folders(options.folders)
    prepare(out.parent)
    software = versions() | {name: version(name) for name in ("scipy", "SALib") if available(name)}
    paths = write_texts(
        out.parent,
        {
            METHODS: lambda: methods_md(folders, software),
            out.name: lambda: sweep_report_html(folders, software, out.parent),
        },
    )
    runs = sum(len(folder.sweep.rows) for folder in folders)
    show(f"{runs:,} {'run' if runs == 1 else 'runs'} of {', '.join(folder.name for folder in folders)}")
    show(f"methods: {paths[0]}")
    show(f"report: {paths[1]}")
    if options.json:
        sweeps = [folder.name for folder in folders]
        show_json({"runs": runs, "sweeps": sweeps, "methods": str(paths[0]), "report": str(paths[1])})
    return RAN
