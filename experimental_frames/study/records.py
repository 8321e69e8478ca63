"""What a study keeps: its runs, and its proof of model continuity."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from devs_robotics.core.realtime.lateness import LatenessDistribution
from devs_robotics.experimental_frames.study.compared import Compared
from devs_robotics.experimental_frames.study.continuity import Agreement
from devs_robotics.experimental_frames.study.decisions import DecisionModels
from devs_robotics.experimental_frames.study.replay import ReplayedDecisions

Series = tuple[tuple[int, float], ...]
"""What is measured of a robot step by step: number of the step, and value in SI units."""


class RunRecord(Struct, frozen=True, kw_only=True):
    """One run of a study.

    Attributes:
        stage, seed: which one it is
        ended: accepted, rejected, interrupted, failed or broken off
        reason: why it was over
        command: what does the same run again
        folder: of its own results, from the study's folder; empty if it has none
        robots: who played each robot that was real
        incidents: what happened that may have spoiled it, though it was not over for that
        values: of the quantities, by key, in SI units
        followed: what was measured of the robot that is followed, in the environment model
        followed_outside: the same in the physical world, where a tracking system saw it
        lateness: of its events; None without a clock
    """

    stage: str
    seed: int
    ended: str
    reason: str
    command: str
    folder: str = ""
    robots: dict[int, str] = {}
    incidents: tuple[str, ...] = ()
    values: dict[str, float] = {}
    followed: Series = ()
    followed_outside: Series = ()
    lateness: LatenessDistribution | None = None

    @property
    def counts(self) -> bool:
        """Whether its values enter means and differences."""
        return self.ended == "accepted"


class StageModels(Struct):
    """The decision models that were seen in all runs of a stage.

    Attributes:
        classes: full names of each model's class, by its path from the robot on; one, unless runs differ
        sources: SHA-256 of each class's source, by its full name; one, unless runs differ
    """

    classes: dict[str, list[str]] = field(default_factory=dict)
    sources: dict[str, list[str]] = field(default_factory=dict)

    def add(self, models: DecisionModels) -> None:
        """Take in one run."""
        for known, seen in ((self.classes, models.classes), (self.sources, models.sources)):
            for name, value in seen.items():
                values = known.setdefault(name, [])
                if value not in values:
                    values.append(value)


class TraceProof(Struct, frozen=True):
    """The decisions of a stage without noise and with perfect robots, held against those of the stage `fast`.

    Attributes:
        stage: which one
        agreement: how they compare; None if there is nothing to compare
        problem: why there is not
    """

    stage: str
    agreement: Agreement | None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether the same was decided."""
        return self.agreement is not None and self.agreement.holds


class ReplayProof(Struct, frozen=True):
    """What the decision models of a run heard, played to fresh ones, alone and fast.

    Attributes:
        stage: of the run
        replay: what came of it; None if there was nothing to be played
        problem: why there was not
    """

    stage: str
    replay: ReplayedDecisions | None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether the fresh ones said the same."""
        return self.replay is not None and self.replay.holds

    @property
    def why_not(self) -> str:
        """Why it does not hold, in words."""
        if self.replay is None:
            return self.problem
        return str(self.replay.difference or "no decision model said anything")


class Study(Struct, kw_only=True):
    """A study, finished or as far as it came.

    Attributes:
        title: of the scenario
        scenario: what was run, as plain data; its seed is replaced by those of the study
        scenario_sha256: hash of that
        command: that made this study
        versions: of the software
        stages: in their order; all are compared with `reference`
        seeds: of the runs
        rate: simulated seconds per real second, where it was given
        compared: what is compared
        runs: those that were begun
        models: decision models, by stage
        proofs: one for each stage but `fast`, if decisions are held against each other
        replays: one for each stage, if they are not
        interrupted: whether the user ended it early
    """

    title: str
    scenario: dict[str, Any]
    scenario_sha256: str
    command: str
    versions: dict[str, str]
    stages: tuple[str, ...]
    seeds: tuple[int, ...]
    rate: float | None
    compared: Compared
    runs: list[RunRecord] = field(default_factory=list)
    models: dict[str, StageModels] = field(default_factory=dict)
    proofs: list[TraceProof] = field(default_factory=list)
    replays: list[ReplayProof] = field(default_factory=list)
    interrupted: bool = False

    @property
    def reference(self) -> str:
        """The stage that the others are compared with: `fast`, or the first where that was not run."""
        return "fast" if "fast" in self.stages else self.stages[0]

    @property
    def others(self) -> tuple[str, ...]:
        """The stages that are compared with the reference."""
        return tuple(stage for stage in self.stages if stage != self.reference)

    def of(self, stage: str) -> list[RunRecord]:
        """The runs of a stage whose values count."""
        return [run for run in self.runs if run.stage == stage and run.counts]
