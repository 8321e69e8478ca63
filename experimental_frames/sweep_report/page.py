"""The report of one or several sweeps: one page with everything in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from devs_robotics.experimental_frames.report.rendering import settings_rows, template
from devs_robotics.experimental_frames.report.sections import Section
from devs_robotics.experimental_frames.sweep_report import factors, indices, overview, sizes
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder, identity
from devs_robotics.experimental_frames.sweep_report.methods import methods
from devs_robotics.experimental_frames.sweep_report.tables import metrics_table, points_table

MOST_NOT_ACCEPTED = 50
"""Rows of the table of runs that were not accepted."""


def sections_of(folder: SweepFolder) -> list[Section]:
    """What there is to say of a sweep, after its design: one section a question."""
    if folder.kind != "factorial":
        return [*indices.sections(folder)]
    return [*factors.sections(folder), *sizes.sections(folder), *factors.own_sections(folder)]


def sweep_report_html(folders: Sequence[SweepFolder], versions: Mapping[str, str], place: Path) -> str:
    """A page for some sweeps of one scenario; it needs nothing else, and links to the raw data.

    Args:
        folders: the sweeps
        versions: of the software that makes the report
        place: folder in which the page will be, from where its links go
    """
    sections = {folder.name: sections_of(folder) for folder in folders}
    every = [section for found in sections.values() for section in found]
    not_accepted = [run for folder in folders for run in overview.not_accepted(folder)]
    rows = [row for folder in folders for row in folder.sweep.rows]
    paragraphs, references = methods(folders, versions)
    return template("sweep.html", Path(__file__).parent).render(
        title=identity(folders[0]),
        folders=folders,
        sections=sections,
        runs=len(rows),
        accepted=sum(row["ended"] == "accepted" for row in rows),
        planned=sum(folder.told.runs for folder in folders),
        not_accepted=not_accepted[:MOST_NOT_ACCEPTED],
        more_not_accepted=len(not_accepted) - len(not_accepted[:MOST_NOT_ACCEPTED]),
        overview=overview.runs_table(folders),
        general=[*overview.verdicts_said(folders), *overview.measure_said(folders)],
        limits=overview.limits(folders, [line for section in every for line in section.limits]),
        points={folder.name: points_table(folder.sweep) if folder.kind == "factorial" else None for folder in folders},
        metrics={folder.name: metrics_table(folder.sweep) for folder in folders},
        settings=_settings(folders),
        paragraphs=paragraphs,
        references=references,
        links={folder.name: [(path.name, _link(path, place)) for path in folder.data] for folder in folders},
        versions=versions,
    )


def _settings(folders: Sequence[SweepFolder]) -> list[tuple[str, list[str]]]:
    """Every key with its value in each sweep; where it was varied, that stands there instead."""
    tables: list[dict[str, str]] = []
    for folder in folders:
        table = dict(settings_rows(folder.scenario))
        table.update(dict.fromkeys(folder.sweep.keys, "varied"))
        if folder.replicates > 1:
            first = folder.sweep.design.first_seed
            table["run.seed"] = f"{first} to {first + folder.replicates - 1}"
        tables.append(table)
    keys = dict.fromkeys(key for table in tables for key in table)
    untold = folders[0].subject.untold
    return [(key, [table.get(key, "") for table in tables]) for key in keys if key not in untold]


def _link(path: Path, place: Path) -> str:
    """From the page to a file."""
    return quote(Path(os.path.relpath(path.resolve(), place.resolve())).as_posix())
