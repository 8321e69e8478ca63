"""One moment of a recording as a figure for papers: PNG, SVG or PDF."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, Polygon
from matplotlib.patheffects import withStroke
from matplotlib.textpath import text_to_path

from devs_robotics.view.export.drawing import (
    PAPER,
    READ,
    Colour,
    Dash,
    Moments,
    Piece,
    Round,
    Way,
    Words,
    moving,
    standing,
)
from devs_robotics.view.export.extent import Extent, shown
from devs_robotics.view.export.options import Options, Span, windows_of
from devs_robotics.view.export.raster import WIDE, followed
from devs_robotics.view.export.word_places import WordPlaces

INCHES = 4.5
"""Width of one picture of the field, for two columns of a paper when there are two."""
POINTS = 0.75
"""Of a line that is one pixel wide."""
SMALL = 8.0
"""Of words in the field (points)."""
ABOVE = 10.0
"""`zorder` of what lies over robots."""
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
        fields = list(zip(drawn.subplots(rows, columns, squeeze=False).flat, windows, strict=True))
        for axes, window in fields:
            axes.set(xlim=(box.x0, box.x1), ylim=(box.y0, box.y1), xlabel="x (m)", ylabel="y (m)")
            axes.set_aspect("equal")
            axes.set_title(f"{window.title}, {time:.1f} s" if window.title else f"{time:.1f} s", fontsize=10)
        drawn.draw_without_rendering()  # now everything has its place
        drawn.set_layout_engine("none")
        for axes, window in fields:
            scale = _scale(axes, box.width)
            places = WordPlaces(box.width * scale, box.height * scale)
            _draw(axes, standing(moments.scene, marks), box, scale, places)
            _draw(axes, moving(moments, poses, marks, window, options.follow), box, scale, places)
        file = io.BytesIO()
        dpi = options.size / (INCHES * columns)
        drawn.savefig(file, format=kind, dpi=dpi, metadata=dict(PLAIN[kind]))
        return file.getvalue()


def draw_around(
    axes: Axes, low: Sequence[Piece], high: Sequence[Piece], robots: Iterable[tuple[float, float, float]]
) -> None:
    """Draw pieces below and above what is on axes already; words are above all, where they cover nothing.

    Args:
        axes: with their place and their limits
        low: below all that has a `zorder` of 1 or more
        high: above all whose `zorder` is less than `ABOVE`
        robots: discs that words do not cover: x, y, radius (m)
    """
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    box, scale = Extent(x0, y0, x1, y1), _scale(axes, x1 - x0)
    taken = [
        ((x - r - x0) * scale, (y1 - y - r) * scale, (x + r - x0) * scale, (y1 - y + r) * scale) for x, y, r in robots
    ]
    places = WordPlaces(box.width * scale, box.height * scale, taken)
    for number, piece in enumerate(low, 1):
        _put(axes, piece, box, scale, places, 2 * ABOVE if isinstance(piece, Words) else number / (len(low) + 1))
    for piece in high:
        _put(axes, piece, box, scale, places, 2 * ABOVE if isinstance(piece, Words) else ABOVE)


def _scale(axes: Axes, width: float) -> float:
    """How many pixels of pieces a metre has on axes that are so wide (m)."""
    figure = axes.figure
    assert figure is not None
    return axes.get_window_extent().width * 72.0 / figure.dpi / width / POINTS


def _draw(axes: Axes, pieces: Iterable[Piece], box: Extent, scale: float, places: WordPlaces) -> None:
    """Draw pieces, one over the other; `scale` is how many of their pixels a metre has, `places` is for their words."""
    for order, piece in enumerate(pieces, len(axes.patches) + len(axes.lines) + len(axes.texts) + 2):
        _put(axes, piece, box, scale, places, order)


def _put(axes: Axes, piece: Piece, box: Extent, scale: float, places: WordPlaces, order: float) -> None:
    """Draw one piece; words only where they have room."""
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
    elif piece.of * scale >= READ and (at := _free(piece, box, scale, places)) is not None:
        axes.text(
            *at,
            piece.text,
            ha="center",
            va="center",
            fontsize=SMALL,
            parse_math=False,
            color=_colour(piece.colour),
            path_effects=[withStroke(linewidth=2.0, foreground=_colour(PAPER))],
            zorder=order,
        )


def _free(piece: Words, box: Extent, scale: float, places: WordPlaces) -> tuple[float, float] | None:
    """The middle of words in the field (m); None: there is no room for them."""
    font, lines = FontProperties(size=SMALL / POINTS), piece.text.split("\n")
    width = max(text_to_path.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines)
    half = 0.5 * width + 1.5, 0.6 * len(lines) * SMALL / POINTS + 1.0
    up = piece.above * scale + piece.raised
    x, y = (piece.x - box.x0) * scale, (box.y1 - piece.y) * scale
    place = places.take(x, y, (-half[0], -half[1], *half), up, abs(piece.above) * scale + 4.0)
    return None if place is None else (box.x0 + place[0] / scale, box.y1 - place[1] / scale)


def _ink(patch: Circle | Polygon, fill: Colour | None, stroke: Colour | None, width: float, dash: Dash) -> None:
    patch.set_facecolor("none" if fill is None else _colour(fill))
    patch.set_edgecolor("none" if stroke is None else _colour(stroke))
    patch.set_linewidth(POINTS * width)
    patch.set_linestyle(STYLES[dash])


def _colour(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
