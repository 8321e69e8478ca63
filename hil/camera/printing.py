"""Markers to be printed: each as a picture, and all of them as a PDF in their true sizes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.hil.camera.calibration import BoardPlan, charuco_board
from devs_robotics.hil.camera.camera_plan import RIM, MarkerPlan
from devs_robotics.hil.camera.detection import dictionary
from devs_robotics.hil.camera.opencv import CameraError, opencv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CELL = 40
"""Pixels of a cell in pictures."""

A4 = (0.210, 0.297)
"""Of a page (m)."""

INCH = 0.0254


class PrintSheet(Struct, frozen=True):
    """What is printed on a page.

    Attributes:
        name: of its file
        picture: grey levels
        width: of the picture (m)
        measured: from its left black edge to its right one (m)
        has_front: whether its right side looks ahead
    """

    name: str
    picture: NDArray[np.uint8]
    width: float
    measured: float
    has_front: bool = False


def marker_picture(family: str, marker: int) -> NDArray[np.uint8]:
    """A marker with its white rim.

    Raises:
        CameraError: the family has no such marker
    """
    kind = dictionary(family)
    count = len(kind.bytesList)
    if not 0 <= marker < count:
        raise CameraError(f"markers of the family {family!r} have ids from 0 to {count - 1}: there is no {marker}")
    side = (int(kind.markerSize) + 2) * CELL
    printed = opencv().aruco.generateImageMarker(kind, marker, side, borderBits=1)
    return np.pad(np.asarray(printed, dtype=np.uint8), RIM * CELL, constant_values=255)


def write_markers(folder: Path, plan: MarkerPlan, board: BoardPlan | None = None) -> list[Path]:
    """Write a PNG for each marker, one for the board that calibrates lenses, and ``print.pdf`` with all in their sizes.

    Args:
        folder: which is made where there is none
        plan: of the markers
        board: of the board

    Returns:
        the files

    Raises:
        CameraError: a marker is larger than a page, the family has none such, or the folder cannot be written
    """
    board = board or BoardPlan()
    cells = int(dictionary(plan.family).markerSize) + 2
    rim = (cells + 2.0 * RIM) / cells

    def sheet(name: str, marker: int, size: float, *, has_front: bool) -> PrintSheet:
        picture = marker_picture(plan.family, marker)
        return PrintSheet(f"{name}_marker_{marker}", picture, size * rim, size, has_front)

    by_robot = sorted(plan.robots.items(), key=lambda each: each[1])
    sheets = [sheet(f"robot_{robot}", marker, plan.size, has_front=True) for marker, robot in by_robot]
    sheets += [sheet("corner", marker, plan.corner_size, has_front=False) for marker in sorted(plan.corners)]
    width = board.columns * board.square
    sheets.append(PrintSheet("board", _board_picture(board), width, width))
    try:
        return _write(folder, sheets)
    except OSError as error:
        raise CameraError(f"{folder} cannot be written ({error.strerror}): name another folder") from error


def _write(folder: Path, sheets: list[PrintSheet]) -> list[Path]:
    from matplotlib.backends.backend_pdf import PdfPages

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    pdf = folder / "print.pdf"
    with PdfPages(pdf, metadata={"CreationDate": None}) as pages:
        for sheet in sheets:
            pages.savefig(page_of(sheet))
            files.append(folder / f"{sheet.name}.png")
            files[-1].write_bytes(opencv().imencode(".png", sheet.picture)[1].tobytes())
    return [*files, pdf]


def page_of(sheet: PrintSheet) -> Figure:
    """A page with a picture in its true size, a hairline where its paper ends, and what it is below it.

    Raises:
        CameraError: it is larger than a page
    """
    from matplotlib.figure import Figure

    width, height = sheet.width, sheet.width * sheet.picture.shape[0] / sheet.picture.shape[1]
    across, down = A4 if height >= width or width <= A4[0] else A4[::-1]
    if width > across or height > down:
        raise CameraError(f"{sheet.name} is {100 * width:.1f} cm wide, more than a page: make it smaller")
    page = Figure(figsize=(across / INCH, down / INCH))
    left, bottom = 0.5 * (1.0 - width / across), 0.5 * (1.0 - height / down)
    axes = page.add_axes((left, bottom, width / across, height / down))
    axes.imshow(sheet.picture, cmap="gray", vmin=0, vmax=255, interpolation="nearest", aspect="auto")
    axes.set(xticks=[], yticks=[])
    for edge in axes.spines.values():
        edge.set(color="0.7", linewidth=0.3)
    label = (
        f"{sheet.name.replace('_', ' ')}: {1000 * sheet.measured:.0f} mm from black edge to black edge, if not scaled"
    )
    page.text(0.5, max(0.02, bottom - 0.03), label, ha="center", size=9)
    if sheet.has_front and left > 0.12:
        page.text(1.0 - left + 0.01, 0.5, "front \N{RIGHTWARDS ARROW}", va="center", size=9)
    return page


def _board_picture(board: BoardPlan) -> NDArray[np.uint8]:
    size = (board.columns * 4 * CELL, board.rows * 4 * CELL)
    return np.asarray(charuco_board(board).generateImage(size), dtype=np.uint8)
