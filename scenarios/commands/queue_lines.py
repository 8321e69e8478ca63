"""What ``devs-robotics queue`` shows of experiments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.queueing.collecting import when
from devs_robotics.scenarios.queueing.experiments import STATES, HistoryEntry, QueuedExperiment
from devs_robotics.scenarios.queueing.worker import described

LONGEST = 60
"""Of a reason in a list (characters); `show` tells all of it."""

SHORTEST = 12
"""Of a scenario in a list (characters), however narrow the terminal is."""

SCENARIO, ARENA = 2, 4
"""Numbers of the columns that give way on a narrow terminal."""

LONGEST_ARENA = 15
"""Of an arena in a list on a terminal (characters)."""

GAP = "  "
"""Between columns."""

HEADER = ("number", "state", "scenario", "stage", "arena", "waited", "took", "outcome")


def list_lines(experiments: Sequence[QueuedExperiment], columns: int | None = None) -> Iterator[str]:
    """A table of experiments.

    Args:
        experiments: one line each
        columns: of the terminal that shows it: scenarios are cut so that the heads stand in one line; None: it is shown
            on none, and nothing but reasons is cut
    """
    if not experiments:
        return
    rows = [HEADER, *map(_cells, experiments)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    if columns is not None:
        widths[ARENA] = min(widths[ARENA], LONGEST_ARENA)
        others = sum(widths) - widths[SCENARIO] - widths[-1] + len(HEADER[-1]) + len(GAP) * (len(HEADER) - 1)
        widths[SCENARIO] = min(widths[SCENARIO], max(SHORTEST, columns - others))
        rows = [tuple(map(_cut, row, [*widths[:-1], LONGEST])) for row in rows]
    for row in rows:
        yield GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _cells(each: QueuedExperiment) -> tuple[str, ...]:
    scenario = Path(each.source).name + "".join(f" {masked(setting)}" for setting in each.settings)
    return (
        str(each.number),
        "to be cancelled" if each.cancel else each.state,
        f"{each.name}: {scenario}" if each.name else scenario,
        each.stage,
        each.arena or (f"only {each.wanted_arena}" if each.wanted_arena else ""),
        duration(each.waited),
        duration(each.took),
        each.outcome if each.outcome and each.state == "finished" else _cut(each.reason or "", LONGEST),
    )


def counts_line(experiments: Sequence[QueuedExperiment]) -> str:
    """How many there are in which state, and how long they have waited on average."""
    counts = [(sum(each.state == state for each in experiments), state) for state in STATES]
    line = ", ".join(f"{count} {state}" for count, state in counts if count) or "no experiments"
    waits = [each.waited for each in experiments if each.waited is not None]
    return f"{line}; mean waiting {duration(sum(waits) / len(waits))}" if waits else line


def experiment_lines(each: QueuedExperiment, history: Sequence[HistoryEntry], folder: Path | None) -> Iterator[str]:
    """All of an experiment, and what happened to it."""
    yield f"{each.called}: {each.state}" + (f", {each.outcome}" if each.outcome else "")
    facts = {
        "reason": each.reason,
        "scenario": f"{described(each)} (sha {each.sha256[:12]})",
        "priority": each.priority and str(each.priority),
        "certificate": each.certificate,
        "arena": each.arena or each.wanted_arena,
        "waited": duration(each.waited),
        "took": duration(each.took),
        "results": folder and str(folder),
    }
    width = max(map(len, facts))
    for title, fact in facts.items():
        if fact:
            yield f"  {title:<{width}}  {fact}"
    for entry in history:
        place = f" in {entry.arena}" if entry.arena else ""
        yield f"  {when(entry.time_s)}  {entry.event}{place}" + (f": {entry.note}" if entry.note else "")


def ended_line(each: QueuedExperiment) -> str:
    """What a worker says of an experiment that is over."""
    how = each.outcome or each.state
    took = f" ({duration(each.took)})" if each.took is not None else ""
    return f"  {how}: {each.reason}{took}"


def duration(seconds: float | None) -> str:
    """A time in the unit that suits it."""
    if seconds is None:
        return ""
    if seconds < 1.0:
        return f"{seconds:.2f} s"
    if seconds < 100.0:
        return f"{seconds:.3g} s"
    return f"{seconds / 60.0:.1f} min" if seconds < 6000.0 else f"{seconds / 3600.0:.1f} h"


def plain(each: QueuedExperiment) -> dict[str, Any]:
    """An experiment as plain data, without passwords."""
    found: dict[str, Any] = msgspec.to_builtins(each)
    found["settings"] = [masked(setting) for setting in each.settings]
    return {**found, "waited_s": each.waited, "took_s": each.took}


def history_plain(history: Sequence[HistoryEntry]) -> list[dict[str, Any]]:
    """What happened to an experiment as plain data."""
    found: list[dict[str, Any]] = msgspec.to_builtins(history)
    return found
