"""What figures are drawn with."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.report.drawing import ROOM, published_line


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
