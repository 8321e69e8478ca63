"""What came of a level as a page, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from devs_robotics.experimental_frames.conformance.records import LEVELS, Conformance, ConformanceTable, Finding
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.report.markup import badge, below, code, marked
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.report.sections import Cell, Page, PageTable, Section

_BADGES = {"conforms so far": "interrupted", "does not conform": "rejected", "broken off": "broken"}
"""Classes of the style sheet, by what has become of a level."""

_HOLDS = {True: "holds", False: "does not hold", None: "undecided"}


def conformance_html(done: Conformance) -> str:
    """A page that needs nothing else."""
    verdict, _, why = done.verdict.partition(":")
    level = f"level {done.level} (Hu & Zeigler, section 3.3){f';{why}' if why else ''}"
    origin = "; ".join(f"{name} {value}" for name, value in done.origin.items())
    page = Page(
        title=_capital(LEVELS[done.level]),
        tab=f"Conformance: {done.level}",
        lead=done.subject,
        top=(marked('{} <span class="soft">{}</span>', badge(verdict, _BADGES.get(done.ending, "")), level),),
        sections=tuple(_sections(done)),
        footer=(origin,) if origin else (),
    )
    return rendered(page)


def conformance_json(done: Conformance) -> str:
    """All of it, with the verdict first."""
    return json.dumps({"ending": done.ending, **msgspec.to_builtins(done)}, indent=2) + "\n"


def _sections(done: Conformance) -> Iterator[Section]:
    yield Section("Findings", tables=(_findings(done.findings),))
    if done.violations:
        told = [paragraph for violation in done.violations for paragraph in _violation(violation)]
        yield Section("Violations of the protocol", paragraphs=tuple(told))
    for table in done.tables:
        yield Section(_capital(table.title), tables=(_measurements(table),))
    if done.notes:
        yield Section("Further", paragraphs=done.notes)


def _findings(findings: tuple[Finding, ...]) -> PageTable:
    rows = [
        (Cell(finding.title), Cell("failed" if finding.fault else _HOLDS[finding.holds]), Cell(finding.note))
        for finding in findings
    ]
    return PageTable(("what must hold", "whether it does", "found"), tuple(rows))


def _violation(violation: Violation) -> Iterator[str]:
    """What happened, and the messages before."""
    yield marked('{}. <span class="soft">Rule: {}.</span>', violation.sentence, violation.means)
    yield below(map(code, violation.last))


def _measurements(table: ConformanceTable) -> PageTable:
    rows = [
        tuple(Cell(text, number=place > 0 and not table.words) for place, text in enumerate(row)) for row in table.rows
    ]
    return PageTable(table.head, tuple(rows))


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]
