"""``devs-robotics queue``: experiments wait, are certified, run in arenas one after the other, and are collected."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from devs_robotics.scenarios.commands.arguments import (
    add_broker,
    add_common_settings,
    add_lab,
    add_rate,
    add_scenario,
    add_summary,
    add_verbose,
    not_negative,
    positive,
    refuse_unused,
    seeds_of,
)
from devs_robotics.scenarios.commands.display import columns, fitted, show_json
from devs_robotics.scenarios.commands.exit_status import FAILED, INTERRUPTED, RAN
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.stages import STAGES

if TYPE_CHECKING:
    from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
    from devs_robotics.scenarios.queueing.experiments import QueuedExperiment

SUMMARY = "have experiments wait, be certified, run in arenas one after the other, and collect their results"

FOLDER = Path("queue")
"""Of the queue, where nothing else is said."""

STATES = ("waiting", "running", "finished", "failed", "refused", "cancelled")
"""Those of `queueing.experiments`, which is slow to load."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    actions = parser.add_subparsers(title="what to do", dest="action", required=True, metavar="ACTION")
    for name, (summary, arguments, _) in ACTIONS.items():
        action = actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        arguments(action)
        action.add_argument(
            "--queue",
            metavar="DIR",
            type=Path,
            default=FOLDER,
            help=f"folder of the queue (default: {FOLDER}, in this folder)",
        )
        add_summary(action)
        add_verbose(action, inner=True)
        action.set_defaults(parser=action)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Do what is to be done; returns the exit status."""
    from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue

    if options.action == "add":
        return _add(options, show)
    with ExperimentQueue(options.queue) as queue:
        return ACTIONS[options.action][2](queue, options, show)


# add


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario(parser)
    add_common_settings(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--seed", metavar="N", type=not_negative, help="the same as --set run.seed=N")
    which.add_argument(
        "--seeds", metavar="N", help="as many experiments with seeds from 1 on; or which ones: '1,2,5', '5,'"
    )
    parser.add_argument("--stage", choices=STAGES, default="fast", help="how to run it (default: fast)")
    add_rate(parser)
    add_lab(parser)
    parser.add_argument("--arena", metavar="NAME", help="where to run it (default: in any arena)")
    parser.add_argument(
        "--priority", metavar="N", type=not_negative, default=0, help="those with a higher one come first (default: 0)"
    )
    parser.add_argument("--name", metavar="NAME", help="by which it is known; a second one of this name is refused")
    parser.add_argument(
        "--deaths",
        metavar="N",
        type=positive,
        default=3,
        help="give it up when so many processes have died that ran it (default: %(default)s)",
    )


def _add(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
    from devs_robotics.scenarios.queueing.submission import ExperimentWish, submitted

    refuse_unused(options, [options.stage])
    if options.seeds is not None and options.name is not None:
        raise OptionError("--name is for one experiment, and --seeds for several: leave out one of them")
    seeds = [options.seed] if options.seeds is None else seeds_of(options.seeds)
    wish = ExperimentWish(
        stage=options.stage,
        rate=options.rate,
        lab=options.lab or "process",
        name=options.name,
        wanted_arena=options.arena,
        priority=options.priority,
        deaths_allowed=options.deaths,
    )
    settings = [[] if seed is None else [f"run.seed={seed}"] for seed in seeds]
    new = [submitted(options.scenario, [*options.settings, *each], wish) for each in settings]
    with ExperimentQueue(options.queue, make=True) as queue:
        numbers = queue.add(new)
        waiting = [each for each in queue.experiments(["waiting"]) if each.number < numbers[0]]
        before = len([each for each in waiting if each.priority >= options.priority])
    which = f"experiment {numbers[0]}" if len(numbers) == 1 else f"experiments {numbers[0]} to {numbers[-1]}"
    show(f"{which} added to {options.queue}, behind {before} that wait{'s' if before == 1 else ''}")
    if options.json:
        show_json({"queue": str(options.queue), "numbers": numbers})
    return RAN


# list and show


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--state", choices=STATES, action="append", default=[], help="only those; may be given again (default: all)"
    )


def _list(queue: ExperimentQueue, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.scenarios.commands.queue_lines import counts_line, list_lines, plain

    experiments = queue.experiments()
    listed = [each for each in experiments if not options.state or each.state in options.state]
    for line in list_lines(listed, columns(sys.stdout)):
        show(line)
    show(counts_line(experiments))
    if options.json:
        show_json({"queue": str(options.queue), "experiments": [plain(each) for each in listed]})
    return RAN


def _which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", metavar="NUMBER", help="of the experiment, or its name")


def _show(queue: ExperimentQueue, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.scenarios.commands.queue_lines import experiment_lines, history_plain, plain

    found = queue.found(options.experiment)
    history = queue.history(found.number)
    folder = queue.results.whole(found.number) if queue.results.ended(found, queue.identity) else None
    for line in experiment_lines(found, history, folder):
        show(line)
    if options.json:
        show_json({**plain(found), "results": folder and str(folder), "history": history_plain(history)})
    return RAN


# cancel and retry


def _several(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiments", metavar="NUMBER", nargs="+", help="of an experiment, or its name")


def _changed(
    change: Callable[[ExperimentQueue, int], QueuedExperiment],
    queue: ExperimentQueue,
    options: argparse.Namespace,
    show: Callable[[str], None],
) -> int:
    from devs_robotics.scenarios.commands.queue_lines import plain

    wanted = [queue.found(which) for which in dict.fromkeys(options.experiments)]
    changed = [change(queue, each.number) for each in wanted]
    for each in changed:
        show(f"{each.called}: {'to be cancelled soon' if each.cancel else each.state}")
    if options.json:
        show_json({"experiments": [plain(each) for each in changed]})
    return RAN


def _cancel(queue: ExperimentQueue, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    return _changed(lambda queue, number: queue.cancel(number), queue, options, show)


def _retry(queue: ExperimentQueue, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    return _changed(lambda queue, number: queue.retry(number), queue, options, show)


# work


def _work_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--arena", metavar="NAME", default="arena", help="where this worker runs experiments (default: %(default)s)"
    )
    parser.add_argument("--wait", action="store_true", help="go on when none is left: wait for more, until Ctrl-C")
    parser.add_argument("--count", metavar="N", type=positive, help="do so many experiments at most")
    parser.add_argument(
        "--unattended",
        action="store_true",
        help="ask nobody before real robots move, whether the arena is set up for the experiment",
    )
    add_broker(parser)
    parser.add_argument(
        "--certify-seeds",
        metavar="N",
        default="59",
        help="how many runs the safety gate judges before an experiment with robots (default: %(default)s); or which: "
        "'1,2,5'",
    )
    parser.add_argument("--jobs", metavar="J", type=positive, default=1, help="of these runs at once (default: 1)")
    parser.add_argument("--accept-risk", action="store_true", help="let robots move without a certificate")


def _work(queue: ExperimentQueue, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.scenarios.commands.queue_lines import ended_line, plain
    from devs_robotics.scenarios.queueing.certifying import GateRuns
    from devs_robotics.scenarios.queueing.worker import ArenaMeans, WorkerHooks, work_off
    from devs_robotics.scenarios.running.interrupt import Interrupt
    from devs_robotics.scenarios.running.progress import Progress

    means = ArenaMeans(
        arena=options.arena,
        broker=options.broker,
        accept_risk=options.accept_risk,
        judging=GateRuns(seeds_of(options.certify_seeds), options.jobs),
        wait=options.wait,
        at_most=options.count,
    )
    done: list[QueuedExperiment] = []
    with Interrupt() as interrupt, Progress(quiet=options.quiet) as progress:
        ready = (lambda experiment: True) if options.unattended else _arena_is_set_up
        hooks = WorkerHooks(lambda: interrupt.requested, show, ready, progress.update)
        interrupted = False
        try:
            for experiment in work_off(queue, means, hooks):
                done.append(experiment)
                show(ended_line(experiment))
        except KeyboardInterrupt:
            interrupted = True
        interrupted = interrupted or interrupt.requested
    left = queue.experiments(["waiting"])
    show(_left(done, left, options.arena))
    if options.json:
        show_json({"arena": options.arena, "done": [plain(each) for each in done], "waiting": len(left)})
    if interrupted:
        return INTERRUPTED
    return FAILED if any(each.state in ("failed", "refused") for each in done) else RAN


def _left(done: list[QueuedExperiment], left: list[QueuedExperiment], arena: str) -> str:
    """What a worker says when it goes."""
    line = f"{len(done)} done, {len(left)} waiting"
    elsewhere = sum(each.wanted_arena not in (None, arena) for each in left)
    real = sum(each.real_robots and each.wanted_arena in (None, arena) for each in left)
    reasons = [
        *([f"{elsewhere} for other arenas"] if elsewhere else []),
        *([f"{real} with real robots, for which the arena is to be set up"] if real else []),
    ]
    return f"{line} ({', '.join(reasons)})" if reasons else line


def _arena_is_set_up(experiment: QueuedExperiment) -> bool:
    """Have somebody set the arena up; false where nobody can be asked."""
    question = (
        f"{experiment.called} moves real robots: set the arena {experiment.arena} up for it, and press Enter "
        "(Ctrl-C and Enter to end here) "
    )
    sys.stderr.write(fitted(question, sys.stderr))
    sys.stderr.flush()
    try:
        return bool(sys.stdin.readline())
    except (OSError, ValueError):  # a terminal that has gone, or bytes that are no text
        return False


# collect


def _collect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "experiments", metavar="NUMBER", nargs="*", help="of an experiment, or its name (default: all that are over)"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="folder for the results and their table")


def _collect(queue: ExperimentQueue, options: argparse.Namespace, show: Callable[[str], None]) -> int:
    from devs_robotics.scenarios.queueing.collecting import collect
    from devs_robotics.scenarios.queueing.experiments import ENDED

    chosen = [queue.found(which) for which in dict.fromkeys(options.experiments)] or queue.experiments(ENDED)
    for each in chosen:
        if each.state not in ENDED:
            raise OptionError(f"{each.called} is {each.state}: its results can be collected when it is over")
    found = collect(queue, chosen, options.out)
    old = len(found.folders) - len(found.new)
    there = f", {old} were there already" if old else ""
    show(f"results of {len(found.folders)} of {len(chosen)} experiments that are over{there}")
    show(f"table: {found.table}")
    if options.json:
        folders: dict[str, Any] = {str(number): str(folder) for number, folder in found.folders.items()}
        show_json({"table": str(found.table), "folders": folders, "new": found.new})
    return RAN


ACTIONS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[..., int]]] = {
    "add": ("add an experiment to a queue, which is made where there is none", _add_arguments, _add),
    "list": ("show the experiments of a queue, one line each", _list_arguments, _list),
    "show": ("show one experiment with its history", _which, _show),
    "cancel": ("have experiments not run, or end soon if they run", _several, _cancel),
    "retry": ("have experiments that failed, were refused or cancelled wait again", _several, _retry),
    "work": ("certify and run experiments in an arena until none is left", _work_arguments, _work),
    "collect": ("copy the results of experiments that are over, with a table of all", _collect_arguments, _collect),
}
