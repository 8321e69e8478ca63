"""What a study's proof of model continuity comes to."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.experimental_frames.study.records import StageModels, Study


class ClassSources(Struct, frozen=True):
    """One class of which decision models are made, or a base of such.

    Attributes:
        name: full name
        models: that are of this class, by their paths from the robot on; none for a base
        hashes: SHA-256 of its source, by stage; more than one in a stage only if runs differ
        same: whether there is one hash, in every stage
    """

    name: str
    models: tuple[str, ...]
    hashes: dict[str, tuple[str, ...]]
    same: bool


def class_sources(study: Study) -> list[ClassSources]:
    """Each class with the hashes of its source, the same in all stages or not."""
    models = {stage: study.models.get(stage, StageModels()) for stage in study.stages}
    names = sorted({name for seen in models.values() for name in seen.sources})
    found = []
    for name in names:
        hashes = {stage: tuple(seen.sources.get(name, ())) for stage, seen in models.items()}
        users = {path for seen in models.values() for path, classes in seen.classes.items() if name in classes}
        same = len(set(hashes.values())) == 1 and all(len(some) == 1 for some in hashes.values())
        found.append(ClassSources(name, tuple(sorted(users)), hashes, same))
    return found


def models_problem(study: Study) -> str:
    """Why the decision models are not shown to be the same in all stages; empty if they are."""
    seen = {stage: study.models.get(stage, StageModels()) for stage in study.stages}
    empty = [stage for stage, models in seen.items() if not models.classes]
    if empty:
        return f"no decision model was seen in {', '.join(empty)}"
    reference = seen[study.reference].classes
    for stage in study.stages:
        for path in sorted(reference.keys() | seen[stage].classes.keys()):
            here, there = reference.get(path, []), seen[stage].classes.get(path, [])
            if here != there or len(here) != 1:
                return f"{path} is {_names(here)} in {study.reference} and {_names(there)} in {stage}"
    different = [entry.name for entry in class_sources(study) if not entry.same]
    return f"the source of {', '.join(different)} is not the same everywhere" if different else ""


def continuity_holds(study: Study) -> bool:
    """Whether the decision models are the same in all stages, and decide the same: as in `fast`, or played again."""
    if models_problem(study):
        return False
    if study.compared.milestone:
        stages = {stage for stage in study.stages if stage != "fast"}
        return stages == {proof.stage for proof in study.proofs if proof.holds}
    return set(study.stages) == {proof.stage for proof in study.replays if proof.holds}


WHOLE = ("accepted", "rejected")
"""How a run ends that came to its end; another shows nothing of what would have come."""


def whole_runs(study: Study) -> int:
    """How many runs came to their end, with whatever verdict."""
    return sum(run.ended in WHOLE for run in study.runs)


def continuity_verdict(study: Study) -> str:
    """What the proof comes to, for people; where it holds, of how many runs, if not of all that were planned."""
    if not continuity_holds(study):
        return "model continuity is not shown"
    planned, whole = len(study.stages) * len(study.seeds), whole_runs(study)
    if whole == planned:
        return "model continuity holds"
    return f"model continuity holds as far as was run: {whole} of {planned} runs came to their end"


def continuity_problem(study: Study) -> str:
    """Why model continuity is not shown, as far as there are words for it."""
    said = [models_problem(study)]
    said += [proof.stage for proof in study.proofs if not proof.holds]
    said += [f"{proof.stage}: {proof.why_not}" for proof in study.replays if not proof.holds]
    return "; ".join(filter(None, said))


def _names(classes: list[str]) -> str:
    return " or ".join(classes) or "missing"
