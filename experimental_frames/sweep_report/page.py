"""The report of one or several sweeps: one page with everything in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup
from msgspec.structs import replace

from devs_robotics.experimental_frames.report.markup import badge, below, code, command, link, marked, versions_line
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.report.sections import Cell, Page, PageTable, Section, number_cells
from devs_robotics.experimental_frames.report.settings import settings_rows
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
    found = {folder.name: sections_of(folder) for folder in folders}
    of_runs = [_titled(section, folder, folders) for folder in folders for section in _sections(folder, found)]
    title = identity(folders[0])
    page = Page(
        title=title,
        tab=f"Sweeps: {title}",
        lead=_lead(folders),
        top=(Markup(" ").join(_verdicts(folders)),),
        concludes=(*overview.verdicts_said(folders), *overview.measure_said(folders)),
        limits=tuple(
            overview.limits(folders, [line for some in found.values() for section in some for line in section.limits])
        ),
        sections=(
            Section("What was run", tables=(overview.runs_table(folders),)),
            *of_runs,
            *_not_accepted(folders),
            _methods(folders, versions),
            _raw_data(folders, place),
            _provenance(folders),
        ),
        footer=(f"Report made with {versions_line(versions)}",),
    )
    return rendered(page)


def _lead(folders: Sequence[SweepFolder]) -> str:
    runs = sum(len(folder.sweep.rows) for folder in folders)
    names = ", ".join(folder.name for folder in folders)
    return f"{len(folders)} {_plural('sweep', len(folders))}: {names}; {runs:,} {_plural('run', runs)}."


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _verdicts(folders: Sequence[SweepFolder]) -> Iterator[str]:
    rows = [row for folder in folders for row in folder.sweep.rows]
    accepted = sum(row["ended"] == "accepted" for row in rows)
    planned = sum(folder.told.runs for folder in folders)
    kind = "" if accepted == planned else "interrupted" if accepted else "rejected"
    yield badge(f"{accepted:,} of {len(rows):,} {_plural('run', len(rows))} accepted", kind)
    for folder in folders:
        if len(folder.sweep.rows) < folder.told.runs:
            yield badge(f"{folder.name} is not finished", "interrupted")


def _titled(section: Section, folder: SweepFolder, folders: Sequence[SweepFolder]) -> Section:
    """A section with its sweep's name, where there are several."""
    return replace(section, title=f"{section.title} ({folder.name})") if len(folders) > 1 else section


def _sections(folder: SweepFolder, found: Mapping[str, Sequence[Section]]) -> Iterator[Section]:
    """What there is to say of a sweep, and its metrics."""
    yield from found[folder.name]
    points = points_table(folder.sweep) if folder.kind == "factorial" else None
    if points is not None:
        yield Section("Metrics at each point", tables=(points,))
    every = metrics_table(folder.sweep)
    if every is not None:
        yield Section("All metrics", tables=(every,), folded=True)


def _not_accepted(folders: Sequence[SweepFolder]) -> Iterator[Section]:
    runs = [run for folder in folders for run in overview.not_accepted(folder)]
    if not runs:
        return
    rows = [
        (
            *(Cell(run.sweep), *number_cells((f"{run.number}", f"{run.seed}")), Cell(run.at)),
            *(Cell(badge(run.ended, run.ended)), Cell(run.reason, command(run.command) if run.command else "")),
        )
        for run in runs[:MOST_NOT_ACCEPTED]
    ]
    more = len(runs) - len(rows)
    note = marked("And {} more: see the column {} of the raw data.", f"{more:,}", code("ended")) if more else ""
    heads = ("sweep", "run", "seed", "at", "ended", "why, and what does it again")
    yield Section("Runs that were not accepted", tables=(PageTable(heads, tuple(rows), note),))


def _methods(folders: Sequence[SweepFolder], versions: Mapping[str, str]) -> Section:
    paragraphs, references = methods(folders, versions)
    copied = marked("The same is in {}, to copy.", link("methods.md", "methods.md"))
    return Section("Methods, for a paper", paragraphs=(*paragraphs, below(references), copied))


def _raw_data(folders: Sequence[SweepFolder], place: Path) -> Section:
    rows = [
        (
            Cell(folder.name),
            Cell(below(link(path.name, _address(path, place)) for path in folder.data)),
            Cell(command(folder.told.command)),
        )
        for folder in folders
    ]
    note = marked(
        "{} has one row per run, in SI units; {} the whole settings of each. A sweep keeps no replays: {}, with the "
        "seed and what was varied, runs one of its runs again, and its report begins with one.",
        *map(code, ("runs.csv", "settings.jsonl", "devs-robotics run SCENARIO --seed N --set KEY=VALUE --out DIR")),
    )
    return Section("Raw data", tables=(PageTable(("sweep", "files", "made by"), tuple(rows), note),))


def _provenance(folders: Sequence[SweepFolder]) -> Section:
    rows = [(Cell(code(key)), *(Cell(code(value)) for value in values)) for key, values in _settings(folders)]
    note = marked(
        "Metres, radians and seconds. What is left open in the scenario may depend on what was varied, as the field "
        "does on the number of robots: {} has it for each run.",
        code("settings.jsonl"),
    )
    software = [
        marked(
            "{}: scenario {}, {}", folder.name, code(folder.told.scenario_sha256), versions_line(folder.told.versions)
        )
        for folder in folders
    ]
    table = PageTable(("key", *(folder.name for folder in folders)), tuple(rows), note)
    return Section("Settings and provenance", paragraphs=(below(software),), tables=(table,), folded=True)


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


def _address(path: Path, place: Path) -> str:
    """From the page to a file."""
    return quote(Path(os.path.relpath(path.resolve(), place.resolve())).as_posix())
