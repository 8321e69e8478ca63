"""Made studies, to look at what is made of them."""

from __future__ import annotations

from collections.abc import Mapping

from devs_robotics.core.realtime.lateness import LatenessDistribution
from devs_robotics.experimental_frames.study.continuity import Agreement, DecisionDifference
from devs_robotics.experimental_frames.study.records import RunRecord, StageModels, Study, TraceProof
from devs_robotics.scenarios.convoy.comparison import COMPARED, compared
from devs_robotics.scenarios.convoy.runs import load

LATENESS = LatenessDistribution(events=100, p50=0.001, p95=0.002, p99=0.01, maximum=0.02, too_late=0)
SAME = Agreement(difference=None, rounds=20, values=1234, largest_deviation=0.0, largest_time_difference=0.25)
OTHER = Agreement(
    difference=DecisionDifference(
        "robot3/convoy", "motor_ask", 16, 12.5, "Drive(turn=0.1, distance=0.2)", "Drive(turn=0.0)"
    ),
    rounds=20,
    values=17,
    largest_deviation=0.0,
    largest_time_difference=0.25,
)


def made_run(stage: str, seed: int, value: float, ended: str = "accepted", reason: str = "it is over") -> RunRecord:
    """A run in which every quantity had the same value."""
    return RunRecord(
        stage=stage,
        seed=seed,
        ended=ended,
        reason=reason,
        command=f"devs-robotics run convoy --stage {stage} --seed {seed}",
        folder=f"runs/{stage}-{seed}",
        robots={2: "a stand-in (json)", 3: "mqtt://host/robot/3"} if stage == "loop" else {},
        values={quantity.name: value for quantity in COMPARED},
        followed=tuple((number, value) for number in range(1, 6)),
        lateness=None if stage == "fast" else LATENESS,
    )


def made_study(values: Mapping[str, Mapping[int, float]], **changes: object) -> Study:
    """A study with these values, by stage and seed, of every quantity."""
    stages = tuple(values)
    seeds = tuple(sorted({seed for by_seed in values.values() for seed in by_seed}))
    study = Study(
        title="A <b>made</b> study",
        scenario={"title": "made", "run": {"seed": 1}, "convoy": {"robots": 4, "poses": []}},
        scenario_sha256="ab" * 32,
        command="devs-robotics study convoy",
        versions={"devs-robotics": "0"},
        stages=stages,
        seeds=seeds,
        rate=None,
        compared=compared(load("convoy", ["convoy.robots=4"])),
        runs=[made_run(stage, seed, value) for stage, by_seed in values.items() for seed, value in by_seed.items()],
        models={stage: made_models() for stage in stages},
        proofs=[TraceProof(stage, SAME) for stage in stages if stage != "fast"],
    )
    for name, value in changes.items():
        setattr(study, name, value)
    return study


def made_models(source: str = "12" * 32) -> StageModels:
    """Two decision models."""
    return StageModels(
        {"robot2/convoy": ["models.Follower"], "robot2/avoid": ["models.Avoid"]},
        {"models.Follower": [source], "models.Avoid": ["34" * 32]},
    )
