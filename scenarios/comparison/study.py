"""Studies: one scenario in several stages and with several seeds, run and gathered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.study.compared import Compared
from devs_robotics.experimental_frames.study.comparing import QuantityRow
from devs_robotics.experimental_frames.study.continuity import agreement
from devs_robotics.experimental_frames.study.decisions import DecisionModels, Decisions, decision_models, of_robots
from devs_robotics.experimental_frames.study.page import study_html
from devs_robotics.experimental_frames.study.records import ReplayProof, RunRecord, StageModels, Study, TraceProof
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.experimental_frames.study.tables import runs_csv, study_json
from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.case import case_of, noise_free, resolve
from devs_robotics.scenarios.certifying.certificate import beside
from devs_robotics.scenarios.command_line import command_line
from devs_robotics.scenarios.comparison.run_observations import Observers
from devs_robotics.scenarios.running import results
from devs_robotics.scenarios.running.means import FAST, Hooks, Means
from devs_robotics.scenarios.running.outcome import AnyOutcome, RobotReport
from devs_robotics.scenarios.running.progress import Progress
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.running.versions import versions
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.roles import roles
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import USED_IN, Stage

RUNS, SUMMARY = "runs", "study.json"
"""In the folder of a study: the folder of its runs' own results, and the first file that it writes itself."""


class StudyOrder(Struct, frozen=True, kw_only=True):
    """What a study is to do.

    Attributes:
        scenario: what is run; its seed is replaced
        stages: in which it is run
        seeds: with which each stage is run
        means: how runs are made, but for the stage
        source: name or path of the scenario, for commands
        settings: ``KEY=VALUE`` texts that it was loaded with, for commands
        quiet: no progress bar is shown
    """

    scenario: Scenario
    stages: tuple[Stage, ...]
    seeds: tuple[int, ...]
    means: Means = FAST
    source: str
    settings: tuple[str, ...] = ()
    quiet: bool = False

    def seeded(self, seed: int) -> Scenario:
        """The scenario with a seed of the study."""
        run_table = self.scenario.run.model_copy(update={"seed": seed})
        return self.scenario.model_copy(update={"run": run_table})

    def command(self, name: str, *arguments: str, stages: Sequence[Stage]) -> str:
        """A command on this scenario, to be typed, with those options that have an effect in some of these stages."""
        words = ["devs-robotics", name, self.source, *arguments]
        used = {option for option, used_in in USED_IN.items() if set(used_in) & set(stages)}
        if self.means.rate is not None and "rate" in used:
            words += ["--rate", f"{self.means.rate:g}"]
        if self.means.broker is not None and "broker" in used:
            words += ["--broker", masked(self.means.broker)]
        if self.means.accept_risk and "accept-risk" in used:
            words.append("--accept-risk")
        elif (
            self.means.certificate is not None
            and "certificate" in used
            and self.means.certificate != beside(self.source)
        ):
            words += ["--certificate", str(self.means.certificate)]
        for setting in self.settings:
            words += ["--set", masked(setting)]
        return command_line(words)


def conduct(
    order: StudyOrder,
    out: Path,
    *,
    interrupted: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda line: None,
    ready: Callable[[Stage, Sequence[int]], bool] = lambda stage, robots: True,
) -> Study:
    """Run a study, as far as the user lets it; a run that goes wrong is noted, and the others go on.

    The proof of model continuity comes first; then the seeds one after the other, each in all stages, so that a study
    that is ended early has whole pairs.

    Args:
        order: what to do
        out: folder, which is there; each run's own results go to ``runs/<stage>-<seed>`` in it at once
        interrupted: asked now and then whether to end early
        tell: gets a line about each run
        ready: asked before each run whether robots that are no stand-ins stand where it begins; if not, the study ends

    Raises:
        OutputError: results cannot be written
    """
    study = _begin(order, out)
    _prove(order, study, interrupted, tell)
    whole = len(order.seeds) * len(order.stages)
    for number, (seed, stage) in enumerate(((seed, stage) for seed in order.seeds for stage in order.stages), 1):
        hardware = [robot for robot, role in roles(order.scenario, stage).items() if not role.is_stand_in]
        if interrupted() or (hardware and not ready(stage, hardware)) or interrupted():
            study.interrupted = True
            break
        begun = time.perf_counter()
        record = _measure(order, study, stage, seed, out, interrupted)
        study.runs.append(record)
        tell(f"[{number} of {whole}] {_line(record, study.compared)} ({time.perf_counter() - begun:.1f} s)")
    study.interrupted = study.interrupted or interrupted()
    return study


