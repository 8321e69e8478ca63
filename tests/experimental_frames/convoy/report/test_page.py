"""The report: one page that needs nothing else, looked at with a real browser."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.report.thinning import thinned
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running.summary import summary


def outcome(*settings: str) -> ConvoyOutcome:
    return run(load("convoy", ["convoy.robots=5", "run.rounds=20", *settings]))


def page(result: ConvoyOutcome) -> str:
    return case_of(result.scenario).report(summary(result), result)


@pytest.fixture(scope="module")
def report() -> str:
    obstacles = [
        '{shape="box", x=3, y=4, width=1, height=2, heading="30 deg"}',
        '{shape="circle", x=8, y=4, radius=1}',
        '{shape="polygon", corners=[[20, 2], [22, 2], [21, 5]]}',
    ]
    return page(outcome(f"field.obstacles=[{', '.join(obstacles)}]", "title=A <b>bold</b> & bare title"))


class Links(HTMLParser):
    """Collects everything that a page asks a browser to fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = ("src", "href", "xlink:href", "data")
        self.fetched += [value for name, value in attributes if name in names and value and not value.startswith("#")]
        assert tag not in ("script", "link", "iframe", "object")


def test_the_page_asks_for_nothing_from_outside(report: str) -> None:
    links = Links()
    links.feed(report)
    assert links.fetched == []
    assert "@import" not in report
    assert not re.search(r"url\((?!#)", report)


def test_texts_from_the_scenario_are_texts_in_the_page(report: str) -> None:
    assert "A &lt;b&gt;bold&lt;/b&gt; &amp; bare title" in report
    assert "<b>bold" not in report


def test_the_top_answers_first_whether_the_formation_was_kept(report: str) -> None:
    top = report.partition("<h2>")[0]
    assert top.index("The formation: ") < top.index(">accepted<") < top.index("<b>Stage fast</b>")
    assert re.search(r'<div class="tile"><b>(coherent|undecided|not)</b><span>formation coherence</span>', top)
    assert "angle noise factor, ANF" in top


def test_the_top_tells_the_stage(report: str) -> None:
    top = report.partition("<h2>")[0]
    assert "<b>Stage fast</b>: as fast as its events allow; every robot is virtual." in top


def test_a_browser_shows_the_whole_page(report: str, chromium: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report)
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    command = [chromium, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    dom = result.stdout
    assert dom.count("<svg") == 3
    headings = re.findall(r"<h2>(.*?)</h2>", dom)
    assert headings == ["Position error over time", "Top view", "Adjustments", "Metrics"]
    assert '<span class="verdict accepted">accepted</span>' in dom
    assert dom.rstrip().endswith("</html>")


@pytest.mark.parametrize(("noise", "published"), [((0.04, 0.04), "35.1"), ((0.2, 0.1), "36.6"), ((0.2, 0.11), None)])
def test_the_published_value_stands_beside_ours_where_the_settings_are_the_papers(
    noise: tuple[float, float], published: str | None
) -> None:
    settings = [f"noise.dnf={noise[0]}", f"noise.anf={noise[1]}", "convoy.robots=30", "run.rounds=2"]
    html = page(outcome(*settings))
    assert (published is not None) == ("The published value is the average" in html)
    if published is not None:
        assert f">{published}</td>" in html


def test_a_run_that_measured_nothing_still_has_a_report() -> None:
    result = run(load("convoy", ["run.duration=0.1", "convoy.robots=2"]))
    html = page(result)
    assert "the duration of 0.1 s is over" in html
    assert re.search(r"\bnan\b", html, flags=re.I) is None


def test_the_same_run_has_the_same_figures() -> None:
    figures = [re.findall(r"<svg.*?</svg>", page(outcome()), flags=re.S) for _ in range(2)]
    assert figures[0] == figures[1]


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=400), st.integers(4, 50))
def test_a_thinned_series_keeps_its_extremes_and_its_order(values: list[float], most: int) -> None:
    times, series = np.arange(float(len(values))), np.array(values)
    thin_times, thin = thinned(times, series, most)
    assert len(thin) <= max(most, 2)
    assert (np.diff(thin_times) > 0).all()
    assert thin.max() == series.max()
    assert thin.min() == series.min()
