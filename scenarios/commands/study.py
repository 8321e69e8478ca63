"""``devs-robotics study``: runs a scenario in several stages, and holds them against each other."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from devs_robotics.core.robots.wording import numbered
from devs_robotics.scenarios.commands.arguments import (
    add_broker,
    add_certificate,
    add_common_settings,
    add_rate,
    add_scenario,
    add_seeds,
    add_summary,
    certified_means,
    refuse_unused,
    seeds_of,
)
from devs_robotics.scenarios.commands.display import fitted, show_json
from devs_robotics.scenarios.commands.exit_status import BROKEN_OFF, FAILED, INTERRUPTED, RAN, REJECTED
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.stages import STAGES, Stage

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.study.comparing import QuantityRow
    from devs_robotics.experimental_frames.study.records import Study

SUMMARY = "run a scenario in several stages and hold them against each other"

STUDIED = tuple(stage for stage in STAGES if stage != "distributed")

STATUS = {"failed": FAILED, "broken off": BROKEN_OFF, "rejected": REJECTED}
"""Exit status for what may become of a run, the worst first; `REJECTED` also where model continuity is not shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    parser.add_argument(
        "--stages",
        metavar="STAGE,...",
        default="fast,realtime,loop,real",
        help="stages to run in (default: %(default)s)",
    )
    add_seeds(parser, "10")
    add_rate(parser)
    add_broker(parser)
    add_certificate(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        required=True,
        help="folder for the results and the report, without results in it",
    )
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Run a study and write its report; returns the exit status."""
    from msgspec.structs import replace

    from devs_robotics.experimental_frames.study.comparing import rows as compare
    from devs_robotics.experimental_frames.study.tables import study_json
    from devs_robotics.scenarios.certifying import admit
    from devs_robotics.scenarios.comparison.study import StudyOrder, conduct, prepare, write
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.settings.loading import load
    from devs_robotics.scenarios.setup.setup import set_up

    stages, seeds = stages_of(options.stages), seeds_of(options.seeds)
    refuse_unused(options, stages)
    order = StudyOrder(
        scenario=load(options.scenario, options.settings),
        stages=stages,
        seeds=seeds,
        means=replace(certified_means(options), rate=options.rate, broker=options.broker),
        source=options.scenario,
        settings=tuple(options.settings),
        quiet=options.quiet,
    )
    for stage in stages:  # before anybody waits for those that need no real robots
        admit(order.scenario, set_up(order.scenario, stage, options.rate), order.means)
    prepare(options.out)
    with Interrupt() as interrupt:
        done = conduct(order, options.out, interrupted=lambda: interrupt.requested, tell=show, ready=_robots_are_back)
        rows = compare(done)
        paths = write(options.out, done, rows)
    for line in study_lines(done, rows):
        show(line)
    show(f"report: {paths[-1]}")
    if options.json:
        show_json(json.loads(study_json(done, rows)))
    return status(done)


def _robots_are_back(stage: Stage, robots: Sequence[int]) -> bool:
    """Have somebody put real robots back to where the scenario has them start; false where nobody can be asked."""
    who = numbered(robots)
    question = f"{stage}: put {who} where the scenario has them start, and press Enter (Ctrl-C and Enter to end here) "
    sys.stderr.write(fitted(question, sys.stderr))
    sys.stderr.flush()
    try:
        return bool(sys.stdin.readline())
    except (OSError, ValueError):  # a terminal that has gone, or bytes that are no text
        return False


def stages_of(text: str) -> tuple[Stage, ...]:
    """The stages that ``--stages`` names; raises DevsRoboticsError when they are none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    stages: list[Stage] = []
    for name in names:
        known = next((stage for stage in STAGES if stage == name), None)
        if known is None:
            near = get_close_matches(name, STUDIED, 1, 0.6)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(STUDIED)}"
            raise OptionError(f"--stages: there is no stage {name!r}: {hint}")
        if known == "distributed":
            raise OptionError(
                "--stages: in 'distributed' robots decide in other processes, where a study does not see what: leave "
                "it out, and run it by itself with devs-robotics run --stage distributed"
            )
        if known in stages:
            raise OptionError(f"--stages names {name!r} twice: name it once")
        stages.append(known)
    if not stages:
        raise OptionError(f"--stages names none: name some of {', '.join(STUDIED)}, such as fast,loop")
    return tuple(stages)


def study_lines(done: Study, rows: list[QuantityRow]) -> list[str]:
    """What came of a study, to be read by a person."""
    from devs_robotics.experimental_frames.study.comparing import FEWEST_FOR_SIGNS, too_few
    from devs_robotics.experimental_frames.study.page import estimate_text
    from devs_robotics.experimental_frames.study.verdict import continuity_holds, continuity_problem, continuity_verdict

    counted = sum(run.counts for run in done.runs)
    few = [too_few(pairs) for pairs in range(1, FEWEST_FOR_SIGNS)]
    told = {compared.reading for row in rows for compared in row.differences.values()}
    lines = [f"{counted} of {len(done.stages) * len(done.seeds)} runs accepted"]
    for row in rows:
        lines.append(row.quantity.label)
        for stage, mean in row.means.items():
            compared = row.differences.get(stage)
            note = "" if compared is None or compared.reading in few else compared.reading
            if mean.n < len(done.seeds):
                note = f"{note} (n = {mean.n})".lstrip()
            lines.append(f"  {stage:<12} {estimate_text(mean, row.quantity):>8}  {note}".rstrip())
    lines += [f"{sentence}: give more --seeds" for sentence in few if sentence in told][-1:]
    why_not = "" if continuity_holds(done) else f": {continuity_problem(done)}"
    lines.append(f"{continuity_verdict(done)}{why_not}")
    return lines


def status(done: Study) -> int:
    """The exit status of a study."""
    from devs_robotics.experimental_frames.study.verdict import continuity_holds

    if done.interrupted:
        return INTERRUPTED
    ended = {run.ended for run in done.runs}
    worst = next((code for ending, code in STATUS.items() if ending in ended), RAN)
    return worst or (RAN if continuity_holds(done) else REJECTED)
