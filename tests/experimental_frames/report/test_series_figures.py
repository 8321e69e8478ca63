"""Figures of what was measured over time."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Section
from devs_robotics.experimental_frames.report.series_figures import MOST_PANELS, over_time, series_sections

SHARE = Metric("share", "share of the field covered", "%", 100.0)
FILES = {"coverage": "coverage.csv", "empty": "empty.csv"}
Table = dict[str, list[float]]


def section(**tables: Table) -> Section | None:
    return next(series_sections(tables, {"coverage.share": SHARE}, FILES), None)


def test_a_series_that_is_a_metric_is_drawn_in_its_words_and_others_by_their_names() -> None:
    found = section(coverage={"time_s": [0.0, 1.0, 2.0], "share": [0.1, nan, 0.2], "gaps": [nan, 1.0, 2.0]})
    assert found is not None
    (drawing,) = found.drawings
    assert "coverage over simulated time; the numbers are in coverage.csv." in drawing.caption
    assert "<!-- share of the field covered (%) -->" in drawing.panels[0]
    assert "<!-- gaps -->" in drawing.panels[0]
    assert "<!-- 20" in drawing.panels[0]  # per cent


def test_a_value_holds_until_the_end_while_others_change(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[float]] = []
    plot = Axes.plot

    def kept(axes: Axes, *values: Any, **how: Any) -> Any:
        drawn.append([*values[0]])
        return plot(axes, *values, **how)

    monkeypatch.setattr(Axes, "plot", kept)
    section(coverage={"time_s": [0.0, 1.0, 9.0], "share": [0.1, 0.2, nan], "gaps": [0.0, 1.0, 2.0]})
    assert [times[-1] for times in drawn] == [9.0, 9.0]
    drawn.clear()
    over_time("coverage", np.array([0.0, 1.0]), {"share": [0.1, 0.2]}, {}, end=300.0)
    assert drawn == [[0.0, 1.0, 300.0]]  # and until the run was over


@pytest.mark.parametrize("table", [{"time_s": []}, {"time_s": [1.0]}, {"time_s": [], "share": []}])
def test_where_nothing_was_measured_over_time_there_is_no_figure(table: Table) -> None:
    assert section(coverage=table) is None
    assert section() is None


def test_a_log_of_what_single_robots_did_is_no_series() -> None:
    assert section(coverage={"time_s": [0.0, 1.0], "robot": [3, 1], "number": [1, 2]}) is None


def test_of_many_series_the_first_are_drawn() -> None:
    many = {f"s{number}": [0.0, 1.0] for number in range(MOST_PANELS + 3)}
    found = section(coverage={"time_s": [0.0, 1.0], **many})
    assert found is not None
    assert found.drawings[0].caption.startswith(f"The first {MOST_PANELS} of {MOST_PANELS + 3} series of coverage over")
    assert f"<!-- s{MOST_PANELS} -->" not in found.drawings[0].panels[0]


@settings(max_examples=8)
@given(st.lists(st.floats(-1e9, 1e9) | st.just(nan), min_size=1, max_size=30))
def test_whatever_the_values_there_is_a_figure(values: list[float]) -> None:
    found = section(coverage={"time_s": [0.5 * number for number in range(len(values))], "share": values})
    assert found is not None
    assert found.drawings[0].panels[0].startswith("<svg")


@pytest.mark.parametrize("values", [[0.0, nan, nan], [0.0, 1.0, 2.0], [0.0, 0.0, 0.0]])
def test_counts_have_no_fractions_and_one_value_has_a_line(
    values: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Axes] = []
    plot = Axes.plot

    def kept(axes: Axes, *values: Any, **how: Any) -> Any:
        drawn.append(axes)
        return plot(axes, *values, **how)

    monkeypatch.setattr(Axes, "plot", kept)
    section(coverage={"time_s": [0.0, 1.0, 9.0], "docked": values})
    (axes,) = drawn
    assert all(tick == round(tick) for tick in axes.get_yticks())
    (line,) = axes.lines
    assert (line.get_xdata()[0], line.get_xdata()[-1]) == (0.0, 9.0)  # type: ignore[index]
