"""What a proof of model continuity comes to."""

from __future__ import annotations

from copy import copy
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.study.decisions import DecisionModels
from devs_robotics.experimental_frames.study.records import StageModels, Study, TraceProof
from devs_robotics.experimental_frames.study.verdict import (
    class_sources,
    continuity_holds,
    continuity_verdict,
    models_problem,
    whole_runs,
)
from tests.experimental_frames.study.studies import OTHER, SAME, made_models, made_run, made_study


def study() -> Study:
    return made_study({"fast": {1: 0.1}, "loop": {1: 0.1}, "real": {1: 0.1}})


def test_continuity_holds_when_models_and_decisions_are_the_same() -> None:
    assert models_problem(study()) == ""
    assert continuity_holds(study())
    assert [(entry.name, entry.models, entry.same) for entry in class_sources(study())] == [
        ("models.Avoid", ("robot2/avoid",), True),
        ("models.Follower", ("robot2/convoy",), True),
    ]


def test_another_source_is_told() -> None:
    changed = study()
    changed.models["loop"] = made_models("56" * 32)
    assert models_problem(changed) == "the source of models.Follower is not the same everywhere"
    assert not continuity_holds(changed)


def test_another_class_is_told() -> None:
    changed = study()
    changed.models["real"].classes["robot2/convoy"] = ["models.Leader"]
    assert models_problem(changed) == "robot2/convoy is models.Follower in fast and models.Leader in real"
    del changed.models["real"].classes["robot2/convoy"]
    assert models_problem(changed) == "robot2/convoy is models.Follower in fast and missing in real"


def test_runs_of_one_stage_that_differ_are_told() -> None:
    models = DecisionModels()
    models.classes, models.sources = {"robot2/convoy": "models.Other"}, {"models.Other": "78" * 32}
    changed = study()
    changed.models["fast"].add(models)
    assert models_problem(changed).startswith("robot2/convoy is models.Follower or models.Other in fast and ")


def test_a_stage_in_which_nothing_was_seen_proves_nothing() -> None:
    unseen = study()
    unseen.models["loop"] = StageModels()
    del unseen.models["real"]
    assert models_problem(unseen) == "no decision model was seen in loop, real"
    assert not continuity_holds(unseen)


def test_every_stage_must_decide_the_same() -> None:
    for proofs in (
        [TraceProof("loop", SAME)],
        [TraceProof("loop", SAME), TraceProof("real", OTHER)],
        [TraceProof("loop", SAME), TraceProof("real", None, "the run in real could not begin: no robot")],
    ):
        changed = study()
        changed.proofs = proofs
        assert not continuity_holds(changed)


@cache
def six_runs() -> Study:
    return made_study({"fast": dict.fromkeys((1, 2, 3), 0.1), "loop": dict.fromkeys((1, 2, 3), 0.1)})


@given(st.lists(st.sampled_from(["accepted", "rejected", "failed", "broken off", "interrupted"]), max_size=6))
def test_of_a_study_that_is_not_whole_it_is_said_of_how_many_runs_it_is_shown(endings: list[str]) -> None:
    """However it ended early: runs that failed, or are missing since the user has ended it."""
    runs = [("fast", 1), ("loop", 1), ("fast", 2), ("loop", 2), ("fast", 3), ("loop", 3)]
    changed = copy(six_runs())
    changed.runs = [made_run(*run, 0.1, ended) for run, ended in zip(runs, endings, strict=False)]
    whole = sum(ended in ("accepted", "rejected") for ended in endings)
    assert whole_runs(changed) == whole
    assert continuity_holds(changed)
    said = "" if whole == 6 else f" as far as was run: {whole} of 6 runs came to their end"
    assert continuity_verdict(changed) == f"model continuity holds{said}"
    changed.proofs = [TraceProof("loop", OTHER)]
    assert continuity_verdict(changed) == "model continuity is not shown"
