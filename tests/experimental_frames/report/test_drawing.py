"""What figures are drawn with."""

from __future__ import annotations

import re
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.report.drawing import ROOM, STYLE, published_line, svg


@pytest.mark.parametrize(("value", "inside"), [(5.0, True), (10.0 * ROOM, True), (35.7, False), (-1.0, False)])
def test_a_published_value_never_squeezes_what_was_measured(value: float, inside: bool) -> None:
    axes = Figure().subplots()
    axes.set_ylim(0.0, 10.0)
    published_line(axes, value, "published")
    low, high = axes.get_ylim()
    assert low == 0.0
    assert high <= 10.0 * ROOM + 0.5
    assert (low <= value <= high) == inside
    (said,) = axes.get_legend_handles_labels()[1]
    assert said.startswith("published")
    assert ("picture" in said) != inside


def test_long_tracks_take_half_of_the_room_and_look_the_same() -> None:
    figure = Figure(figsize=(4, 4))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    places = np.random.default_rng(1).uniform(0.0, 1.0, (500, 2))
    axes.add_collection(LineCollection([places.tolist()]))
    axes.axis("off")
    axes.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    (path,) = [d for d in re.findall(r'<path d="([^"]*)"', svg(figure, "tracks")) if len(d) > 2000]
    drawn = np.array([float(number) for number in re.findall(r"-?[\d.]+", path)]).reshape(-1, 2)
    expected = np.column_stack([288.0 * places[:, 0], 288.0 * (1.0 - places[:, 1])])
    apart = np.abs(drawn[:, None] - expected).max(axis=2)  # the same places; the figure may draw some twice
    assert apart.min(axis=0).max() <= 0.0051
    assert apart.min(axis=1).max() <= 0.0051
    assert len(path) < 15 * len(places)


def test_what_a_user_has_set_for_matplotlib_changes_no_figure() -> None:
    def drawn() -> str:
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(3, 2))
            figure.subplots().plot([1, 2], [3, 5], label="a way")
            figure.legend(title="ways")
            return svg(figure, "ways")

    before = drawn()
    users: Any = {
        "text.usetex": True,
        "font.size": 40,
        "figure.facecolor": "red",
        "savefig.dpi": 10,
        "lines.marker": "o",
    }
    with mpl.rc_context(users):
        assert drawn() == before
