"""The figure of times: ours of many seeds, and the five of Table V."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.figure import Figure

from devs_robotics.experimental_frames.logistics.published import TABLE_V
from devs_robotics.experimental_frames.report.colours import ACCENT, PUBLISHED
from devs_robotics.experimental_frames.report.drawing import STYLE, svg


def times_figure(times: Sequence[float], ground: str | None = "white") -> str:
    """Shares of runs that are over by a time, and the published times as steps."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        axes = figure.subplots()
        for values, colour, label in (
            (sorted(times), ACCENT, f"ours, {len(times)} seeds"),
            (sorted(TABLE_V), PUBLISHED, "published, Table V"),
        ):
            shares = [number / len(values) for number in range(1, len(values) + 1)]
            axes.step([0.0, *values], [0.0, *shares], where="post", color=colour, label=label)
        axes.set(xlabel="time until all is done (s)", ylabel="share of runs", xlim=(0, None), ylim=(0, 1.02))
        axes.legend(frameon=False)
        return svg(figure, "Times until all is done: ours, and the published ones", ground)
