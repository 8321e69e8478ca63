"""The report of one run, of whatever case: one page with everything in it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from devs_robotics import Lateness
from devs_robotics.experimental_frames.frame.metric import Metric, Result
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.report.markup import LONG, badge, code, marked, versions_line
from devs_robotics.experimental_frames.report.real_sections import real_sections
from devs_robotics.experimental_frames.report.rendering import fixed
from devs_robotics.experimental_frames.report.sections import Cell, Page, PageTable, Section, Tile
from devs_robotics.experimental_frames.report.settings import UNKNOWN, Provenance, settings_section
from devs_robotics.experimental_frames.report.wording import stage_in_words

MOST_TILES = 5


class RunReport(Struct, frozen=True, kw_only=True):
    """What the report of a run is made from.

    Attributes:
        summary: of the run, as in ``summary.json``
        title: of the page
        lead: what was run, in a sentence
        verdict: on what was run, beside that the run was accepted: paragraphs for the top
        metrics: that are shown, in their order
        results: by the metrics' names, which for those of a part of the frame begin with ``frames.PART.``
        main: names of the metrics that stand at the top; empty: the first ones
        sections: of the case's own, before those that every case has
        details: tables of the case's own below the metrics
        data: names of the case's own files
        after: what the metrics are taken from, in a sentence; empty: nothing to name
        timing: how late each event was, where there was a clock
        localisation: measurements of where real robots are, where there are any
        known: of the settings
        replay: of the run, as HTML; empty: none was recorded
    """

    summary: Mapping[str, Any]
    title: str
    lead: str = ""
    verdict: Sequence[str] = ()
    metrics: Sequence[Metric]
    results: Mapping[str, Result]
    main: Sequence[str] = ()
    sections: Sequence[Section] = ()
    details: Sequence[PageTable] = ()
    data: Sequence[str] = ()
    after: str = ""
    timing: Lateness | None = None
    localisation: Localisation | None = None
    known: Provenance = UNKNOWN
    replay: str = ""

    @property
    def measured(self) -> dict[Metric, str]:
        """The metrics that there are, with their values, without units."""
        texts = ((metric, _text(metric, self.results.get(metric.name))) for metric in self.metrics)
        return {metric: text for metric, text in texts if text}


def run_page(told: RunReport) -> Page:
    """The page; sections for which there is nothing to show are left out."""
    summary = told.summary
    replay = [Section("Replay", html=f"{told.replay}{_how_to_show_it(told.known)}")] if told.replay else []
    sections = [*replay, *told.sections, Section("Metrics", tables=(_metrics_table(told), *told.details))]
    sections += _further_frames(told)
    sections += real_sections(summary, told.timing, told.localisation)
    note = marked(
        "Metres, radians and seconds. Values that are cut short here stand in full in {}.", code("summary.json")
    )
    sections.append(settings_section(summary["scenario"], told.known, note))
    return Page(
        title=told.title,
        tab=f"{told.title} · seed {summary['seed']}",
        lead=told.lead,
        top=(
            *told.verdict,
            marked("{} {}.", badge(summary["outcome"], summary["outcome"]), summary["reason"]),
            marked("<b>Stage {}</b>: {}.", summary["stage"], stage_in_words(summary)),
        ),
        tiles=tuple(_tiles(told)),
        sections=tuple(sections),
        footer=tuple(_footer(told)),
    )


def _how_to_show_it(known: Provenance) -> Markup:
    """Where a run's recording is, or how it gets one, and how an animation is made of it."""
    if known.recording:
        how = marked("It is recorded in {}:", code(known.recording))
    elif len(known.command) > LONG:
        how = marked(
            "The command under “Settings and provenance”, with {} added, records it in a file;",
            code("--record run.mcap"),
        )
    elif known.command:
        how = marked("{} records it in a file;", code(f"{known.command} --record run.mcap"))
    else:
        how = marked("{}, with what was run, records it in a file;", code("devs-robotics run --record run.mcap"))
    show = f"devs-robotics view {shlex.quote(known.recording or 'run.mcap')}"
    return marked(
        '<p class="soft">{} {} shows that in a browser, and {} makes an animation of it. Films, figures and '
        "pages are made by other endings.</p>",
        how,
        code(show),
        code(f"{show} --export run.gif"),
    )


def _text(metric: Metric, value: Result | None) -> str:
    """A value for people; empty where there is none."""
    if value is None or isinstance(value, str):
        return value or ""
    return "" if isnan(value) else metric.text(value)


def _tiles(told: RunReport) -> Iterator[Tile]:
    """Main results; those that have no value are shown as dashes if they were asked for."""
    measured = told.measured
    named = {metric.name: metric for metric in told.metrics}
    for metric in [named[name] for name in told.main] or list(measured)[:MOST_TILES]:
        yield Tile(measured.get(metric, "–"), metric.title, metric.unit)


def _metrics_table(told: RunReport) -> PageTable:
    """Every metric that has a value, as it is declared."""
    rows = [(Cell(metric.title), Cell(text, number=True), Cell(metric.unit)) for metric, text in told.measured.items()]
    return PageTable(("metric", "value", "unit"), tuple(rows))


def _further_frames(told: RunReport) -> Iterator[Section]:
    """What parts of the frame have to say that is no declared metric."""
    parts = told.summary["scenario"]["frame"]["parts"]
    declared = {metric.name for metric in told.metrics}
    rows: list[tuple[Cell, ...]] = []
    for name, results in told.summary.get("frames", {}).items():
        others = {key: value for key, value in results.items() if f"frames.{name}.{key}" not in declared}
        label = marked("{} ({})", name, code(parts[name]["model"])) if name in parts else name
        part = [Cell(label, rows=len(others))]
        for key, value in others.items():
            rows.append((*part, Cell(code(key)), Cell(_plain(value), number=True)))
            part = []
    if rows:
        note = "As the parts of the frame say; numbers in SI units."
        yield Section("Further frames", tables=(PageTable(("part", "result", "value"), tuple(rows), note),))


def _plain(value: Result | None) -> str:
    if isinstance(value, str):
        return value
    return "–" if value is None or isnan(value) else f"{value:.6g}"


def _footer(told: RunReport) -> Iterator[str]:
    summary = told.summary
    yield marked(
        "Scenario {}. {} {} transitions in {} s of processor time.",
        code(summary["scenario_sha256"]),
        versions_line(summary["versions"]),
        f"{summary['events']['transitions']:,}",
        fixed(summary["cpu_s"], 2),
    )
    files = ["summary.json", *told.data]
    files += [
        f"{name}.csv" for name, key in (("lateness", "clock"), ("localisation", "localisation")) if summary.get(key)
    ]
    yield marked("{}Data: {}.", f"{told.after} " if told.after else "", marked(", ").join(map(code, files)))
