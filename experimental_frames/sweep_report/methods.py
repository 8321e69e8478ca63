"""A paragraph on methods that a paper can use, computed from the designs and the settings of the sweeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isnan

from devs_robotics.experimental_frames.report.settings import settings_rows
from devs_robotics.experimental_frames.scalability import scalings
from devs_robotics.experimental_frames.scalability.trend import CURVES
from devs_robotics.experimental_frames.statistics.estimates import FEWEST_FOR_INTERVAL, MANY
from devs_robotics.experimental_frames.sweep.reading import Row
from devs_robotics.experimental_frames.sweep.wording import listed, plain
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder, value_at
from devs_robotics.experimental_frames.sweep_report.overview import varied_texts
from devs_robotics.experimental_frames.sweep_report.references import References
from devs_robotics.experimental_frames.sweep_report.tables import verdicts_of

TOLD_OTHERWISE = ("title", "run")
"""Keys, and tables of keys, of which other sentences tell."""

WITHOUT_EFFECT = ("clock", "real", "stand_in", "tracking", "safety")
"""Tables of settings that a sweep, which is all simulated and knows no clock, has no use for."""

LIBRARIES = ("python", "xdevs", "numpy", "scipy", "SALib")
"""Beside devs-robotics itself, those whose versions a paper tells."""


def methods(folders: Sequence[SweepFolder], versions: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Paragraphs, and the list of references that they cite.

    Args:
        folders: sweeps of one scenario
        versions: of the software that made the report
    """
    references = References(folders[0].subject.account.works)
    paragraphs = [
        " ".join(_simulated(folders, versions, references)),
        *(" ".join(_designed(folder, folders, references)) for folder in folders),
        " ".join(_analysed(folders, references)),
    ]
    return paragraphs, references.lines()


def methods_md(folders: Sequence[SweepFolder], versions: Mapping[str, str]) -> str:
    """The same as a file in Markdown."""
    paragraphs, references = methods(folders, versions)
    return "\n\n".join(["## Methods", *paragraphs, "### References", "\n\n".join(references)]) + "\n"


def _simulated(folders: Sequence[SweepFolder], versions: Mapping[str, str], references: References) -> Iterator[str]:
    first = folders[0]
    account = first.subject.account
    used = {**versions, **first.told.versions}
    others = [f"{name} {used[name]}" for name in LIBRARIES if name in used]
    known = any(folder.told.versions != first.told.versions for folder in folders[1:])
    yield (
        f"{references.filled(account.system)} was simulated as a discrete-event (DEVS) "
        f"model {references.cite('devs')} with devs-robotics {used.get('devs-robotics', '')} ({', '.join(others)}), "
        "all robots being virtual."
    )
    if known:
        yield "Not all sweeps were made with the same versions of this software."
    yield from _settled(first, _shared(folders))
    if account.measure:
        yield references.filled(account.measure)


def _shared(folders: Sequence[SweepFolder]) -> set[str]:
    """Settings of which a paper tells, and that are the same in all runs of all sweeps."""
    varied = {key for folder in folders for key in folder.sweep.keys}
    tables = [_settings(folder) for folder in folders]
    return {key for key in tables[0] if key not in varied and len({table.get(key) for table in tables}) == 1}


def _settings(folder: SweepFolder) -> dict[str, str]:
    """Of which a paper tells, as texts, by their keys: those without which nobody could repeat the runs, and others
    that are not as usual."""
    usual = dict(settings_rows(folder.told.usual))
    told = {}
    for key, text in settings_rows(folder.scenario):
        unusual = bool(usual) and text != usual.get(key)
        if key in folder.subject.account.settings or (unusual and not _follows(key, folder)):
            told[key] = text
    return told


def _follows(key: str, folder: SweepFolder) -> bool:
    """Whether nothing is to be said of a key here, or its value follows from that of a varied one."""
    conditions = (some for condition in folder.subject.account.conditions for some in condition.keys)
    skipped = (*TOLD_OTHERWISE, *WITHOUT_EFFECT, *conditions)
    if key in folder.sweep.keys or any(key == some or key.startswith(f"{some}.") for some in skipped):
        return True
    return key in folder.subject.following and bool(folder.sweep.size_key)


def _settled(folder: SweepFolder, keys: Collection[str]) -> Iterator[str]:
    """Sentences about some settings: those without which nobody could repeat the runs, and what is not as usual."""
    subject, units = folder.subject, folder.sweep.units
    parts = [text for key, text in subject.account.settings.items() if key in keys]
    if parts:
        yield f"The {subject.team} has {listed(parts)}."
    others = [key for key in _settings(folder) if key in keys and key not in subject.account.settings]
    if others:
        texts = [
            f"{key} (in settings.jsonl)"
            if key in subject.untold
            else f"{key} = {_settings(folder)[key]} {units.get(key, '')}".rstrip()
            for key in others
        ]
        yield f"Other than by default {'is' if len(texts) == 1 else 'are'} {listed(texts)}."


