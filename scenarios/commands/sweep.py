"""``devs-robotics sweep``: runs a scenario at many points and with many seeds, into one table."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devs_robotics.scenarios.commands.arguments import (
    add_common_settings,
    add_scenario,
    add_summary,
    not_negative,
    positive,
)
from devs_robotics.scenarios.commands.completion import completed_by, keys
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import FAILED, INTERRUPTED, RAN

if TYPE_CHECKING:
    from devs_robotics.scenarios.sweeps.design import SweepPlan
    from devs_robotics.scenarios.sweeps.places import Place
    from devs_robotics.scenarios.sweeps.store import Store

SUMMARY = "run a scenario at many points and with many seeds, into one table"

TOLD = 5
"""So many runs that failed are told one by one; the table has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    vary = parser.add_argument(
        "--vary",
        metavar="KEY=VALUE,...",
        action="append",
        default=[],
        help="values of a key, or the name of a set of them, as noise=paper; may be given again, for all combinations",
    )
    completed_by(vary, keys)
    parser.add_argument(
        "--sobol", metavar="KEY=LOW:HIGH", nargs="+", default=[], help="ranges to be sampled for Sobol indices"
    )
    parser.add_argument(
        "--morris", metavar="KEY=LOW:HIGH", nargs="+", default=[], help="ranges to be sampled for elementary effects"
    )
    parser.add_argument(
        "--samples",
        metavar="N",
        type=positive,
        help="of a sample of D keys: N (D + 2) points with --sobol, N (D + 1) with --morris",
    )
    parser.add_argument(
        "--replicates",
        metavar="N",
        type=positive,
        help="runs per point, each with another seed (default: 10; of a sample 1)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=not_negative,
        help="of the first replicate of every point (default: as the scenario says)",
    )
    parser.add_argument(
        "--again", action="store_true", help="where the sweep has been before: do the runs that failed once more"
    )
    parser.add_argument(
        "--batch",
        action="store_true",
        help='the replicates of each point in one set of arrays, of cases of one team with sensing.strategy = "grid"',
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        help="runs at once on this machine (default: one per processor)",
    )
    where.add_argument("--dask", metavar="ADDRESS", help="run on a Dask cluster, for instance tcp://192.0.2.7:8786")
    where.add_argument("--ray", metavar="ADDRESS", help="run on a Ray cluster: auto, or for instance 192.0.2.7:6379")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put the results")
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Carry out a sweep, or go on with it, and write its table; returns the exit status."""
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.sweeps import tables
    from devs_robotics.scenarios.sweeps.design import Wishes, plan
    from devs_robotics.scenarios.sweeps.execute import carry_out_all
    from devs_robotics.scenarios.sweeps.progress import SweepProgress
    from devs_robotics.scenarios.sweeps.runs import RunRow
    from devs_robotics.scenarios.sweeps.store import Store

    wishes = Wishes(
        vary=tuple(options.vary),
        sobol=tuple(options.sobol),
        morris=tuple(options.morris),
        samples=options.samples,
        replicates=options.replicates,
        first_seed=options.seed,
    )
    sweep = plan(options.scenario, options.settings, wishes)
    if options.batch:
        from devs_robotics.scenarios.sweeps.together import check_together

        for point in sweep.points:
            check_together(point.scenario)
    with Interrupt() as interrupt, Store(options.out, tables.description(sweep), sweep.design) as store:
        done = {number for number, row in store.rows.items() if not (options.again and row.ended == "failed")}
        left = [number for number in range(sweep.runs) if number not in done]
        show(_beginning(sweep, len(left)))
        waiting = set(left)
        with SweepProgress(sweep, left, quiet=options.quiet) as progress:

            def keep(row: RunRow) -> None:
                store.append(row)
                progress.add(row)
                waiting.discard(sweep.design.number(row.point, row.replicate))

            if left:
                with _place(options, len(left)) as where:
                    carry_out_all(
                        sweep, left, where, keep, interrupted=lambda: interrupt.requested, together=options.batch
                    )
        paths = tables.write(options.out, sweep, store.rows) if store.rows else []
    for line in _lines(sweep, store):
        show(line)
    if paths:
        show(f"table: {paths[0]}\nfor a report:\n  {_report(options.out)}")
    if options.json:
        show_json(_summary(sweep, store, paths, len(waiting)))
    if waiting:
        show(f"{len(waiting)} run{' is' if len(waiting) == 1 else 's are'} left: the same command goes on")
        return INTERRUPTED
    return FAILED if any(row.ended == "failed" for row in store.rows.values()) else RAN


def _place(options: argparse.Namespace, runs: int) -> Place:
    from devs_robotics.scenarios.sweeps.places import Dask, Local, Ray

    if options.dask is not None:
        return Dask(options.dask)
    if options.ray is not None:
        return Ray(options.ray)
    return Local(options.jobs, runs)


def _beginning(sweep: SweepPlan, left: int) -> str:
    """What is going to be done."""
    design = sweep.design
    seeds = f"seed {design.first_seed}"
    if design.replicates > 1:
        seeds = f"seeds {design.first_seed} to {design.first_seed + design.replicates - 1}"
    points = _counted(len(sweep.points), "point")
    done = f", {sweep.runs - left} of them are there already" if left < sweep.runs else ""
    return f"{_counted(sweep.runs, 'run')}: {points}, {seeds}{done}"


def _lines(sweep: SweepPlan, store: Store) -> list[str]:
    """What came of a sweep, to be read by a person."""
    from devs_robotics.hil.addresses import masked
    from devs_robotics.scenarios.sweeps.runs import command

    endings = [row.ended for row in store.rows.values()]
    counted = ", ".join(f"{endings.count(ended)} {ended}" for ended in dict.fromkeys(sorted(endings)))
    lines = [f"{len(endings)} of {sweep.runs} runs are done: {counted}" if endings else "no run is done"]
    failed = [number for number in sorted(store.rows) if store.rows[number].ended == "failed"]
    for number in failed[:TOLD]:
        row = store.rows[number]
        which = ", ".join([*map(masked, sweep.points[row.point].settings), f"seed {row.seed}"])
        lines.append(f"run {number} ({which}) failed: {row.reason}; by itself:")
        lines.append(f"  {command(sweep, number)}")
    if len(failed) > TOLD:
        more = _counted(len(failed) - TOLD, "more run")
        lines.append(f"{more} failed: see the table, and settings.jsonl for commands")
    if failed:
        lines.append(f"the same command with --again does {_counted(len(failed), 'failed run')} once more")
    return lines


def _report(out: Path) -> str:
    return shlex.join(["devs-robotics", "report", str(out), "--out", str(out / "report.html")])


def _summary(sweep: SweepPlan, store: Store, paths: Sequence[Path], left: int) -> dict[str, Any]:
    """What came of a sweep, for programs."""
    from devs_robotics.scenarios.sweeps.runs import command

    endings = [row.ended for row in store.rows.values()]
    return {
        "command": sweep.command,
        "runs": sweep.runs,
        "left": left,
        "ended": {ended: endings.count(ended) for ended in sorted(set(endings))},
        "failed": [
            {"run": number, "seed": row.seed, "reason": row.reason, "command": command(sweep, number)}
            for number, row in sorted(store.rows.items())
            if row.ended == "failed"
        ],
        "files": [str(path) for path in paths],
    }


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
