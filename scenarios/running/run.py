"""Runs a scenario in one of its stages and gathers what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from math import inf
from typing import TYPE_CHECKING

from devs_robotics import (
    Clock,
    DevsRoboticsError,
    FastClock,
    Lateness,
    LatenessError,
    ModelError,
    Run,
    Simulator,
    WallClock,
)
from devs_robotics.core.errors import ObserverError
from devs_robotics.core.observe import Observer
from devs_robotics.core.user_code import staying_here
from devs_robotics.experimental_frames.convoy import ConvoyExperiment, measure
from devs_robotics.experimental_frames.frame import PartError, Result, first_of, results_of
from devs_robotics.scenarios.convoy.assembly import experiment
from devs_robotics.scenarios.distributed.nodes import NodesWanted
from devs_robotics.scenarios.running.interrupt import pausing
from devs_robotics.scenarios.running.journal import Journal
from devs_robotics.scenarios.running.outcome import Ending, Outcome
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.running.rehearsal import moves_hardware, rehearse
from devs_robotics.scenarios.running.trace_patterns import check_patterns
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.geometry import resolve
from devs_robotics.scenarios.stages import USED_IN, Lab, Stage

if TYPE_CHECKING:
    from devs_robotics.scenarios.distributed.host import Distribution

PATIENCE = 5.0
"""So long may the start wait for the robots' links (s); their drivers wait on."""

LOCAL_NODES = 2
"""So many processes the stage `distributed` has by default."""

Report = Callable[[ConvoyExperiment, Simulator], None]


def run(
    scenario: Scenario,
    *,
    stage: Stage = "fast",
    rate: float | None = None,
    broker: str | None = None,
    accept_risk: bool = False,
    lab: Lab = "process",
    wanted: NodesWanted | None = None,
    report: Report | None = None,
    journal: Journal | None = None,
    interrupted: Callable[[], bool] = lambda: False,
    observers: Sequence[tuple[Observer, Sequence[str]]] = (),
    tell: Callable[[str], None] = lambda note: None,
) -> Outcome:
    """Run a scenario to its end; a fault of a model, an observer or a robot ends it, and is told in the outcome.

    Args:
        scenario: what to run
        stage: how
        rate: simulated seconds per real second; absent: as the scenario says
        broker: MQTT address of the broker to use; absent: one is started where it is needed
        accept_risk: let real robots move although the scenario has not passed in the stage `fast`
        lab: where stand-ins live; inside the run, its clock waits for nobody, and it gives the same bytes every time
        wanted: how robots' models are shared out to other processes; absent: to two, in the stage `distributed` only
        report: called now and then with the running experiment and its simulator
        journal: keeps what is measured on disk meanwhile
        interrupted: asked now and then whether to end early
        observers: each with the patterns of what it watches; none means everything
        tell: gets sentences for people: what was started by itself

    Raises:
        DevsRoboticsError: the run cannot begin
    """
    if lab == "inside":
        _check_inside(stage, rate, broker, wanted)
    scenario = _at_rate(resolve(scenario), 1.0 if lab == "inside" else rate)
    rate = scenario.clock.rate
    wanted = wanted or NodesWanted(min(LOCAL_NODES, scenario.convoy.robots) if stage == "distributed" else 0)
    away = wanted.away(scenario.convoy.robots)
    with ExitStack() as stack:
        stack.enter_context(staying_here())
        need_broker = _broker(broker, stack, tell)
        robots = RealRobots(scenario, stage, rate, need_broker, tell, wanted.awaited, lab)
        if not accept_risk and moves_hardware(scenario, stage, wanted.awaited):
            tell(f"rehearsed in the stage fast: at the closest, {rehearse(scenario, interrupted)}")
        wall, cpu = time.perf_counter(), time.process_time()
        model = experiment(scenario, stage)
        for _, patterns in observers:
            check_patterns(model, patterns, away)
        nodes = None
        if away:
            from devs_robotics.scenarios.distributed.host import Distribution

            nodes = stack.enter_context(Distribution(scenario, stage, rate, need_broker(), wanted, tell))
        bridge = stack.enter_context(robots).bridge(model, away)
        if nodes is not None:
            nodes.gather(robots.stand_ins, interrupted)
            nodes.divide(model, bridge)
        simulator = stack.enter_context(Simulator(model))
        for observer, patterns in observers:
            simulator.attach(observer, *patterns)
        clock, lateness = _clock(scenario, stage, robots)
        if nodes is not None:
            clock = nodes.agree(interrupted)
        going = Run(simulator, clock, bridge, lateness, PATIENCE, tell)
        with pausing(going.pause):
            ended, reason = _run_to_end(model, going, report, journal, interrupted, nodes)
        if nodes is not None:
            if ended == "broken off":
                reason = nodes.blame(reason, going.held_up)
            nodes.finish(ended, reason)
    frame = model.frame
    frames, trouble = _results(model)
    if trouble and ended not in ("failed", "broken off"):
        ended, reason = "failed", trouble
    assert scenario.frame.transient_rounds is not None
    return Outcome(
        scenario=scenario,
        stage=stage,
        rate=inf if lateness is None else rate,
        ended=ended,
        reason=reason,
        end_s=simulator.time,
        steps=simulator.steps,
        transitions=simulator.transitions,
        cpu_s=time.process_time() - cpu,
        wall_s=time.perf_counter() - wall,
        robots_lost=frame.acceptor.robots_lost,
        metrics=measure(
            frame.formation,
            scenario.frame.transient_rounds,
            simulator.time,
            frame.acceptor.lost_at,
            frame.approaches,
        ),
        formation=frame.formation,
        frames=frames,
        localisation=model.localisation,
        timing=lateness,
        held_up_s=going.held_up,
        robots=robots.reports(model),
        dropped=robots.dropped(model, bridge),
        nodes={} if nodes is None else nodes.reports(),
    )


