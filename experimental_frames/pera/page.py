"""The page of the four experiments: what was published beside what was measured, with figures and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from devs_robotics.experimental_frames.pera import figures
from devs_robotics.experimental_frames.pera.judging import KINDS, PAIRS, counts, delays, judged, rate, told, trips
from devs_robotics.experimental_frames.pera.results import Results
from devs_robotics.experimental_frames.report.markup import badge, versions_line
from devs_robotics.experimental_frames.report.rendering import fixed, rendered
from devs_robotics.experimental_frames.report.sections import (
    Cell,
    Drawing,
    Page,
    PageTable,
    Section,
    number_cells,
)
from devs_robotics.experimental_frames.statistics.estimates import mean_of

BADGES = {"holds": "", "does not hold": "rejected", "not decided": "interrupted"}
"""Classes of the style sheet."""

WALKS = (
    "A collision of a pair begins when the distance of the centres falls to the sum of the radii, where a contact "
    "stops the bodies, and is over one centimetre later. All robots walk at random alike."
)
CLOCKS = (
    "The world: from the packet of a question to that of its answer, in one process, without a link. A bare "
    "client: at the broker, one question at a time. Programs: in simulated time, with their sleeps of 254 ms "
    "(virtual) and 300 ms (real), which are put in; the published library sleeps 350 ms by now. The three are "
    "never mixed."
)
CALLS = (
    "A request to all near, and the acknowledgement of each that hears it. Bare clients answer at once; virtual "
    "robots' programs look at messages once a second, and real ones' blink for 200 ms at each. A stock mosquitto keeps "
    "a small packet back until the one before has been acknowledged, for up to 40 ms, which bursts pay for."
)
UNTOLD = (
    "The values of the published figures 9, 11 and 12 are in pictures alone, so that only what the text says stands "
    "here."
)

BOXES = (
    "Boxes have the middle half of the readings, with a line at the median; whiskers reach to the last one within 1.5 "
    "heights of the box, and what lies beyond is not drawn."
)


def files(results: Results, versions: Mapping[str, str]) -> dict[str, str]:
    """Contents of the page, by name."""
    return {"index.html": rendered(_page(results, versions))}


def lines(results: Results) -> list[str]:
    """The comparison, to be read on a terminal."""
    return [
        f"experiment {row.experiment}, {row.what}: published: {row.published}; ours: {row.ours}: {row.verdict}"
        for row in judged(results)
    ]


def _page(results: Results, versions: Mapping[str, str]) -> Page:
    limits = [UNTOLD]
    if results.quick:
        limits.insert(0, "This was measured briefly: nothing is to be concluded from it.")
    return Page(
        title="Karunarathna et al. (2023): experiments in mixed reality",
        lead="Four experiments with real and virtual robots in one arena, run again. Real robots are stand-ins, or "
        "models with their inertia; what they see of each other goes through one broker, and one camera above them.",
        limits=tuple(limits),
        sections=(_statements(results), *_sections(results)),
        footer=(
            versions_line(versions),
            f"Measured on {results.machine}{f', with {results.broker}' if results.broker else ''}.",
        ),
    )


def _statements(results: Results) -> Section:
    rows = [
        (
            Cell(str(row.experiment)),
            Cell(row.what),
            Cell(row.published),
            Cell(row.ours, row.note),
            Cell(badge(row.verdict, BADGES[row.verdict])),
        )
        for row in judged(results)
    ]
    note = (
        "An order holds where the 95 % intervals do not meet, and does not hold where they say the contrary. Delays "
        "are about the same where they differ by no more than 25 ms, a tenth of the published ones."
    )
    heads = ("experiment", "what", "published", "ours, 95 % interval", "verdict")
    return Section("Which published statements hold", tables=(PageTable(heads, tuple(rows), note),))


def _sections(results: Results) -> Iterator[Section]:
    if results.walks:
        yield Section(
            "1: collisions by pair of realities",
            paragraphs=(WALKS,),
            drawings=(Drawing((figures.collisions(results.walks),), "Means and their 95 % intervals."),),
            tables=(_walks_table(results),),
        )
    if results.delays:
        yield Section(
            "2: delays of sensing, by three clocks",
            paragraphs=(CLOCKS,),
            drawings=(Drawing((figures.sensing(results.delays),), BOXES),),
            tables=(_delays_table(results),),
        )
    if results.round_trips:
        yield Section(
            "3: round trips by ordered pair of realities",
            paragraphs=(CALLS,),
            drawings=(
                Drawing((figures.round_trips(results.round_trips),), "Quartiles. From whom, to whom, and back."),
            ),
            tables=(_trips_table(results),),
        )
    if results.loads:
        yield Section(
            "4: scalability, in open loop",
            paragraphs=(
                "Each robot asks at its times, whether it was answered or not, so that a slow server cannot hide.",
            ),
            drawings=(Drawing((figures.scalability(results.loads),), "Where it ends is part of the result."),),
            tables=(_loads_table(results),),
        )


def _walks_table(results: Results) -> PageTable:
    rows = []
    for setting in dict.fromkeys((run.threshold, run.period, run.delay) for run in results.walks):
        runs = [run for run in results.walks if (run.threshold, run.period, run.delay) == setting]
        name = " ".join(map(str, setting))
        paper = [told(counts(runs[:3], kind, f"three {name} {kind}"), digits=1) for kind in range(len(KINDS))]
        rates = [told(rate(runs, kind, f"all {name} {kind}")) for kind in range(len(KINDS))]
        places = (100.0 * setting[0], 1000.0 * setting[1], 1000.0 * setting[2])
        rows.append(number_cells([*(fixed(each, 0) for each in places), str(len(runs)), *paper, *rates]))
    heads = (
        "threshold (cm)",
        "camera's period (ms)",
        "its delay (ms)",
        "runs",
        *(f"{kind}, count of three runs" for kind in KINDS),
        *(f"{kind} per pair and minute" for kind in KINDS),
    )
    return PageTable(heads, tuple(rows), folded="All settings")


def _delays_table(results: Results) -> PageTable:
    rows = []
    for clock in ("world", "client", "program"):
        for reality in "RV":
            values = delays(results.delays, clock, reality)
            rows.append((Cell(clock), Cell(reality), *_numbers(values, f"{clock} {reality}")))
    return PageTable(("clock", "robot", "readings", "mean (ms)", "median (ms)", "95 % below (ms)"), tuple(rows))


def _trips_table(results: Results) -> PageTable:
    rows = []
    for clock in ("client", "program"):
        for pair in PAIRS:
            values = trips(results.round_trips, clock, pair)
            rows.append((Cell(clock), Cell(f"{pair[0]} to {pair[1]}"), *_numbers(values, f"{clock} {pair}")))
    return PageTable(("clock", "pair", "messages", "mean (ms)", "median (ms)", "95 % below (ms)"), tuple(rows))


def _numbers(values: Sequence[float], name: str) -> tuple[Cell, ...]:
    ordered = sorted(values)
    shares = [fixed(1000.0 * ordered[int(share * (len(ordered) - 1))], 2) if ordered else "–" for share in (0.5, 0.95)]
    return number_cells((str(len(values)), told(mean_of(values, f"table {name}", signed=False), 1000.0), *shares))


def _loads_table(results: Results) -> PageTable:
    rows = [
        number_cells(
            (
                str(each.robots),
                f"{each.rate:g}",
                str(each.asked),
                str(each.asked - each.answered),
                *(fixed(1000.0 * value, 1) for value in (each.p50, each.p95, each.p99)),
                fixed(100.0 * each.cpu, 0),
            )
        )
        for each in results.loads
    ]
    heads = ("robots", "each asks (Hz)", "asked", "lost", "p50 (ms)", "p95 (ms)", "p99 (ms)", "server (% of a core)")
    return PageTable(heads, tuple(rows))
