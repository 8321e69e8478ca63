"""One run that goes on: what it needs is started and connected, it runs to its end, and what came of it is gathered."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from math import inf
from typing import TYPE_CHECKING, Any

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
from devs_robotics.experimental_frames.frame import PartError, Result, first_of, metrics_of_parts, results_of
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.running.interrupt import pausing, taken_at_once
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.outcome import AnyOutcome, Ending
from devs_robotics.scenarios.running.proof import Proof
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.running.trace_patterns import check_patterns
from devs_robotics.scenarios.setup.setup import Setup

if TYPE_CHECKING:
    from xdevs.models import Component

    from devs_robotics.scenarios.distributed.host import DistributedHost
    from devs_robotics.scenarios.viewing.recording import Recording

LINKS_TIMEOUT = 5.0
"""The start waits for the robots' links for so long at most (s); their drivers wait on."""


def carry_out(
    setup: Setup[Any],
    robots: RealRobots,
    hooks: Hooks,
    away: Collection[int] = (),
    nodes: Callable[[], DistributedHost] | None = None,
) -> AnyOutcome:
    """Run what was set up to its end.

    Args:
        setup: of the run
        robots: the real ones
        hooks: who looks on
        away: robots whose models run at nodes
        nodes: makes the nodes, where models run at some

    Raises:
        DevsRoboticsError: the run cannot begin
    """
    with ExitStack() as stack:
        going = _Going(setup, robots, hooks, away)
        going.begin(stack, nodes)
        going.until_the_end()
    return going.outcome()


LOOKS = 0.2
"""Time between two looks at whether the laboratory has ended by itself (s)."""


