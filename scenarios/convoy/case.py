"""The robot convoy as a case study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isnan
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from devs_robotics import Coupled, Port
from devs_robotics.core.ports import add_port
from devs_robotics.experimental_frames.convoy import ConvoyAcceptor, Formation, measure
from devs_robotics.experimental_frames.convoy.metrics import METRICS, Measures, metric_named
from devs_robotics.experimental_frames.convoy.published import NOISE_SETS, published_error_cm
from devs_robotics.experimental_frames.frame import CaseExperiment, Frame, Measurements
from devs_robotics.experimental_frames.frame.metric import Metric, measured_by
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.experimental_frames.study.compared import Compared
from devs_robotics.experimental_frames.sweep import Subject
from devs_robotics.models.convoy import Avoid, Follower, Leader
from devs_robotics.models.robots import CaseSystem
from devs_robotics.scenarios.case import Bundle
from devs_robotics.scenarios.case_study.case_study import CaseStudy, Disagreement
from devs_robotics.scenarios.case_study.harness import study_case
from devs_robotics.scenarios.case_study.telling import Transient
from devs_robotics.scenarios.comparison.run_observations import RunWatch
from devs_robotics.scenarios.conformance import Examination, Examined
from devs_robotics.scenarios.convoy import beginning
from devs_robotics.scenarios.convoy.checks import check
from devs_robotics.scenarios.convoy.decision_models import check_making, decisions_of_follower, decisions_of_leader
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.run_row import formation_coherence, measures
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.running.provenance import provenance
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.viewing.showing import replay_of

ROUND_S = 2.4
"""Simulated time of a round of a short convoy (s)."""

ROUNDS_AHEAD = 0.8
"""Rounds that a robot is ahead of the one behind it."""

SHOWN = (
    "error_at_pose_changes_m",
    "error_at_completed_rounds_m",
    "largest_error_m",
    "heading_error_rad",
    "synchronisation_delay_s",
    "convoy_speed_m_per_s",
    "adjustments_per_round",
    "robots_lost",
    "first_lost_at_s",
    "smallest_distance_m",
    "collisions",
)
"""The metrics that people are shown at the end of a run."""

SOMETIMES = ("first_lost_at_s", "smallest_distance_m", "collisions")
"""Those of them that are left out where there is none."""


class Convoy(CaseStudy):
    """The robot convoy of Hu & Zeigler, section 4."""

    scenario: ConvoyScenario
    outcome_class = ConvoyOutcome
    called = "convoy"
    followed = 1
    in_the_loop = MappingProxyType({2: {"infrared": "virtual"}, 3: {"infrared": "real"}})  # Fig. 12 of Hu & Zeigler
    may_differ = ("run", "frame", "clock")
    tracked = False
    shaping = ("robots", "distance")
    short = MappingProxyType({"convoy.robots": 3, "run.rounds": 2, "frame.approaches": True})
    placed_by = "poses"

    def filled_in(self) -> Mapping[str, Any]:
        """Field, rounds, transient and poses."""
        return beginning.filled_in(self.scenario)

    def check(self) -> Iterator[Disagreement]:
        """Distances, the leader's and the followers' rules, poses, and decision models."""
        found = list(check(self.scenario))
        yield from found or check_making(self.scenario)

    @classmethod
    def bundles(cls) -> Mapping[str, Mapping[str, Bundle]]:
        """The noise sets of section 4.2."""
        return {"noise": {"paper": (("noise.dnf", "noise.anf"), NOISE_SETS)}}

    def modules(self) -> Sequence[str]:
        """Of the decision models."""
        return [target.partition(":")[0] for target in (self.scenario.leader.model, self.scenario.follower.model)]

    # the system, and its frame

    def build(self, system: CaseSystem) -> None:
        """Robots, each coupled to the one before and the one behind it; robot 1, the leader, first."""
        scenario, poses = self.scenario, beginning.standing(self.scenario)
        self._told: dict[str, Port[Any]] = {}
        members: list[Leader | Follower] = [decisions_of_leader(scenario)]
        members += [decisions_of_follower(scenario, *each) for each in enumerate(beginning.starts(poses), 2)]
        for member, pose in zip(members, poses, strict=True):
            robot = system.add_robot(pose, beginning.kind_of(scenario, member.robot))
            robot.layers(Avoid("avoid", scenario.robot.back_off), member)
            for port in (member.round_done, member.lost):
                self._told[port.name] = led_out(system, led_out(robot, port))
        for front, back in pairwise(members):
            assert isinstance(back, Follower)
            system.couple(front.f_ready_out, back.f_ready_in)
            system.couple(back.b_ready_out, front.b_ready_in)

    def acceptor(self, duration: float) -> ConvoyAcceptor:
        """When all rounds are completed, or the convoy has broken up."""
        return ConvoyAcceptor("acceptor", self.scenario.convoy.robots, self.scenario.run.rounds, duration)

    def generator(self, robots: int) -> MotionNoise:
        """The noise of section 4.1, even where it is none."""
        noise = self.scenario.noise
        return MotionNoise("generator", robots, self.scenario.run.seed, noise.dnf, noise.anf)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """How well the robots keep their formation."""
        poses, acceptor = [robot.pose for robot in system.robots], frame.acceptor
        formation = Formation("formation", poses, self.scenario.convoy.distance, self.scenario.frame.parted)
        assert isinstance(acceptor, ConvoyAcceptor)
        frame.add(formation)
        frame.couple(system.pose_change, formation.pose_change)
        frame.couple(formation.parted, acceptor.parted)
        frame.couple(self._told["round_done"], formation.round_done)
        frame.couple(self._told["round_done"], acceptor.round_done)
        frame.couple(self._told["lost"], acceptor.lost)

    # runs

    def size(self) -> float:
        """About how many rounds its robots will complete together."""
        robots, wanted = self.scenario.convoy.robots, self.scenario.run
        limits = [] if wanted.duration is None else [wanted.duration / ROUND_S]
        if wanted.rounds is not None or not limits:
            limits.append((wanted.rounds or beginning.DEFAULT_ROUNDS) + ROUNDS_AHEAD * robots / 2.0)
        return robots * min(limits)

    def transient(self) -> Transient:
        """Rounds, after which the line has found its formation."""
        rounds = self.scenario.frame.transient_rounds
        assert rounds is not None, "resolve fills it in"
        return Transient(rounds, "round", ("frame.transient_rounds", "run.rounds"))

    def measured(self, experiment: CaseExperiment, end_s: float) -> dict[str, Any]:
        """Metrics, the formation itself, and lost robots."""
        formation, acceptor = experiment.frame.formation, experiment.frame.acceptor
        assert isinstance(acceptor, ConvoyAcceptor)
        approached = experiment.approached(end_s)
        return {
            "robots_lost": acceptor.robots_lost,
            "metrics": measure(formation, int(self.transient().amount), end_s, acceptor.lost_at, approached),
            "formation": formation,
        }

    def metrics(self) -> Sequence[Metric]:
        """Those of `Measures`."""
        return METRICS

    def measures(self, outcome: ConvoyOutcome) -> Measures:
        """What section 4.2 measures, and some more."""
        return measures(outcome)

    def measurements(self, outcome: ConvoyOutcome) -> Mapping[str, Measurements]:
        """Completed rounds, and position errors over time."""
        return outcome.formation.measurements()

    def events(self, outcome: ConvoyOutcome) -> dict[str, int]:
        """Pose changes and rounds."""
        return {"pose_changes": len(outcome.formation.times), "robot_rounds": outcome.metrics.robot_rounds}

    def summary(self, outcome: ConvoyOutcome) -> dict[str, Any]:
        """Metrics, robots lost, and the verdict on the formation."""
        return {
            "metrics": {
                **msgspec.to_builtins(outcome.metrics, str_keys=True),
                "robots_lost": {str(robot): reason for robot, reason in outcome.robots_lost.items()},
            },
            "coherence": msgspec.to_builtins(formation_coherence(outcome)),
        }

    def headline(self, outcome: ConvoyOutcome) -> str:
        """Robots, noise, seed, stage and rounds."""
        scenario = outcome.scenario
        return (
            f"{scenario.convoy.robots} robots, DNF {scenario.noise.dnf:g}, ANF {scenario.noise.anf:g}, "
            f"seed {scenario.run.seed}, stage {outcome.stage}: "
            f"{outcome.metrics.rounds_completed} rounds in {outcome.end_s:.1f} s simulated, {outcome.cpu_s:.2f} s CPU"
        )

    def lines(self, outcome: ConvoyOutcome) -> list[tuple[str, str, str]]:
        """The metrics, and what Hu & Zeigler published for these settings."""
        found: list[tuple[str, str, str]] = []
        measured, noise = measures(outcome), outcome.scenario.noise
        published = published_error_cm(outcome.scenario.convoy.robots, noise.dnf, noise.anf)
        for name in SHOWN:
            metric, value = metric_named(name), float(getattr(measured, name)())
            if isnan(value) and name in SOMETIMES:
                continue
            found.append((metric.title, "-" if isnan(value) else metric.text(value), metric.unit))
            if name == "error_at_pose_changes_m" and published is not None:
                found.append(("published for these settings, as far as the paper gives them", f"{published:g}", ""))
        return found

    def published(self) -> dict[str, float]:
        """The average position error of the paper's figures, for the settings that it gives."""
        noise = self.scenario.noise
        found = published_error_cm(self.scenario.convoy.robots, noise.dnf, noise.anf)
        return {} if found is None else {"mean_error_m": found / 100.0}

    def verdict(self, outcome: ConvoyOutcome) -> list[str]:
        """The verdict on the formation in a word, and its reasons in a line each."""
        found = formation_coherence(outcome)
        word = "not coherent" if found.verdict == "not" else found.verdict
        return [f"  formation: {word}", *(f"    {reason}" for reason in found.reasons)]

    def report(self, summary: Mapping[str, Any], outcome: ConvoyOutcome) -> str:
        """Position error over time, the field from above, adjustments, metrics and settings."""
        from devs_robotics.experimental_frames.convoy.report.page import report_html  # slow to load

        judged = replace(measures(outcome), verdict=lambda: summary["coherence"]["verdict"])
        return report_html(
            summary,
            outcome.formation,
            measured_by(judged),
            timing=outcome.timing,
            localisation=outcome.localisation,
            known=provenance(outcome),
            replay=replay_of(outcome),
        )

    def conform(self, scenario: Scenario, wanted: Examination) -> Examined:
        """By the tables of docs/conformance.md."""
        from devs_robotics.scenarios.convoy.conformance import examine  # slow to load, and one command needs it

        return examine(self.scenario, wanted)

    def subject(self, usual: Subject) -> Subject:
        """E, what Hu & Zeigler published of it, and the margin within which robots see each other."""
        from devs_robotics.scenarios.convoy.subject import subject  # slow to load

        return subject(self.scenario, usual)

    def compared(self, usual: Compared) -> Compared:
        """E, and the position error of the back robot."""
        from devs_robotics.scenarios.convoy.comparison import compared  # slow to load

        return compared(self.scenario)

    def watch(self, stage: Stage) -> RunWatch:
        """The back robot, and what a tracking system sees of it."""
        from devs_robotics.scenarios.convoy.comparison import BackRobotWatch  # slow to load

        return BackRobotWatch(self.scenario, stage)


def led_out(nest: Coupled, port: Port[Any]) -> Port[Any]:
    """The port of a model through which such a port's values leave, with those of others of its name."""
    led = nest.output.get(port.name)
    if not isinstance(led, Port):
        led = Port(port.p_type, port.name)
        add_port(nest, led, "out")
    nest.add_coupling(port, led)
    return led


CASE = study_case(Convoy, "convoy")