def prepare(out: Path) -> None:
    """Make the folder of a study, before anybody waits for it.

    Raises:
        OutputError: it holds results already, which would be mixed with those to come, or cannot be written to
    """
    results.prepare(out)
    there = next((name for name in (RUNS, SUMMARY) if (out / name).exists()), None)
    if there is not None:
        raise results.OutputError(
            f"--out: {out / there} is of something else: choose another folder, or empty this one"
        )


def write(out: Path, study: Study, rows: list[QuantityRow]) -> list[Path]:
    """Write the files of a study; returns their paths, the report last.

    Raises:
        OutputError: a file cannot be written; those before it are whole
    """
    return results.write_texts(
        out,
        {
            SUMMARY: lambda: study_json(study, rows),
            "runs.csv": lambda: runs_csv(study),
            "study.html": lambda: study_html(study, rows),
        },
    )


def _begin(order: StudyOrder, out: Path) -> Study:
    scenario = resolve(order.scenario)
    stages, seeds = (",".join(map(str, some)) for some in (order.stages, order.seeds))
    if len(order.seeds) == 1:
        seeds += ","
    return Study(
        title=scenario.title or case_of(scenario).title,
        scenario=scenario.model_dump(mode="json"),
        scenario_sha256=fingerprint(scenario),
        command=order.command("study", "--stages", stages, "--seeds", seeds, "--out", str(out), stages=order.stages),
        versions=versions(),
        stages=order.stages,
        seeds=order.seeds,
        rate=order.means.rate,
        compared=case_of(scenario).compared(scenario),
    )


def _prove(order: StudyOrder, study: Study, interrupted: Callable[[], bool], tell: Callable[[str], None]) -> None:
    """Hold each stage's decisions against those of the stage `fast`, where nothing is left to chance.

    Only where what robots decide depends on no time: else they part at the first value that comes a little later.
    """
    milestone = study.compared.milestone
    if not milestone:
        return
    scenario = noise_free(order.seeded(order.seeds[0]))
    expected = Decisions(milestone)
    fast: AnyOutcome | str | None = None
    for stage in order.stages:
        if stage == "fast" or interrupted():
            continue
        if fast is None:
            fast = _run(order, scenario, "fast", [(expected, of_robots)], interrupted)
        seen = Decisions(milestone)
        outcome = _run(_waiting_for_nobody(order, stage), scenario, stage, [(seen, of_robots)], interrupted)
        problem = _problem("fast", fast) or _problem(stage, outcome)
        if interrupted():
            return
        proof = TraceProof(stage, None if problem else agreement(expected, seen), problem)
        study.proofs.append(proof)
        tell(f"model continuity, {stage}: {'the decisions are those in fast mode' if proof.holds else _why(proof)}")


def _replayed(stage: Stage, hearing: Hearing, scenario: Scenario, outcome: AnyOutcome | str) -> ReplayProof:
    """Play fresh decision models what those of a run have heard."""
    problem = _problem(stage, outcome)
    if problem:
        return ReplayProof(stage, None, problem)
    fresh = decision_models(case_of(scenario).experiment(set_up(scenario)))
    return ReplayProof(stage, replayed(hearing.transitions, fresh))


def _waiting_for_nobody(order: StudyOrder, stage: Stage) -> StudyOrder:
    """The same order, with stand-ins inside the run in stages that have some: what robots decide depends on no time."""
    if stage not in USED_IN["lab"]:
        return order
    return replace(order, means=replace(order.means, lab="inside", rate=None, broker=None))


