"""Frames of animations: drawn at twice the size by Pillow, and then made smaller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import cos, pi, sin

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from devs_robotics.view.colours import FAINT, TRACK
from devs_robotics.view.export.drawing import (
    INK,
    PAPER,
    READ,
    SOFT,
    Colour,
    Dash,
    Moments,
    Piece,
    Round,
    Way,
    Words,
    colour,
    grid,
    metres,
    moving,
    standing,
)
from devs_robotics.view.export.extent import Extent, shown
from devs_robotics.view.export.options import ExportError, Options, Span, Window, windows_of
from devs_robotics.view.export.word_places import Area, WordPlaces
from devs_robotics.view.scene import Mark, SceneBody

TWICE = 2
HEAD, GAP = 20, 8
"""Height of the line above a picture, and room between two pictures (pixels)."""
LETTERS = 12
"""Size of the letters (pixels)."""
WIDE = 1.6
"""Fields that are longer than that, to their height, are drawn one above the other."""
FRAME = colour("", FAINT)
TRAIL = 1.5
"""For how long the way that a robot has come is seen (s of the animation)."""
PATTERN: Mapping[Dash, tuple[float, float]] = {"dashed": (5.0, 3.5), "dotted": (1.5, 3.0)}
"""Lengths of dashes and of the gaps between them (pixels)."""


class Frames:
    """The frames of an animation, one by one.

    Args:
        moments: of the recording
        span: times of the frames
        options: size, and what is seen

    Attributes:
        width, height: of a frame (pixels), both even

    Raises:
        ExportError: there is no such robot, or no such window
    """

    def __init__(self, moments: Moments, span: Span, options: Options) -> None:
        self._moments, self._span, self._follow = moments, span, options.follow
        self._windows = windows_of(moments.scene, options.windows)
        self._followed = followed(moments, options.follow)
        self._box = shown(moments.scene, moments.posing, span.times, self._followed)
        count = len(self._windows)
        beside = count == 1 or self._box.width <= WIDE * self._box.height
        across = count if beside else 1
        self._panel = (options.size - GAP * (across - 1)) // across
        self._scale = self._panel / self._box.width
        tall = max(32, round(self._scale * self._box.height))
        step = (self._panel + GAP, 0) if beside else (0, tall + HEAD + GAP)
        self._places = [(step[0] * number, HEAD + step[1] * number) for number in range(count)]
        self._tall = tall
        self.width = options.size // 2 * 2
        self.height = (self._places[-1][1] + tall + 1) // 2 * 2
        self._font = ImageFont.load_default(LETTERS * TWICE)
        self._ground: list[tuple[Mapping[str, Mark], Extent, Image.Image, list[Area]] | None] = [None] * count
        self._trails: list[list[tuple[float, float]]] = []
        self._behind = max(1, round(TRAIL * options.fps))

    def __iter__(self) -> Iterator[Image.Image]:
        for time in self._span.times:
            yield self.at(time)

    def pixel(self, window: int, x: float, y: float) -> tuple[float, float]:
        """Where a place (m) is in a frame, from the left and from above, in a window from 0 on that does not move."""
        left, top = self._places[window]
        return left + (x - self._box.x0) * self._scale, top + (self._box.y1 - y) * self._scale

    def samples(self, number: int) -> list[Image.Image]:
        """So many of them at most, at even distances."""
        times = self._span.times
        found = [self.at(time) for time in times[:: max(1, len(times) // number)][:number]]
        self._trails.clear()
        return found

    def at(self, time: float) -> Image.Image:
        """The frame of a time (s)."""
        moments = self._moments
        poses, marks = moments.posing.at(time), moments.marks(time)
        self._trails.append([(x, y) for x, y in poses[:, :2].tolist()])
        del self._trails[: -self._behind]
        box = self._box
        if self._followed is not None:
            x, y, _ = poses[self._followed.slot].tolist()
            box = box.around(x, y) if x == x else box
        image = Image.new("RGB", (self.width * TWICE, self.height * TWICE), PAPER)
        pen = ImageDraw.Draw(image)
        for number, (window, (left, top)) in enumerate(zip(self._windows, self._places, strict=True)):
            ground, taken = self._panel_of(number, marks, box)
            panel = ground.copy()
            canvas = Canvas(panel, box, self._scale, self._font, taken)
            self._draw_trails(canvas, window)
            canvas.draw(moving(moments, poses, marks, window, self._follow))
            image.paste(panel, (left * TWICE, top * TWICE))
            if len(self._windows) > 1:
                pen.rectangle(
                    [left * TWICE, top * TWICE, (left + self._panel) * TWICE - 1, (top + self._tall) * TWICE - 1],
                    outline=FRAME,
                    width=TWICE,
                )
            if window.title:
                pen.text(((left + 2) * TWICE, (top - 17) * TWICE), window.title, SOFT, self._font)
        said = f"grid {metres(box.step)}   {time:.1f} s"
        if self._span.speed != 1.0:
            said += f", {self._span.speed:g} times as fast"
        length = pen.textlength(said, self._font)
        pen.text((self.width * TWICE - length - 4, 3 * TWICE), said, INK, self._font)
        return image.reduce(TWICE)

    def _panel_of(self, number: int, marks: Mapping[str, Mark], box: Extent) -> tuple[Image.Image, list[Area]]:
        """What stands still, drawn once as long as it does, and where its words are."""
        known = self._ground[number]
        if known is None or known[0] is not marks or known[1] != box:
            image = Image.new("RGB", (self._panel * TWICE, self._tall * TWICE), PAPER)
            canvas = Canvas(image, box, self._scale, self._font)
            canvas.draw(grid(self._moments.scene, box))
            canvas.draw(standing(self._moments.scene, marks))
            self._ground[number] = known = marks, box, image, canvas.taken
        return known[2], known[3]

    def _draw_trails(self, canvas: Canvas, window: Window) -> None:
        for body in self._moments.bodies:
            if body.kind in window.kinds and body.radius:
                points = [trail[body.slot] for trail in self._trails if trail[body.slot][0] == trail[body.slot][0]]
                if len(points) > 1:
                    canvas.draw([Way(tuple(points), False, None, colour("", TRACK), 1.0)])


def followed(moments: Moments, follow: int) -> SceneBody | None:
    """The robot that stays in the middle, if one does.

    Raises:
        ExportError: there is no such robot
    """
    if not follow:
        return None
    for body in moments.bodies:
        if body.robot == follow:
            return body
    last = max((body.robot for body in moments.bodies), default=0)
    raise ExportError(f"--follow {follow}: there is no such robot, they are numbered from 1 to {last}")


class Canvas:
    """Draws pieces of the field into an image.

    Args:
        image: at twice the size
        box: that it shows
        scale: pixels per metre, before it is made twice as large
        font: of words
        taken: where there are words already
    """

    def __init__(
        self,
        image: Image.Image,
        box: Extent,
        scale: float,
        font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
        taken: Iterable[Area] = (),
    ) -> None:
        self._places = WordPlaces(*image.size, taken)
        self._pen = ImageDraw.Draw(image)
        self._box, self._scale, self._font = box, scale * TWICE, font

    @property
    def taken(self) -> list[Area]:
        """Where there are words (pixels of the image)."""
        return self._places.taken

    def draw(self, pieces: Iterable[Piece]) -> None:
        """Draw them, one over the other."""
        for piece in pieces:
            if isinstance(piece, Round):
                self._round(piece)
            elif isinstance(piece, Way):
                self._way(piece)
            else:
                self._words(piece)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self._box.x0) * self._scale, (self._box.y1 - y) * self._scale

    def _round(self, piece: Round) -> None:
        x, y = self._at(piece.x, piece.y)
        r = max(piece.radius * self._scale, piece.least * TWICE)
        edge = [x - r, y - r, x + r, y + r]
        width = max(1, round(piece.width * TWICE))
        if not piece.dash or piece.stroke is None:
            self._pen.ellipse(edge, piece.fill, piece.stroke, width if piece.stroke is not None else 0)
            return
        self._pen.ellipse(edge, piece.fill)
        turns = np.linspace(0.0, 2.0 * pi, 65).tolist()
        inner = r - 0.5 * width
        self._dashed(
            [(x + inner * cos(turn), y + inner * sin(turn)) for turn in turns], piece.stroke, width, piece.dash
        )

    def _way(self, piece: Way) -> None:
        points = [self._at(*point) for point in piece.points]
        if piece.fill is not None:
            self._pen.polygon(points, piece.fill)
        if piece.stroke is None:
            return
        if piece.closed:
            points.append(points[0])
        width = max(1, round(max(piece.width * TWICE, piece.thick * self._scale)))
        if piece.dash:
            self._dashed(points, piece.stroke, width, piece.dash)
            return
        self._pen.line(points, piece.stroke, width, "curve" if width > 2 * TWICE else None)

    def _dashed(self, points: list[tuple[float, float]], stroke: Colour, width: int, dash: Dash) -> None:
        """A line in pieces of equal length."""
        on, off = (length * TWICE for length in PATTERN[dash])
        way = np.array(points)
        ends = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
        begin = 0.0
        while begin < ends[-1]:
            at = np.linspace(begin, min(begin + on, ends[-1]), 4)
            piece = np.column_stack([np.interp(at, ends, way[:, column]) for column in (0, 1)])
            self._pen.line([(x, y) for x, y in piece.tolist()], stroke, width)
            begin += on + off

    def _words(self, piece: Words) -> None:
        if piece.of * self._scale < READ * TWICE:
            return
        place = self._free(piece)
        if place is None:
            return
        self._pen.text(
            place,
            piece.text,
            piece.colour,
            self._font,
            anchor="mm",
            stroke_width=2 * TWICE,
            stroke_fill=PAPER,
        )

    def _free(self, piece: Words) -> tuple[float, float] | None:
        """The middle of words where they cover no others and are in the picture; None: there is no such place."""
        x, y = self._at(piece.x, piece.y)
        box = self._pen.textbbox((0.0, 0.0), piece.text, self._font, anchor="mm")
        up = piece.above * self._scale + piece.raised * TWICE
        return self._places.take(x, y, box, up, abs(piece.above) * self._scale + 4 * TWICE)
