"""The page of a run of a case study: where its robots went, what its frame measured, and what every page has."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from devs_robotics.experimental_frames.frame import measured_by
from devs_robotics.experimental_frames.report.field_view import FieldView, legend, top_view
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.report.run_page import RunReport, run_page
from devs_robotics.experimental_frames.report.sections import Section, drawn
from devs_robotics.experimental_frames.report.series_figures import series_sections
from devs_robotics.models.environment import Pose
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.running.provenance import provenance
from devs_robotics.scenarios.viewing.showing import marks_at_the_end, poses_at_the_end, replay_of

if TYPE_CHECKING:
    from devs_robotics.scenarios.case_study.told import ToldCase

MOST_PLACES = 20_000
"""Number of places of all tracks together that are drawn; of longer runs every second, third and so on is."""


def page(case: ToldCase, summary: Mapping[str, Any], outcome: CaseOutcome) -> str:
    """Series over time, the field from above, metrics and settings."""
    study = case.of(outcome.scenario)
    declared = list(outcome.declared.values())
    results = {f"frames.{name}.{key}": value for name, found in outcome.frames.items() for key, value in found.items()}
    results |= measured_by(study.measures(outcome))
    sections: list[Section] = [
        *series_sections(
            outcome.tables,
            {each.name.removeprefix("frames."): each for each in declared},
            {name: f"{name}.csv" for name in outcome.tables},
            outcome.end_s,
        ),
    ]
    if study.tracked:
        view = _view(case, outcome)
        told = "The field, and the robots as they are in the end; grey are their ways. All changes are in tracks.csv."
        told = f"{told} {legend(view, f'robot {view.marked}')}".rstrip()
        sections.append(drawn("Top view", top_view(view, more=marks_at_the_end(outcome)), told))
    sections += case.own_sections(outcome)
    title = outcome.scenario.title or case.title
    return rendered(
        run_page(
            RunReport(
                summary=summary,
                title=title,
                lead=case.headline(outcome),
                metrics=[*declared, *study.metrics()],
                results=results,
                main=[each.name for each in declared if not _missing(results.get(each.name))],
                sections=sections,
                data=list(case.measurements(outcome)),
                timing=outcome.timing,
                localisation=outcome.localisation,
                known=provenance(outcome),
                replay=replay_of(outcome),
            )
        )
    )


def _missing(value: float | str | None) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def _view(case: ToldCase, outcome: CaseOutcome) -> FieldView:
    """The field at the end."""
    scenario, tracks = outcome.scenario, outcome.tracks
    robots = case.plan(scenario).robots
    places: list[list[tuple[float, float]]] = [[(x, y)] for x, y, _ in tracks.poses]
    poses: list[Pose] = list(tracks.poses)
    step = max(1, len(tracks.rows) // MOST_PLACES)
    for number, row in enumerate(tracks.rows):
        poses[row.robot - 1] = row.x_m, row.y_m, row.heading_rad
        if number % step == 0:
            places[row.robot - 1].append((row.x_m, row.y_m))
    for robot, (x, y, heading) in enumerate(poses_at_the_end(outcome, len(poses))):
        if isfinite(x):
            poses[robot] = x, y, heading
            places[robot].append((x, y))
    assert scenario.field.width is not None, "resolve fills it in"
    assert scenario.field.height is not None
    return FieldView(
        width=scenario.field.width,
        height=scenario.field.height,
        radius=max(robot.radius for robot in robots),
        poses=poses,
        tracks=places,
        obstacles=scenario.model_dump(mode="json")["field"]["obstacles"],
        marked=case.followed,
        real=[int(robot) for robot in outcome.robots],
        walled=scenario.field.walls,
    )
