"""``devs-robotics experiment``: a paper's experiments, run again beside what it published."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from devs_robotics.scenarios.commands.arguments import add_broker, add_summary, positive
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import RAN

SUMMARY = "run a paper's experiments again, beside what it published"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.add_argument("name", metavar="NAME", help="whose: pera (Karunarathna et al., 2023, mixed reality)")
    parser.add_argument(
        "--which",
        metavar="N",
        type=_numbers,
        default=(),
        help="numbers of the experiments, such as 1, 1,3 or 1..4 (default: all)",
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="folder for the page and the data")
    parser.add_argument("--quick", action="store_true", help="measure briefly: nothing is to be concluded then")
    parser.add_argument("--trials", metavar="N", type=positive, help="runs at each setting (default: as usual)")
    parser.add_argument(
        "--workers", metavar="N", type=positive, default=-1, help="processes for runs (default: one per core)"
    )
    add_broker(parser)
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Make them; returns the exit status."""
    from devs_robotics.scenarios.paper_experiments import Experimenting, experiments_named

    experiments = experiments_named(options.name)
    wanted = Experimenting(
        options.which or experiments.NUMBERS,
        options.out,
        options.quick,
        options.broker,
        options.trials,
        options.workers,
    )
    show(f"{experiments.TITLE}: {', '.join(map(str, wanted.which))}")
    page = experiments.run(wanted, show)
    show(f"page: {page}")
    if options.json:
        show_json({"experiments": list(wanted.which), "page": str(page)})
    return RAN


def _numbers(text: str) -> tuple[int, ...]:
    """``1``, ``1,3`` or ``1..4``."""
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        if not (_is_number(first) and (not dots or _is_number(last))):
            raise argparse.ArgumentTypeError(f"must be numbers such as 1, 1,3 or 1..4, not {text!r}")
        found += range(int(first), int(last or first) + 1)
    if not found:
        raise argparse.ArgumentTypeError(f"must be numbers such as 1, 1,3 or 1..4, not {text!r}")
    return tuple(dict.fromkeys(found))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < len(text) <= 3