class _Going:
    """A run that goes on: its model, its robots, its nodes, its clock."""

    def __init__(self, setup: Setup[Any], robots: RealRobots, hooks: Hooks, away: Collection[int]) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()
        self.setup, self.hooks, self.robots = setup, hooks, robots
        self.model = case_of(setup.scenario).experiment(setup)
        if not (hooks.looked_at or setup.judged or setup.scenario.frame.approaches):
            self.model.system.spare_poses()
        self.proof = Proof(self.model, hooks.prove, setup.scenario.run.seed) if hooks.prove else None
        self.away = away
        self.observers = [
            (observer, watched(self.model) if callable(watched) else watched) for observer, watched in hooks.observers
        ]
        for _, patterns in self.observers:
            check_patterns(self.model, patterns, away)
        self.nodes: DistributedHost | None = None
        self.recording: Recording | None = None
        self.watched: Callable[[], None] | None = None
        """Lets those look who watch the run."""
        self._look_again = 0.0
        """When to see next whether the laboratory is still there (monotonic, s)."""
        self._lab_trouble = ""
        self.ended: Ending = "failed"
        self.reason = ""

    def begin(self, stack: ExitStack, nodes: Callable[[], DistributedHost] | None) -> None:
        """Start and connect all that the run needs; `stack` ends it."""
        if nodes is not None:
            self.nodes = stack.enter_context(nodes())
        self.bridge = stack.enter_context(self.robots).bridge(self.model, self.away)
        if self.nodes is not None:
            self.nodes.gather(self.robots.stand_ins, self.hooks.interrupted)
            self.nodes.divide(self.model, self.bridge)
        self.simulator = stack.enter_context(Simulator(self.model))
        for observer, patterns in self.observers:
            self.simulator.attach(observer, *patterns)
        hooks = self.hooks
        if hooks.replay or hooks.record is not None or hooks.bag is not None:
            from devs_robotics.scenarios.viewing.recording import Recording  # slow to load, and most runs do without

            self.recording = Recording(self.setup, self.model, self.simulator, hooks.record, self.away, hooks.bag)
        rules = self.setup.scenario.clock
        self.lateness = None if self.setup.stage == "fast" else Lateness(rules.late, rules.max_lateness)
        self.run = Run(self.simulator, self._clock(), self.bridge, self.lateness, LINKS_TIMEOUT, self.hooks.tell)
        if self.hooks.view is not None:
            self.watched = self.hooks.view.begin(
                self.setup,
                self.model,
                self.run,
                self.lateness,
                self.away,
                self.hooks.interrupted,
                self.hooks.tell,
                None if self.recording is None else self.recording.marks,
            )

    def _clock(self) -> Clock:
        if self.nodes is not None:
            return self.nodes.agree(self.hooks.interrupted)
        if self.setup.stage == "fast":
            return FastClock() if self.hooks.view is None else self.hooks.view.clock()
        return WallClock(self.setup.scenario.clock.rate) if self.robots.inside is None else self.robots.inside.clock

    def until_the_end(self) -> None:
        """Run to the verdict, or to whatever else ends it, and tell the nodes."""
        with pausing(self.run.pause):
            self.ended, self.reason = self._how_it_ends()
            self._finish_recording()
            self._finish_proof()
        if self.hooks.view is not None:
            self.hooks.view.ended(self.ended, self.reason)
        if self.nodes is not None:
            if self.ended == "broken off":
                self.reason = self.nodes.blame(self.reason, self.run.held_up)
            self.nodes.finish(self.ended, self.reason)

    def _finish_recording(self) -> None:
        if self.recording is None:
            return
        try:
            self.recording.finish(self.simulator.time)
        except DevsRoboticsError as exc:  # a recording that cannot be written is a fault, as with every trace
            if self.ended not in ("failed", "broken off"):
                self.ended, self.reason = "failed", str(exc)
        if self.recording.trouble:
            self.hooks.tell(f"marks are missing in pictures of this run: {self.recording.trouble}")

    def _finish_proof(self) -> None:
        if self.proof is None or self.ended in ("failed", "broken off"):
            return
        trouble = self.proof.finish()
        if trouble:
            self.ended, self.reason = "failed", trouble
        else:
            self.hooks.tell(self.proof.sentence())

    def _how_it_ends(self) -> tuple[Ending, str]:
        interrupted, verdict = self.hooks.interrupted, self.model.verdict
        try:
            self.run.until(verdict, interrupted=lambda: interrupted() or bool(self._trouble()), report=self._report)
        except (ModelError, ObserverError) as exc:  # what was measured before the fault is not lost
            return "failed", str(exc)
        except LatenessError as exc:
            return "broken off", str(exc)
        if verdict:
            first = first_of(verdict.values)
            if first.fault:
                return "broken off", self.robots.trouble or first.reason
            if unfound := self.robots.unfound(self.model, self.away):  # a short run ends before it is given up
                return "broken off", unfound
            return "accepted" if first.accepted else "rejected", first.reason
        if trouble := self._trouble():
            return "failed" if self.nodes is not None and self.nodes.model_failed else "broken off", trouble
        if interrupted():
            return "interrupted", "the user interrupted the run"
        return "rejected", "no robot has anything left to do: each waits for another"

    def _trouble(self) -> str:
        trouble = "" if self.nodes is None else self.nodes.check()
        now = time.monotonic()
        if not trouble and now >= self._look_again:
            self._look_again = now + LOOKS
            self._lab_trouble = self.robots.trouble
            self.robots.tell_of_standstills(self.model)
        return trouble or self._lab_trouble

    def _report(self) -> None:
        if self.hooks.report is not None:
            self.hooks.report(self.model, self.simulator)
        if self.hooks.journal is not None:
            self.hooks.journal.update(self.model, self.lateness)
        if self.watched is not None:
            self.watched()

    def outcome(self) -> AnyOutcome:
        """What came of it."""
        model, scenario, simulator = self.model, self.setup.scenario, self.simulator
        case = case_of(scenario)
        frames, trouble, cut_short = results_of_parts(model.parts, self.hooks.interrupted)
        trouble = trouble or model.untold()
        if trouble and self.ended not in ("failed", "broken off"):
            self.ended, self.reason = "failed", trouble
        if cut_short and self.ended not in ("failed", "broken off"):
            before = self.reason if self.ended == "interrupted" else "the user interrupted the computation of results"
            self.ended, self.reason = "interrupted", f"{before}: {cut_short}"
        outcome: AnyOutcome = case.outcome(
            scenario=scenario,
            stage=self.setup.stage,
            rate=inf if self.lateness is None else scenario.clock.rate,
            ended=self.ended,
            reason=self.reason,
            end_s=simulator.time,
            steps=simulator.steps,
            transitions=simulator.transitions,
            cpu_s=time.process_time() - self.cpu,
            wall_s=time.perf_counter() - self.wall,
            **case.measured(model, scenario, simulator.time),
            judgement=model.judgement(simulator.time),
            frames=frames,
            declared={each.name: each for each in metrics_of_parts(model.parts)},
            localisation=model.localisation,
            timing=self.lateness,
            held_up_s=self.run.held_up,
            robots=self.robots.reports(model),
            dropped=self.robots.dropped(model, self.bridge),
            nodes={} if self.nodes is None else self.nodes.reports(),
            replay=None if self.recording is None or not self.hooks.replay else self.recording.replay(simulator.time),
            recording="" if self.hooks.record is None else self.hooks.record.name,
        )
        return outcome


def results_of_parts(
    parts: Mapping[str, Component], interrupted: Callable[[], bool]
) -> tuple[dict[str, dict[str, Result]], str, str]:
    """What the parts of frames have to say, why one of them cannot, and for which ones the user would not wait.

    A part without a word is left out. Each interruption ends the computation of one part.
    """
    results: dict[str, dict[str, Result]] = {}
    trouble = ""
    cut_short = []
    for name, part in parts.items():
        try:
            with taken_at_once():
                results[name] = results_of(part)
        except PartError as exc:
            trouble = trouble or str(exc)
            results[name] = dict(exc.kept)
        except KeyboardInterrupt:
            if not interrupted():  # nobody here turns signals into an orderly end
                raise
            cut_short.append(name)
    missing = f"what {', '.join(cut_short)} measured is missing" if cut_short else ""
    return {name: result for name, result in results.items() if result}, trouble, missing