def _problem(stage: Stage, outcome: AnyOutcome | str) -> str:
    """Why the decisions of a run cannot be compared; empty if they can."""
    if isinstance(outcome, str):
        return f"the run in {stage} could not begin: {outcome}"
    if outcome.ended in ("accepted", "rejected"):
        return ""
    return f"the run in {stage} {'failed' if outcome.ended == 'failed' else f'was {outcome.ended}'}: {outcome.reason}"


def _why(proof: TraceProof) -> str:
    if proof.agreement is None:
        return proof.problem
    return str(proof.agreement.difference or "no robot completed a round in both runs")


def _run(
    order: StudyOrder, scenario: Scenario, stage: Stage, observers: Observers, interrupted: Callable[[], bool]
) -> AnyOutcome | str:
    """Run once; returns what came of it or, where it could not begin, why."""
    try:
        with Progress(quiet=order.quiet) as progress:
            return run(
                scenario,
                replace(order.means, stage=stage),
                Hooks(interrupted, report=progress.update, observers=observers, replay=True),
            )
    except DevsRoboticsError as exc:
        return str(exc)


def _measure(
    order: StudyOrder, study: Study, stage: Stage, seed: int, out: Path, interrupted: Callable[[], bool]
) -> RunRecord:
    """One run of a study; its own results are written at once."""
    scenario = order.seeded(seed)
    resolved = resolve(scenario)
    models, watch = DecisionModels(), case_of(resolved).watch(resolved, stage)
    proven = bool(study.compared.milestone) or any(each.replay for each in study.replays if each.stage == stage)
    hearing = None if proven else Hearing()
    heard: Observers = [] if hearing is None else [(hearing, of_robots)]
    outcome = _run(order, scenario, stage, [(models, of_robots), *heard, *watch.observers()], interrupted)
    if hearing is not None:
        others = [each for each in study.replays if each.stage != stage]
        study.replays = [*others, _replayed(stage, hearing, resolved, outcome)]
    study.models.setdefault(stage, StageModels()).add(models)
    command = order.command("run", "--stage", stage, "--seed", str(seed), stages=[stage])
    if isinstance(outcome, str):
        return RunRecord(stage=stage, seed=seed, ended="failed", reason=outcome, command=command)
    folder = f"{RUNS}/{stage}-{seed}"
    results.prepare(out / folder)
    results.write(out / folder, outcome)
    seen = watch.seen(outcome)
    return RunRecord(
        stage=stage,
        seed=seed,
        ended=outcome.ended,
        reason=outcome.reason,
        command=command,
        folder=folder,
        robots={number: _player(robot) for number, robot in outcome.robots.items()},
        incidents=tuple(_incidents(outcome)),
        values=seen.values,
        followed=seen.followed,
        followed_outside=seen.followed_outside,
        lateness=outcome.lateness,
    )


def _player(robot: RobotReport) -> str:
    return (
        f"{robot.played_by} ({robot.protocol}), motor {robot.motor}, infrared {robot.infrared}, "
        f"whiskers {robot.whiskers}"
    )


def _incidents(outcome: AnyOutcome) -> Iterator[str]:
    """What the real robots of a run have to tell."""
    for number, robot in outcome.robots.items():
        if robot.refused:
            yield f"robot {number}: its guard refused moves: {robot.refused:,}"
        if robot.standstill:
            yield robot.standstill
        yield from (f"robot {number}: {count} dropped, {why}" for why, count in robot.dropped.items())
    late = outcome.lateness
    if late is not None and late.too_late:
        yield f"{late.too_late} events more than {outcome.scenario.clock.max_lateness:g} s late"


def _line(record: RunRecord, compared: Compared) -> str:
    """A run on a terminal."""
    value = record.values.get(compared.measure)
    what = f"{record.stage}, seed {record.seed}: {record.ended}"
    if not record.counts or value is None:
        return f"{what}, {record.reason}"
    measure = compared.metric(compared.measure)
    return f"{what}, {measure.short} = {measure.text(value)} {measure.unit}".rstrip()
