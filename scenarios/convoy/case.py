"""The convoy as the harness knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

import msgspec
from msgspec.structs import replace

from devs_robotics.experimental_frames.convoy import ConvoyExperiment, measure
from devs_robotics.experimental_frames.convoy.metrics import METRICS, metric_named
from devs_robotics.experimental_frames.convoy.published import NOISE_SETS, published_error_cm
from devs_robotics.experimental_frames.convoy.tables import measurements
from devs_robotics.experimental_frames.frame import Experiment, Measurements, Result
from devs_robotics.experimental_frames.frame.metric import Metric, measured_by
from devs_robotics.experimental_frames.study.compared import Compared
from devs_robotics.experimental_frames.sweep import Subject
from devs_robotics.scenarios.case import Bundle, Case, TeamPlan
from devs_robotics.scenarios.comparison.watch import RunWatch
from devs_robotics.scenarios.conformance import Examination, Examined
from devs_robotics.scenarios.convoy import beginning
from devs_robotics.scenarios.convoy.checks import check
from devs_robotics.scenarios.convoy.decisions import check_making
from devs_robotics.scenarios.convoy.judging import columns, formation_coherence, measures
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.settings import (
    ConvoyFrameTable,
    ConvoyRunTable,
    ConvoyScenario,
    ConvoyTable,
)
from devs_robotics.scenarios.running.provenance import provenance
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.tables import RealTable
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.stages import Stage

ROUND_S = 2.4
"""Simulated time of a round of a short convoy (s)."""

ROUNDS_AHEAD = 0.8
"""Rounds that a robot is ahead of the one behind it."""

IN_THE_LOOP = {2: RealTable(infrared="virtual"), 3: RealTable(infrared="real")}
"""The real robots of a scenario that names none: as in Fig. 12 and the film of Hu & Zeigler."""

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


class Convoy(Case[ConvoyScenario, ConvoyOutcome]):
    """The robot convoy of Hu & Zeigler, section 4."""

    scenario = ConvoyScenario
    outcome = ConvoyOutcome
    team = "convoy"
    team_key = "convoy.robots"
    example = "convoy.toml"

    def resolve(self, scenario: ConvoyScenario) -> ConvoyScenario:
        """Field, rounds, transient and poses."""
        return beginning.resolve(scenario)

    def check(self, scenario: ConvoyScenario) -> Iterator[Problem]:
        """Distances, the leader's and the followers' rules, poses, and decision models."""
        return check(scenario)

    def check_made(self, scenario: ConvoyScenario) -> Iterator[Problem]:
        """Decision models of somebody's own."""
        return check_making(scenario)

    def usual(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """As many robots, as far apart, for as many rounds."""
        convoy, run = settings.get("convoy", {}), settings.get("run", {})
        return {
            "convoy": {key: convoy[key] for key in ("robots", "distance") if key in convoy},
            "run": {key: run[key] for key in ("seed", "rounds", "duration") if key in run},
        }

    def bundles(self) -> Mapping[str, Mapping[str, Bundle]]:
        """The noise sets of section 4.2."""
        return {"noise": {"paper": (("noise.dnf", "noise.anf"), NOISE_SETS)}}

    def modules(self, scenario: ConvoyScenario) -> Sequence[str]:
        """Of the decision models."""
        return [target.partition(":")[0] for target in (scenario.leader.model, scenario.follower.model)]

    def plan(self, scenario: ConvoyScenario) -> TeamPlan:
        """The leader and its followers, at their poses or in a line."""
        return beginning.plan(scenario)

    def in_the_loop(self, scenario: ConvoyScenario) -> Mapping[int, RealTable]:
        """The second and the third robot."""
        return {number: robot for number, robot in IN_THE_LOOP.items() if number <= scenario.convoy.robots}

    def experiment(self, setup: Setup[ConvoyScenario]) -> Experiment:
        """Robots, environment and frame."""
        from devs_robotics.scenarios.convoy.assembly import experiment  # slow to load, and checks do without

        return experiment(setup)

    def size(self, scenario: ConvoyScenario) -> float:
        """About how many rounds its robots will complete together."""
        robots, wanted = scenario.convoy.robots, scenario.run
        limits = [] if wanted.duration is None else [wanted.duration / ROUND_S]
        if wanted.rounds is not None or not limits:
            limits.append((wanted.rounds or beginning.DEFAULT_ROUNDS) + ROUNDS_AHEAD * robots / 2.0)
        return robots * min(limits)

    def short(self) -> ConvoyScenario:
        """Three robots, two rounds."""
        frame = ConvoyFrameTable(approaches=True)
        return ConvoyScenario(convoy=ConvoyTable(robots=3), run=ConvoyRunTable(rounds=2), frame=frame)

    def measured(self, model: Experiment, scenario: ConvoyScenario, end_s: float) -> dict[str, Any]:
        """Metrics, the formation itself, lost robots, and how near bodies came to each other."""
        assert isinstance(model, ConvoyExperiment)
        frame, transient = model.frame, scenario.frame.transient_rounds
        assert transient is not None, "resolve fills it in"
        return {
            "robots_lost": frame.acceptor.robots_lost,
            "metrics": measure(frame.formation, transient, end_s, frame.acceptor.lost_at, frame.approaches),
            "formation": frame.formation,
            "approaches": frame.approaches,
        }

    def measurements(self, outcome: ConvoyOutcome) -> Mapping[str, Measurements]:
        """Completed rounds, and position errors over time."""
        return measurements(outcome.formation)

    def columns(self, outcome: ConvoyOutcome) -> dict[str, Result]:
        """Of `Measures`, and of further frames."""
        return columns(outcome)

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
        )

    def conform(self, scenario: ConvoyScenario, wanted: Examination) -> Examined:
        """By the tables of docs/conformance.md."""
        from devs_robotics.scenarios.convoy.conformance import examine  # slow to load, and one command needs it

        return examine(scenario, wanted)

    def declared(self, scenario: ConvoyScenario) -> Sequence[Metric]:
        """Those of `Measures`."""
        return METRICS

    def subject(self, scenario: ConvoyScenario) -> Subject:
        """E, what Hu & Zeigler published of it, and the margin within which robots see each other."""
        from devs_robotics.scenarios.convoy.subject import subject  # slow to load

        return subject(scenario)

    def compared(self, scenario: ConvoyScenario) -> Compared:
        """E, and the position error of the back robot."""
        from devs_robotics.scenarios.convoy.comparison import compared  # slow to load

        return compared(scenario)

    def watch(self, scenario: ConvoyScenario, stage: Stage) -> RunWatch:
        """The back robot, and what a tracking system sees of it."""
        from devs_robotics.scenarios.convoy.comparison import BackRobotWatch  # slow to load

        return BackRobotWatch(scenario, stage)


CASE = Convoy()
