"""Animations as GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
from PIL import GifImagePlugin, Image

from devs_robotics.view.export.drawing import PAPER
from devs_robotics.view.export.options import ExportError
from devs_robotics.view.export.raster import Frames

Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

COLOURS = 64
"""Of all frames together, one of which is that of what does not change."""
UNCHANGED = COLOURS - 1
RATES = (25, 50)
"""Frames per second; a GIF knows delays of whole hundredths of a second."""
SAMPLES = 8
"""Number of frames of which the colours are taken."""


def gif(frames: Frames, fps: int) -> bytes:
    """An animation that begins anew at its end.

    Args:
        frames: of it
        fps: frames per second, one of `RATES`

    Raises:
        ExportError: another number of frames per second
    """
    if fps not in RATES:
        raise ExportError(f"a GIF has 25 or 50 frames per second, not {fps}: give --fps 25, or make an .mp4")
    colours = _colours(frames)
    table = _nearest(colours)

    def reduced() -> Iterator[Image.Image]:
        for image in frames:
            parts = np.asarray(image) >> 3
            places = (parts[:, :, 0].astype(np.int64) << 10) | (parts[:, :, 1].astype(np.int64) << 5) | parts[:, :, 2]
            indexed = Image.fromarray(table[places])
            indexed.putpalette(colours.tobytes())
            yield indexed

    file = io.BytesIO()
    delay = 1000 // fps
    before: Bytes | None = None
    for image in reduced():
        if before is None:
            for part in GifImagePlugin.getheader(image, info={"loop": 0, "duration": delay, "optimize": False})[0]:
                file.write(part)
        whole = np.asarray(image)
        patch, offset = (whole, (0, 0)) if before is None else _change(before, whole)
        before = whole
        shown = Image.fromarray(patch)
        shown.putpalette(colours.tobytes())
        parts = GifImagePlugin.getdata(
            shown, offset, duration=delay, transparency=UNCHANGED, disposal=1, include_color_table=False
        )
        for part in parts:
            file.write(part)
    file.write(b";")
    return file.getvalue()


def _change(before: Bytes, now: Bytes) -> tuple[Bytes, tuple[int, int]]:
    """The smallest part of a frame in which it differs, see-through where it does not, and where it lies."""
    differs = before != now
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return np.full((1, 1), UNCHANGED, dtype=np.uint8), (0, 0)
    part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return np.where(differs[part], now[part], UNCHANGED).astype(np.uint8), (int(columns[0]), int(rows[0]))


def _colours(frames: Frames) -> Bytes:
    """The colours of some frames, for all of them, so that nothing flickers; shape (`COLOURS`, 3)."""
    some = frames.samples(SAMPLES)
    sheet = Image.new("RGB", (frames.width, frames.height * len(some)))
    for number, image in enumerate(some):
        sheet.paste(image, (0, number * frames.height))
    means = sheet.quantize(COLOURS - 2, Image.Quantize.MEDIANCUT).getpalette() or []
    others = np.array(means, dtype=np.uint8).reshape(-1, 3)[: COLOURS - 2]
    found = np.full((COLOURS, 3), 255, dtype=np.uint8)
    found[0] = PAPER  # a colour of its own, and no mean of nearly white ones
    found[1 : 1 + len(others)] = others
    return found


def _nearest(colours: Bytes) -> Bytes:
    """Number of the nearest colour, by the highest five bits of red, green and blue."""
    bits = np.arange(32)
    levels = (bits << 3) | (bits >> 2)
    red, green, blue = np.meshgrid(levels, levels, levels, indexing="ij")
    cells = np.column_stack((red.ravel(), green.ravel(), blue.ravel()))
    best = np.full(len(cells), np.iinfo(np.int64).max)
    found = np.zeros(len(cells), dtype=np.uint8)
    for number, colour in enumerate(colours[:UNCHANGED].astype(np.int64)):
        distance = ((cells - colour) ** 2).sum(axis=1)
        nearer = distance < best
        best[nearer], found[nearer] = distance[nearer], number
    return found
