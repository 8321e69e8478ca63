"""Replicates of one point of a sweep in one set of arrays, with the rows of single runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

import msgspec
from msgspec.structs import replace
from xdevs.models import Port as XdevsPort

from devs_robotics import Coupled, DevsRoboticsError, Port, Simulator
from devs_robotics.core.garbage import collector_paused
from devs_robotics.core.ports import add_port, port_path
from devs_robotics.core.robots.activity import lead_on
from devs_robotics.core.wiring import atomic_models, destinations, is_inside, next_ports
from devs_robotics.experimental_frames.frame import Frame, Verdict, first_of, metrics_of_parts
from devs_robotics.models.robots import CaseSystem
from devs_robotics.models.robots.replicates import POSES, NotTogetherError, ReplicatedSystem
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.errors import DesignError
from devs_robotics.scenarios.running.going import results_of_parts
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.sweeps.runs import MEASURED, Job, carry_out, never, own_garbage_only

STEPS = 5_000
"""At most, between two looks at whether it is interrupted."""

LOOKS = 0.2
"""Time between two of these looks (s), as far as steps are shorter: those of many replicates take long."""


class _InterruptedError(Exception):
    """Somebody wants it to end."""


def check_together(scenario: Scenario) -> None:
    """Whether replicates of a scenario may be in one set of arrays, as far as its settings say.

    Raises:
        DesignError: they cannot
    """
    if scenario.sensing.strategy != "grid":
        raise DesignError(
            f'--batch has replicates in one set of arrays, and sensing.strategy is "{scenario.sensing.strategy}": '
            'add --set sensing.strategy="grid", or leave out --batch'
        )


def carry_out_together(jobs: Sequence[Job], interrupted: Callable[[], bool] = never) -> list[bytes]:
    """Do replicates of one point together; returns their rows as JSON, fewer where they were interrupted.

    Where anything fails they are done one by one, so that each fails for itself.
    """
    if len(jobs) > 1:
        try:
            with own_garbage_only():
                return [msgspec.json.encode(row) for row in _Together(jobs, interrupted).rows(interrupted)]
        except _InterruptedError:
            return []
        except NotTogetherError as exc:
            reason = f"{exc}: leave out --batch"
            return [msgspec.json.encode(job.row("failed", reason)) for job in jobs]
        except DevsRoboticsError:
            pass
    return [row for job in jobs if (row := carry_out(job, interrupted)) is not None]


class _Together:
    """Replicates that run together.

    Raises:
        _InterruptedError: it was interrupted while they were set up
    """

    @collector_paused()
    def __init__(self, jobs: Sequence[Job], interrupted: Callable[[], bool] = never) -> None:
        self._began = time.process_time()
        self._jobs = jobs
        self._models: list[Any] = []
        self._scenarios: list[Scenario] = []
        for job in jobs:
            if interrupted():
                raise _InterruptedError
            check_together(job.scenario)
            arrays = job.scenario.model_copy(
                update={"run": job.scenario.run.model_copy(update={"population": "arrays"})}
            )
            setup = replace(set_up(arrays, "fast", None), rows_only=True)
            self._models.append(case_of(arrays).experiment(setup))
            self._scenarios.append(setup.scenario)
        self._root = Coupled("replicates")
        system = ReplicatedSystem("system", [model.system for model in self._models])
        self._root.add_component(system)
        self._verdict: Port[Verdict] = self._add_verdict("verdict")
        self._verdicts = [self._take_frame(system, number, model) for number, model in enumerate(self._models)]

    def rows(self, interrupted: Callable[[], bool]) -> Iterator[Any]:
        """Run; yields the row of each replicate when it is over."""
        waiting, steps = dict(enumerate(self._verdicts)), 1
        with Simulator(self._root) as simulator:
            while waiting and not interrupted():
                if simulator.next_time == inf:
                    for number in waiting:
                        reason = "no robot has anything left to do: each waits for another"
                        yield self._row(number, "rejected", reason, simulator)
                    return
                looked = time.monotonic()
                simulator.run(max_steps=steps, stop=self._verdict)
                steps = min(STEPS, 2 * steps) if time.monotonic() - looked < LOOKS / 2.0 else max(1, steps // 2)
                for number, verdict in list(waiting.items()):
                    if verdict:
                        del waiting[number]
                        first = first_of(verdict.values)
                        yield self._row(number, "accepted" if first.accepted else "rejected", first.reason, simulator)

    def _row(self, number: int, ended: str, reason: str, simulator: Simulator) -> Any:
        """What came of a replicate; of what all have cost, each has its part."""
        model, scenario, count = self._models[number], self._scenarios[number], len(self._jobs)
        case = case_of(scenario)
        frames, trouble, _ = results_of_parts(model.parts, never)
        trouble = trouble or model.untold()
        if trouble:
            ended, reason = "failed", trouble
        spent = (time.process_time() - self._began) / count
        outcome = case.outcome(
            scenario=scenario,
            stage="fast",
            rate=inf,
            ended=ended,
            reason=reason,
            end_s=simulator.time,
            steps=simulator.steps,
            transitions=simulator.transitions // count,
            cpu_s=spent,
            wall_s=spent,
            **case.measured(model, scenario, simulator.time),
            frames=frames,
            declared={each.name: each for each in metrics_of_parts(model.parts)},
            localisation=None,
            timing=None,
            held_up_s=0.0,
            robots={},
            dropped={},
            nodes={},
            replay=None,
            recording="",
        )
        return self._jobs[number].row(ended, reason, case.columns(outcome) if ended in MEASURED else {})

    def _take_frame(self, system: ReplicatedSystem, number: int, model: Any) -> Port[Verdict]:
        """Let the frame of a replicate hear its robots; returns the port of its verdicts.

        Raises:
            NotTogetherError: it hears, or drives, anything else
        """
        frame, own = model.frame, model.system
        if set(model.components) != {own, frame}:
            raise NotTogetherError("the experiment has models beside its system and its frame")
        heard = [(what, port, entries(port, frame)) for what, port in _sources(own)]
        known = {port for _, port, _ in heard}
        for atomic in atomic_models(own):
            for port in atomic.out_ports:
                if port not in known and entries(port, frame):
                    raise NotTogetherError(f"the frame hears {port_path(port)}, which replicates together do not tell")
        for atomic in atomic_models(frame):
            for end in (end for port in atomic.out_ports for end in destinations(port)):
                if is_inside(end.parent, own):
                    raise NotTogetherError(f"the frame drives {port_path(end)}")
        frame.name, frame.parent = f"frame{number + 1}", None
        self._root.add_component(frame)
        for what, port, inner in heard:
            for entry in inner:
                told = system.heard(what, port.p_type, number)
                self._root.add_coupling(lead_on(system, told, "out"), entry)
        verdict = self._add_verdict(f"verdict{number + 1}")
        for each in (verdict, self._verdict):
            self._root.add_coupling(frame.verdict, each)
        return verdict

    def _add_verdict(self, name: str) -> Port[Verdict]:
        port: Port[Verdict] = Port(Verdict, name)
        add_port(self._root, port, "out")
        return port


def entries(port: XdevsPort[Any], frame: Frame) -> list[XdevsPort[Any]]:
    """The input ports of a frame to which couplings lead from a port of the system."""
    found, pending = [], [port]
    while pending:
        for following in next_ports(pending.pop()):
            if following.parent is frame:
                found.append(following)
            else:
                pending.append(following)
    return found


def _sources(system: CaseSystem) -> Iterator[tuple[str, Port[Any]]]:
    """What a frame may hear of a system in arrays: as `ReplicatedSystem.heard` calls it, and the port."""
    (team,) = system.in_arrays
    yield POSES, system.environment.space.pose_change
    for port, robot in team.population.singles():
        yield _all(port.name, robot), port
    for name, shared in team.shared.items():
        for port, robot in shared.singles():
            yield _all(name, robot), port


def _all(name: str, robot: int) -> str:
    if robot:
        raise NotTogetherError(f"the frame hears robot {robot} alone by {name}, and replicates tell of all robots")
    return name.removesuffix("_of_each")
