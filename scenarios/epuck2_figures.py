"""Every figure and table of Stolfi & Danoy's e-puck2 plug-in, beside what they published: ``make figures``.

Costs are measured by processor time, some minutes in all; everything else takes seconds and is the same each time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import Progress

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.epuck2.comparing import compared
from devs_robotics.experimental_frames.epuck2.costs.arenas import PARTS
from devs_robotics.experimental_frames.epuck2.costs.measuring import (
    FULL,
    QUICK,
    Costs,
    Effort,
    machine,
    measured,
    today,
)
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData, make
from devs_robotics.experimental_frames.epuck2.page import COSTS, NAME, page
from devs_robotics.experimental_frames.epuck2.pictures import PICTURES, drawn
from devs_robotics.experimental_frames.epuck2.published import SIZES
from devs_robotics.scenarios.commands.cli import guarded
from devs_robotics.scenarios.commands.display import Display
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.commands.parser import CommandParser
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.running.results import prepare, write_texts

IMAGES, DATA = "images", "data"
"""Folders beside the page."""


class CostsError(DevsRoboticsError):
    """Costs that were measured before cannot be read."""


def read_costs(path: Path) -> Costs:
    """Costs that were measured before.

    Raises:
        CostsError: they cannot be read
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Costs)
    except OSError as exc:
        raise CostsError(f"--costs: {path} cannot be read ({exc.strerror}): leave it out to measure anew") from exc
    except msgspec.DecodeError as exc:
        raise CostsError(f"--costs: {path} holds no costs ({exc}): leave it out to measure anew") from exc


def costs_text(costs: Costs) -> str:
    """A file of them, a line per setting."""
    text = msgspec.json.encode(costs).decode()
    return text.replace('{"what"', '\n{"what"') + "\n"


def measure(effort: Effort, sizes: Sequence[int] = SIZES) -> Costs:
    """Measure all costs, on this machine, now."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        arenas = progress.add_task("costs", total=(len(PARTS) + 1) * len(sizes))
        found, seen = [], set()
        for cost in measured(effort, sizes):
            found.append(cost)
            if cost.mode == "none":
                seen.add((cost.what, cost.robots))
                progress.update(arenas, completed=len(seen))
    return Costs(today(), machine(), effort, tuple(found))


def write(out: Path, made: EpuckFigureData) -> list[Path]:
    """Write page, pictures and data; returns the paths, the page last.

    Raises:
        OutputError: they cannot be written
    """
    texts: dict[str, Callable[[], str]] = {
        f"{IMAGES}/{shown.file}": partial(drawn, name, made) for name, shown in PICTURES.items()
    }
    texts |= {f"{DATA}/{trace.name}.csv": trace.csv for trace in made.traces}
    texts[f"{DATA}/figure-10.csv"] = made.batteries.csv
    texts |= {COSTS: lambda: costs_text(made.costs), NAME: lambda: page(made, IMAGES)}
    for folder in (out, out / IMAGES, out / DATA):
        prepare(folder)
    return write_texts(out, texts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make all; returns the exit status."""
    parser = CommandParser(
        prog="python -m devs_robotics.scenarios.epuck2_figures",
        description=(__doc__ or "").replace("``", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put them")
    costs = parser.add_mutually_exclusive_group()
    costs.add_argument("--quick", action="store_true", help="measure costs briefly, with wide intervals")
    costs.add_argument("--costs", metavar="FILE", type=Path, help="costs as they were measured before")
    given = sys.argv[1:] if arguments is None else arguments
    with protected("epuck2_figures"):
        return guarded("epuck2_figures", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    prepare(options.out)
    costs = read_costs(options.costs) if options.costs else measure(QUICK if options.quick else FULL)
    made = make(costs)
    paths = write(options.out, made)
    show = Display()
    for row in compared(made):
        if row.verdict != "agrees":
            show(f"{row.where}, {row.what}: published {row.published}, ours {row.ours} ({row.verdict})")
    show(f"{sum(row.verdict == 'agrees' for row in compared(made))} of {len(compared(made))} published values agree")
    show(f"page: {paths[-1]}")
    return RAN


if __name__ == "__main__":
    sys.exit(main())