def _broker(given: str | None, stack: ExitStack, tell: Callable[[str], None]) -> Callable[[], str]:
    """Gives the address of the broker to use; starts one when it is first called, if none is given."""

    @cache
    def address() -> str:
        if given is not None:
            return given
        from devs_robotics.hil.broker import EmbeddedBroker

        broker = stack.enter_context(EmbeddedBroker())
        tell(f"broker started: {broker.shown}")
        return broker.shown

    return address


def _check_inside(stage: Stage, rate: float | None, broker: str | None, wanted: NodesWanted | None) -> None:
    if stage not in USED_IN["lab"]:
        raise DevsRoboticsError(f"--lab has no effect in the stage {stage}: leave it out, or run in loop or real")
    if rate is not None or broker is not None or wanted is not None:
        raise DevsRoboticsError(
            "--lab inside has a clock that waits for nobody, no broker and no nodes: leave out --rate, --broker, "
            "--nodes and --await"
        )


def _at_rate(scenario: Scenario, rate: float | None) -> Scenario:
    if rate is None:
        return scenario
    return scenario.model_copy(update={"clock": scenario.clock.model_copy(update={"rate": rate})})


def _clock(scenario: Scenario, stage: Stage, robots: RealRobots) -> tuple[Clock, Lateness | None]:
    if stage == "fast":
        return FastClock(), None
    clock = WallClock(scenario.clock.rate) if robots.inside is None else robots.inside.clock
    return clock, Lateness(scenario.clock.late, scenario.clock.max_lateness)


def _run_to_end(
    model: ConvoyExperiment,
    going: Run,
    report: Report | None,
    journal: Journal | None,
    interrupted: Callable[[], bool],
    nodes: Distribution | None,
) -> tuple[Ending, str]:
    simulator = going.simulator

    def trouble() -> str:
        return "" if nodes is None else nodes.check()

    def progress() -> None:
        if report is not None:
            report(model, simulator)
        if journal is not None:
            journal.update(model, going.lateness)

    try:
        going.until(model.verdict, interrupted=lambda: interrupted() or bool(trouble()), report=progress)
    except (ModelError, ObserverError) as exc:  # what was measured before the fault is not lost
        return "failed", str(exc)
    except LatenessError as exc:
        return "broken off", str(exc)
    if not model.verdict and (reason := trouble()):
        return "broken off", reason
    return _ending(model, interrupted=interrupted())


def _results(model: ConvoyExperiment) -> tuple[dict[str, dict[str, Result]], str]:
    """What the parts of further frames have to say, and why one of them cannot; without a word, a part is left out."""
    results: dict[str, dict[str, Result]] = {}
    trouble = ""
    for name, part in model.parts.items():
        try:
            results[name] = results_of(part)
        except PartError as exc:
            trouble = trouble or str(exc)
            results[name] = dict(exc.kept)
    return {name: result for name, result in results.items() if result}, trouble


def _ending(model: ConvoyExperiment, *, interrupted: bool) -> tuple[Ending, str]:
    if model.verdict:
        verdict = first_of(model.verdict.values)
        if verdict.fault:
            return "broken off", verdict.reason
        return "accepted" if verdict.accepted else "rejected", verdict.reason
    if interrupted:
        return "interrupted", "the user interrupted the run"
    return "rejected", "no robot has anything left to do: each waits for another"
