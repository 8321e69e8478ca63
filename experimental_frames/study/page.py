"""The report of a study: one page with everything in it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.rendering import settings_rows, template
from devs_robotics.experimental_frames.statistics.estimates import MANY, RESAMPLES, Estimate
from devs_robotics.experimental_frames.study import figures
from devs_robotics.experimental_frames.study.comparing import FEWEST_FOR_SIGNS, PairedReading, QuantityRow
from devs_robotics.experimental_frames.study.records import Study
from devs_robotics.experimental_frames.study.verdict import (
    class_sources,
    continuity_holds,
    continuity_text,
    models_problem,
)

ENDINGS = ("accepted", "rejected", "failed", "broken off", "interrupted")


def study_html(study: Study, rows: list[QuantityRow]) -> str:
    """A page for a study; it needs nothing else.

    Args:
        study: finished, or as far as it came
        rows: of its comparison
    """
    endings = {stage: Counter(run.ended for run in study.runs if run.stage == stage) for stage in study.stages}
    return template("study.html", Path(__file__).parent).render(
        study=study,
        rows=rows,
        seeds=seeds_text(study.seeds),
        few=FEWEST_FOR_SIGNS,
        many=MANY,
        resamples=RESAMPLES,
        planned=len(study.stages) * len(study.seeds),
        counted=sum(run.counts for run in study.runs),
        endings={stage: [(ending, count[ending]) for ending in ENDINGS] for stage, count in endings.items()},
        players={stage: _players(study, stage) for stage in study.stages},
        headline=_headline(study, rows),
        comparisons=sum(len(row.differences) for row in rows),
        estimate_text=estimate_text,
        interval_text=interval_text,
        not_counted=[run for run in study.runs if not run.counts],
        spoiled=[run for run in study.runs if run.counts and run.incidents],
        holds=continuity_holds(study),
        continuity=continuity_text(study),
        models_problem=models_problem(study),
        sources=class_sources(study),
        measure=next((row for row in rows if row.quantity.name == study.compared.measure), None),
        followed=study.compared.followed,
        by_stage_figure=figures.by_stage(study, rows),
        step_figure=figures.step_by_step(study),
        lateness_figure=figures.lateness(study),
        settings=[row for row in settings_rows(study.scenario) if row[0] not in study.compared.untold],
    )


def seeds_text(seeds: tuple[int, ...]) -> str:
    """Seeds for people: ``seed 3``, ``seeds 1 to 10``, ``seeds 1, 2, 5``."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    if len(seeds) > 2 and seeds == tuple(range(seeds[0], seeds[0] + len(seeds))):
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"seeds {', '.join(map(str, seeds))}"


def estimate_text(estimate: Estimate, quantity: Metric, *, sign: bool = False) -> str:
    """A mean, or a dash where there is none."""
    return quantity.text(estimate.mean, sign=sign) if estimate.n else "–"


def interval_text(estimate: Estimate, quantity: Metric, *, sign: bool = False) -> str:
    """An interval, or nothing where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{quantity.text(estimate.low, sign=sign)} to {quantity.text(estimate.high, sign=sign)}"


def _players(study: Study, stage: str) -> list[tuple[str, str]]:
    """Who played the real robots of a stage in any of its runs, those together that were played alike."""
    robots: dict[str, set[int]] = {}
    for run in study.runs:
        for robot, player in run.robots.items() if run.stage == stage else ():
            robots.setdefault(player, set()).add(robot)
    return [(numbered(some), player) for player, some in sorted(robots.items(), key=lambda item: min(item[1]))]


def _headline(study: Study, rows: list[QuantityRow]) -> tuple[str, QuantityRow, PairedReading] | None:
    """The robot that is followed in the loop or, where that was not run, in the last stage, compared with the
    reference."""
    followed = study.compared.followed
    if not study.others or followed is None:
        return None
    stage = "loop" if "loop" in study.others else study.others[-1]
    (row,) = (row for row in rows if row.quantity.name == followed.metric)
    return stage, row, row.differences[stage]
