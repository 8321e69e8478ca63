"""Every figure and table of the papers whose systems ship, on one page beside what was published: ``make papers``.

A case brings its paper by a module ``paper`` in its folder, or a module ``CASE_paper`` beside it. docs/papers.md says
how long each takes; with ``--quick`` it is some minutes for all, and nothing is to be concluded.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from msgspec import Struct

from devs_robotics.scenarios.case import HERE
from devs_robotics.scenarios.commands.cli import guarded
from devs_robotics.scenarios.commands.display import Display
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.commands.parser import CommandParser
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.errors import OptionError

PAGE = "papers.html"


class PaperWanted(Struct, frozen=True):
    """What is wanted of a paper.

    Attributes:
        out: folder for its own pages, figures and tables
        quick: whether to measure briefly, so that nothing is to be concluded
        show: tells how far it is
    """

    out: Path
    quick: bool
    show: Callable[[str], None]


class PaperModule(Protocol):
    """What a case brings: its paper, made again.

    Attributes:
        TITLE: who, and what
    """

    TITLE: str

    def again(self, wanted: PaperWanted) -> tuple[Sequence[object], dict[str, str]]:
        """Make all; returns its `PaperResult`, and its pages by name, from `wanted.out`."""


def shipped_papers() -> dict[str, str]:
    """The modules that bring papers, by the names of their cases."""
    folders = {path.parent.name: f"{path.parent.name}.paper" for path in HERE.glob("*/paper.py")}
    beside = {path.stem.removesuffix("_paper"): path.stem for path in HERE.glob("*_paper.py")}
    return dict(sorted((folders | beside).items()))


def make(out: Path, names: Sequence[str], *, quick: bool, show: Callable[[str], None]) -> Path:
    """Make the papers of these cases; returns the path of the page.

    Raises:
        DevsRoboticsError: there is no such paper, or it cannot be made or written
    """
    from devs_robotics.experimental_frames.papers import PaperAgain, lines, papers_page
    from devs_robotics.experimental_frames.report.rendering import rendered
    from devs_robotics.scenarios.running.results import prepare, write_texts
    from devs_robotics.scenarios.running.versions import versions

    there = shipped_papers()
    for name in names:
        if name not in there:
            raise OptionError(f"there is no paper of {name!r}: choose from {', '.join(there)}")
    prepare(out)
    papers = []
    for name in names or there:
        module = cast(PaperModule, import_module(f"devs_robotics.scenarios.{there[name]}"))
        show(f"{module.TITLE} ...")
        began = time.monotonic()
        results, pages = module.again(PaperWanted(out / name, quick, show))
        addresses = {called: f"{name}/{address}" for called, address in pages.items()}
        papers.append(PaperAgain(module.TITLE, results, addresses, time.monotonic() - began))  # type: ignore[arg-type]
    (path,) = write_texts(out, {PAGE: lambda: rendered(papers_page(papers, versions(), quick=quick))})
    for line in lines(papers, quick=quick):
        show(line)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Make them; returns the exit status."""
    parser = CommandParser(
        prog="python -m devs_robotics.scenarios.papers",
        description=(__doc__ or "").replace("``", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put them")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="few and short runs, to see that all of it works: nothing is to be concluded from what comes out",
    )
    parser.add_argument(
        "--only", metavar="CASE,...", default="", help=f"some of them: {', '.join(shipped_papers())} (default: all)"
    )
    given = sys.argv[1:] if arguments is None else arguments
    with protected("papers"):
        return guarded("papers", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    show = Display()
    names = [name for name in options.only.split(",") if name]
    show(f"page: {make(options.out, names, quick=options.quick, show=show)}")
    return RAN


if __name__ == "__main__":
    sys.exit(main())
