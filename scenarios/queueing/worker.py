"""A worker: it takes experiments out of a queue, and certifies and runs them in its arena one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from devs_robotics import DevsRoboticsError, Simulator
from devs_robotics.core.user_code import described_with_place
from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.queueing.certifying import CERTIFIED, GateRuns, UncertifiedError, certificate_for
from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from devs_robotics.scenarios.queueing.experiments import QueuedExperiment, QueueError
from devs_robotics.scenarios.queueing.submission import prepared
from devs_robotics.scenarios.running import results
from devs_robotics.scenarios.running.journal import Journal
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.results import OutputError, without_option
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.sweeps.runs import MEASURED

LOOKS = 0.5
"""Time between two looks at the queue (s)."""


class ArenaMeans(Struct, frozen=True, kw_only=True):
    """How a worker runs experiments.

    Attributes:
        arena: its name
        broker: MQTT address of the arena's broker; None: one is started where it is needed
        accept_risk: let experiments run that are not certified
        judging: how they are certified
        wait: go on looking for experiments when none is left
        at_most: so many experiments; None: any number
    """

    arena: str
    broker: str | None = None
    accept_risk: bool = False
    judging: GateRuns = GateRuns()
    wait: bool = False
    at_most: int | None = None


class WorkerHooks(Struct, frozen=True):
    """Who looks on.

    Attributes:
        interrupted: asked now and then whether to end early
        tell: gets sentences for people
        ready: asked before robots move that are no stand-ins, whether the arena is set up; waits for the answer. Once
            it was no, the worker takes no more of these experiments
        report: called now and then with the running experiment and its simulator
    """

    interrupted: Callable[[], bool]
    tell: Callable[[str], None]
    ready: Callable[[QueuedExperiment], bool]
    report: Callable[[Any, Simulator], None] | None = None


def work_off(queue: ExperimentQueue, means: ArenaMeans, hooks: WorkerHooks) -> Iterator[QueuedExperiment]:
    """Do experiments until none is left for this arena, or somebody interrupts; gives each when it is over.

    Raises:
        QueueError: another process works in the arena
        OutputError: results cannot be written; the experiment waits again
        KeyboardInterrupt: it was interrupted amid an experiment, which waits again
    """
    done, real_robots = 0, True
    with queue.arena(means.arena):
        while not hooks.interrupted() and done != means.at_most:
            experiment = queue.claim(means.arena, real_robots=real_robots)
            if experiment is not None:
                attempt = _Attempt(queue, means, hooks, experiment)
                attempt.carry_out()
                real_robots = real_robots and attempt.ready
                if attempt.over:
                    done += 1
                    yield queue.experiment(experiment.number)
            elif not means.wait:
                return
            else:
                time.sleep(LOOKS)


class _Attempt:
    """One beginning of an experiment."""

    def __init__(
        self, queue: ExperimentQueue, means: ArenaMeans, hooks: WorkerHooks, experiment: QueuedExperiment
    ) -> None:
        self._queue, self._means, self._hooks, self._experiment = queue, means, hooks, experiment
        self._cancelled = False
        self._look_again = 0.0
        self._thread = threading.get_ident()
        self.over, self.ready = False, True

    def carry_out(self) -> None:
        """Certify it and run it, and keep what came of it."""
        self._hooks.tell(f"{self._experiment.called}: {described(self._experiment)}")
        try:
            folder = self._queue.results.begin(self._experiment.number)
            with prepared(self._queue.recipe(self._experiment.number)) as scenario:
                certificate = self._certify(scenario)
                if self._experiment.real_robots and not self._hooks.ready(self._experiment):
                    self.ready = False
                    self._queue.put_back(self._experiment, "nobody said that the arena is set up")
                    return
                outcome = self._run(scenario, folder, certificate)
                self._keep(scenario, outcome, folder)
        except KeyboardInterrupt:
            self._broken_off()
        except OutputError as exc:
            said = without_option(str(exc))
            if not self._is_whole():
                self._queue.put_back(self._experiment, said)
                said = f"{said}; {self._experiment.called} waits again"
            raise OutputError(said) from exc
        except QueueError:
            raise
        except UncertifiedError as exc:
            self._end("refused", None, str(exc))
        except DevsRoboticsError as exc:
            self._end("failed", None, str(exc))
        except Exception as exc:  # of somebody's metrics, say, whose failure must not be the worker's
            self._end("failed", None, described_with_place(exc))

    def _broken_off(self) -> None:
        """Somebody interrupted it: for good, or the worker only."""
        if self._is_whole():
            raise KeyboardInterrupt
        if self._queue.cancel_wanted(self._experiment.number):
            self._queue.results.remove(self._experiment.number)
            self._end("cancelled", None, "cancelled while it ran")
        else:
            self._queue.put_back(self._experiment, "the worker was interrupted")
            raise KeyboardInterrupt

    def _is_whole(self) -> bool:
        """Whether its results are there already, in which case it is over, and not to be done again."""
        ended = self._queue.results.ended(self._experiment, self._queue.identity)
        if ended is not None:
            self._end(ended.state, ended.outcome, ended.reason)
        return ended is not None

    def _certify(self, scenario: Scenario) -> Path | None:
        """Where the certificate is; None where there are no robots, or somebody takes the risk.

        Raises:
            UncertifiedError: it does not pass, and moves robots that are no stand-ins
        """
        if self._experiment.stage not in CERTIFIED:
            return None
        if self._means.accept_risk:
            self._queue.note(self._experiment, "risk accepted")
            return None
        folder = self._queue.folder / "certificates"
        path, certificate = certificate_for(scenario, folder, self._means.judging, self._interrupted, self._tell)
        if not certificate.passed and self._experiment.real_robots:
            raise UncertifiedError(
                f"{certificate.verdict} (certificate {path}); change the scenario, or take the risk with --accept-risk"
            )
        self._queue.certified(self._experiment, certificate.verdict)
        self._tell(certificate.verdict)
        return path

    def _run(self, scenario: Scenario, folder: Path, certificate: Path | None) -> AnyOutcome:
        stage = self._experiment.stage
        means = Means(
            stage=stage,
            rate=self._experiment.rate,
            broker=self._means.broker if stage != "fast" else None,
            accept_risk=self._means.accept_risk,
            certificate=certificate,
            lab=self._experiment.lab,
        )
        journal = None if stage == "fast" else Journal(folder, scenario, stage)
        hooks = Hooks(
            interrupted=self._interrupted,
            tell=self._tell,
            report=self._hooks.report,
            journal=journal,
            replay=True,
        )
        outcome = run(scenario, means, hooks)
        if outcome.ended == "interrupted":
            raise KeyboardInterrupt
        return outcome

    def _keep(self, scenario: Scenario, outcome: AnyOutcome, folder: Path) -> None:
        results.write(folder, outcome)
        measured = outcome.ended in MEASURED
        state, metrics = ("finished", case_of(scenario).columns(outcome)) if measured else ("failed", {})
        ended = self._queue.ended_now(self._experiment, state, outcome.ended, outcome.reason, metrics=metrics)
        self._queue.results.finish(ended)
        self._end(state, outcome.ended, outcome.reason)

    def _tell(self, text: str) -> None:
        self._hooks.tell(f"  {text}")

    def _end(self, state: Any, outcome: str | None, reason: str) -> None:
        self._queue.end(self._experiment, state, outcome, reason)
        self.over = True

    def _interrupted(self) -> bool:
        if self._hooks.interrupted():
            return True
        now = time.monotonic()
        if now >= self._look_again and threading.get_ident() == self._thread:  # the database is this thread's
            self._look_again = now + LOOKS
            self._cancelled = self._queue.cancel_wanted(self._experiment.number)
        return self._cancelled


def described(experiment: QueuedExperiment) -> str:
    """What an experiment runs, in few words."""
    settings = "".join(f", {masked(setting)}" for setting in experiment.settings if not setting.startswith("run.seed="))
    return f"{experiment.source}{settings}, seed {experiment.seed}, stage {experiment.stage}"
