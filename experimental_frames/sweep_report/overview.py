"""What was run, what became of it, and what it cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Cell, PageTable
from devs_robotics.experimental_frames.report.settings import settings_rows
from devs_robotics.experimental_frames.statistics.estimates import FEWEST_FOR_INTERVAL
from devs_robotics.experimental_frames.sweep.counting import Counted, counted
from devs_robotics.experimental_frames.sweep.reading import number, numbers
from devs_robotics.experimental_frames.sweep.settings import (
    grouped,
    key_label,
    moved_together,
    numeric,
    settings_text,
    value_text,
)
from devs_robotics.experimental_frames.sweep.wording import capital, listed, plain, verb, word_text
from devs_robotics.experimental_frames.sweep_report.estimates import FEWEST_FOR_NORMAL
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder, command_of
from devs_robotics.experimental_frames.sweep_report.tables import verdicts_of

MOST_VALUES = 12

UNDECIDED = "undecided"
"""A word that is a metric where a run does not tell."""


class NotAccepted(Struct, frozen=True):
    """A run that was not accepted: how it ended, why, and what does it again."""

    sweep: str
    number: int
    seed: int
    at: str
    ended: str
    reason: str
    command: str


def runs_table(folders: Sequence[SweepFolder]) -> PageTable:
    """One row per sweep: what was varied, and how its runs ended."""
    endings = sorted({str(row["ended"]) for folder in folders for row in folder.sweep.rows}, key=_by_weight)
    rows = []
    for folder in folders:
        count = Counter(str(row["ended"]) for row in folder.sweep.rows)
        varied = tuple(Cell(text) for text in (folder.name, "; ".join(varied_texts(folder)) or "nothing but the seed"))
        each = Cell(f"{folder.replicates}", number=True)
        rows.append((*varied, each, *(Cell(f"{count[ending]:,}", number=True) for ending in endings)))
    heads = ("sweep", "what was varied", "runs per point", *endings)
    return PageTable(heads, tuple(rows))


def _by_weight(ending: str) -> tuple[int, str]:
    """Accepted runs first, and what is no verdict last."""
    known = ("accepted", "rejected")
    return known.index(ending) if ending in known else len(known), ending


def varied_texts(folder: SweepFolder) -> list[str]:
    """Each varied key with its values, or with its range; keys that change together stand together."""
    sweep = folder.sweep
    bounds = dict(zip(sweep.keys, sweep.design.bounds, strict=False))
    units = sweep.units
    texts = [
        f"{key} from {plain(low)} to {value_text(high, units.get(key, ''))}" for key, (low, high) in bounds.items()
    ]
    bundles = [keys for keys in moved_together(sweep.rows, sweep.keys) if not set(keys) <= set(bounds)]
    single = [(key,) for key in sweep.keys if key not in {*bounds, *(key for keys in bundles for key in keys)}]
    for keys in [*bundles, *single]:
        values = list(grouped(sweep.rows, keys))
        if numeric(sweep.rows, keys):
            values.sort(key=lambda some: tuple(float(value or 0.0) for value in some))
        if len(values) > MOST_VALUES:
            texts.append(f"{listed(keys)} at {len(values)} values")
        elif len(keys) == 1:
            told = ", ".join(value_text(some[0]) for some in values)
            texts.append(f"{keys[0]} = {told} {units.get(keys[0], '')}".rstrip())
        else:
            together = ", ".join(f"({', '.join(map(value_text, some))})" for some in values)
            texts.append(f"({', '.join(key_label(key, units) for key in keys)}) = {together}")
    return texts


def not_accepted(folder: SweepFolder) -> Iterator[NotAccepted]:
    """Every run that was not accepted."""
    for row in folder.sweep.rows:
        if row["ended"] != "accepted":
            at = settings_text({key: row[key] for key in folder.sweep.keys}, folder.sweep.units)
            yield NotAccepted(
                folder.name,
                int(number(row, "run")),
                folder.sweep.design.seed(int(number(row, "replicate"))),
                at,
                str(row["ended"]),
                str(row["reason"] or ""),
                command_of(folder, row),
            )


def limits(folders: Sequence[SweepFolder], of_sections: Sequence[str]) -> list[str]:
    """What cannot be concluded: what puts most in doubt comes first.

    Args:
        folders: the sweeps
        of_sections: what their sections say of it
    """
    said = [*_unfinished(folders), *_apart(folders), *_left_out(folders), *_few(folders), *_undecided(folders)]
    said += of_sections
    names = sorted({key for folder in folders for key in folder.sweep.keys})
    beyond = f"values of {listed(names)} beyond those that were tried, nor of " if names else ""
    said.append(f"Nothing is said of {beyond}settings other than those at the end of this page.")
    said.append(
        "These are virtual robots, and real ones err in other ways than by two noise factors. A study of the stages "
        "loop and real tells how far the two are apart."
    )
    return list(dict.fromkeys(said))


def _named(folder: SweepFolder, folders: Sequence[SweepFolder], said: str) -> str:
    """A sentence about a sweep, with its name where there are several."""
    return f"{folder.name}: {said}." if len(folders) > 1 else capital(said)


def _few(folders: Sequence[SweepFolder]) -> Iterator[str]:
    for folder in folders:
        runs = folder.replicates
        if runs >= FEWEST_FOR_NORMAL or folder.sweep.design.kind != "factorial":
            continue
        with_so_many = f"with {'one run' if runs == 1 else f'{runs} runs'} per point"
        if runs < FEWEST_FOR_INTERVAL:
            yield _named(folder, folders, f"{with_so_many} there are no intervals, and any difference may be chance")
        else:
            yield _named(
                folder,
                folders,
                f"{with_so_many}, fewer than {FEWEST_FOR_NORMAL}, "
                "intervals rest on the assumption that runs scatter normally",
            )


def _left_out(folders: Sequence[SweepFolder]) -> Iterator[str]:
    if any(_of_measure(folder).left_out for folder in folders):
        yield (
            "Runs that are left out may be the worst: averages over the others then make the "
            f"{folders[0].subject.team} look better than it is."
        )


def _of_measure(folder: SweepFolder) -> Counted:
    """The runs that count for the measure; all, where there is none."""
    measure = folder.subject.measure
    return counted(folder.sweep.rows if measure else (), measure.name if measure else "", folder.subject)


def _unfinished(folders: Sequence[SweepFolder]) -> Iterator[str]:
    for folder in folders:
        done, planned = len(folder.sweep.rows), folder.told.runs
        if done < planned:
            yield f"{folder.name} is not finished: {done:,} of {planned:,} runs are there; its command goes on with it."


def _undecided(folders: Sequence[SweepFolder]) -> Iterator[str]:
    for metric in folders[0].subject.verdicts:
        if any(row.get(metric.name) == UNDECIDED for folder in folders for row in folder.sweep.rows):
            yield (
                f"Where the {metric.short} is undecided, it may be {metric.words[0]} or not: the run is too short to "
                "tell."
            )


def _apart(folders: Sequence[SweepFolder]) -> Iterator[str]:
    """Settings that were varied in no sweep, and are not the same in all."""
    varied = {key for folder in folders for key in (*folder.sweep.keys, *folder.subject.following)} | {"run.seed"}
    tables = [dict(settings_rows(folder.scenario)) for folder in folders]
    keys = [key for key in tables[0] if key not in varied and len({table.get(key) for table in tables}) > 1]
    if keys:
        told = [f"{key} ({', '.join(table.get(key, '–') for table in tables)})" for key in keys]
        yield f"The sweeps differ in {listed(told)}: their numbers cannot be compared with each other as they stand."


def verdicts_said(folders: Sequence[SweepFolder]) -> Iterator[str]:
    """In how many runs each metric that is a word was its best one, and where it was its worst."""
    for folder in folders:
        for metric in verdicts_of(folder.sweep):
            yield _named(folder, folders, _verdict(folder, metric))


def _verdict(folder: SweepFolder, metric: Metric) -> str:
    rows = [row for row in folder.sweep.rows if row.get(metric.name)]
    count = Counter(str(row[metric.name]) for row in rows)
    best, *others = metric.words
    if count[UNDECIDED] == len(rows):
        return f"whether the {metric.short} is {best} is undecided in {_runs(len(rows), folder)}"
    of = "1 run" if len(rows) == 1 else f"{len(rows)} runs"
    said = f"the {metric.short} was {best} in {count[best] or 'none'} of {of}"
    for word in (word for word in others if count[word]):
        worst = word == metric.words[-1]
        where = _where(folder, metric, word) if worst else ""
        said += f", {'and ' if worst else ''}{word_text(word, metric)} in {count[word]}{where and f', at {where}'}"
    return said


def _where(folder: SweepFolder, metric: Metric, word: str) -> str:
    """At which setting a metric was a word, or at how many; empty where nothing was varied."""
    keys, units = folder.sweep.keys, folder.sweep.units
    bad = {
        settings_text(dict(zip(keys, values, strict=True)), units)
        for values, some in grouped(folder.sweep.rows, keys).items()
        if any(row.get(metric.name) == word for row in some)
    }
    return bad.pop() if len(bad) == 1 else f"{len(bad)} of the points"


def measure_said(folders: Sequence[SweepFolder]) -> Iterator[str]:
    """Between which values the measure lies."""
    for folder in folders:
        measure = folder.subject.measure
        if measure is None:
            continue
        values = numbers(_of_measure(folder).rows, measure.name)
        if values.size:
            low, high = measure.text(float(values.min())), measure.text(float(values.max()))
            unit = f" {measure.unit}" if measure.unit else ""
            how = f"{verb(measure, 'is')} {low}" if low == high else f"{verb(measure, 'lies')} between {low} and {high}"
            yield _named(folder, folders, f"the {measure.title} {how}{unit} in {_runs(values.size, folder)}")


def _runs(runs: int, folder: SweepFolder) -> str:
    if runs == len(folder.sweep.rows):
        return "the only run" if runs == 1 else f"all {runs} runs"
    return f"{runs} of {len(folder.sweep.rows)} runs"
