from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from devs_robotics.experimental_frames.convoy.paper_figures.error_series import ends
from devs_robotics.experimental_frames.convoy.paper_figures.page import PaperFigureData, files, lines
from devs_robotics.experimental_frames.convoy.paper_figures.runs import PaperRun, Snapshot
from devs_robotics.experimental_frames.convoy.published import AVERAGE_ERROR, ROBOTS
from tests.experimental_frames.convoy.paper_figures.runs import SETTINGS, STRETCHES, run, runs

SCENARIO: dict[str, Any] = {
    "field": {"width": 30.0, "height": 30.0},
    "robot": {"radius": 0.1},
    "leader": {"step": 0.2},
    "convoy": {"distance": 0.5},
}


def made(some: list[PaperRun]) -> PaperFigureData:
    shot = Snapshot(3, 12.0, ((15.0, 15.0, 0.0), (14.5, 15.0, 0.1)), (((14.0, 15.0), (15.0, 15.0)), ((14.5, 15.0),)))
    return PaperFigureData(
        tuple(some), ends(ROBOTS, STRETCHES), 60.0, (shot, shot), SCENARIO, ("leader.step=0.2",), 3, {"numpy": "1"}
    )


def table(content: str | bytes) -> list[dict[str, str]]:
    assert isinstance(content, str)
    return list(csv.DictReader(io.StringIO(content)))


@pytest.fixture(scope="module")
def contents() -> dict[str, str | bytes]:
    return files(made(runs(lambda noise, robots, seed: 13.0 + 0.01 * robots + 0.1 * seed, seeds=3)))


def test_every_figure_is_there_as_svg_png_and_on_the_page(contents: dict[str, str | bytes]) -> None:
    for number in (8, 9, 10, 11):
        assert str(contents[f"figure-{number}.svg"]).startswith("<svg")
        assert bytes(contents[f"figure-{number}.png"])[:4] == b"\x89PNG"  # type: ignore[arg-type]
        assert f"<h2>Figure {number}</h2>" in str(contents["index.html"])
    assert list(contents)[-1] == "index.html"


def test_the_tables_have_what_is_drawn_in_metres_and_published_values_only_where_there_are_any(
    contents: dict[str, str | bytes],
) -> None:
    averages = table(contents["figures-10-11-averages.csv"])
    assert len(averages) == len(SETTINGS)
    for row in averages:
        assert float(row["mean_m"]) == pytest.approx(0.132 + 0.0001 * float(row["robots"]))
        assert float(row["low_m"]) < float(row["mean_m"]) < float(row["high_m"])
        known = AVERAGE_ERROR[float(row["dnf"]), float(row["anf"])] / 100 if row["robots"] == "30" else None
        assert row["published_m"] == ("" if known is None else repr(round(known, 6)))
    assert len(table(contents["figures-9-10.csv"])) == 3 * STRETCHES
    assert len(table(contents["runs.csv"])) == 3 * len(SETTINGS)
    assert [row["robot"] for row in table(contents["figure-8.csv"])] == ["1", "2", "1", "2"]


def test_runs_that_do_not_count_are_told_and_figures_without_any_still_drawn() -> None:
    lost = [run(noise, robots, 1, 13.0, ended="rejected") for noise, robots in SETTINGS]
    contents = files(made(lost))
    assert str(contents["index.html"]).count("because") == len(SETTINGS)
    assert "0 of 6 runs kept the formation" in str(contents["index.html"])
    assert not lines(lost)
