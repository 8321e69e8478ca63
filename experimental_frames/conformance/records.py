"""What a level of frames has to say: findings that hold or not, tables, and violations."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from devs_robotics.experimental_frames.conformance.violations import Violation

LEVELS = {
    "single": "developmental testing of a single robot",
    "team": "developmental testing of a small team",
    "large": "operational testing of a large team",
    "hybrid": "operational testing of real and virtual robots together",
    "final": "after-action review of a real run",
}
"""The levels of frames, in the words of Hu & Zeigler, section 3.3."""


Ending = Literal["conforms", "conforms so far", "does not conform", "broken off"]
"""What may become of a level: all was told, and holds; all that was told holds; something does not hold; or a fault,
which says nothing of the models, has kept it from being told.
"""


class Finding(Struct, frozen=True):
    """One thing that must hold.

    Attributes:
        title: what, or whose
        holds: whether it does; None: what was run is too short to tell
        note: what was found
        fault: it does not hold since a robot, a link or a clock failed, which says nothing of the models
    """

    title: str
    holds: bool | None
    note: str
    fault: bool = False


class ConformanceTable(Struct, frozen=True):
    """Measurements for people, each cell as it is shown.

    Attributes:
        title: what they are
        head: names of the columns
        rows: one cell per column
        words: its cells are words, and it is too long for a terminal
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: bool = False


class Conformance(Struct, frozen=True):
    """What came of a level.

    Attributes:
        level: key of `LEVELS`
        subject: what was tested
        findings: what must hold
        violations: of the protocol
        tables: measurements
        notes: what else there is to know
        origin: what it was found with: scenario, hash, seed, version
    """

    level: str
    subject: str
    findings: tuple[Finding, ...]
    violations: tuple[Violation, ...] = ()
    tables: tuple[ConformanceTable, ...] = ()
    notes: tuple[str, ...] = ()
    origin: dict[str, str] = {}

    @property
    def ending(self) -> Ending:
        """What has become of it."""
        if any(finding.holds is False and not finding.fault for finding in self.findings):
            return "does not conform"
        if any(finding.fault for finding in self.findings):
            return "broken off"
        return "conforms so far" if any(finding.holds is None for finding in self.findings) else "conforms"

    @property
    def verdict(self) -> str:
        """In a sentence."""
        wrong = sum(finding.holds is False and not finding.fault for finding in self.findings)
        undecided = sum(finding.holds is None for finding in self.findings)
        of = f"of {len(self.findings)} findings"
        return {
            "conforms": "conforms",
            "conforms so far": f"conforms so far: {undecided} {of} need a longer run to be decided",
            "does not conform": f"does not conform: {wrong} {of} {'does' if wrong == 1 else 'do'} not hold",
            "broken off": "broken off: a robot, a link or a clock failed, which says nothing of the models",
        }[self.ending]


MARKS = {True: "ok", False: "NO", None: "??"}
"""By whether a finding holds."""

SHOWN = 3
"""So many of a kind are shown; all violations are in conformance.json."""


def lines(done: Conformance) -> list[str]:
    """What came of a level, to be read on a terminal."""
    width = max(len(finding.title) for finding in done.findings)
    shown = [f"{done.level}: {LEVELS[done.level]}; {done.subject}"]
    shown += [
        f"  {MARKS[finding.holds]:<3} {finding.title:<{width}}  {finding.note}".rstrip() for finding in done.findings
    ]
    for violation in done.violations[:SHOWN]:
        shown += [f"  {violation}", *(f"      {message}" for message in violation.last)]
    if len(done.violations) > SHOWN:
        shown.append(f"  and {len(done.violations) - SHOWN} more")
    for table in (table for table in done.tables if not table.words):
        shown += ["", f"  {table.title}", *(f"    {line}" for line in _aligned(table))]
    shown += [f"  {note}" for note in done.notes]
    return [*shown, done.verdict]


def _aligned(table: ConformanceTable) -> list[str]:
    rows = [table.head, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    return [
        "  ".join(
            f"{cell:<{width}}" if column == 0 else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
