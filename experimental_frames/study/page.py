"""The report of a study: one page with everything in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from markupsafe import Markup

from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.markup import badge, below, code, command, link, marked, versions_line
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.report.sections import Cell, Page, PageTable, Section, Tile, drawn, number_cells
from devs_robotics.experimental_frames.report.settings import Provenance, settings_section
from devs_robotics.experimental_frames.statistics.estimates import MANY, RESAMPLES, Estimate
from devs_robotics.experimental_frames.study import figures
from devs_robotics.experimental_frames.study.comparing import PairedReading, QuantityRow, too_few
from devs_robotics.experimental_frames.study.continuity_section import continuity_section
from devs_robotics.experimental_frames.study.reasons import reasons_section
from devs_robotics.experimental_frames.study.records import Study
from devs_robotics.experimental_frames.study.verdict import continuity_holds, continuity_verdict

ENDINGS = ("accepted", "rejected", "failed", "broken off", "interrupted")

FEW = {
    1: "One seed has no interval: it says nothing of other seeds.",
    2: "Two seeds have no interval: it would be wider than it says anything.",
}
"""By the number of seeds."""


def study_html(study: Study, rows: list[QuantityRow]) -> str:
    """A page for a study; it needs nothing else.

    Args:
        study: finished, or as far as it came
        rows: of its comparison
    """
    title = study.title or "A study"
    page = Page(
        title=title,
        tab=f"Study: {title}",
        lead=_lead(study),
        top=tuple(filter(None, [Markup(" ").join(_verdicts(study))])),
        tiles=tuple(_tiles(study, rows)),
        sections=(
            _what_was_run(study),
            Section("Metrics in each stage", tables=(_means_table(study, rows),)),
            *([_differences(study, rows), reasons_section(study)] if study.others else []),
            *_figures(study, rows),
            continuity_section(study),
            *_runs_to_look_at(study),
            settings_section(
                study.scenario,
                Provenance(study.command),
                marked("Metres, radians and seconds. {} is replaced by the study’s seeds.", code("run.seed")),
            ),
        ),
        footer=(
            marked("Scenario {}. {}", code(study.scenario_sha256), versions_line(study.versions)),
            marked(
                "After the incremental study process of X. Hu and B. P. Zeigler, sections 3.2 and 4.3. Data: {}, {} "
                "(one row per run and quantity, in SI units), {}.",
                *map(code, ("study.json", "runs.csv", "runs/")),
            ),
        ),
    )
    return rendered(page)


def seeds_text(seeds: tuple[int, ...]) -> str:
    """Seeds for people: ``seed 3``, ``seeds 1 to 10``, ``seeds 1, 2, 5``."""
    if len(seeds) == 1:
        return f"seed {seeds[0]}"
    if len(seeds) > 2 and seeds == tuple(range(seeds[0], seeds[0] + len(seeds))):
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"seeds {', '.join(map(str, seeds))}"


def estimate_text(estimate: Estimate, quantity: Metric, *, sign: bool = False) -> str:
    """A mean, or a dash where there is none."""
    return quantity.text(estimate.mean, sign=sign) if estimate.n else "–"


def interval_text(estimate: Estimate, quantity: Metric, *, sign: bool = False) -> str:
    """An interval, or nothing where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{quantity.text(estimate.low, sign=sign)} to {quantity.text(estimate.high, sign=sign)}"


def _lead(study: Study) -> str:
    stages = "stages" if len(study.stages) > 1 else "stage"
    rate = "" if study.rate is None else f", at {study.rate:g} simulated seconds per real second where there is a clock"
    pairs = " Runs with the same seed are compared with each other." if study.others else ""
    return f"A study of the {stages} {', '.join(study.stages)}, with {seeds_text(study.seeds)}{rate}.{pairs}"


def _verdicts(study: Study) -> Iterator[str]:
    planned, counted = _planned(study), _counted(study)
    if study.others:
        yield badge(continuity_verdict(study), *([] if continuity_holds(study) else ["rejected"]))
    if counted < planned:
        yield badge(f"{planned - counted} of {planned} runs do not count", "interrupted")
    if study.interrupted:
        yield marked("{} The user ended the study early.", badge("interrupted", "interrupted"))


