"""What a study's page says of model continuity: who decides in each stage, and whether they decide the same."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from devs_robotics.experimental_frames.report.markup import badge, code, marked
from devs_robotics.experimental_frames.report.rendering import fixed
from devs_robotics.experimental_frames.report.sections import Cell, PageTable, Section, number_cells
from devs_robotics.experimental_frames.study.records import ReplayProof, Study, TraceProof
from devs_robotics.experimental_frames.study.verdict import ClassSources, class_sources, models_problem

MOST_MODELS = 4
"""Of one class, that are named."""


def continuity_section(study: Study) -> Section:
    """The classes that decide with the hashes of their sources, and their decisions held against each other."""
    tables = [_sources_table(study)]
    if study.proofs:
        tables.append(_proofs_table(study.proofs))
    if study.replays:
        tables.append(_replays_table(study.replays))
    return Section("Model continuity", paragraphs=tuple(_said(study)), tables=tuple(tables))


def _said(study: Study) -> Iterator[str]:
    problem = models_problem(study)
    yield marked(
        "<b>The models that decide are {}the same in every stage{}.</b> Decision models are all models of a robot that "
        "are no activities; these are the SHA-256 hashes of their classes’ sources in the runs of each stage.",
        "not shown to be " if problem else "",
        f": {problem}" if problem else "",
    )
    if study.proofs:
        yield marked(
            "<b>What they decide is {}the same</b> when nothing but the stage differs: one run of each stage without "
            "noise and, where robots are real, with perfect stand-ins, held against a run in fast mode, value by value "
            "through every port of every decision model.",
            "" if all(proof.holds for proof in study.proofs) else "not shown to be ",
        )
    if study.replays:
        yield marked(
            "<b>What they heard {} them say it again</b>: all that each decision model heard in a run of each stage, "
            "played to a fresh one, alone and without any clock, and what it said held against what it had said.",
            "makes" if all(proof.holds for proof in study.replays) else "is not shown to make",
        )


def _sources_table(study: Study) -> PageTable:
    rows = []
    for entry in class_sources(study):
        reference = entry.hashes[study.reference]
        hashes = Markup("").join(marked('<code title="{}">{}</code>', each, each[:12]) for each in reference)
        stages = (Cell(_same(entry.hashes[stage], reference)) for stage in study.stages)
        rows.append((Cell(code(entry.name)), Cell(_users(entry)), Cell(hashes), *stages))
    return PageTable(("class", "decides in", "source", *study.stages), tuple(rows))


def _users(entry: ClassSources) -> str:
    if not entry.models:
        return "a base class"
    if len(entry.models) > MOST_MODELS:
        return marked("{} and {} others", code(entry.models[0]), len(entry.models) - 1)
    return Markup(", ").join(map(code, entry.models))


def _same(hashes: tuple[str, ...], reference: tuple[str, ...]) -> str:
    if not hashes:
        return "not seen"
    return "the same" if hashes == reference and len(hashes) == 1 else badge("differs", "rejected")


def _proofs_table(proofs: list[TraceProof]) -> PageTable:
    heads = ("stage", "rounds", "values compared", "largest deviation", "largest shift in time", "verdict")
    note = Markup(
        "Up to the last round that every robot completed in both runs each value must have its partner; beyond it "
        "those are compared that have one. Numbers may deviate by 10<sup>−9</sup> (m or rad), which is rounding. Times "
        "are not compared, since what comes from a wire comes later."
    )
    return PageTable(heads, tuple((Cell(proof.stage), *_proof_cells(proof)) for proof in proofs), note)


def _replays_table(replays: list[ReplayProof]) -> PageTable:
    rows = []
    for proof in replays:
        found = proof.replay
        counts = ("–", "–") if found is None else (f"{found.models:,}", f"{found.outputs:,}")
        verdict = "every value is the same" if proof.holds else proof.why_not
        rows.append((Cell(proof.stage), *number_cells(counts), Cell(verdict)))
    return PageTable(("stage", "decision models", "values compared", "verdict"), tuple(rows))


def _proof_cells(proof: TraceProof) -> Iterator[Cell]:
    found = proof.agreement
    if found is None:
        yield from number_cells("––––")
        yield Cell(proof.problem)
        return
    deviation = f"{found.largest_deviation:.1g}" if found.largest_deviation else "none"
    shift = f"{fixed(found.largest_time_difference, 3)} s"
    yield from number_cells((f"{found.rounds}", f"{found.values:,}", deviation, shift))
    if proof.holds:
        yield Cell("every value is the same")
    else:
        yield Cell(f"{found.difference or 'no robot completed a round in both runs'}")
