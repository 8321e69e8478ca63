"""All papers on one page: what is published, ours, the interval, a verdict in a word, and why not where not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.convoy.paper_figures import page
from devs_robotics.experimental_frames.epuck2.comparing import compared as compared_e_puck2
from devs_robotics.experimental_frames.papers import BADGES, QUICK, PaperAgain, PaperResult, papers_page
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.transport.comparing import WHY, compared
from devs_robotics.experimental_frames.transport.published import MODES, ROWS
from devs_robotics.scenarios import papers
from devs_robotics.scenarios.convoy import paper as convoy_paper
from devs_robotics.scenarios.convoy import paper_figures
from devs_robotics.scenarios.epuck2_paper import result
from tests.epuck2_pictures import now
from tests.experimental_frames.convoy.paper_figures.runs import runs as convoy_runs
from tests.experimental_frames.convoy.paper_figures.test_figures_page import made

Frames = dict[str, list[dict[str, dict[str, float | str]]]]


def runs(values: list[float], items: float = 100.0) -> Frames:
    """Runs in which each metric has these values, and so many items are delivered."""
    frames: list[dict[str, dict[str, float | str]]] = []
    for value in values:
        metrics: dict[str, float | str] = {row.key: value / row.factor for row in ROWS}
        frames.append({"paths": {}, "transport": {**metrics, "deliveries": items, "returns": items}})
    return dict.fromkeys(MODES, frames)


@given(st.floats(0.0, 1e4), st.floats(0.01, 10.0))
def test_a_published_number_among_ours_agrees_and_one_far_from_them_differs_and_it_is_said_why(
    middle: float, apart: float
) -> None:
    for found in compared(runs([middle - apart, middle, middle + apart]), 100):
        numbers = [float(number) for number in re.findall(r"[\d.]+", found.published)]
        if not numbers:
            assert (found.verdict, found.why) == ("undecided", "No number is published.")
        elif any(abs(number - middle) <= 4.9 * apart for number in numbers):  # 4.303 sqrt(1 + 1/3) = 4.97
            assert found.verdict == "agrees"
        elif all(abs(number - middle) > 5.0 * apart + 1.0 for number in numbers):
            assert found.verdict == "differs"
            assert found.why


def test_few_runs_and_runs_that_were_over_before_decide_nothing() -> None:
    assert {found.verdict for found in compared(runs([70.0, 71.0]), 100)} == {"undecided"}
    cut = [found for found in compared(runs([70.0, 70.0, 70.0], items=60.0), 200) if "deliveries" in found.what]
    assert [(found.ours, found.verdict) for found in cut] == [("more than 70.0", "undecided")] * 3


def test_each_row_that_is_published_has_a_reason_for_where_it_differs() -> None:
    assert {row.key for row in ROWS if any(row.paper.get(mode) for mode in MODES)} <= set(WHY)


def test_all_published_values_of_the_e_puck2_are_there() -> None:
    found = [result(row) for row in compared_e_puck2(now())]
    assert len(found) >= 45
    assert all(each.verdict in BADGES for each in found)
    assert all(each.why for each in found if each.verdict == "differs")


def test_the_page_has_all_of_it() -> None:
    results = [PaperResult("figure 1", "a < b", "1", "2", "1.9 to 2.1", "differs", "why not")]
    html = rendered(papers_page([PaperAgain("A paper", results, {"its figures": "a/index.html"}, 3.0)], {"x": "1"}))
    for text in ("figure 1", "a &lt; b", "1.9 to 2.1", "differs", "why not", 'href="a/index.html"', "It took 3 s"):
        assert text in html


def test_every_case_that_has_figures_brings_its_paper() -> None:
    assert {"convoy", "epuck2", "pera", "transport"} <= set(papers.shipped_papers())


def test_the_command_makes_pages_that_lead_to_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = []

    def measured(seeds: int, rounds: int, workers: int) -> page.PaperFigureData:
        wanted.append((seeds, rounds))
        return made(convoy_runs(lambda noise, robots, seed: 13.0 + 0.1 * seed, seeds=seeds))

    monkeypatch.setattr(paper_figures, "measured", measured)
    monkeypatch.setattr(page, "_figures", lambda made: {})  # drawn in tests of their own
    assert papers.main(["--quick", "--only", "convoy", "--out", str(tmp_path)]) == 0
    html = (tmp_path / papers.PAGE).read_text()
    assert "nothing is to be concluded" in html
    (led_to,) = re.findall(r'href="([^"]+)"', html)
    assert (tmp_path / led_to).exists()
    assert wanted == [(convoy_paper.SEEDS, convoy_paper.ROUNDS)]
    assert "average E at set 1, 30 robots" in html
    said = capsys.readouterr().out
    assert re.search(r"figures 8 to 11: .*differs \d", said)
    assert said.splitlines()[-2] == QUICK


def test_a_paper_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert papers.main(["--only", "nobody", "--out", str(tmp_path)]) == 2
    assert "there is no paper of 'nobody': choose from convoy, epuck2," in capsys.readouterr().err