def _planned(study: Study) -> int:
    return len(study.stages) * len(study.seeds)


def _counted(study: Study) -> int:
    return sum(run.counts for run in study.runs)


def _tiles(study: Study, rows: list[QuantityRow]) -> Iterator[Tile]:
    """The main metric in the reference; and the robot that is followed, compared with it."""
    yield Tile(f"{_counted(study)} of {_planned(study)}", "runs accepted; only these enter what follows")
    measure = _measure(study, rows)
    if measure is not None:
        yield Tile(_mean_text(measure, study.reference), f"{measure.quantity.title} in {study.reference}")
    headline, followed = _headline(study, rows), study.compared.followed
    if headline is None or followed is None:
        return
    stage, row, compared = headline
    who = f"robot {followed.robot}, the {followed.called}"
    yield Tile(_mean_text(row, stage), f"{followed.quantity} of {who}, in {stage}")
    interval = interval_text(compared.difference, row.quantity, sign=True)
    yield Tile(
        f"{estimate_text(compared.difference, row.quantity, sign=True)} {row.quantity.unit}",
        f"against {study.reference}: {compared.reading}{f' (95 % interval {interval})' if interval else ''}",
    )


def _measure(study: Study, rows: list[QuantityRow]) -> QuantityRow | None:
    """The metric that is told first, if there is one."""
    return next((row for row in rows if row.quantity.name == study.compared.measure), None)


def _headline(study: Study, rows: list[QuantityRow]) -> tuple[str, QuantityRow, PairedReading] | None:
    """The robot that is followed, in the loop or in the last stage, compared with the reference."""
    followed = study.compared.followed
    if not study.others or followed is None:
        return None
    stage = "loop" if "loop" in study.others else study.others[-1]
    (row,) = (row for row in rows if row.quantity.name == followed.metric)
    return stage, row, row.differences[stage]


def _mean_text(row: QuantityRow, stage: str) -> str:
    return f"{estimate_text(row.means[stage], row.quantity)} {row.quantity.unit}".rstrip()


def _what_was_run(study: Study) -> Section:
    rows = []
    for stage in study.stages:
        count = Counter(run.ended for run in study.runs if run.stage == stage)
        ended = number_cells(f"{count[ending]}" for ending in ENDINGS)
        rows.append((Cell(stage), *ended, Cell(below(_players(study, stage)) or "none")))
    note = marked(
        "Every run’s own report, with a replay of it, is in {}. A run that was not accepted has no part in means and "
        "differences, so these tell of runs that were accepted.",
        link("runs/", "runs/"),
    )
    return Section("What was run", tables=(PageTable(("stage", *ENDINGS, "real robots"), tuple(rows), note),))


def _players(study: Study, stage: str) -> list[str]:
    """Who played the real robots of a stage in any of its runs, those together that were played alike."""
    robots: dict[str, set[int]] = {}
    for run in study.runs:
        for robot, player in run.robots.items() if run.stage == stage else ():
            robots.setdefault(player, set()).add(robot)
    return [f"{numbered(some)}: {player}" for player, some in sorted(robots.items(), key=lambda item: min(item[1]))]


def _means_table(study: Study, rows: list[QuantityRow]) -> PageTable:
    seeds = len(study.seeds)
    head = "mean and 95 % interval" + (f"; n = {seeds} unless another is given" if seeds > 1 else "")
    cells = [
        (Cell(row.quantity.label), *(_mean_cell(row.means[stage], row.quantity, seeds) for stage in study.stages))
        for row in rows
    ]
    return PageTable((head, *study.stages), tuple(cells), FEW.get(seeds, ""))


def _mean_cell(mean: Estimate, quantity: Metric, seeds: int) -> Cell:
    interval = interval_text(mean, quantity) if mean.low != mean.high else ""
    runs = "" if mean.n == seeds else f"n = {mean.n}"
    text = marked("<b>{}</b>", estimate_text(mean, quantity))
    return Cell(text, ", ".join(part for part in (interval, runs) if part), number=True)


