"""How pages look, of every kind that there is: in the dark, on a printed sheet, and to people who see fewer colours."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devs_robotics.experimental_frames.conformance.page import conformance_html
from devs_robotics.experimental_frames.conformance.records import Conformance, ConformanceTable, Finding
from devs_robotics.experimental_frames.convoy.paper_figures.figures import LOOKS
from devs_robotics.experimental_frames.convoy.paper_figures.page import files
from devs_robotics.experimental_frames.report.colours import DASHES, FAINT, MARKERS, PAPER, PUBLISHED, SERIES
from devs_robotics.experimental_frames.sweep_report.folders import read_folders
from devs_robotics.experimental_frames.sweep_report.page import sweep_report_html
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running.summary import summary
from tests.browser import asked
from tests.experimental_frames.convoy.paper_figures.runs import runs
from tests.experimental_frames.convoy.paper_figures.test_figures_page import made
from tests.experimental_frames.study.test_study_page import page as study_page
from tests.experimental_frames.study.test_study_page import study
from tests.experimental_frames.sweep_report.sweeps import grid, write

# colours

SEEN = {
    "as most people do": np.eye(3),
    "without green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "without red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
}
"""What becomes of linear red, green and blue (Machado, Oliveira & Fernandes, 2009)."""
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
APART = 20.0
"""Colours further apart than this (CIE 1976) are told apart in thin lines and small marks."""

Values = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def linear(colour: str) -> Values:
    """Linear red, green and blue of a colour as in "#1f2933" or "rgb(31, 41, 51)"."""
    if colour.startswith("#"):
        parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    else:
        parts = [int(part) for part in re.findall(r"\d+", colour)[:3]]
    values = np.array(parts) / 255.0
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(values: Values) -> Values:
    """CIE L*, a* and b* of linear red, green and blue."""
    ratios = XYZ @ values / np.array([0.9505, 1.0, 1.089])
    roots = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16.0 / 116.0)
    return np.array([116.0 * roots[1] - 16.0, 500.0 * (roots[0] - roots[1]), 200.0 * (roots[1] - roots[2])])


def contrast(one: str, other: str) -> float:
    """Of two colours, from 1 to 21 (WCAG 2)."""
    darker, lighter = sorted(float((XYZ @ linear(colour))[1]) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("colours", [SERIES, (*(look[0] for look in LOOKS.values()), PUBLISHED)], ids=["all", "paper"])
def test_any_two_colours_of_one_picture_differ(colours: tuple[str, ...], sight: str) -> None:
    seen = [lab(np.clip(SEEN[sight] @ linear(colour), 0.0, 1.0)) for colour in colours]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > APART


def test_what_has_no_colour_on_paper_differs_by_its_marks_and_lines() -> None:
    assert len(set(MARKERS)) == len(set(DASHES)) == len(SERIES)
    assert "D" not in MARKERS  # which is what is published
    assert len({look[1] for look in LOOKS.values()}) == len({look[2] for look in LOOKS.values()}) == len(LOOKS)
    greys = [float(lab(linear(look[0]))[0]) for look in LOOKS.values()]
    assert min(abs(one - other) for one, other in combinations(greys, 2)) > 8.0


# pages


def coherence(values: Any, replicate: int) -> dict[str, Any]:
    """Metrics in all columns that a report shows at each point, as wide as they come."""
    names = "error_at_pose_changes_m error_at_completed_rounds_m convoy_speed_m_per_s adjustments_per_round"
    measured = dict.fromkeys(names.split(), 0.1234 + 0.001 * replicate)
    return {**measured, "robots_lost": 0, "coherence": ("coherent", "undecided", "not")[replicate % 3]}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One page of each kind."""
    folder = tmp_path_factory.mktemp("sweep")
    points = grid(noise__dnf=(0.1, 0.2), noise__anf=(0.08, 0.1), follower__correction=(0.1, 0.2))
    sweep = write(folder / "long name of a sweep", points, coherence)
    outcome = run(load("convoy", ["convoy.robots=5", "run.rounds=8"]))
    table = ConformanceTable(
        "times", ("robot", *["waits for its front"] * 7), tuple(("1", *["1234.5"] * 7) for _ in range(3))
    )
    done = Conformance("team", "a team", (Finding("3 robots, as it is", True, "1,234 messages"),), tables=(table,))
    return {
        "run": case_of(outcome.scenario).report(summary(outcome), outcome),
        "sweep": sweep_report_html(read_folders([sweep]), {"devs-robotics": "9.9"}, folder),
        "study": study_page(study()),
        "figures": str(files(made(runs(lambda noise, robots, seed: 13.0 + 0.1 * seed, seeds=3)))["index.html"]),
        "conformance": conformance_html(done),
    }


