"""Judges a scenario on many runs in the stage `fast`."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.core.processes import SAFE_PATH
from devs_robotics.experimental_frames.instruments.safety import Allowance, Extreme, SafetyJudgement, SafetyViolation
from devs_robotics.experimental_frames.instruments.safety.judgement import NOTHING
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.certifying.certificate import Certificate, plain, plain_allowances, rate_bound
from devs_robotics.scenarios.certifying.certified import certified
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.running.going import carry_out
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.instruments import limits_of
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.sweeps.places import prepare_processes, prepare_worker

_logger = logging.getLogger(__name__)

PERIOD = 0.2
"""Between two looks at whether to end early (s)."""

UNFINISHED = ("failed", "broken off")
"""How a run ends that says nothing of the scenario: no case study can allow that."""


class JudgedRun(Struct, frozen=True):
    """What came of one run.

    Attributes:
        seed: of it
        ended, reason: as in an outcome
        end_s: simulated time at the end (s)
        judgement: what the gate makes of it
    """

    seed: int
    ended: str
    reason: str
    end_s: float
    judgement: SafetyJudgement


def certify(
    scenario: Scenario,
    seeds: Sequence[int],
    *,
    jobs: int = 1,
    interrupted: Callable[[], bool] = lambda: False,
    tell: Callable[[JudgedRun], None] = lambda run: None,
) -> Certificate:
    """Judge a scenario on runs in the stage `fast`.

    Args:
        scenario: to be judged; its seed is replaced
        seeds: of the runs, each once
        jobs: how many runs at once, in processes of their own if that is more than 1
        interrupted: asked now and then whether to give up
        tell: gets each run when it is judged

    Raises:
        DevsRoboticsError: a run cannot begin
        KeyboardInterrupt: it was interrupted
    """
    if not seeds or len(set(seeds)) != len(seeds):
        raise OptionError("certify needs seeds, each of them once")
    what = certified(scenario)  # before anything takes time in which a file could change
    runs: dict[int, JudgedRun] = {}
    for run in _one_by_one(scenario, seeds, interrupted) if jobs == 1 else _at_once(scenario, seeds, jobs, interrupted):
        runs[run.seed] = run
        _logger.debug("seed %d is judged: %s, %s", run.seed, run.ended, run.reason)
        tell(run)
    ordered, judged = [runs[seed] for seed in seeds], SafetyJudgement()
    for run in ordered:
        judged = judged.joined(run.judgement)
    limits = limits_of(scenario.safety)
    passed = not judged.trouble
    return Certificate(
        passed=passed,
        rate_bound=rate_bound(len(seeds)) if passed else None,
        case=scenario.case,
        title=scenario.title or case_of(scenario).title,
        scenario_sha256=what.sha256,
        thresholds=plain(limits),
        seeds=tuple(seeds),
        simulated_s=sum(run.end_s for run in ordered),
        extremes={
            "clearance_m": _told(judged.clearance),
            "time_to_contact_s": _told(judged.time_to_contact),
            "room_to_stop_m": _told(judged.room_to_stop),
            "speed_m_per_s": _told(judged.speed),
        },
        energy_J=limits.mass * judged.speed.value**2 / 2.0 if limits.mass else None,
        violations=tuple(_violation(each, ordered) for each in judged.violations),
        allowances=plain_allowances(_allowances(scenario)),
        unjudged=judged.unjudged,
        versions=what.software.versions,
        sources=what.software.sources,
        scenario=what.scenario,
    )


def judge_run(scenario: Scenario, seed: int, interrupted: Callable[[], bool] = lambda: False) -> JudgedRun:
    """Run a scenario with a seed in the stage `fast`, and judge it.

    Raises:
        DevsRoboticsError: the run cannot begin
        KeyboardInterrupt: it was interrupted
    """
    seeded = scenario.model_copy(update={"run": scenario.run.model_copy(update={"seed": seed})})
    setup = replace(set_up(seeded), judged=True)
    outcome = carry_out(setup, RealRobots(setup), Hooks(interrupted))
    if outcome.ended == "interrupted":
        raise KeyboardInterrupt
    found = outcome.judgement
    assert found is not None, "the setup says that it is judged"
    if outcome.ended != "accepted":
        found = found.joined(SafetyJudgement(violations=(_not_accepted(scenario, outcome.ended, outcome.reason),)))
    return JudgedRun(seed, outcome.ended, outcome.reason, outcome.end_s, _of_seed(found, seed))


def _one_by_one(scenario: Scenario, seeds: Sequence[int], interrupted: Callable[[], bool]) -> Iterator[JudgedRun]:
    for seed in seeds:
        yield judge_run(scenario, seed, interrupted)


def _at_once(
    scenario: Scenario, seeds: Sequence[int], jobs: int, interrupted: Callable[[], bool]
) -> Iterator[JudgedRun]:
    """Each as soon as it is there, from processes that end with this one."""
    from joblib.externals.loky import ProcessPoolExecutor

    prepare_processes()
    crew = ProcessPoolExecutor(
        max_workers=min(jobs, len(seeds)),
        initializer=prepare_worker,
        initargs=(os.getpid(), os.environ.get(SAFE_PATH)),
        env={SAFE_PATH: "1"},
    )
    waiting, left = iter(seeds), set[Future[JudgedRun]]()
    try:
        while True:
            # not all at once: loky is to have none in its queue when it is shut down, of which it would complain
            left |= {crew.submit(judge_run, scenario, seed) for seed in islice(waiting, 2 * jobs - len(left))}
            if not left:
                return
            done, left = wait(left, PERIOD, FIRST_COMPLETED)
            for each in done:
                yield each.result()
            if interrupted():
                raise KeyboardInterrupt
    except RuntimeError as exc:  # as loky says that a process of it has ended
        if interrupted():  # by what has ended that process, too
            raise KeyboardInterrupt from exc
        raise DevsRoboticsError(
            "a process that judged runs has ended by itself, out of memory or killed: try again with fewer jobs"
        ) from exc
    finally:
        crew.shutdown(wait=True, kill_workers=True)


def _allowances(scenario: Scenario) -> tuple[Allowance, ...]:
    return case_of(scenario).allowances()


def _not_accepted(scenario: Scenario, ended: str, reason: str) -> SafetyViolation:
    why = ""
    if ended not in UNFINISHED:
        why = next((each.why for each in _allowances(scenario) if each.allows("not accepted", "", 0.0)), "")
    return SafetyViolation("not accepted", 1, NOTHING, NOTHING, f"{ended}: {reason}", why)


def _of_seed(judged: SafetyJudgement, seed: int) -> SafetyJudgement:
    """The same, whose extremes know their seed."""

    def seeded(extreme: Extreme) -> Extreme:
        return replace(extreme, seed=seed)

    return replace(
        judged,
        clearance=seeded(judged.clearance),
        time_to_contact=seeded(judged.time_to_contact),
        room_to_stop=seeded(judged.room_to_stop),
        speed=seeded(judged.speed),
        violations=tuple(
            replace(each, first=seeded(each.first), worst=seeded(each.worst)) for each in judged.violations
        ),
    )


def _told(extreme: Extreme) -> dict[str, Any] | None:
    found: dict[str, Any] = plain(extreme)
    return found if found["value"] is not None else None


def _violation(violation: SafetyViolation, runs: Sequence[JudgedRun]) -> dict[str, Any]:
    seed, what = violation.worst.seed, (violation.kind, violation.allowed)
    return {
        "kind": violation.kind,
        "count": violation.count,
        "seeds": [run.seed for run in runs if what in {(each.kind, each.allowed) for each in run.judgement.violations}],
        "allowed": violation.allowed,
        "told": f"{violation.told} (seed {seed})",
        "first": _told(violation.first),
        "worst": _told(violation.worst),
    }
