"""A paragraph on methods that a paper can use, computed from the designs and the settings of the sweeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isnan

from experimental_frames.scalability import scalings
from experimental_frames.scalability.trend import CURVES
from experimental_frames.sweep.reading import Row
from experimental_frames.sweep.wording import listed, plain
from experimental_frames.sweep_report.estimates import FEWEST_FOR_INTERVAL
from experimental_frames.sweep_report.factors import SIZE
from experimental_frames.sweep_report.folders import SweepFolder, at
from experimental_frames.sweep_report.overview import varied_texts
from experimental_frames.sweep_report.references import References
from experimental_frames.sweep_report.tables import ERROR

DESCRIBED = {
    ("convoy.robots",): "{} robots",
    ("convoy.distance",): "a desired distance of {} cm",
    ("leader.step",): "steps of the leader of {} cm",
    ("infrared.range",): "an infrared range of {} cm",
    ("noise.dnf", "noise.anf"): "noise factors DNF {} and ANF {}",
}
"""Settings without which nobody could repeat the runs; lengths are told in centimetres."""

LIBRARIES = ("python", "xdevs", "numpy", "scipy", "SALib")
"""Beside devs-robotics itself, those whose versions a paper tells."""


def methods(folders: Sequence[SweepFolder], versions: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Paragraphs, and the list of references that they cite.

    Args:
        folders: sweeps of one scenario
        versions: of the software that made the report
    """
    references = References()
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
    used = {**versions, **first.told.versions}
    others = [f"{name} {used[name]}" for name in LIBRARIES if name in used]
    known = any(folder.told.versions != first.told.versions for folder in folders[1:])
    yield (
        f"The robot convoy of Hu and Zeigler {references.cite('convoy')} was simulated as a discrete-event (DEVS) "
        f"model {references.cite('devs')} with devs-robotics {used.get('devs-robotics', '')} ({', '.join(others)}), "
        "all robots being virtual."
    )
    if known:
        yield "Not all sweeps were made with the same versions of this software."
    parts = _convoy(first, _shared(folders))
    if parts:
        yield f"The convoy has {listed(parts)}."
    yield (
        f"The measure is the position error E (equations 4 to 7 of {references.cite('convoy')}): the distance of a "
        "robot from its place behind its front robot, averaged over the robots and over all changes of pose after the "
        "transient."
    )


def _shared(folders: Sequence[SweepFolder]) -> set[tuple[str, ...]]:
    """Groups of settings that are the same in all runs of all sweeps."""
    varied = {key for folder in folders for key in folder.sweep.keys}
    return {
        group
        for group in DESCRIBED
        if not set(group) & varied and all(len({at(folder, key) for folder in folders}) == 1 for key in group)
    }


def _convoy(folder: SweepFolder, groups: Collection[tuple[str, ...]]) -> list[str]:
    """What some groups of settings say of the convoy."""
    parts = []
    for group, words in DESCRIBED.items():
        values = [at(folder, key) for key in group]
        if group in groups and all(isinstance(value, int | float) for value in values):
            parts.append(words.format(*(plain(100.0 * value if "cm" in words else value) for value in values)))
    return parts


def _designed(folder: SweepFolder, folders: Sequence[SweepFolder], references: References) -> Iterator[str]:
    design, told = folder.sweep.design, folder.told.design
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
            f"{told.samples}, which gave {points:,} points {references.cite('salib')}."
        )
    own = {group for group in DESCRIBED if not set(group) & set(folder.sweep.keys)} - _shared(folders)
    held = _convoy(folder, own)
    if held:
        yield f"There the convoy had {listed(held)}."
    last = told.first_seed + told.replicates - 1
    if told.replicates == 1:
        yield f"Each point was run once, with the seed {told.first_seed}."
    else:
        yield (
            f"Each point was run {told.replicates} times, with the seeds {told.first_seed} to {last}, the same ones at "
            "each point (common random numbers)."
        )
    yield from _lasted(folder)
    yield _ended(folder.sweep.rows)


def _lasted(folder: SweepFolder) -> Iterator[str]:
    varied = folder.sweep.keys
    rounds, duration = at(folder, "run.rounds"), at(folder, "run.duration")
    if rounds is not None and "run.rounds" not in varied:
        yield f"A run lasted until every robot had completed {rounds} rounds or one was lost."
    elif duration is not None and "run.duration" not in varied:
        yield f"A run lasted {plain(duration)} s of simulated time or until a robot was lost."
    transient = at(folder, "frame.transient_rounds")
    if transient is not None and not {"frame.transient_rounds", "run.rounds"} & set(varied):
        yield f"The first {transient} rounds were left out as the transient."


def _ended(rows: Sequence[Row]) -> str:
    count = Counter(str(row["ended"]) for row in rows)
    others = [f"{times:,} {ending}" for ending, times in count.most_common() if ending != "accepted"]
    said = f"{count['accepted']:,} of {len(rows):,} runs were accepted"
    if not others:
        return f"{said}."
    return f"{said} ({', '.join(others)}); averages over the formation are of those, and the others were left out."


def _analysed(folders: Sequence[SweepFolder], references: References) -> Iterator[str]:
    kinds = {folder.kind for folder in folders}
    if any(folder.replicates >= FEWEST_FOR_INTERVAL for folder in folders):
        yield (
            f"Means over replications have Student’s 95 % intervals {references.cite('replications')}, cut at zero "
            "where a quantity cannot be less; shares of runs that lost a robot have exact ones "
            f"{references.cite('share')}."
        )
    if "factorial" in kinds:
        yield (
            "Two settings were compared by the ratio of their means, runs with the same seed paired, with a "
            f"studentised bootstrap interval {references.cite('bootstrap')}; elasticities are ratios of logarithms."
        )
    found = [scaling for folder in folders for scaling in scalings(folder.sweep, ERROR, key=SIZE)]
    if any(scaling.trend is not None for scaling in found):
        yield (
            "The trend with the number of robots is the simplest out of "
            f"{listed(list(CURVES))} that AICc supports {references.cite('aicc')}."
        )
    if any(not isnan(scaling.breaking.slope) for scaling in found):
        yield (
            "The share of runs that lost a robot was fitted by a logistic regression with Firth’s penalty "
            f"{references.cite('firth')}."
        )
    if kinds & {"sobol", "morris"}:
        yield "Indices have bootstrap intervals at 95 %."
    if any(row.get("coherence") for folder in folders for row in folder.sweep.rows):
        yield (
            "A formation is called coherent if no robot is lost, its error stays within half of what makes robots lose "
            "sight of each other, and Mann and Kendall’s test, corrected for autocorrelation, finds no upward trend "
            f"{references.cite('trend', 'autocorrelated')} in a run that is long enough to have shown one."
        )
