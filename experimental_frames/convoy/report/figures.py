"""The figures of a convoy report, as SVG texts to stand inside a page."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.report.colours import ACCENT, FAINT, INK
from devs_robotics.experimental_frames.report.drawing import STYLE, published_line, svg
from devs_robotics.experimental_frames.report.field_view import FieldView
from devs_robotics.experimental_frames.report.field_view import top_view as drawn_from_above
from devs_robotics.experimental_frames.report.thinning import thinned

MOST_TRACK_POINTS = 20_000
ROBOTS_ZOOMED_IN = 30


def error_over_time(
    formation: Formation, transient_end: float | None, mean_cm: float | None, published_cm: float | None
) -> str:
    """Position error E against time, cf. Fig. 9 of Hu & Zeigler, with the transient shaded."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.4), layout="constrained")
        axes = figure.add_subplot()
        times, errors = thinned(
            formation.times, formation.error_sums, shown=lambda sums: 100.0 * sums / len(formation.poses)
        )
        axes.plot(times, errors, color=ACCENT, linewidth=0.9, drawstyle="steps-post", label="E(t), all robots")
        if transient_end is not None and transient_end > 0:
            axes.axvspan(0, transient_end, color=FAINT, alpha=0.2, linewidth=0, label="transient, left out")
        if mean_cm is not None:
            axes.axhline(mean_cm, color=INK, linewidth=1.2, label=f"mean {mean_cm:.1f} cm")
        axes.set(xlabel="simulated time (s)", ylabel="position error E (cm)")
        axes.set_xlim(0, max(1.0, float(times[-1]) if len(times) else 1.0))
        axes.set_ylim(0, 1.05 * max(errors, default=0.0) or 1.0)
        if published_cm is not None:
            published_line(axes, published_cm, f"published mean {published_cm:g}")
        axes.legend(frameon=False, ncols=4, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9)
        return svg(figure, "Position error against simulated time")


def top_view(formation: Formation, view: FieldView) -> str:
    """The field with the robots and their tracks, cf. Fig. 8 of Hu & Zeigler; and the first robots zoomed in."""
    title = "the leader (thick outline) and who follows, at the end"
    return drawn_from_above(view, formation.poses[:ROBOTS_ZOOMED_IN], title)


def seen_from_above(formation: Formation, scenario: Mapping[str, Any], real: Collection[int]) -> FieldView:
    """The field at the end of a run, with the tracks from round to round; robots of the numbers `real` are real."""
    field = scenario["field"]
    return FieldView(
        field["width"],
        field["height"],
        scenario["robot"]["radius"],
        formation.poses,
        _tracks(formation),
        field["obstacles"],
        marked=1,
        real=real,
        walled=field["walls"],
    )


def adjustments(per_robot: list[int]) -> str:
    """Adjustments of each robot in the whole run."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 2.6), layout="constrained")
        axes = figure.add_subplot()
        robots = np.arange(1, len(per_robot) + 1)
        if len(per_robot) <= 100:
            axes.bar(robots, per_robot, color=ACCENT, width=0.7)
        else:
            axes.fill_between(robots, per_robot, color=ACCENT, step="mid", linewidth=0)
        axes.set(xlabel="robot (1 is the leader)", ylabel="adjustments", xlim=(0.3, len(per_robot) + 0.7))
        axes.set_ylim(0, max(1.0, 1.05 * max(per_robot)))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator("auto", integer=True))
        return svg(figure, "Adjustments of each robot")


def _tracks(formation: Formation) -> list[list[tuple[float, float]]]:
    """Where the robots were from round to round, thinned where there are very many rounds."""
    tracks: list[list[tuple[float, float]]] = [[] for _ in formation.poses]
    every = 1 + len(formation.rows) // MOST_TRACK_POINTS
    for block in formation.rows.blocks():
        for robot, x, y in block[block["round"] % every == 0][["robot", "x_m", "y_m"]].tolist():
            tracks[robot - 1].append((x, y))
    return tracks