def test_figures_have_no_colours_but_those_of_the_style_sheet(pages: dict[str, str]) -> None:
    for name, page in pages.items():
        figures = re.findall(r"<svg.*?</svg>", page, flags=re.S)
        assert bool(figures) == (name != "conformance")
        for figure in figures:
            assert "var(--ink)" in figure
            assert not re.findall(r"(?:fill|stroke): (?!none|var\()[^;\"]*", figure)


def test_who_hears_a_page_hears_its_headings_in_order_and_what_each_number_is(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert re.findall(r"<h[1-6]", page)[:2] == ["<h1", "<h2"]
        assert set(re.findall(r"<h[2-6]", page)) == {"<h2"}
        assert page.count("<table>") == page.count("<thead>") > 0
        assert page.count("<th ") == len(re.findall(r'<th scope="(?:col|row)"', page))
        assert page.count("<svg ") == page.count('<svg role="img" aria-label="')
        assert page.count("<figure ") == page.count("<figcaption>")


DARK = """
  const colours = new Set();
  for (const element of document.querySelectorAll("figure svg :is(path, use, rect), main :not(svg, svg *)")) {
    const style = window.getComputedStyle(element);
    const drawn = element.closest("svg") ? [style.fill, style.stroke] : [style.color];
    if (!element.closest("defs, .verdict")) drawn.filter(one => one != "none").forEach(one => colours.add(one));
  }
  return {ground: window.getComputedStyle(document.body).backgroundColor, colours: [...colours]};
"""


@pytest.mark.parametrize("dark", [False, True])
def test_everything_can_be_seen_on_its_ground_light_and_dark(
    pages: dict[str, str], chromium: str, tmp_path: Path, dark: bool
) -> None:
    flags = ["--force-dark-mode", "--enable-features=WebContentsForceDark"] if dark else []
    for seen in asked(chromium, tmp_path, pages, DARK, *flags).values():
        ground = seen["ground"]
        assert contrast(ground, "#ffffff" if dark else "#000000") > 12.0
        hidden = [colour for colour in seen["colours"] if contrast(colour, ground) < 3.0]
        faint = {PAPER, FAINT} if not dark else {ground, "#76828f"}
        assert {tuple(linear(colour)) for colour in hidden} <= {tuple(linear(colour)) for colour in faint}


CUT = """
  const wide = [...document.querySelectorAll("main, figure, .scroll, table")];
  return wide.filter(one => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > SHEET + 1)
    .map(one => one.tagName + " " + one.textContent.trim().slice(0, 40));
"""


def test_a_printed_sheet_cuts_nothing(pages: dict[str, str], chromium: str, tmp_path: Path) -> None:
    """A4 with margins of 1 cm, 190 mm at 96 dots per inch."""
    sheet = round(190.0 / 25.4 * 96.0)
    printed = {name: page.replace("@media print", "@media all") for name, page in pages.items()}
    assert all("@media all" in page for page in printed.values())
    cut = asked(chromium, tmp_path, printed, CUT.replace("SHEET", str(sheet)), width=sheet)
    assert cut == {name: [] for name in pages}
    screen = asked(chromium, tmp_path, pages, CUT.replace("SHEET", str(sheet)), width=sheet)
    assert any(screen.values())  # or there is nothing to be cut
