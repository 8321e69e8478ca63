"""One moment of a recording as a figure for papers: PNG, SVG or PDF."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon
from matplotlib.patheffects import withStroke

from devs_robotics.view.export.drawing import PAPER, READ, Colour, Dash, Moments, Piece, Round, Way, moving, standing
from devs_robotics.view.export.extent import Extent, shown
from devs_robotics.view.export.options import Options, Span, windows_of
from devs_robotics.view.export.raster import WIDE, followed

INCHES = 4.5
"""Width of one picture of the field, for two columns of a paper when there are two."""
POINTS = 0.75
"""Of a line that is one pixel wide."""
FORMATS = ("png", "svg", "pdf")
PLAIN: Mapping[str, Mapping[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What would differ from time to time, or from version to version, is left out."""
STYLES: Mapping[Dash, Any] = {"": "-", "dashed": (0, (3.0, 2.0)), "dotted": (0, (1.0, 1.5))}


def figure(moments: Moments, span: Span, options: Options, kind: str, style: Any) -> bytes:
    """The moment at the beginning of what is asked for, in the ink of reports.

    Args:
        moments: of the recording
        span: of what is shown, which says how near it is looked at
        options: size in pixels, and what is seen
        kind: one of `FORMATS`
        style: of matplotlib
    """
    time = span.begin
    robot = followed(moments, options.follow)
    windows = windows_of(moments.scene, options.windows)
    box = shown(moments.scene, moments.posing, span.times, robot)
    poses, marks = moments.posing.at(time), moments.marks(time)
    if robot is not None and poses[robot.slot, 0] == poses[robot.slot, 0]:
        box = box.around(float(poses[robot.slot, 0]), float(poses[robot.slot, 1]))
    beside = len(windows) == 1 or box.width <= WIDE * box.height
    rows, columns = (1, len(windows)) if beside else (len(windows), 1)
    tall = INCHES * box.height / box.width + 0.6
    with mpl.rc_context({**style, "pdf.fonttype": 42, "svg.hashsalt": "devs-robotics"}):
        drawn = Figure(figsize=(INCHES * columns, tall * rows), layout="constrained")
        for axes, window in zip(drawn.subplots(rows, columns, squeeze=False).flat, windows, strict=True):
            axes.set(xlim=(box.x0, box.x1), ylim=(box.y0, box.y1), xlabel="x (m)", ylabel="y (m)")
            axes.set_aspect("equal")
            axes.set_title(f"{window.title}, {time:.1f} s" if window.title else f"{time:.1f} s", fontsize=10)
            scale = 72.0 * INCHES / box.width / POINTS
            _draw(axes, standing(moments.scene, marks), box, scale)
            _draw(axes, moving(moments, poses, marks, window, options.follow), box, scale)
        file = io.BytesIO()
        dpi = options.size / (INCHES * columns)
        drawn.savefig(file, format=kind, dpi=dpi, metadata=dict(PLAIN[kind]))
        return file.getvalue()


def _draw(axes: Axes, pieces: Iterable[Piece], box: Extent, scale: float) -> None:
    """Draw pieces, one over the other; `scale` is how many of their pixels a metre has."""
    for order, piece in enumerate(pieces, len(axes.patches) + len(axes.lines) + len(axes.texts) + 2):
        if isinstance(piece, Round):
            place = Circle((piece.x, piece.y), max(piece.radius, piece.least / scale), zorder=order)
            _ink(place, piece.fill, piece.stroke, piece.width, piece.dash)
            axes.add_patch(place)
        elif isinstance(piece, Way) and piece.closed:
            area = Polygon(piece.points, closed=True, zorder=order)
            _ink(area, piece.fill, piece.stroke, piece.width, piece.dash)
            axes.add_patch(area)
        elif isinstance(piece, Way):
            xs, ys = zip(*piece.points, strict=True)
            width = POINTS * max(piece.width, piece.thick * scale)
            colour = _colour(piece.stroke or (0, 0, 0))
            axes.plot(xs, ys, color=colour, linewidth=width, linestyle=STYLES[piece.dash], zorder=order)
        elif piece.of * scale >= READ and box.x0 <= piece.x <= box.x1 and box.y0 <= piece.y <= box.y1:
            axes.annotate(
                piece.text,
                (piece.x, piece.y + piece.above),
                (0.0, POINTS * piece.raised),
                textcoords="offset points",
                ha="center",
                va="center",
                fontsize=8,
                parse_math=False,
                color=_colour(piece.colour),
                path_effects=[withStroke(linewidth=2.0, foreground=_colour(PAPER))],
                zorder=order,
            )


def _ink(patch: Circle | Polygon, fill: Colour | None, stroke: Colour | None, width: float, dash: Dash) -> None:
    patch.set_facecolor("none" if fill is None else _colour(fill))
    patch.set_edgecolor("none" if stroke is None else _colour(stroke))
    patch.set_linewidth(POINTS * width)
    patch.set_linestyle(STYLES[dash])


def _colour(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
