"""The page on traffic management in swarm transportation, and the runs behind it as one small table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from msgspec import Struct, ValidationError, convert

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.epuck2.markdown import paragraph, table
from devs_robotics.experimental_frames.transport.comparison import (
    Minutes,
    PolicyRuns,
    against_modes,
    against_policy,
    difference_text,
    mean_text,
    mode_cells,
    verdict,
)
from devs_robotics.experimental_frames.transport.published import MODES
from devs_robotics.scenarios.transport import TransportTable

MINUTES = "frames.transport.minutes"
"""In the table of a sweep."""


class TrafficRun(Struct, frozen=True, order=True):
    """A run of the measurement.

    Attributes:
        sweep: its name
        mode: in which robots share paths
        traffic: the policy: options, joined by "+"
        robots: how many
        loss: share of the messages that are lost
        seed: of the run
        minutes: until all items are delivered; the longest time of a run where they are not
    """

    sweep: str
    mode: str
    traffic: str
    robots: int
    loss: float
    seed: int
    minutes: float

    @property
    def what(self) -> tuple[object, ...]:
        """All but what came of it."""
        return self.sweep, self.mode, self.traffic, self.robots, self.loss, self.seed


def runs_of(folder: Path, wanted: TransportTable) -> Iterator[TrafficRun]:
    """The runs of a sweep that are done; none where there is no such folder.

    Args:
        folder: of the sweep
        wanted: what its scenario says, for all that the sweep does not vary
    """
    path = folder / "runs.csv"
    if not path.exists():
        return
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row.get(MINUTES):
                yield TrafficRun(
                    folder.name,
                    row.get("transport.mode", wanted.mode),
                    row.get("transport.traffic", wanted.traffic),
                    int(row.get("transport.robots", wanted.robots)),
                    float(row.get("transport.loss", wanted.loss)),
                    int(row["seed"]),
                    round(float(row[MINUTES]), 3),
                )


def read_runs(path: Path) -> list[TrafficRun]:
    """The runs that a table holds.

    Raises:
        DevsRoboticsError: it cannot be read, or is no such table
    """
    try:
        with path.open(newline="") as file:
            rows = csv.DictReader(file)
            columns = tuple(rows.fieldnames or ())
            runs = [convert(row, TrafficRun, strict=False) for row in rows]
    except OSError as exc:
        raise DevsRoboticsError(f"{path} cannot be read: {exc.strerror}") from exc
    except (ValidationError, ValueError, csv.Error) as exc:
        raise DevsRoboticsError(f"{path} is no table of runs with traffic management: {exc}") from exc
    if columns != TrafficRun.__struct_fields__:
        wanted = ",".join(TrafficRun.__struct_fields__)
        raise DevsRoboticsError(f"{path} is no table of runs with traffic management: its first line is not {wanted}")
    return runs


def table_of_runs(runs: Iterable[TrafficRun]) -> str:
    """A table that `read_runs` reads, sorted."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(TrafficRun.__struct_fields__)
    for run in sorted(runs):
        writer.writerow([getattr(run, name) for name in TrafficRun.__struct_fields__])
    return text.getvalue()


def traffic_page(runs: Iterable[TrafficRun], arenas: Sequence[str], policy: str, made_by: str) -> Iterator[str]:
    """The page, in Markdown, of what there is so far.

    Args:
        runs: of all sweeps
        arenas: names of the scenarios
        policy: that is held against the modes
        made_by: how the page comes about, in sentences
    """
    sweeps: dict[str, list[TrafficRun]] = {}
    for run in sorted(runs):
        sweeps.setdefault(run.sweep, []).append(run)
    yield "# Traffic management in swarm transportation\n"
    yield paragraph(made_by)
    yield paragraph(
        "Minutes until all items are delivered: mean ± half of the 95 % interval, and in brackets how many seeds stand "
        "behind it. A run that does not come so far counts as its longest time. Differences are of runs with the same "
        "seed: the same arena, the same starts, and the same draws of those that explore; p-values are after Holm's "
        "correction for the three modes."
    )
    for arena in arenas:
        if f"{arena}-modes" in sweeps:
            yield from _arena(sweeps, arena, policy)
    yield from _over(sweeps, "Loss of messages", "loss", lambda run: run.loss, policy)
    yield from _over(sweeps, "Numbers of robots", "robots", lambda run: run.robots, policy)
    if "tuning" in sweeps:
        yield "## Tuning: what the policy may be chosen by\n"
        found = _by(sweeps["tuning"], lambda run: run.traffic)
        yield table(["policy", "minutes"], [[name, mean_text(minutes)] for name, minutes in found.items()], [1])


def _by(runs: Iterable[TrafficRun], what: Callable[[TrafficRun], str]) -> dict[str, dict[int, float]]:
    """Minutes by seed, by something."""
    found: dict[str, dict[int, float]] = {}
    for run in runs:
        found.setdefault(what(run), {})[run.seed] = run.minutes
    return found


def _arena(sweeps: Mapping[str, list[TrafficRun]], arena: str, policy: str) -> Iterator[str]:
    modes = _by(sweeps[f"{arena}-modes"], lambda run: run.mode)
    tried = [*sweeps.get(f"{arena}-best", ()), *sweeps.get(f"{arena}-options", ())]
    policies = [PolicyRuns(name, found) for name, found in _by(tried, lambda run: run.traffic).items()]
    yield f"## The arena of `{arena}`\n"
    yield table(["mode", "minutes"], [[mode, mean_text(modes.get(mode, {}))] for mode in MODES], [1])
    if len(modes) < len(MODES) or not policies:
        yield paragraph("The other runs are not done yet.")
        return
    best = next((each for each in policies if each.name == policy), policies[0])
    against = [against_modes(each, modes) for each in policies]
    rows = [
        [
            found.name,
            mean_text(each.minutes),
            difference_text(found.best),
            *mode_cells(found),
            "" if each is best else difference_text(against_policy(each, best)),
        ]
        for each, found in zip(policies, against, strict=True)
    ]
    heads = ["policy", "minutes", "to the best mode of each seed", *(f"to {mode}" for mode in MODES), "to the policy"]
    yield table(heads, rows, range(1, len(heads)))
    yield paragraph(verdict(against))


def _over(
    sweeps: Mapping[str, list[TrafficRun]], title: str, what: str, level: Callable[[TrafficRun], float], policy: str
) -> Iterator[str]:
    """A table of modes and of the policy over the levels of something, if it was varied."""
    runs = [run for name, each in sweeps.items() if name.startswith(f"{what}-") for run in each]
    if not runs:
        return
    yield f"## {title}\n"
    rows, against = [], []
    for value in sorted({level(run) for run in runs}):
        here = [run for run in runs if level(run) == value]
        modes = _by([run for run in here if run.sweep.endswith("-modes")], lambda run: run.mode)
        best: Minutes = _by(here, lambda run: run.traffic).get(policy, {})
        found = against_modes(PolicyRuns(f"{what} {value:g}", best), modes) if len(modes) == len(MODES) else None
        against += [found] if found else []
        cells = [mean_text(modes.get(mode, {})) for mode in MODES]
        rows.append([f"{value:g}", *cells, mean_text(best), difference_text(found.best if found else None)])
    heads = [what, *MODES, policy, "to the best mode of each seed"]
    yield table(heads, rows, range(1, len(heads)))
    yield paragraph(verdict(against))