def _differences(study: Study, rows: list[QuantityRow]) -> Section:
    cells: list[tuple[Cell, ...]] = []
    few = _few_pairs(rows)
    for row in rows:
        label = [Cell(row.quantity.label, rows=len(row.differences))]
        for stage, compared in row.differences.items():
            difference = compared.difference
            numbers = (
                estimate_text(difference, row.quantity, sign=True),
                interval_text(difference, row.quantity, sign=True) or "none",
                f"{difference.n}",
            )
            reading = "not to be told from chance" if few and compared.reading == few else compared.reading
            told = (Cell(stage), *number_cells(numbers), Cell(reading))
            cells.append((*label, *told))
            label = []
    heads = ("quantity", "stage", "difference", "95 % interval", "pairs", "reading")
    bootstrap = f", or of {MANY} pairs or more a bootstrap’s (BCa, {RESAMPLES:,} resamples)"
    note = (
        "Each difference is the mean over the seeds of a run in the stage less the run with the same seed in "
        f"{study.reference}; the interval is Student’s{bootstrap if len(study.seeds) >= MANY else ''}. Even if no "
        f"stage differed, {0.05 * len(cells):.1f} of these {len(cells)} intervals would be expected to leave zero out "
        "by chance."
    )
    says = (f"{few[:1].upper()}{few[1:]}: run more seeds.",) if few else ()
    return Section(f"Differences to {study.reference}", says=says, tables=(PageTable(heads, tuple(cells), note),))


def _few_pairs(rows: list[QuantityRow]) -> str:
    """What so few pairs of runs allow, where that is the same for all quantities, to be said once; empty otherwise."""
    said = {too_few(compared.difference.n) for row in rows for compared in row.differences.values()}
    readings = {compared.reading for row in rows for compared in row.differences.values()}
    return next(iter(said)) if len(said) == 1 and said <= readings else ""


def _figures(study: Study, rows: list[QuantityRow]) -> Iterator[Section]:
    compared = study.compared
    followed, measure = compared.followed, _measure(study, rows)
    by_stage, stepwise = figures.by_stage(study, rows), figures.step_by_step(study)
    if by_stage:
        what = followed.quantity if followed is not None else "" if measure is None else measure.quantity.title
        caption = "Grey dots are single runs, in the order of their seeds; blue is their mean with its 95 % interval."
        if measure is not None and compared.caption:
            caption += f" {'Left: ' if followed else ''}{compared.caption}."
        if followed is not None:
            where = "Right: robot" if measure is not None else "Robot"
            caption += f" {where} {followed.robot} at each {followed.step} that it completed."
        yield drawn(what[:1].upper() + what[1:], by_stage, caption)
    if stepwise and followed is not None:
        none = "; one seed has none" if len(study.seeds) == 1 else ""
        yield drawn(
            f"The {followed.called}, {followed.step} by {followed.step}",
            stepwise,
            f"{followed.caption}: the mean over the seeds, and its 95 % interval{none}. Where robots are real, this is "
            "told of their counterparts in the environment model and, seen from outside by a tracking system, of "
            "themselves.",
        )
    late = figures.lateness(study)
    if late is not None:
        yield drawn(
            "Lateness",
            late,
            "How long after its time each event was handled, in simulated milliseconds: median, 95th and 99th "
            "percentile and maximum of each run, a dot each.",
        )


def _runs_to_look_at(study: Study) -> Iterator[Section]:
    """Those that do not count, and those with incidents."""
    out = [
        (
            *(Cell(run.stage), Cell(f"{run.seed}", number=True), Cell(badge(run.ended, run.ended))),
            *(Cell(run.reason), Cell(command(run.command))),
        )
        for run in study.runs
        if not run.counts
    ]
    if out:
        heads = ("stage", "seed", "ended", "why", "to see it again")
        yield Section("Runs that do not count", tables=(PageTable(heads, tuple(out)),))
    spoiled = [
        (
            *(Cell(run.stage), Cell(f"{run.seed}", number=True), Cell("; ".join(run.incidents))),
            Cell(link(run.folder, f"{run.folder}/report.html")),
        )
        for run in study.runs
        if run.counts and run.incidents
    ]
    if spoiled:
        said = "These runs were accepted and count; look at them before you trust what is unusual about them."
        table = PageTable(("stage", "seed", "what happened", "its own report"), tuple(spoiled))
        yield Section("Runs with incidents", paragraphs=(said,), tables=(table,))