def _designed(folder: SweepFolder, folders: Sequence[SweepFolder], references: References) -> Iterator[str]:
    design = folder.sweep.design
    varied = listed(varied_texts(folder)) if folder.sweep.keys else ""
    points = len({row["point"] for row in folder.sweep.rows})
    if not folder.sweep.keys:
        yield f"In the sweep “{folder.name}”, nothing but the seed was varied."
    elif design.kind == "factorial":
        every = "all combinations of " if len(varied_texts(folder)) > 1 else ""
        yield f"The sweep “{folder.name}” has {points} point{'' if points == 1 else 's'}: {every}{varied}."
    else:
        name, works = (
            ("Sobol’s", ("sobol", "saltelli")) if design.kind == "sobol" else ("Morris’", ("morris", "campolongo"))
        )
        yield (
            f"In the sweep “{folder.name}”, {varied} were sampled by {name} method {references.cite(*works)} with N = "
            f"{design.samples}, which gave {points:,} points {references.cite('salib')}."
        )
    own = {key for key in _settings(folder) if key not in folder.sweep.keys} - _shared(folders)
    yield from _settled(folder, own)
    last = design.seed(design.replicates - 1)
    if design.replicates == 1:
        yield f"Each point was run once, with the seed {design.first_seed}."
    else:
        yield (
            f"Each point was run {design.replicates} times, with the seeds {design.first_seed} to {last}, the same "
            "ones at each point (common random numbers)."
        )
    yield from _lasted(folder)
    yield _ended(folder.sweep.rows, folder.subject.team)


def _lasted(folder: SweepFolder) -> Iterator[str]:
    """How long a run lasted, and what else the case has to say of that."""
    conditions, duration = folder.subject.account.conditions, value_at(folder, "run.duration")
    for condition in conditions:
        if not set(condition.keys) & set(folder.sweep.keys):
            yield condition.said
    if not conditions and duration is not None and "run.duration" not in folder.sweep.keys:
        yield f"A run lasted {plain(duration)} s of simulated time."


def _ended(rows: Sequence[Row], team: str) -> str:
    count = Counter(str(row["ended"]) for row in rows)
    others = [f"{times:,} {ending}" for ending, times in count.most_common() if ending != "accepted"]
    said = f"{count['accepted']:,} of {len(rows):,} {'run was' if len(rows) == 1 else 'runs were'} accepted"
    if not others:
        return f"{said}."
    return f"{said} ({listed(others)}); averages over the {team} are of the accepted ones alone."


def _analysed(folders: Sequence[SweepFolder], references: References) -> Iterator[str]:
    kinds = {folder.kind for folder in folders}
    if any(folder.replicates >= FEWEST_FOR_INTERVAL for folder in folders):
        said = f"Means over replications have Student’s 95 % intervals {references.cite('replications')}"
        if any(folder.replicates >= MANY for folder in folders):
            said += f" or, of {MANY} runs and more, a bootstrap’s (BCa {references.cite('bca')})"
        said += ", cut at zero where a quantity cannot be less"
        if any(folder.subject.lost for folder in folders):
            said += f"; shares of runs that lost a robot have exact ones {references.cite('share')}"
        yield f"{said}."
    if any(folder.kind == "factorial" and folder.sweep.keys for folder in folders):
        yield (
            "Two settings were compared by the ratio of their means, runs with the same seed paired, with a "
            f"studentised bootstrap interval {references.cite('bootstrap')}; elasticities are ratios of logarithms."
        )
    measures = [(folder.sweep, metric.name) for folder in folders if (metric := folder.subject.measure) is not None]
    found = [scaling for sweep, name in measures for scaling in scalings(sweep, name)]
    if any(scaling.trend is not None for scaling in found):
        yield (
            "The trend with the number of robots is the simplest out of "
            f"{listed(list(CURVES))} that AICc supports {references.cite('aicc')}."
        )
    if any(scaling.breaking is not None and not isnan(scaling.breaking.slope) for scaling in found):
        yield (
            "The share of runs that lost a robot was fitted by a logistic regression with Firth’s penalty "
            f"{references.cite('firth')}."
        )
    if kinds & {"sobol", "morris"}:
        yield "Indices have bootstrap intervals at 95 %."
    verdicts = folders[0].subject.account.verdicts
    if verdicts and any(verdicts_of(folder.sweep) for folder in folders):
        yield references.filled(verdicts)
